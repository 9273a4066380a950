package switching

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file plans discrete variables with real parents. Given the states of such a variable and of
// its discrete parents, the density of the real variables is a Gaussian times a softmax function,
// which is replaced by the Gaussian with the same means and covariances, as in expectation
// propagation (Minka 2001). The integral of the product is a factor of the discrete network in
// place of the CPD. Functions of a slice are taken one after the other, each once all evidence is
// entered that does not depend on its variable.

// softmaxes returns the CPDs of discrete variables with real parents, in the order of the network.
func softmaxes(m *model.Model) (list []*model.Factor) {
	for _, f := range m.Factors {
		if _, ok := f.Dist.(*model.Softmax); ok {
			list = append(list, f)
		}
	}
	return list
}

// discrete returns a model without the CPDs of discrete variables with real parents.
func discrete(m *model.Model) *model.Model {
	out := *m
	out.Factors = slices.DeleteFunc(slices.Clone(m.Factors), func(f *model.Factor) bool { _, ok := f.Dist.(*model.Softmax); return ok })
	return &out
}

// directions are the linear combinations of real parents that a softmax function depends on, and
// the logarithms of its weights at values of these.
type directions struct {
	on    []int            // places of the real parents among the variables
	by    [][]circuit.Node // coefficients by combination and parent
	at    []circuit.Node   // what is added to each combination
	score func(z []circuit.Node) []circuit.Node
}

// dims returns the number of combinations for a softmax CPD: the differences of scores, or the
// parents that are not given if these are fewer.
func dims(m *model.Model, f *model.Factor) (n int, differ bool) {
	_, real := m.SplitParents(f)
	hidden := 0
	for _, u := range real {
		if !m.Vars[u].Given {
			hidden++
		}
	}
	n = m.Card(f.ChildVar()) - 1
	return min(n, hidden), n <= hidden
}

// pointsOf returns the points at which a softmax CPD is integrated.
func (b *builder) pointsOf(m *model.Model, f *model.Factor) ([]gauss.Point, error) {
	n, _ := dims(m, f)
	size := 6 * m.Card(f.ChildVar())
	points := gauss.AutomaticPoints(n, size)
	if ops := size * len(points); ops > gauss.MaxPointsCode {
		return nil, diag.Errorf("variable %q needs %d points of integration in %d dimensions, %d operations; limit: %d; try %v",
			m.Vars[f.ChildVar()].Name, len(points), n, ops, gauss.MaxPointsCode, b.ctx.By(method.ParticleFilter))
	}
	return points, nil
}

// directions returns the combinations of a softmax CPD.
func (b *builder) directions(m *model.Model, x *gauss.Filtered, f *model.Factor) *directions {
	c, d, card := x.Code, f.Dist.(*model.Softmax), m.Card(f.ChildVar())
	own, real := m.SplitParents(f)
	data := gauss.NewColumns(b.S, m.FactorName(f), own)
	column := func(of []float64, at, step int) circuit.Node {
		var list []float64
		for ; at < len(of); at += step {
			list = append(list, of[at])
		}
		return data.Read(c, list)
	}
	out, bias, coef := &directions{}, make([]circuit.Node, card), make([][]circuit.Node, card)
	for state := range card {
		bias[state] = column(d.Bias, state, card)
		for k := range real {
			coef[state] = append(coef[state], column(d.Coef, state*len(real)+k, card*len(real)))
		}
	}
	for _, u := range real {
		out.on = append(out.on, slices.Index(x.Scope, u))
	}
	if _, differ := dims(m, f); differ {
		for state := 1; state < card; state++ {
			var row []circuit.Node
			for k := range real {
				row = append(row, c.Sub(coef[state][k], coef[0][k]))
			}
			out.by, out.at = append(out.by, row), append(out.at, c.Sub(bias[state], bias[0]))
		}
		out.score = func(z []circuit.Node) []circuit.Node { return append([]circuit.Node{circuit.Zero}, z...) }
		return out
	}
	var hidden []int
	for k, u := range real {
		if !m.Vars[u].Given {
			row := make([]circuit.Node, len(real))
			row[k], hidden = circuit.One, append(hidden, k)
			out.by, out.at = append(out.by, row), append(out.at, circuit.Zero)
			continue
		}
		for state := range card {
			bias[state] = c.Sum(bias[state], c.Prod(coef[state][k], x.Of(u)))
		}
	}
	out.score = func(z []circuit.Node) []circuit.Node {
		score := slices.Clone(bias)
		for state := range card {
			for i, k := range hidden {
				score[state] = c.Sum(score[state], c.Prod(coef[state][k], z[i]))
			}
		}
		return score
	}
	return out
}

// tilt multiplies the density of the real variables by a softmax function, and returns the integral
// of the product: the probability of the state of its variable.
func (b *builder) tilt(s *slice, x *gauss.Filtered, f *model.Factor) circuit.Node {
	y := f.ChildVar()
	states := gauss.NewColumns(b.S, "states of "+s.m.Vars[y].Name, []model.VarID{y})
	is := make([]circuit.Node, s.m.Card(y))
	for state := range is {
		one := make([]float64, len(is))
		one[state] = 1
		is[state] = states.Read(x.Code, one)
	}
	d := b.directions(s.m, x, f)
	points, _ := b.pointsOf(s.m, f) // fits has checked them
	sum := x.Tilt(points, d.on, d.by, d.at, func(z []circuit.Node) circuit.Node { return gauss.SoftmaxOf(x.Circuit, is, d.score(z)) })
	return x.Max(sum, circuit.Zero) // a rule with negative weights may leave a negative one
}

// followTilted is follow for a slice with softmax functions. Real variables are added in the order
// of the network, but those that depend on the state of a discrete child of others after the
// function of that child. It returns the product of the integrals.
func (b *builder) followTilted(x *gauss.Filtered, s *slice) circuit.Node {
	weight, later, left := circuit.One, softmaxes(s.m), []model.VarID(nil)
	for _, v := range s.m.Topological() {
		if int(v) < len(b.m.Vars) && s.m.IsReal(v) {
			left = append(left, v)
		}
	}
	known := func(f *model.Factor) bool { // of a CPD: whether all real parents are there
		return !slices.ContainsFunc(f.Scope, func(u model.VarID) bool { return s.m.IsReal(u) && u != f.ChildVar() && !slices.Contains(x.Scope, u) })
	}
	ready := func(v model.VarID) bool {
		f := s.m.CPD(v)
		return f == nil || known(f) && !slices.ContainsFunc(later, func(g *model.Factor) bool { return slices.Contains(f.Scope, g.ChildVar()) })
	}
	for len(left)+len(later) > 0 {
		if i := slices.IndexFunc(left, ready); i >= 0 {
			b.follow(x, s, left[i:i+1], x.Push)
			left = slices.Delete(left, i, i+1)
			continue
		}
		i := slices.IndexFunc(later, known)
		weight = x.Prod(weight, b.tilt(s, x, later[i]))
		later = slices.Delete(later, i, i+1)
	}
	return weight
}
