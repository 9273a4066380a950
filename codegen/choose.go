package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// choice is the back-end of a block, what it predicts, and the name of the method.
type choice struct {
	backend *backend.Backend
	cost    backend.Cost
	fn      string
}

// choose picks a back-end for each block of p: the named one, or with "auto" the fastest within the
// limits.
func choose(p *ir.Program, backends []backend.Backend, name string) ([]choice, error) {
	c := chooser{p: p, backends: backends, limit: func(b *backend.Backend) backend.Limit { return b.Auto }}
	if name != "" && name != "auto" && name != Assembly {
		i := slices.IndexFunc(backends, func(b backend.Backend) bool { return b.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown back-end %q; want auto%s", name, withAssembly(backends))
		}
		c.backends, c.limit = backends[i:i+1], func(b *backend.Backend) backend.Limit { return b.Forced }
	}
	c.backends = forProgram(p, c.backends)
	plan, err := c.plan()
	if err != nil {
		return nil, err
	}
	for i := range plan {
		plan[i].fn = "block" + strconv.Itoa(i) + names.Exported(p.Blocks[i].Name, "B", "")
	}
	return plan, nil
}

// forProgram are back-ends as they look at p alone.
func forProgram(p *ir.Program, backends []backend.Backend) []backend.Backend {
	list := slices.Clone(backends)
	for i, b := range list {
		if b.For != nil {
			list[i] = b.For(p, b)
		}
	}
	return list
}

func backendNames(backends []backend.Backend) (list string) {
	for _, b := range backends {
		list += ", " + b.Name
	}
	return list
}

type chooser struct {
	p        *ir.Program
	backends []backend.Backend
	limit    func(*backend.Backend) backend.Limit
	costs    [][]backend.Cost // of block, back-end
	barred   [][]bool         // by a limit, of block, back-end
}

// plan gives each block its fastest back-end, looks at what blocks do to each other, then takes
// blocks from back-ends that are over their limit, in the order of the list, until all are within.
func (c *chooser) plan() ([]choice, error) {
	for i := range c.p.Blocks {
		costs := make([]backend.Cost, len(c.backends))
		for k := range c.backends {
			costs[k] = c.backends[k].Cost(c.p, &c.p.Blocks[i])
		}
		c.costs = append(c.costs, costs)
		c.barred = append(c.barred, make([]bool, len(c.backends)))
	}
	if len(c.backends) > 1 {
		c.thin()
	}
	for k := range c.backends {
		c.enforce(k)
	}
	plan := make([]choice, len(c.p.Blocks))
	for i := range plan {
		k := c.best(i)
		if k < 0 {
			return nil, c.refused(i)
		}
		plan[i] = choice{backend: &c.backends[k], cost: c.costs[i][k]}
	}
	return plan, nil
}

// best is the fastest back-end that block i may use; -1 where there is none.
func (c *chooser) best(i int) int {
	best := -1
	for k, cost := range c.costs[i] {
		if cost.OK && !c.barred[i][k] && (best < 0 || cost.NS < c.costs[i][best].NS) {
			best = k
		}
	}
	return best
}

// enforce keeps the blocks of back-end k that gain most for an operation, as long as they fit, and
// bars it from the others.
func (c *chooser) enforce(k int) {
	room := c.limit(&c.backends[k])
	if room == (backend.Limit{}) {
		return
	}
	var blocks []int
	gain := make([]float64, len(c.costs))
	for i := range c.costs {
		if c.best(i) != k {
			c.barred[i][k] = true // nor later, when another back-end has no room for it
			continue
		}
		blocks = append(blocks, i)
		gain[i] = c.gain(i, k)
	}
	slices.SortStableFunc(blocks, func(i, j int) int { return cmp.Compare(gain[j], gain[i]) })
	for _, i := range blocks {
		cost := c.costs[i][k]
		if cost.Ops > room.Ops || cost.Text > room.Text {
			c.barred[i][k] = true
			continue
		}
		room.Ops -= cost.Ops
		room.Text -= cost.Text
	}
}

// nothingElse is the gain where no other back-end can do a block.
const nothingElse = 1e300

// gain is the time that back-end k saves on block i against the next best, for each operation.
func (c *chooser) gain(i, k int) float64 {
	c.barred[i][k] = true
	next := c.best(i)
	c.barred[i][k] = false
	if next < 0 {
		return nothingElse
	}
	return (c.costs[i][next].NS - c.costs[i][k].NS) / float64(max(1, c.costs[i][k].Ops))
}

// BackendError reports that the back-end which Options.Backend names can't write a package, and
// what would work.
type BackendError struct {
	Backend string
	*diag.Message
}

// otherBackend says that the back-end of that name can't write a package, and that others may.
func otherBackend(name, reason string) error {
	return &BackendError{name, diag.Errorf("back-end %s %s; try %v", name, reason, autoBackend)}
}

var autoBackend = diag.Option{Name: "backend", Value: "auto"}

// refused says why block i has no back-end.
func (c *chooser) refused(i int) error {
	b := &c.p.Blocks[i]
	if len(c.backends) != 1 {
		return fmt.Errorf("no back-end can emit block %q", b.Name)
	}
	name, cost := c.backends[0].Name, c.costs[i][0]
	if !cost.OK {
		return otherBackend(name, fmt.Sprintf("can't emit block %q", b.Name))
	}
	room := c.limit(&c.backends[0])
	return otherBackend(name, fmt.Sprintf("would need more than %d operations or %d bytes of machine code in all, with %d and %d for block %q",
		room.Ops, room.Text, cost.Ops, cost.Text, b.Name))
}
