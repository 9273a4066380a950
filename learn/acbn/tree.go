package acbn

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// node is a node of one of the trees.
type node struct {
	of     int           // the variable whose CPD contains it
	tests  []rowset.Test // the tests on the path to it
	counts []float64     // weights of rows by state of the variable
	dists  [][]float64   // the distribution of a leaf, for each of strengths
	params []int32       // parameters of the circuit, for a leaf
	v      int           // the variable of its test; -1 at a leaf
	state  int
	yes    int32
	no     int32
}

// strengths lists by how many rows, distributed as at its parent, a leaf may be smoothed.
var strengths = [...]float64{0, 1, 2, 4, 8, 16, 32}

// leaf returns the leaf of variable `of` that is reached if the tests hold, below a node if there
// is one.
func (s *search) leaf(of int, above *node, tests []rowset.Test, params int32) node {
	n := node{of: of, tests: tests, v: -1}
	rows := s.rows.Where(tests)
	for k := range s.rows.Cards[of] {
		n.counts = append(n.counts, s.rows.WeightOf(rows, of, k))
		n.params = append(n.params, params+int32(k))
	}
	n.dists = append(n.dists, s.l.estimate(n.counts))
	if s.valid == nil {
		return n
	}
	for i, rows := range strengths[1:] {
		if above == nil {
			n.dists = append(n.dists, n.dists[0])
		} else {
			n.dists = append(n.dists, toward(n.counts, above.dists[i+1], rows))
		}
	}
	return n
}

// toward returns the distribution of counts plus a number of rows that are distributed as in other.
func toward(counts, other []float64, rows float64) []float64 {
	out := make([]float64, len(counts))
	all := rows
	for _, n := range counts {
		all += n
	}
	for k, n := range counts {
		out[k] = (n + rows*other[k]) / all
	}
	return out
}

// estimate returns the distribution at a leaf. Without counts and prior it is uniform.
func (l *Options) estimate(counts []float64) []float64 {
	out := make([]float64, len(counts))
	all := l.Prior
	for _, n := range counts {
		all += n
	}
	for k, n := range counts {
		if all == 0 {
			out[k] = 1 / float64(len(counts))
		} else {
			out[k] = (n + l.Prior/float64(len(counts))) / all
		}
	}
	return out
}

// logLik returns the log-likelihood of counts under an estimate.
func logLik(counts, estimate []float64) float64 {
	sum := 0.0
	for k, n := range counts {
		if n > 0 {
			sum += n * pgmrt.Ln(estimate[k])
		}
	}
	return sum
}

// rate returns the log-likelihood of counts under the estimate from them.
func (l *Options) rate(counts []float64) float64 { return logLik(counts, l.estimate(counts)) }

// factor returns the tree of a variable as a CPD over its parents, in the order of their first
// test, and the variable.
func (s *search) factor(of int) (*model.Factor, learner.Family) {
	f := &model.Factor{}
	d := &model.Tree{}
	family := learner.Family{Variable: s.job.Train.Vars[of].Name, Parents: []string{}}
	var walk func(id int32)
	walk = func(id int32) {
		n := &s.nodes[id]
		at := len(d.Nodes)
		if n.v < 0 {
			d.Nodes = append(d.Nodes, model.TreeNode{Leaf: n.dists[s.strength]})
			family.Score += logLik(n.counts, n.dists[s.strength])
			return
		}
		axis := slices.Index(f.Scope, model.VarID(n.v))
		if axis < 0 {
			axis = len(f.Scope)
			f.Scope = append(f.Scope, model.VarID(n.v))
			family.Parents = append(family.Parents, s.job.Train.Vars[n.v].Name)
		}
		next := make([]int32, s.rows.Cards[n.v])
		d.Nodes = append(d.Nodes, model.TreeNode{Axis: axis, Next: next})
		next[n.state] = int32(len(d.Nodes))
		walk(n.yes)
		no := int32(len(d.Nodes))
		for k := range next {
			if k != n.state {
				next[k] = no
			}
		}
		walk(n.no)
		d.Nodes[at].Next = next
	}
	walk(int32(of))
	f.Child = len(f.Scope)
	f.Scope = append(f.Scope, model.VarID(of))
	f.Dist = d
	return f, family
}
