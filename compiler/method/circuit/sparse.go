package circuit

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// factor is a sparse function of the joint states of its variables: each non-zero entry is a node
// of the circuit. Entries are stored in a trie with one level per variable, in reverse elimination
// order, so that the variable that is eliminated first is the last.
type factor struct {
	vars   []model.VarID
	levels []level
	nodes  []circuit.Node // by edge of the last level; of a factor without variables, its value, or nothing if that is zero

	message, scaled bool // it is a result of elimination; its nodes hold rescaled values
}

// level holds the edges from the nodes of one level of a trie to the nodes of the next. Node i has
// the edges first[i] to first[i+1]-1, with increasing states. Edge k leads to node k of the next
// level.
type level struct {
	first []int32
	state []uint16
}

// builder builds a trie from entries in lexicographic order.
type builder struct {
	f    *factor
	last []int
}

func newBuilder(vars []model.VarID) *builder {
	b := &builder{f: &factor{vars: vars, levels: make([]level, len(vars))}}
	return b
}

// add appends an entry. The states are in the order of the variables, and follow the previous
// entry's.
func (b *builder) add(states []int, n circuit.Node) {
	same := 0
	if b.last != nil {
		for same < len(states) && b.last[same] == states[same] {
			same++
		}
	}
	for l := same; l < len(states); l++ {
		lv := &b.f.levels[l]
		if l > same || b.last == nil {
			lv.first = append(lv.first, int32(len(lv.state)))
		}
		lv.state = append(lv.state, uint16(states[l]))
	}
	b.last = append(b.last[:0], states...)
	b.f.nodes = append(b.f.nodes, n)
}

// done completes the trie and returns it.
func (b *builder) done() *factor {
	for l := range b.f.levels {
		lv := &b.f.levels[l]
		if l == 0 && len(lv.first) == 0 {
			lv.first = append(lv.first, 0)
		}
		lv.first = append(lv.first, int32(len(lv.state)))
	}
	return b.f
}

// join calls leaf, in lexicographic order, for each joint state of vars at which no factor is zero,
// with the nodes of the factors. Every variable of a factor is in vars, in the same order. It takes
// one of steps for each state of each prefix of vars that it looks at. It stops if leaf returns
// false or no steps are left, and reports whether it went through all states.
func join(vars []model.VarID, factors []*factor, steps *int64, leaf func(states []int, nodes []circuit.Node) bool) bool {
	j := &joiner{vars: vars, factors: factors, steps: steps, leaf: leaf, states: make([]int, len(vars)), nodes: make([]circuit.Node, len(factors))}
	j.at = make([][]int, len(vars))
	for l, v := range vars {
		for i, f := range factors {
			if slices.Contains(f.vars, v) {
				j.at[l] = append(j.at[l], i)
			}
		}
	}
	j.depth = make([]int, len(factors))
	j.edge = make([]int32, len(factors))
	return j.run(0)
}

type joiner struct {
	vars    []model.VarID
	factors []*factor
	at      [][]int // by level: the factors with that variable
	depth   []int   // by factor: number of its variables that are set
	edge    []int32 // by factor: the node that they lead to
	states  []int
	nodes   []circuit.Node
	steps   *int64
	leaf    func([]int, []circuit.Node) bool
}

func (j *joiner) run(l int) bool {
	if l == len(j.vars) {
		for i, f := range j.factors {
			if len(f.nodes) == 0 {
				return true
			}
			j.nodes[i] = f.nodes[j.edge[i]]
		}
		return j.leaf(j.states, j.nodes)
	}
	in := j.at[l]
	lead := in[0]
	for _, i := range in[1:] {
		if j.width(i) < j.width(lead) {
			lead = i
		}
	}
	var saved [16]int32
	save := append(saved[:0], make([]int32, len(in))...)
	for k, i := range in {
		save[k] = j.edge[i]
		j.depth[i]++
	}
	ok := true
	lo, hi, states := j.edges(lead, save[slices.Index(in, lead)])
	*j.steps -= int64(hi - lo)
	ok = *j.steps >= 0
next:
	for e := lo; e < hi && ok; e++ {
		s := states[e]
		for k, i := range in {
			if i == lead {
				j.edge[i] = e
				continue
			}
			from, to, list := j.edges(i, save[k])
			at, found := slices.BinarySearch(list[from:to], s)
			if !found {
				continue next
			}
			j.edge[i] = from + int32(at)
		}
		j.states[l] = int(s)
		ok = j.run(l + 1)
	}
	for k, i := range in {
		j.edge[i] = save[k]
		j.depth[i]--
	}
	return ok
}

func (j *joiner) width(i int) int32 {
	first := j.factors[i].levels[j.depth[i]].first
	return first[j.edge[i]+1] - first[j.edge[i]]
}

// edges returns the edges of factor i below node, on the level before the current depth.
func (j *joiner) edges(i int, node int32) (lo, hi int32, states []uint16) {
	lv := &j.factors[i].levels[j.depth[i]-1]
	return lv.first[node], lv.first[node+1], lv.state
}
