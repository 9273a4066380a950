package em

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// tabular infers in templates with only discrete persisting variables, by the interface algorithm
// (Murphy 2002, section 3.2): forwards and back over the slices with the joint distribution of the
// variables that persist. Their slices may have real variables.
type tabular struct {
	first, next *sliceNetwork
}

// sliceNetwork is a compiled network of one slice. The belief from the slice before enters as CPDs
// of the variables before, each given those in front of it. The likelihood of the evidence on later
// slices enters as the CPD of a variable that is observed in state 1.
type sliceNetwork struct {
	*machine
	factors  int         // CPDs of the slice
	cards    []int       // of the variables before
	belief   [][]float64 // numbers of their CPDs
	later    []float64   // numbers of the CPD of the likelihood; nil if nothing persists
	given    float64     // ln of the number of joint states of discrete given variables
	families []float64   // scratch
}

// newTabular compiles both networks of the template.
func newTabular(ctx context.Context, t *model.Model, est *mle.Estimator, maxMem int64) (*tabular, error) {
	slice := *t
	slice.Transition, slice.Tied = nil, nil
	first, err := compileSlice(ctx, &slice, t.Transition.Before, len(t.Vars), est, 0, maxMem)
	if err != nil {
		return nil, err
	}
	next, err := compileSlice(ctx, t.Step(), t.Transition.Before, len(t.Vars), est, len(t.Factors), maxMem)
	return &tabular{first, next}, err
}

// compileSlice compiles the network of a slice: its own variables, n of them, and those before. The
// variables of after are those that persist. from is the number of its first factor in est.
func compileSlice(ctx context.Context, m *model.Model, after []model.VarID, n int, est *mle.Estimator, from int, maxMem int64) (*sliceNetwork, error) {
	flat := &model.Model{Name: m.Name, Vars: slices.Clone(m.Vars)}
	tables, err := numbersOf(m)
	if err != nil {
		return nil, err
	}
	query := ir.Gradient
	if len(m.Reals()) > 0 {
		query = ir.Statistics
	}
	for i, f := range m.Factors {
		g := &model.Factor{Scope: f.Scope, Child: f.Child, Dist: &model.Table{Values: tables[i]}, Pos: f.Pos}
		if f.Gaussian() != nil {
			g.Dist = est.Independent(from + i)
		}
		flat.Factors = append(flat.Factors, g)
	}
	s := &sliceNetwork{factors: len(m.Factors)}
	s.addBelief(flat, n)
	s.given = drawGiven(flat, n)
	s.addLater(flat, after)
	r, err := compiler.Compile(ctx, flat, compiler.Options{Queries: []string{query.String()}, Params: ir.Var, MaxMem: maxMem, Interpreted: true})
	if err != nil {
		return nil, err
	}
	s.machine = newMachine(r, n)
	s.machine.first = from
	return s, s.seeLater()
}

// addBelief adds CPDs of the variables before to m. Its first n variables are the slice.
func (s *sliceNetwork) addBelief(m *model.Model, n int) {
	var scope []model.VarID
	size := 1
	for _, v := range m.Vars[n:] {
		hidden := *v
		hidden.Given, hidden.Latent = false, true
		m.Vars[v.ID] = &hidden
		scope = append(scope, v.ID)
		size *= m.Card(v.ID)
		numbers := even(size, m.Card(v.ID))
		s.cards, s.belief = append(s.cards, m.Card(v.ID)), append(s.belief, numbers)
		m.Factors = append(m.Factors, &model.Factor{Scope: slices.Clone(scope), Child: len(scope) - 1, Dist: &model.Table{Values: numbers}})
	}
}

// addLater adds the variable that stands for the evidence on later slices.
func (s *sliceNetwork) addLater(m *model.Model, after []model.VarID) {
	if len(after) == 0 {
		return
	}
	name := "later"
	for taken := true; taken; {
		if _, taken = m.VarByName(name); taken {
			name += "_"
		}
	}
	v := m.NewVar(name, "0", "1")
	f := &model.Factor{Scope: append(slices.Clone(after), v.ID), Child: len(after)}
	size, _ := m.TableSize(f.Scope)
	s.later = even(size, 2)
	f.Dist = &model.Table{Values: s.later}
	m.Factors = append(m.Factors, f)
}

// clone returns a network with memory of its own.
func (s *sliceNetwork) clone() (*sliceNetwork, error) {
	c := *s
	c.machine = newMachine(s.of, len(s.now.state))
	c.machine.first, c.belief = s.machine.first, nil
	for _, b := range s.belief {
		c.belief = append(c.belief, slices.Clone(b))
	}
	c.later, c.families = slices.Clone(s.later), nil
	return &c, c.seeLater()
}

