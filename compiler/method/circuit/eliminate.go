package circuit

import (
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// joinedPerNode is how many entries of joins are expected to share a node at most, on average.
const joinedPerNode = 4

// errTooLarge says that the circuit outgrew its limit.
var errTooLarge = errors.New("circuit: too many nodes")

// errRescaled says that the range of a float64 is too small for the circuit as it is.
var errRescaled = errors.New("circuit: messages have to be rescaled")

// eliminator records variable elimination as a circuit.
type eliminator struct {
	m    *model.Model
	out  *ir.Circuit
	c    *circuit.Circuit // out.Nodes
	rank []int            // by variable: its place in the order of elimination
	stop func() error

	limit  int // most nodes
	joined int // entries of joins so far, of which equal ones share a node; joinedPerNode times the limit is the most
	max    bool

	bound       [][2]float32         // of nodes: the logarithms to base 2 of the smallest and the largest value that is not 0
	scaledBound [][2]float32         // of groups
	factor      map[int]circuit.Node // by group: the power of two, where it is a node too
}

// newEliminator is for m, which is the circuit's model or a decomposition of it.
func newEliminator(m *model.Model, out *ir.Circuit, order []int) *eliminator {
	e := &eliminator{m: m, out: out, c: out.Nodes, rank: make([]int, len(m.Vars)), stop: func() error { return nil }, factor: map[int]circuit.Node{}}
	for i, v := range order {
		e.rank[v] = i
	}
	return e
}

// input gives the node of a leaf, which is new.
func (e *eliminator) input(l ir.Leaf) circuit.Node {
	e.out.Leaves = append(e.out.Leaves, l)
	return e.c.Input(int32(len(e.out.Leaves) - 1))
}

// sort puts variables into the order of tries: the last to go first.
func (e *eliminator) sort(vars []model.VarID) {
	slices.SortFunc(vars, func(a, b model.VarID) int { return e.rank[b] - e.rank[a] })
}

// run multiplies factors and takes out all variables in order; the result is a node.
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
		f, err := e.takeOut(buckets[v])
		buckets[v] = nil
		if err != nil {
			return 0, err
		}
		put(f)
	}
	return root, nil
}

// takeOut is the product of factors, all of which have the same last variable, with that summed
// out.
func (e *eliminator) takeOut(factors []*factor) (*factor, error) {
	e.tame(factors)
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
	ok := join(vars, factors, func(states []int, nodes []circuit.Node) bool {
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

// fold adds terms, or takes the largest.
func (e *eliminator) fold(terms []circuit.Node) circuit.Node {
	x := terms[0]
	for _, t := range terms[1:] {
		x = e.plus(x, t)
	}
	return x
}

// plus is the sum of two nodes, or their maximum.
func (e *eliminator) plus(a, b circuit.Node) circuit.Node {
	if e.max {
		return e.c.Max(a, b)
	}
	return e.c.Sum(a, b)
}
