package acmn

import (
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// offers lists the splits of a feature that may bring something, at first without those that bring little beside its best.
func (s *search) offers(id int32) []growing.Candidate {
	f := &s.features[id]
	rows := s.rows.Where(f.tests)
	expected := s.expect(id)
	lists := make([][]growing.Candidate, len(s.rows.Cards))
	learner.Each(s.job.Cores, len(lists), func(v int) {
		card := s.rows.Cards[v]
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

// little is the part of the best gain of a feature below which a split waits until the others are used up. On baudio, parts from a hundredth to a
// quarter come to the same likelihood in the same time.
const little = 0.05

// open reports whether the tests of a feature leave a state of a variable open.
func (s *search) open(id int32, v, state int) bool {
	card := s.rows.Cards[v]
	return card > 1 && !slices.ContainsFunc(s.features[id].tests, func(t rowset.Test) bool {
		return t.Var == v && (!t.Not || card == 2 || t.State == state)
	})
}

// leastGain keeps out gains that are rounding.
const leastGain = 1e-9

// probes is how many probes there are, each of which takes so many candidates as it has lanes.
const probes = 4

// reconsider finds the gains of the best candidates anew, down to one whose gain is that of now. Those without any go.
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

// probe finds the gains of candidates, one in each lane.
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

// condition sets the indicators of a lane that exclude the feature of a candidate, or its state.
func (s *search) condition(p *growing.Probe, lane int, c *growing.Candidate, to float64) {
	for _, t := range s.testsOf(c) {
		for k := range s.rows.Cards[t.Var] {
			if (k == t.State) == t.Not {
				p.Set(lane, t.Var, k, to)
			}
		}
	}
}

// testsOf are those of the feature that holds with the state.
func (s *search) testsOf(c *growing.Candidate) []rowset.Test {
	return append(slices.Clip(s.features[c.Of].tests), rowset.Test{Var: int(c.Var), State: int(c.State)})
}

func (s *search) additionOf(c *growing.Candidate, expected float64) addition {
	return s.addition(c.Of, expected, s.rows.Weight(s.rows.Where(s.testsOf(c))))
}

// expect gives the probability of a feature together with each state of each variable, by the offsets of variables.
func (s *search) expect(id int32) (e []float64) {
	s.tape.All()
	for _, t := range s.features[id].tests {
		for k := range s.rows.Cards[t.Var] {
			if (k == t.State) == t.Not {
				s.tape.Set(t.Var, k, 0)
			}
		}
	}
	s.tape.Eval(s.theta)
	s.tape.Derive()
	for v, card := range s.rows.Cards {
		for k := range card {
			e = append(e, s.tape.ByState(v, k)/s.z)
		}
	}
	return e
}

// addition is what a split would add of a feature that is expected to hold with the state so often, and has been seen to.
func (s *search) addition(id int32, expected, seen float64) addition {
	return addition{p: expected, q: max(0, s.holds[id]-expected), seen: seen, none: s.features[id].seen - seen, rows: s.total,
		l1: s.l.L1, precision: s.precision()}
}
