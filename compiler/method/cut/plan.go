package cut

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// labelsWord is the place of the largest number of states in the words of pgmrt.CutMoves.
const labelsWord = 3

// The moves of pgmrt.CutMoves.
const (
	choose = iota // one choice between the two states of each variable
	expand
	exchange
)

// The numbers of pgmrt.CutMoves: arcs of a pair in a graph that is not mirrored and in one that is;
// integers of a node, and of a variable.
const (
	pairArcs   = 2
	mirrorArcs = 8
	nodeInts   = 7
	varInts    = 3
)

// memory is the name of the integers of CutMoves.
const memory = "cut"

// maxArcs is the largest number of arcs of a graph: their words, and the code that makes them, take
// some hundred bytes each.
const maxArcs = 1 << 22

// plan builds the schedule of the method. Its tables hold energies: negated logarithms of values,
// relative to the largest of a factor.
type plan struct {
	*loop.Plan
	pairs  []pair
	tables []float64      // the tables of the pairs, one after the other
	most   float64        // the sum of their largest finite energies
	offset float64        // the sum of the logarithms of the factors' largest values
	own    [][]ir.TableID // by variable: the energies of factors over it alone
	base   []ir.TableID   // by variable: their sum, and that of its likelihood
	mirror bool           // whether a pair of a binary network is not submodular
	value  ir.TableID     // energy of the chosen states
	bound  ir.TableID     // least energy that states may have
	ties   ir.TableID
}

// pair is a factor over two variables. Its table begins at offset at.
type pair struct {
	from, to model.VarID
	at       int
}

// newPlan returns a plan without operations of a round. It fails if a table has more than limit
// entries.
func newPlan(p *ir.Problem, limit int) (*plan, error) {
	m := p.Model
	b := &plan{Plan: loop.New(p), own: make([][]ir.TableID, len(m.Vars))}
	for _, f := range m.Factors {
		if n, ok := m.TableSize(f.Scope); !ok || n > limit {
			return nil, fmt.Errorf("the table of the %s has more than %d entries", m.FactorName(f), limit)
		}
		if err := b.add(f, limit); err != nil {
			return nil, err
		}
	}
	for v := range m.Vars {
		b.base = append(b.base, b.Kept("energy of "+m.Vars[v].Name, model.VarID(v)))
		b.Start = append(b.Start, &ir.EnergyOp{Out: b.base[v], Weight: b.Lambda[v], In: b.own[v]})
	}
	if len(b.pairs) > maxArcs/mirrorArcs {
		return nil, fmt.Errorf("found %d factors over two variables; want at most %d", len(b.pairs), maxArcs/mirrorArcs)
	}
	return b, nil
}

// add adds the energies of a factor.
func (b *plan) add(f *model.Factor, limit int) error {
	m, scope := b.Model, b.Model.Several(f)
	values, err := m.Tabulate(f, limit)
	if err != nil {
		return err
	}
	top := slices.Max(values)
	if top == 0 {
		b.Start = append(b.Start, b.Copy(b.Alive, b.Zero))
		return nil
	}
	b.offset += pgmrt.Ln(top)
	energies, most := energiesOf(values, top)
	switch len(scope) {
	case 1:
		t := b.Constant(m.FactorName(f), scope)
		b.Schedule.Tables[t].Data = energies
		b.own[scope[0]] = append(b.own[scope[0]], t)
	case 2:
		b.pairs = append(b.pairs, pair{scope[0], scope[1], len(b.tables)})
		b.tables = append(b.tables, energies...)
		b.most += most
		class, ok := m.EnergiesOf(f, limit)
		b.mirror = b.mirror || !(ok && class.Submodular)
	}
	return nil
}

// energiesOf returns the energies of values relative to top, and the largest that is finite. An
// impossible state has energy math.MaxFloat64.
func energiesOf(values []float64, top float64) (energies []float64, most float64) {
	for _, x := range values {
		e := math.MaxFloat64
		if x > 0 {
			e = max(0, pgmrt.Ln(top)-pgmrt.Ln(x))
			most = max(most, e)
		}
		energies = append(energies, e)
	}
	return energies, most
}

// moves returns the kind of move, and mirrors the graph only for binary networks.
func (b *plan) moves(name string) int {
	for v := range b.Model.Vars {
		if b.Model.Card(model.VarID(v)) > 2 {
			b.mirror = false
			if name == swap {
				return exchange
			}
			return expand
		}
	}
	return choose
}

