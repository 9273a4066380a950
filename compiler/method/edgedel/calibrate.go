package edgedel

import (
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// messages holds the messages of belief propagation during planning, which rank edges. A network
// with only a tree kept is calibrated by the same messages: those along a deleted edge replace it.
type messages struct {
	m        *model.Model
	table    [][]float64 // by factor, row-major
	holding  [][]Edge    // by variable: the factors that contain it
	evidence map[model.VarID]int
	toFactor [][][]float64 // by factor and place in its scope
	toVar    [][][]float64
}

// calibrate sends messages until they change by less than recoverTolerance, or recoverRounds times.
func calibrate(ctx context.Context, m *model.Model, evidence map[model.VarID]int, limit int) (*messages, error) {
	s := &messages{m: m, evidence: evidence, holding: make([][]Edge, len(m.Vars))}
	for n, f := range m.Factors {
		values, err := m.Tabulate(f, limit)
		if err != nil {
			return nil, err
		}
		s.table = append(s.table, values)
		var in, out [][]float64
		for _, v := range f.Scope {
			s.holding[v] = append(s.holding[v], Edge{n, v})
			card := m.Card(v)
			in = append(in, slices.Repeat([]float64{1 / float64(card)}, card))
			out = append(out, slices.Repeat([]float64{1 / float64(card)}, card))
		}
		s.toFactor, s.toVar = append(s.toFactor, in), append(s.toVar, out)
	}
	for range recoverRounds {
		change := 0.0
		for n := range m.Factors {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			change = max(change, s.factor(n))
		}
		for n := len(m.Factors) - 1; n >= 0; n-- {
			change = max(change, s.factor(n))
		}
		if change < recoverTolerance {
			break
		}
	}
	return s, nil
}

// factor updates the messages to a factor and then those from it, and returns the largest change of
// the latter.
func (s *messages) factor(n int) (change float64) {
	scope := s.m.Factors[n].Scope
	for i, v := range scope {
		copy(s.toFactor[n][i], s.product(v, n, -1))
	}
	for i := range scope {
		next := s.from(n, i, s.toFactor[n])
		for k, x := range next {
			change = max(change, math.Abs(x-s.toVar[n][i][k]))
		}
		copy(s.toVar[n][i], next)
	}
	return change
}

// product returns the product of the evidence on v and the messages to it, except the messages of
// two factors.
func (s *messages) product(v model.VarID, except, or int) []float64 {
	out := slices.Repeat([]float64{1}, s.m.Card(v))
	if at, ok := s.evidence[v]; ok {
		clear(out)
		out[at] = 1
	}
	for _, e := range s.holding[v] {
		if e.Factor == except || e.Factor == or {
			continue
		}
		for k, x := range s.toVar[e.Factor][slices.Index(s.m.Factors[e.Factor].Scope, v)] {
			out[k] *= x
		}
		normalize(out)
	}
	return normalize(out)
}

// from returns the message of a factor to the variable at a place of its scope, given messages to
// all places.
func (s *messages) from(n, place int, in [][]float64) []float64 {
	scope := s.m.Factors[n].Scope
	out := make([]float64, s.m.Card(scope[place]))
	state := make([]int, len(scope))
	for _, x := range s.table[n] {
		for i, at := range state {
			if i != place {
				x *= in[i][at]
			}
		}
		out[state[place]] += x
		for i := len(scope) - 1; i >= 0; i-- {
			if state[i]++; state[i] < s.m.Card(scope[i]) {
				break
			}
			state[i] = 0
		}
	}
	return normalize(out)
}

// normalize divides p by its sum if that is positive, and returns it.
func normalize(p []float64) []float64 {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for i := range p {
		if sum > 0 {
			p[i] /= sum
		}
	}
	return p
}

// keptTree is a tree of variables and factors: the network without deleted edges.
type keptTree struct {
	gone    map[Edge]bool
	holding [][]int // by variable: the factors that still contain it
}

func newKeptTree(m *model.Model, deleted []Edge) *keptTree {
	k := &keptTree{gone: map[Edge]bool{}, holding: make([][]int, len(m.Vars))}
	for _, e := range deleted {
		k.gone[e] = true
	}
	for n, f := range m.Factors {
		for _, v := range f.Scope {
			if !k.gone[Edge{n, v}] {
				k.holding[v] = append(k.holding[v], n)
			}
		}
	}
	return k
}

// step is a variable on a path, and the factor that leads to it.
type step struct {
	factor int
	v      model.VarID
	from   int // index of the previous step; -1 at the start
}

// path returns the steps from the factor of a deleted edge to its parent, the last first, or nil if
// the tree does not connect them.
func (k *keptTree) path(m *model.Model, e Edge) (out []step) {
	seen := map[int]bool{e.Factor: true}
	var queue []step
	add := func(n, from int, except model.VarID) {
		for _, v := range m.Factors[n].Scope {
			if v != except && !k.gone[Edge{n, v}] {
				queue = append(queue, step{n, v, from})
			}
		}
	}
	add(e.Factor, -1, -1)
	for i := 0; i < len(queue); i++ {
		x := queue[i]
		if x.v == e.Parent {
			for ; i >= 0; i = queue[i].from {
				out = append(out, queue[i])
			}
			return out
		}
		for _, n := range k.holding[x.v] {
			if !seen[n] {
				seen[n] = true
				add(n, i, x.v)
			}
		}
	}
	return nil
}

// information returns the mutual information in nats, in the tree, of a deleted edge's parent and
// its clone. It is 0 if the tree does not connect them.
func (s *messages) information(k *keptTree, e Edge) float64 {
	path := k.path(s.m, e)
	if path == nil {
		return 0
	}
	place := slices.Index(s.m.Factors[e.Factor].Scope, e.Parent)
	card := s.m.Card(e.Parent)
	p := make([]float64, card) // distribution of the clone
	for u := range p {
		p[u] = s.toFactor[e.Factor][place][u] * s.toVar[e.Factor][place][u]
	}
	normalize(p)
	mean, given := make([]float64, card), make([][]float64, card)
	for u := range p {
		if p[u] > 0 {
			given[u] = s.along(path, e, place, u)
			for t, x := range given[u] {
				mean[t] += p[u] * x
			}
		}
	}
	sum := 0.0
	for u := range p {
		for t, x := range given[u] {
			if x > 0 {
				sum += p[u] * x * pgmrt.Ln(x/mean[t])
			}
		}
	}
	return max(0, sum)
}

// along returns the distribution of the parent given a state of its clone, by messages along the
// path between them.
func (s *messages) along(path []step, e Edge, place, state int) []float64 {
	in := slices.Clone(s.toFactor[e.Factor])
	in[place] = make([]float64, s.m.Card(e.Parent))
	in[place][state] = 1
	for i := len(path) - 1; ; i-- {
		x := path[i]
		scope := s.m.Factors[x.factor].Scope
		out := s.from(x.factor, slices.Index(scope, x.v), in)
		next := -1
		if i > 0 {
			next = path[i-1].factor
		}
		for k, y := range s.product(x.v, x.factor, next) {
			out[k] *= y
		}
		normalize(out)
		if i == 0 {
			return out
		}
		in = slices.Clone(s.toFactor[next])
		in[slices.Index(s.m.Factors[next].Scope, x.v)] = out
	}
}
