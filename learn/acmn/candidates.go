package acmn

import (
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// offers lists the splits of a feature that have a gain. At first it omits those with little gain
// compared with the feature's best.
func (s *search) offers(id int32) []growing.Candidate {
	f := &s.features[id]
	rows := s.rows.Where(f.tests)
	expected := s.expect(id)
	lists := make([][]growing.Candidate, len(s.cards))
	learner.Each(s.job.Cores, len(lists), func(v int) {
		card := s.cards[v]
		for state := range card {
			if !s.open(id, v, state) {
				continue
			}
			x := s.addition(id, expected[s.offsets[v]+state], s.rows.WeightOf(rows, v, state))
			if _, _, gain := x.best(); gain > s.l.SplitPenalty+leastGain {
				lists[v] = append(lists[v], growing.Candidate{Gain: gain, Of: id, Var: int32(v), State: int32(state), Version: s.version})
			}
			if card == 2 { // the other state makes the same split
				break
			}
		}
	})
	list := slices.Concat(lists...)
	if s.wide {
		return list
	}
	top := 0.0
	for _, c := range list {
		top = max(top, c.Gain)
	}
	return slices.DeleteFunc(list, func(c growing.Candidate) bool { return c.Gain < top*little })
}

// little is the share of a feature's best gain below which a split is postponed until the others
// are used up. On baudio, shares from 1/100 to 1/4 reach the same likelihood in the same time.
const little = 0.05

// open reports whether the tests of a feature leave a state of a variable possible.
func (s *search) open(id int32, v, state int) bool {
	card := s.cards[v]
	return card > 1 && !slices.ContainsFunc(s.features[id].tests, func(t rowset.Test) bool {
		return t.Var == v && (!t.Not || card == 2 || t.State == state)
	})
}

// leastGain excludes gains that are rounding errors.
const leastGain = 1e-9

// probes is the number of probes; each evaluates as many candidates as it has lanes.
const probes = 4

// reconsider recomputes the gains of the best candidates, down to one with a current gain.
// Candidates without gain are dropped.
func (s *search) reconsider() {
	list := make([]growing.Candidate, 0, probes*growing.Lanes)
	for len(list) < cap(list) && len(s.queue.List) > 0 && s.queue.Top().Version != s.version {
		list = append(list, s.queue.Take())
	}
	learner.Each(s.job.Cores, probes, func(i int) {
		if from := i * growing.Lanes; from < len(list) {
			s.probe(s.probes[i], list[from:min(from+growing.Lanes, len(list))])
		}
	})
	for _, c := range list {
		if c.Gain > s.l.SplitPenalty+leastGain {
			s.queue.Add(c)
		}
	}
}

// probe computes the gains of candidates, one in each lane.
func (s *search) probe(p *growing.Probe, list []growing.Candidate) {
	for lane := range list {
		s.condition(p, lane, &list[lane], 0)
	}
	values := p.Eval()
	for lane := range list {
		c := &list[lane]
		s.condition(p, lane, c, 1)
		x := s.additionOf(c, values[lane]/s.z)
		_, _, c.Gain = x.best()
		c.Version = s.version
	}
}

// condition sets the indicators of a lane so that the feature of a candidate, or its state, is
// excluded.
func (s *search) condition(p *growing.Probe, lane int, c *growing.Candidate, to float64) {
	for _, t := range s.testsOf(c) {
		for k := range s.cards[t.Var] {
			if (k == t.State) == t.Not {
				p.Set(lane, t.Var, k, to)
			}
		}
	}
}

// testsOf returns the tests of the feature that holds with the state.
func (s *search) testsOf(c *growing.Candidate) []rowset.Test {
	return append(slices.Clip(s.features[c.Of].tests), rowset.Test{Var: int(c.Var), State: int(c.State)})
}

func (s *search) additionOf(c *growing.Candidate, expected float64) addition {
	return s.addition(c.Of, expected, s.rows.Weight(s.rows.Where(s.testsOf(c))))
}

// expect returns the probability of a feature together with each state of each variable, by the
// offsets of variables.
func (s *search) expect(id int32) (e []float64) {
	s.tape.All()
	for _, t := range s.features[id].tests {
		for k := range s.cards[t.Var] {
			if (k == t.State) == t.Not {
				s.tape.Set(t.Var, k, 0)
			}
		}
	}
	s.tape.Eval(s.theta)
	s.tape.Derive()
	for v, card := range s.cards {
		for k := range card {
			e = append(e, s.tape.ByState(v, k)/s.z)
		}
	}
	return e
}

// addition returns the addition of a split of a feature, given how often the feature holds with the
// state: expected under the model, and seen in the data.
func (s *search) addition(id int32, expected, seen float64) addition {
	return addition{p: expected, q: max(0, s.holds[id]-expected), seen: seen, none: s.features[id].seen - seen, rows: s.total,
		l1: s.l.L1, precision: s.precision()}
}