// round sets the one operation of a round.
func (b *plan) round(move int) {
	b.value, b.bound, b.ties = b.Kept("energy"), b.Kept("bound"), b.Kept("ties")
	rounds := b.Kept("rounds")
	for _, t := range []ir.TableID{b.value, b.bound, b.ties, rounds} {
		b.Start = append(b.Start, b.Copy(t, b.Zero))
	}
	numbers, nodes, arcs := b.graph(move)
	work := nodes + arcs
	if labels := numbers[labelsWord]; labels > 2 { // messages for a bound
		work += (arcs + 1) * int(labels)
	}
	tables := b.Leaves("energies of pairs", append(b.tables, b.most))
	op := &ir.KernelOp{Func: "CutMoves", Numbers: numbers, Reads: append(slices.Clone(b.base), tables),
		Writes: []ir.TableID{b.Alive, b.value, b.bound, b.Residual, b.ties, rounds},
		Work:   max(1, work), Ints: nodeInts*nodes + varInts*len(b.Model.Vars), Memory: memory}
	for v := range b.Model.Vars {
		op.Sets = append(op.Sets, model.VarID(v))
	}
	b.Round = []ir.Op{op}
}

// end adds the operations after the last round: the logarithms of the value and of the bound.
// Beliefs are no marginals, so there are no other answers.
func (b *plan) end() *ir.OpDecode {
	logBound := b.Kept("ln of the bound")
	for _, x := range [][2]ir.TableID{{b.LogP, b.value}, {logBound, b.bound}} {
		b.End = append(b.End, b.Copy(x[0], b.Zero), b.tally(x[0], -1, x[1]), b.tally(x[0], b.offset, b.One))
	}
	for v := range b.Outs {
		b.Outs[v] = ir.NoTable
	}
	d := &ir.OpDecode{Bound: logBound, Slack: ir.NoTable, Ties: b.ties}
	if b.mirror {
		d.Fixed = memory
	}
	return d
}

// tally returns the operation that adds factor times the number x to total.
func (b *plan) tally(total ir.TableID, factor float64, x ir.TableID) ir.Op {
	return &ir.TallyOp{Kind: ir.TallySum, Factor: factor, Total: total, In: x, Alive: ir.NoTable, Ref: ir.NoTable}
}

// graph lays out the graph of the cuts: see pgmrt.CutMoves for the words. A pair has an arc from
// its first to its second variable, and in a mirrored graph also from the opposite of the second to
// that of the first, from each to the opposite of the other, and all in reverse.
func (b *plan) graph(move int) (words []int32, nodes, arcs int) {
	n := len(b.Model.Vars)
	nodes, arcs = n, pairArcs*len(b.pairs)
	mirror := int32(0)
	if b.mirror {
		nodes, arcs, mirror = 2*n, mirrorArcs*len(b.pairs), 1
	}
	var card, from, to, at, head []int32
	labels := 1
	for v := range b.Model.Vars {
		k := b.Model.Card(model.VarID(v))
		card, labels = append(card, int32(k)), max(labels, k)
	}
	for _, e := range b.pairs {
		u, v, n := int32(e.from), int32(e.to), int32(n)
		from, to, at = append(from, u), append(to, v), append(at, int32(e.at))
		head = append(head, v, u) // an arc from u to v is followed by its reverse
		if b.mirror {
			head = append(head, n+u, n+v, n+v, u, n+u, v)
		}
	}
	at = append(at, int32(len(b.tables)))
	first, list := byNode(head, nodes)
	words = []int32{int32(move), int32(n), int32(len(b.pairs)), int32(labels), mirror}
	return slices.Concat(words, card, from, to, at, first, list, head), nodes, arcs
}

// byNode lists the arcs that leave each node, given the heads of all arcs, in opposite pairs. The
// arcs of node i are those from list[first[i]] to before list[first[i+1]].
func byNode(head []int32, nodes int) (first, list []int32) {
	first = make([]int32, nodes+1)
	for a := range head {
		first[head[a^1]+1]++
	}
	for i := range nodes {
		first[i+1] += first[i]
	}
	next := slices.Clone(first)
	list = make([]int32, len(head))
	for a := range head {
		tail := head[a^1]
		list[next[tail]] = int32(a)
		next[tail]++
	}
	return first, list
}
