package ep

import (
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// softmax returns, by state of the child, the bias and the coefficients by real parent, as numbers
// of the joint states of the discrete parents.
func (s *site) softmax(b *builder, c *gauss.Code) (bias []circuit.Node, coef []map[model.VarID]circuit.Node) {
	d := s.f.Dist.(*model.Softmax)
	discrete, real := b.Model.SplitParents(s.f)
	card := b.Model.Card(s.f.ChildVar())
	rows := len(d.Bias) / card
	if s.consts.Table == ir.NoTable { // one table for all codes
		s.consts.Scope = discrete
		s.consts.Table = b.Add(ir.Table{Name: s.consts.Name, Scope: discrete, Role: ir.RoleLogs, Var: -1, Parts: card * (1 + len(real))})
		t := &b.Schedule.Tables[s.consts.Table]
		for state := range card {
			for i := range 1 + len(real) {
				for r := range rows {
					at := r*card + state
					if i == 0 {
						t.Data = append(t.Data, d.Bias[at])
					} else {
						t.Data = append(t.Data, d.Coef[at*len(real)+i-1])
					}
				}
			}
		}
	}
	for state := range card {
		first := state * (1 + len(real))
		bias = append(bias, c.Read(gauss.Part(s.consts.Table, first)))
		of := map[model.VarID]circuit.Node{}
		for i, u := range real {
			of[u] = c.Read(gauss.Part(s.consts.Table, first+1+i))
		}
		coef = append(coef, of)
	}
	return bias, coef
}

// updateSoftmax plans the fit of a softmax site: the weight, mean and covariance of the softmax
// function times the product of everything else, divided by the latter. Integrals are over z, the
// real parents as independent standard normal variables.
func (s *site) updateSoftmax(b *builder) {
	p := b.project(s.in, nil, s, s.discrete, s.parents, func(c *gauss.Code) [][]circuit.Node { return s.directions(b, c) })
	b.watch(p)
	n := s.dims()
	c := gauss.NewCode()
	l := gauss.Root(c.Circuit, func(i, j int) circuit.Node { return c.Read(p.cov[i][j]) }, n)
	t := s.integrate(b, c, p, l)
	next := b.parted("new site of "+b.Model.Vars[s.f.ChildVar()].Name, s.discrete, parts(n))
	flag := b.Temp("proper site", s.discrete...)
	proper := gauss.Positive(c.Circuit, t.Sum)
	sum := gauss.Or(c.Circuit, proper, t.Sum, circuit.One)
	form, log, ok := formOf(t, c, sum)
	s.back(c, p, l, form, next, c.Sub(c.Log(sum), log))
	// An impossible state keeps its numbers, and is not counted.
	seen := gauss.Positive(c.Circuit, c.Read(p.share))
	use := c.Prod(proper, ok)
	c.Write(ir.MapPart{Table: flag}, c.Sub(circuit.One, c.Prod(seen, c.Sub(circuit.One, use))))
	b.run(c)
	s.store(b, next, flag, parts(n))
}

// formOf returns the form of z that turns a standard normal distribution into one with the tilted
// moments, and ln of its mean under the former.
func formOf(t *gauss.Tilted, c *gauss.Code, sum circuit.Node) (f *gauss.Form, log, ok circuit.Node) {
	names := make([]model.VarID, len(t.Mean))
	for i := range names {
		names[i] = model.VarID(i)
	}
	m := &gauss.Moments{Scope: names}
	m.Mean, m.Cov = t.Moments(c.Circuit, sum)
	f, log, ok = gauss.Canonical(c.Circuit, m)
	for i := range f.K {
		f.K[i][i] = c.Sub(f.K[i][i], circuit.One)
	}
	// log is the logarithm of the integral without the density of z, which is
	// e^(-z'z/2)/(2π)^(n/2).
	return f, c.Sub(log, c.Const(float64(len(names))*halfLog2Pi)), ok
}

// back writes the form of z as one of x, with z = L⁻¹(x - mean).
func (s *site) back(c *gauss.Code, p *projection, l [][]circuit.Node, f *gauss.Form, next ir.TableID, log circuit.Node) {
	n := len(l)
	inverse := make([][]circuit.Node, n) // L⁻¹, lower
	for i := range n {
		inverse[i] = make([]circuit.Node, n)
		inverse[i][i] = c.Ratio(circuit.One, l[i][i])
		for j := range i {
			sum := circuit.Zero
			for k := j; k < i; k++ {
				sum = c.Sum(sum, c.Prod(l[i][k], inverse[k][j]))
			}
			inverse[i][j] = c.Neg(c.Prod(sum, inverse[i][i]))
		}
	}
	at := func(i, j int) circuit.Node { return f.K[max(i, j)][min(i, j)] }
	start := make([]circuit.Node, n) // L⁻¹ mean
	for i := range n {
		for j := range i + 1 {
			start[i] = c.Sum(start[i], c.Prod(inverse[i][j], c.Read(p.mean[j])))
		}
	}
	slope := make([]circuit.Node, n) // the linear part at x = 0, in z
	for i := range n {
		slope[i] = f.H[i]
		log = c.Sub(log, c.Prod(f.H[i], start[i]))
		for j := range n {
			slope[i] = c.Sum(slope[i], c.Prod(at(i, j), start[j]))
			log = c.Sub(log, c.Prod(c.Const(.5), c.Prod(start[i], c.Prod(at(i, j), start[j]))))
		}
	}
	c.Write(ir.MapPart{Table: next}, log)
	part := 1 + n
	for u := range n {
		h := circuit.Zero
		for i := range n {
			h = c.Sum(h, c.Prod(inverse[i][u], slope[i]))
		}
		c.Write(ir.MapPart{Table: next, Part: 1 + u}, h)
		for w := range u + 1 {
			sum := circuit.Zero
			for i := range n {
				for j := range n {
					sum = c.Sum(sum, c.Prod(inverse[i][u], c.Prod(at(i, j), inverse[j][w])))
				}
			}
			c.Write(ir.MapPart{Table: next, Part: part}, sum)
			part++
		}
	}
}

// integrate returns the integrals of the probability of the child's state over the points.
func (s *site) integrate(b *builder, c *gauss.Code, p *projection, l [][]circuit.Node) *gauss.Tilted {
	return gauss.Tilt(c.Circuit, s.points, func(i int) circuit.Node { return c.Read(p.mean[i]) }, l, s.scores(b, c))
}

// scores returns the probability of the state of the child as a function of the directions.
func (s *site) scores(b *builder, c *gauss.Code) func(x []circuit.Node) circuit.Node {
	bias, coef := s.softmax(b, c)
	card := len(bias)
	base := make([]circuit.Node, card) // at the references
	for state := range card {
		base[state] = bias[state]
		for _, u := range s.realParents(b) {
			base[state] = c.Sum(base[state], c.Prod(coef[state][u], b.reference(c, u)))
		}
	}
	is := make([]circuit.Node, card)
	states := b.columns("states of "+b.Model.Vars[s.f.ChildVar()].Name, []model.VarID{s.f.ChildVar()})
	for state := range card {
		one := make([]float64, card)
		one[state] = 1
		is[state] = states.Read(c, one)
	}
	return func(x []circuit.Node) circuit.Node {
		score := make([]circuit.Node, card)
		for state := range card {
			score[state] = base[state]
			switch {
			case s.differ && state == 1 && len(x) > 0: // relative to state 0
				score[1] = c.Sum(score[1], x[0])
			case !s.differ:
				for i, u := range s.parents {
					score[state] = c.Sum(score[state], c.Prod(c.Prod(coef[state][u], c.Const(b.scale[u])), x[i]))
				}
			}
		}
		return gauss.SoftmaxOf(c.Circuit, is, score)
	}
}
