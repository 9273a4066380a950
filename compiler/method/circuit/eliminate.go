package circuit

import (
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The largest expected mean number of entries of joins that share a node, and the mean number of
// steps that lead to an entry. Joins of deterministic factors find few entries in many steps.
const (
	joinedPerNode  = 4
	stepsPerJoined = 8
)

// errTooLarge reports that the circuit outgrew its limit.
var errTooLarge = errors.New("circuit: too many nodes")

// eliminator records variable elimination as a circuit.
type eliminator struct {
	m    *model.Model
	out  *ir.Circuit
	c    *circuit.Circuit // out.Nodes
	rank []int            // by variable: its index in the order
	stop func() error

	limit  int   // largest number of nodes
	joined int   // entries of joins so far, at most joinedPerNode times limit; equal ones share a node
	steps  int64 // steps that are left for joins
	max    bool

	bound       [][2]float32         // by node: the base-2 logarithms of the smallest and the largest non-zero value
	scaledBound [][2]float32         // by group
	factor      map[int]circuit.Node // by group: its power of two, if that is a node too
}

// newEliminator returns an eliminator for m, which is the circuit's model or a decomposition of it.
func newEliminator(m *model.Model, out *ir.Circuit, order []int) *eliminator {
	e := &eliminator{m: m, out: out, c: out.Nodes, rank: make([]int, len(m.Vars)), stop: func() error { return nil }, factor: map[int]circuit.Node{}}
	for i, v := range order {
		e.rank[v] = i
	}
	return e
}

// input returns a new node for a leaf.
func (e *eliminator) input(l ir.Leaf) circuit.Node {
	e.out.Leaves = append(e.out.Leaves, l)
	return e.c.Input(int32(len(e.out.Leaves) - 1))
}

// sort sorts variables in the order of tries: the reverse of the elimination order.
func (e *eliminator) sort(vars []model.VarID) {
	slices.SortFunc(vars, func(a, b model.VarID) int { return e.rank[b] - e.rank[a] })
}

// run multiplies factors and sums out all variables in order. It returns the node of the result.
func (e *eliminator) run(order []int, factors []*factor) (circuit.Node, error) {
	buckets := make([][]*factor, len(e.m.Vars))
	root := circuit.One
	put := func(f *factor) {
		if len(f.vars) == 0 {
			if len(f.nodes) == 0 {
				root = circuit.Zero
			} else {
				root = e.c.Prod(root, f.nodes[0])
			}
			return
		}
		v := f.vars[len(f.vars)-1]
		buckets[v] = append(buckets[v], f)
	}
	for _, f := range factors {
		put(f)
	}
	for _, v := range order {
		if len(buckets[v]) == 0 {
			continue
		}
		if err := e.stop(); err != nil {
			return 0, err
		}
		f, err := e.sumOut(buckets[v])
		buckets[v] = nil
		if err != nil {
			return 0, err
		}
		put(f)
	}
	return root, nil
}

// sumOut returns the product of factors that have the same last variable, with that variable summed
// out.
func (e *eliminator) sumOut(factors []*factor) (*factor, error) {
	e.rescaleOperands(factors)
	slices.SortStableFunc(factors, func(a, b *factor) int { return len(a.vars) - len(b.vars) })
	var vars []model.VarID
	for _, f := range factors {
		for _, u := range f.vars {
			if !slices.Contains(vars, u) {
				vars = append(vars, u)
			}
		}
	}
	e.sort(vars)
	out := newBuilder(vars[:len(vars)-1])
	k := len(vars) - 1
	var sep []int
	var terms []circuit.Node
	flush := func() {
		if len(terms) == 0 {
			return
		}
		out.add(sep, e.fold(terms))
		terms = terms[:0]
	}
	ok := join(vars, factors, &e.steps, func(states []int, nodes []circuit.Node) bool {
		if sep == nil || !slices.Equal(sep, states[:k]) {
			flush()
			sep = append(sep[:0], states[:k]...)
			if sep == nil {
				sep = []int{}
			}
		}
		p := nodes[0]
		for _, n := range nodes[1:] {
			p = e.c.Prod(p, n)
		}
		terms = append(terms, p)
		e.joined++
		return e.c.Len() <= e.limit && e.joined <= joinedPerNode*e.limit
	})
	if !ok {
		return nil, errTooLarge
	}
	flush()
	f := out.done()
	f.message = true
	return f, nil
}

// fold returns the sum of terms, or their maximum.
func (e *eliminator) fold(terms []circuit.Node) circuit.Node {
	x := terms[0]
	for _, t := range terms[1:] {
		x = e.plus(x, t)
	}
	return x
}

// plus returns the sum of two nodes, or their maximum.
func (e *eliminator) plus(a, b circuit.Node) circuit.Node {
	if e.max {
		return e.c.Max(a, b)
	}
	return e.c.Sum(a, b)
}