// seeLater observes the variable that stands for the evidence on later slices, which is the last.
func (s *sliceNetwork) seeLater() error {
	if s.later == nil {
		return nil
	}
	return s.Observe(model.VarID(len(s.m.Vars)-1), 1)
}

// load sets the numbers of the CPDs.
func (s *sliceNetwork) load(tables [][]float64) error {
	for i := range s.factors {
		if err := s.SetParams(s.params[i], tables[s.machine.first+i]); err != nil {
			return err
		}
	}
	return nil
}

// believe sets the distribution of the variables before.
func (s *sliceNetwork) believe(joint []float64) error {
	for j := len(s.cards) - 1; j >= 0; j-- {
		card := s.cards[j]
		sums := make([]float64, len(joint)/card)
		for i, p := range joint {
			sums[i/card] += p
		}
		for i, p := range joint {
			s.belief[j][i] = 0
			if sums[i/card] > 0 {
				s.belief[j][i] = p / sums[i/card]
			}
		}
		if err := s.SetParams(s.params[s.factors+j], s.belief[j]); err != nil {
			return err
		}
		joint = sums
	}
	return nil
}

// expect sets the likelihood of the evidence on later slices, at most 1, by joint state of the
// variables that persist. nil is 1.
func (s *sliceNetwork) expect(likelihood []float64) error {
	if s.later == nil {
		return nil
	}
	for i := range len(s.later) / 2 {
		p := 1.0
		if likelihood != nil {
			p = likelihood[i]
		}
		s.later[2*i], s.later[2*i+1] = 1-p, p
	}
	return s.SetParams(s.params[len(s.params)-1], s.later)
}

// before returns the distribution of the variables before, after a run.
func (s *sliceNetwork) before() []float64 {
	k := len(s.cards) - 1
	out := make([]float64, len(s.belief[k]))
	s.Counts(s.factors+k, out)
	return out
}

// after returns the distribution of the variables that persist, after a run.
func (s *sliceNetwork) after() []float64 {
	if s.later == nil {
		return nil
	}
	s.families = append(s.families[:0], s.later...)
	s.Counts(len(s.params)-1, s.families)
	out := make([]float64, len(s.later)/2)
	for i := range out {
		out[i] = s.families[2*i+1]
	}
	return out
}

// at returns the network of slice t.
func (d *tabular) at(t int) *sliceNetwork {
	if t == 0 {
		return d.first
	}
	return d.next
}

func (d *tabular) clone() (slicer, error) {
	first, err := d.first.clone()
	if err != nil {
		return nil, err
	}
	next, err := d.next.clone()
	return &tabular{first, next}, err
}

func (d *tabular) load(m *model.Model) error {
	tables, err := numbersOf(m)
	if err != nil {
		return err
	}
	if err := d.first.load(tables); err != nil {
		return err
	}
	return d.next.load(tables)
}

// filter runs over the slices in order. It returns the distribution of the variables that persist
// after each slice given the evidence up to it, and ln P of all evidence.
func (d *tabular) filter(rows []row) (beliefs [][]float64, logP float64, err error) {
	for t := range rows {
		s := d.at(t)
		if t > 0 && s.later != nil {
			if err := s.believe(beliefs[t-1]); err != nil {
				return nil, 0, err
			}
		}
		if err := s.expect(nil); err != nil {
			return nil, 0, err
		}
		if err := s.infer(&rows[t]); err != nil {
			return nil, 0, &sliceError{t, err}
		}
		logP += s.LogP() + s.given
		beliefs = append(beliefs, s.after())
	}
	return beliefs, logP, nil
}

func (d *tabular) sequence(est *mle.Estimator, rows []row, tables [][]float64) (float64, error) {
	beliefs, logP, err := d.filter(rows)
	if err != nil {
		return 0, err
	}
	for t := len(rows) - 1; t >= 0; t-- {
		s := d.at(t)
		if t < len(rows)-1 { // the last slice has been computed
			later := ratio(d.next, beliefs[t])
			if t > 0 && s.later != nil {
				err = s.believe(beliefs[t-1])
			}
			if err == nil {
				err = s.expect(later)
			}
			if err == nil {
				err = s.infer(&rows[t])
			}
			if err != nil {
				return 0, &sliceError{t, err}
			}
		}
		s.add(est, 1, tables[s.machine.first:][:s.factors])
	}
	return logP, nil
}

// ratio returns the likelihood of the evidence on later slices, up to a factor: the distribution of
// the variables before the slice that was computed last, given all evidence, over the one given the
// evidence before it.
func ratio(s *sliceNetwork, belief []float64) []float64 {
	if s.later == nil {
		return nil
	}
	out, most := s.before(), 0.0
	for i := range out {
		if belief[i] > 0 {
			out[i] /= belief[i]
		}
		most = max(most, out[i])
	}
	for i := range out {
		out[i] /= most
	}
	return out
}
