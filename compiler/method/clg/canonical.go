package clg

import (
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// A product of canonical potentials is made a network with Gaussian CPDs, by eliminating its real
// variables once and for all: a variable's distribution when it is eliminated is its regression on
// the remaining variables. These CPDs have the separators and contexts of that elimination, and
// evidence has no part in it.

// potential is the function exp(g + h·x - x'Kx/2) of real variables, for each joint state of
// discrete ones. Both lists are sorted.
type potential struct {
	discrete, real []model.VarID
	rows           []quadratic
}

// quadratic is one row of a potential. K is a full matrix, row by row.
type quadratic struct {
	k, h []float64
	g    float64
}

// newPotential returns the function 1.
func newPotential(m *model.Model, discrete, real []model.VarID) *potential {
	rows, _ := m.TableSize(discrete)
	p := &potential{discrete, real, make([]quadratic, rows)}
	for r := range p.rows {
		p.rows[r] = quadratic{make([]float64, len(real)*len(real)), make([]float64, len(real)), 0}
	}
	return p
}

// add multiplies row r of p, at the given states, by a canonical potential.
func (p *potential) add(m *model.Model, r int, f *model.Factor, state []int) {
	discrete, real := m.SplitParents(f)
	k, h, g := f.Dist.(*model.Canonical).Row(m.Index(discrete, state))
	to, n := &p.rows[r], len(p.real)
	to.g += g
	for i, v := range real {
		x := slices.Index(p.real, v)
		to.h[x] += h[i]
		for j, w := range real[i:] {
			y := slices.Index(p.real, w)
			to.k[x*n+y] += k[j]
			if j > 0 {
				to.k[y*n+x] += k[j]
			}
		}
		k = k[len(real)-i:]
	}
}

// multiply multiplies row r of p, at the given states, by another potential.
func (p *potential) multiply(m *model.Model, r int, other *potential, state []int) {
	to, from := &p.rows[r], &other.rows[m.Index(other.discrete, state)]
	n, size := len(p.real), len(other.real)
	to.g += from.g
	for i, v := range other.real {
		x := slices.Index(p.real, v)
		to.h[x] += from.h[i]
		for j, w := range other.real {
			to.k[x*n+slices.Index(p.real, w)] += from.k[i*size+j]
		}
	}
}

// stage is the elimination of one real variable.
type stage struct {
	v              model.VarID
	discrete, rest []model.VarID   // the scope of the product without v
	factors        []*model.Factor // that no stage before has used
	from           []int           // stages whose results are used
}

// stages returns an order of elimination of the real variables in canonical potentials. The
// cheapest variable is next, as in components.
func stages(b *builder) (list []stage) {
	type open struct {
		discrete, real []model.VarID
		factor         *model.Factor
		stage          int
	}
	var pool []open
	for _, f := range b.m.Factors {
		if _, ok := f.Dist.(*model.Canonical); ok {
			discrete, real := b.m.SplitParents(f)
			pool = append(pool, open{union(discrete), union(real), f, -1})
		}
	}
	left := b.m.Reals()
	for len(left) > 0 {
		var next stage
		cost := math.Inf(1)
		for _, v := range left {
			s := stage{v: v}
			for _, o := range pool {
				if slices.Contains(o.real, v) {
					s.discrete, s.rest = append(s.discrete, o.discrete...), append(s.rest, o.real...)
				}
			}
			s.discrete = union(s.discrete)
			s.rest = slices.DeleteFunc(union(s.rest), func(u model.VarID) bool { return u == v })
			n := float64(len(s.rest) + 1)
			if c := n * n * b.m.JointStates(s.discrete); c < cost {
				next, cost = s, c
			}
		}
		pool = slices.DeleteFunc(pool, func(o open) bool {
			uses := slices.Contains(o.real, next.v)
			switch {
			case uses && o.factor != nil:
				next.factors = append(next.factors, o.factor)
			case uses:
				next.from = append(next.from, o.stage)
			}
			return uses
		})
		pool = append(pool, open{next.discrete, next.rest, nil, len(list)})
		list = append(list, next)
		left = slices.DeleteFunc(left, func(v model.VarID) bool { return v == next.v })
	}
	return list
}

// cpd returns the factor of a stage with a distribution.
func (s *stage) cpd(d *model.Gaussian) *model.Factor {
	scope := append(slices.Concat(s.discrete, s.rest), s.v)
	return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: d}
}

