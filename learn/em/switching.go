package em

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/mle"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// switching infers in templates in which real variables persist beside discrete ones. The exact
// belief has a Gaussian for each history of states; this one has one for each joint state of the
// discrete variables that persist, as method gpb2 does forwards and Kim's smoother back (Kim 1994,
// "Dynamic linear models with Markov-switching"; Murphy 1998, "Switching Kalman filters", for EM).
// So the likelihood that EM climbs is an approximation, and a step may lower it, which ends EM.
//
// A slice is gone through for each joint state of its discrete variables and those before it. The
// change of real variables depends only on some of these, for which it is computed once.
type switching struct {
	kalman
	first, next states
	tables      [][]float64 // the CPDs of discrete variables as tables, by factor of the static network
}

// states holds the data with which a slice goes through its joint states.
type states struct {
	m       *model.Model // of the slice and the discrete variables before it
	vars    []model.VarID
	context []model.VarID // those that real variables depend on, and those before
	before  []model.VarID // the discrete variables before the slice
	cpds    []int         // the factors of discrete variables
	from    int           // the number of the first factor of the slice in the static network
}

// maxJoint is the most joint states of the discrete variables of two slices.
const maxJoint = 1 << 16

func newSwitching(t, static *model.Model) (*switching, error) {
	slice := *t
	slice.Transition = nil
	s := &switching{kalman: *newKalman(t)}
	s.first = newStates(&slice, t, 0)
	s.next = newStates(t.Step(), t, len(t.Factors))
	if n, ok := s.next.m.TableSize(s.next.vars); !ok || n > maxJoint {
		return nil, fmt.Errorf("EM goes through the joint states of the %d discrete variables of two slices, if real variables persist beside them; want at most %d joint states, or sequences without missing values",
			len(s.next.vars), maxJoint)
	}
	return s, s.load(static)
}

func newStates(m, t *model.Model, from int) states {
	s := states{m: m, from: from}
	n := model.VarID(len(t.Vars))
	s.vars, _ = m.SplitReal(m.IDs())
	for i, f := range m.Factors {
		if !m.IsReal(f.ChildVar()) {
			s.cpds = append(s.cpds, i)
			continue
		}
		own, _ := m.SplitParents(f)
		s.context = append(s.context, own...)
	}
	for _, v := range s.vars {
		if v >= n {
			s.before = append(s.before, v)
		}
	}
	s.context = append(s.context, s.before...)
	slices.Sort(s.context)
	s.context = slices.Compact(s.context)
	return s
}

func (s *switching) load(m *model.Model) error {
	s.static, s.tables = m, nil
	for _, f := range m.Factors {
		var values []float64
		if f.Gaussian() == nil {
			var err error
			if values, err = numbersOfFactor(m, f); err != nil {
				return err
			}
		}
		s.tables = append(s.tables, values)
	}
	return nil
}

func (s *switching) clone() (slicer, error) {
	c := *s
	c.out = nil
	return &c, nil
}

// belief has the probability of each joint state of the discrete variables that persist, and the
// distribution of the real ones given it. A state of probability 0 has none.
type belief struct {
	p  []float64
	of []*joint
}

// cell is a joint state of the discrete variables of a slice and those before it.
type cell struct {
	states        []int
	before, after int     // its joint states of the variables before, and of those that persist
	p             float64 // its probability given the evidence; a logarithm until all are known
	x             *joint  // of the real variables
}

// place returns the number of a joint state of some variables.
func place(m *model.Model, vars []model.VarID, states []int) (at int) {
	for _, v := range vars {
		at = at*m.Card(v) + states[v]
	}
	return at
}

// cells returns the joint states of a slice that its evidence and the belief before it allow, with
// their probabilities, and ln P of the evidence. The belief is nil in slice 0.
func (s *switching) cells(b *belief, r *row) (list []cell, logP float64, err error) {
	of := &s.first
	if b != nil {
		of = &s.next
	}
	after, _ := s.t.SplitReal(s.t.Transition.Before)
	type outcome struct {
		x   *joint
		log float64
	}
	size, _ := of.m.TableSize(of.context)
	known := make([]*outcome, size)
	now := make([]int, len(of.m.Vars))
	logP = math.Inf(-1)
	for more := of.begin(now, r); more; more = of.step(now, r) {
		c := cell{before: place(of.m, of.before, now), after: place(of.m, after, now), p: of.log(now, s.tables)}
		var from *joint
		if b != nil {
			c.p += pgmrt.Ln(b.p[c.before])
			from = b.of[c.before]
		}
		if math.IsInf(c.p, -1) {
			continue
		}
		at := place(of.m, of.context, now)
		if known[at] == nil {
			l := newLikelihood(0)
			x, err := s.slice(from, r, now, l)
			if errors.Is(err, eval.ErrImpossible) {
				l.log = math.Inf(-1)
			} else if err != nil {
				return nil, 0, err
			}
			known[at] = &outcome{x, l.log}
		}
		if c.x, c.p = known[at].x, c.p+known[at].log; !math.IsInf(c.p, -1) {
			c.states = slices.Clone(now)
			list, logP = append(list, c), circuit.LogAdd(logP, c.p)
		}
	}
	if len(list) == 0 {
		return nil, 0, eval.ErrImpossible
	}
	for i := range list {
		list[i].p = math.Exp(list[i].p - logP)
	}
	return list, logP, nil
}

