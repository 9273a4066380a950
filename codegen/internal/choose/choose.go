// Package choose chooses the back-end of each block of a program by the times that the back-ends
// predict, and predicts the times of queries.
package choose

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/group"
)

// Assembly is the name by which batches are written in assembly, and single queries as by "auto".
const Assembly = "asm"

// Choice is the back-end of a block, its prediction, and the name of the generated method.
type Choice struct {
	Backend *backend.Backend
	Cost    backend.Cost
	Func    string
}

// Plan returns a back-end for each block of p: the named one, or for "auto", "" and Assembly the
// fastest one within the limits. If the named one is partial, it takes the blocks that it can emit.
func Plan(p *ir.Program, backends []backend.Backend, name string) ([]Choice, error) {
	c := chooser{p: p, backends: backends, limit: func(b *backend.Backend) backend.Limit { return b.Auto }}
	if name != "" && name != "auto" && name != Assembly {
		i := slices.IndexFunc(backends, func(b backend.Backend) bool { return b.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown back-end %q; want auto%s", name, withAssembly(backends))
		}
		if backends[i].Partial {
			c.named = name
		} else {
			c.backends = backends[i : i+1]
		}
		c.limit = func(b *backend.Backend) backend.Limit {
			if b.Name == name {
				return b.Forced
			}
			return b.Auto
		}
	}
	c.backends = ForProgram(p, c.backends)
	plan, err := c.plan()
	if err != nil {
		return nil, err
	}
	for i := range plan {
		plan[i].Func = "block" + strconv.Itoa(i) + names.Exported(p.Blocks[i].Name, "B", "")
	}
	return plan, nil
}

// ForProgram returns the back-ends prepared for p by their For.
func ForProgram(p *ir.Program, backends []backend.Backend) []backend.Backend {
	list := slices.Clone(backends)
	for i, b := range list {
		if b.For != nil {
			list[i] = b.For(p, b)
		}
	}
	return list
}

// withAssembly lists the names that choose takes other than auto, each after a comma.
func withAssembly(backends []backend.Backend) (list string) {
	for _, b := range backends {
		list += ", " + b.Name
	}
	return list + ", " + Assembly
}

// chooser is the state of choose.
type chooser struct {
	p        *ir.Program
	backends []backend.Backend
	limit    func(*backend.Backend) backend.Limit
	named    string           // the back-end that emits every block that it can, if any
	costs    [][]backend.Cost // by block and back-end
	barred   [][]bool         // by block and back-end: excluded by thin or a limit
}

// plan gives each block its fastest back-end. It then considers the blocks of a query together, and
// takes blocks from back-ends that exceed their limit, in the order of the list, until all are
// within it.
func (c *chooser) plan() ([]Choice, error) {
	c.predict()
	for _, costs := range c.costs {
		c.barred = append(c.barred, c.passedOver(costs))
	}
	if len(c.backends) > 1 && c.named == "" {
		c.thin()
	}
	for k := range c.backends {
		c.enforce(k)
	}
	plan := make([]Choice, len(c.p.Blocks))
	for i := range plan {
		k := c.best(i)
		if k < 0 {
			return nil, c.refused(i)
		}
		plan[i] = Choice{Backend: &c.backends[k], Cost: c.costs[i][k]}
	}
	return plan, nil
}

// predict finds the costs of all blocks, on all cores: a large program has thousands.
func (c *chooser) predict() {
	c.costs = make([][]backend.Cost, len(c.p.Blocks))
	var next atomic.Int64
	var g group.Group
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(c.costs); i = int(next.Add(1)) - 1 {
				for k := range c.backends {
					c.costs[i] = append(c.costs[i], c.backends[k].Cost(c.p, &c.p.Blocks[i]))
				}
			}
		})
	}
	g.Wait()
}

// passedOver returns, by back-end, whether a block is for the named one and not for it.
func (c *chooser) passedOver(costs []backend.Cost) []bool {
	barred := make([]bool, len(costs))
	k := slices.IndexFunc(c.backends, func(b backend.Backend) bool { return b.Name == c.named })
	if k >= 0 && costs[k].OK {
		for i := range barred {
			barred[i] = i != k
		}
	}
	return barred
}

// best returns the fastest back-end that block i may use, or -1 if there is none.
func (c *chooser) best(i int) int {
	best := -1
	for k, cost := range c.costs[i] {
		if cost.OK && !c.barred[i][k] && (best < 0 || cost.NS < c.costs[i][best].NS) {
			best = k
		}
	}
	return best
}

// enforce keeps the blocks of back-end k that save most time for each operation, as long as they
// fit its limit, and excludes k from the others.
func (c *chooser) enforce(k int) {
	room := c.limit(&c.backends[k])
	if room == (backend.Limit{}) {
		return
	}
	var blocks []int
	gain := make([]float64, len(c.costs))
	for i := range c.costs {
		if c.best(i) != k {
			c.barred[i][k] = true // also later, when another back-end has no room for the block
			continue
		}
		blocks = append(blocks, i)
		gain[i] = c.gain(i, k)
	}
	slices.SortStableFunc(blocks, func(i, j int) int { return cmp.Compare(gain[j], gain[i]) })
	for _, i := range blocks {
		cost := c.costs[i][k]
		if cost.Size() > room.Ops || cost.Text > room.Text {
			c.barred[i][k] = true
			continue
		}
		room.Ops -= cost.Size()
		room.Text -= cost.Text
	}
}

// nothingElse is the gain of a back-end on a block that no other back-end can emit.
const nothingElse = 1e300

// gain returns the time that back-end k saves on block i compared with the next best, for each
// operation.
func (c *chooser) gain(i, k int) float64 {
	c.barred[i][k] = true
	next := c.best(i)
	c.barred[i][k] = false
	if next < 0 {
		return nothingElse
	}
	return (c.costs[i][next].NS - c.costs[i][k].NS) / float64(max(1, c.costs[i][k].Size()))
}

// BackendError reports that the named back-end cannot write a package, and suggests one that can.
type BackendError struct {
	Backend string
	*diag.Message
}

// OtherBackend returns the error that the named back-end cannot write a package and that others
// may.
func OtherBackend(name, reason string) error {
	return &BackendError{name, diag.Errorf("back-end %s %s; try %v", name, reason, AutoBackend)}
}

// AutoBackend is the option that lets the compiler choose back-ends.
var AutoBackend = diag.Option{Name: "backend", Value: "auto"}

// refused returns the error that block i has no back-end.
func (c *chooser) refused(i int) error {
	b := &c.p.Blocks[i]
	if len(c.backends) != 1 {
		return fmt.Errorf("no back-end can emit block %q", b.Name)
	}
	name, cost := c.backends[0].Name, c.costs[i][0]
	if !cost.OK {
		return OtherBackend(name, fmt.Sprintf("can't emit block %q", b.Name))
	}
	room := c.limit(&c.backends[0])
	return OtherBackend(name, fmt.Sprintf("would need more than %d operations or %d bytes of machine code in all, with %d and %d for block %q",
		room.Ops, room.Text, cost.Size(), cost.Text, b.Name))
}