// directed returns a network with Gaussian CPDs in place of the canonical potentials of p, and what
// ln of their product has besides the CPDs and the new factors over discrete variables.
func directed(c *method.Context, p *ir.Problem) (*model.Model, float64, error) {
	if p.Model.Traits()&model.Canonicals == 0 {
		return p.Model, 0, nil
	}
	b := &builder{m: p.Model}
	out := *p.Model
	out.Factors = slices.DeleteFunc(slices.Clone(p.Model.Factors), func(f *model.Factor) bool {
		_, ok := f.Dist.(*model.Canonical)
		return ok
	})
	list, done := stages(b), []*potential{}
	size, used := map[model.VarID]float64{}, make([]bool, len(list))
	for i := range list {
		s := &list[i]
		if n := float64(len(s.rest) + 1); b.m.JointStates(s.discrete)*n*n > float64(c.MaxTable) {
			return nil, 0, &method.TooWide{Message: diag.Errorf("clg: variable %q is eliminated with %d real variables for each of %.4g joint states of discrete ones; limit: %v",
				b.m.Vars[s.v].Name, len(s.rest), b.m.JointStates(s.discrete), diag.Option{Name: "max-table", Value: strconv.Itoa(c.MaxTable)})}
		}
		for _, k := range s.from {
			used[k] = true
		}
		d, rest, err := s.eliminate(b.m, done, size)
		if err != nil {
			return nil, 0, err
		}
		out.Factors, done = append(out.Factors, s.cpd(d)), append(done, rest)
	}
	constant := 0.0
	for i, rest := range done {
		if !used[i] {
			f, log := rest.table()
			out.Factors = append(out.Factors, f...)
			constant += log
		}
	}
	return &out, constant, nil
}

// eliminate returns the regression of the variable of s on those that are left, and the potential
// of these. done has the results of stages before, and size, which grows, the largest precision
// that a factor gives a variable.
func (s *stage) eliminate(m *model.Model, done []*potential, size map[model.VarID]float64) (*model.Gaussian, *potential, error) {
	all := newPotential(m, s.discrete, append([]model.VarID{s.v}, s.rest...))
	rest := newPotential(m, s.discrete, s.rest)
	d, n, state := &model.Gaussian{}, len(s.rest)+1, make([]int, len(m.Vars))
	for r := range all.rows {
		row, to := &all.rows[r], &rest.rows[r]
		for _, f := range s.factors {
			all.add(m, r, f, state)
		}
		for i, v := range all.real {
			size[v] = max(size[v], math.Abs(row.k[i*n+i]))
		}
		for _, k := range s.from {
			all.multiply(m, r, done[k], state)
		}
		m.Next(s.discrete, state)
		pivot := row.k[0]
		switch {
		case math.IsInf(row.g, -1): // impossible: any regression will do
			*row = quadratic{make([]float64, n*n), make([]float64, n), row.g}
			pivot = 1
		case !(pivot > leastPivot*size[s.v]):
			return nil, nil, diag.Errorf("clg: the product of the potentials over real variables has no finite integral: given the others, %q has no positive precision; want a positive definite matrix in all",
				m.Vars[s.v].Name)
		}
		mean := row.h[0] / pivot
		d.Mean, d.Var = append(d.Mean, mean), append(d.Var, 1/pivot)
		to.g = row.g + .5*(pgmrt.Ln(2*math.Pi/pivot)+float64(row.h[0]*mean))
		for i := 1; i < n; i++ {
			by := row.k[i] / pivot
			d.Coef = append(d.Coef, -by)
			to.h[i-1] = row.h[i] - float64(row.k[i]*mean)
			for j := 1; j < n; j++ {
				to.k[(i-1)*(n-1)+j-1] = row.k[i*n+j] - float64(by*row.k[j])
			}
		}
	}
	return d, rest, nil
}

// leastPivot is the least precision of a variable given the others relative to what one factor
// gives it. What is below is rounding error.
const leastPivot = 1e-13

// table returns the factor over discrete variables that p is, with the largest number 1, and the
// logarithm of what that leaves out.
func (p *potential) table() (f []*model.Factor, log float64) {
	log = math.Inf(-1)
	for _, r := range p.rows {
		log = max(log, r.g)
	}
	if math.IsInf(log, -1) {
		log = 0
	}
	if len(p.discrete) == 0 {
		return nil, log
	}
	d := &model.Table{}
	for _, r := range p.rows {
		d.Values = append(d.Values, math.Exp(r.g-log))
	}
	return []*model.Factor{{Scope: p.discrete, Child: -1, Dist: d}}, log
}

// structure returns a network with the scopes of directed's.
func structure(m *model.Model) *model.Model {
	out := *m
	out.Factors = nil
	for _, s := range stages(&builder{m: m}) {
		out.Factors = append(out.Factors, s.cpd(&model.Gaussian{}))
	}
	return &out
}