// begin sets states to the first ones that agree with a row.
func (s *states) begin(states []int, r *row) bool {
	for _, v := range s.vars {
		states[v] = 0
		if int(v) < len(r.state) && r.state[v] >= 0 {
			states[v] = r.state[v]
		}
	}
	return true
}

// step goes to the next states that agree with a row; it returns false after the last ones.
func (s *states) step(states []int, r *row) bool {
	for i := len(s.vars) - 1; i >= 0; i-- {
		v := s.vars[i]
		if int(v) < len(r.state) && r.state[v] >= 0 {
			continue
		}
		if states[v]++; states[v] < s.m.Card(v) {
			return true
		}
		states[v] = 0
	}
	return false
}

// log returns ln of the product of the CPDs of discrete variables.
func (s *states) log(states []int, tables [][]float64) (sum float64) {
	for _, i := range s.cpds {
		sum += pgmrt.Ln(tables[s.from+i][place(s.m, s.m.Factors[i].Scope, states)])
	}
	return sum
}

// collapse returns a belief about the real variables vars, by the n joint states that key returns.
func collapse(list []cell, n int, key func(*cell) int, vars []model.VarID) *belief {
	b := &belief{p: make([]float64, n), of: make([]*joint, n)}
	for i := range list {
		c, k := &list[i], key(&list[i])
		if c.p == 0 {
			continue
		}
		b.p[k] += c.p
		if x := c.x.of(vars); b.of[k] == nil {
			b.of[k] = x
		} else {
			b.of[k].mix(x, c.p/b.p[k])
		}
	}
	return b
}

// mix makes x the distribution with the moments of a mixture of x and of y, which has the given
// share.
func (x *joint) mix(y *joint, share float64) {
	off := make([]float64, len(x.mean))
	for i := range off {
		off[i] = y.mean[i] - x.mean[i]
	}
	for i := range off {
		x.mean[i] += share * off[i]
		for j := range off {
			x.cov[i][j] += share*(y.cov[i][j]-x.cov[i][j]) + share*(1-share)*off[i]*off[j]
		}
	}
}

// clone returns a copy.
func (x *joint) clone() *joint {
	c := newJoint(len(x.mean), 0)
	copy(c.mean, x.mean)
	for i := range x.cov {
		copy(c.cov[i], x.cov[i])
	}
	return c
}

func (s *switching) sequence(est *mle.Estimator, rows []row, tables [][]float64) (float64, error) {
	discrete, _ := s.t.SplitReal(s.t.Transition.Before)
	n, _ := s.t.TableSize(discrete)
	var beliefs []*belief // after each slice
	var before *belief
	logP := 0.0
	for t := range rows {
		list, log, err := s.cells(before, &rows[t])
		if err != nil {
			return 0, &sliceError{t, err}
		}
		logP += log
		before = collapse(list, n, func(c *cell) int { return c.after }, s.after)
		beliefs = append(beliefs, before)
	}
	smoothed := before
	for t := len(rows) - 1; t >= 0; t-- {
		before = nil
		if t > 0 {
			before = beliefs[t-1]
		}
		list, _, err := s.cells(before, &rows[t])
		if err != nil {
			return 0, &sliceError{t, err}
		}
		if t < len(rows)-1 {
			s.smooth(list, beliefs[t], smoothed)
		}
		s.tally(est, t, list, tables)
		smoothed = collapse(list, n, func(c *cell) int { return c.before }, s.before)
	}
	return logP, nil
}

// smooth changes the probabilities and the distributions of the cells of a slice to the ones given
// all evidence, by the beliefs after it given the evidence so far, and given all. Later evidence is
// taken to tell of the discrete variables that persist and, given these, of only the real variables
// that persist.
func (s *switching) smooth(list []cell, sofar, all *belief) {
	total := 0.0
	for i := range list {
		c := &list[i]
		if c.p *= all.p[c.after]; c.p > 0 {
			c.p /= sofar.p[c.after]
			c.x = c.x.clone() // those of several cells may be one
			c.x.smooth(s.after, all.of[c.after])
		}
		total += c.p
	}
	for i := range list {
		list[i].p /= total
	}
}

// tally adds the expected statistics of slice t to tables.
func (s *switching) tally(est *mle.Estimator, t int, list []cell, tables [][]float64) {
	of := &s.first
	if t > 0 {
		of = &s.next
	}
	for i := range list {
		c := &list[i]
		if c.p == 0 {
			continue
		}
		for _, f := range of.cpds {
			tables[of.from+f][place(of.m, of.m.Factors[f].Scope, c.states)] += c.p
		}
		s.add(est, t, c.x, c.states, c.p, tables)
	}
}
