package acbn

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// step is a split that was made.
type step struct {
	growing.Step
	valid []float64 // gain on the validation data, for each of strengths
}

// search is the state of a search.
type search struct {
	l     *Options
	job   *learner.Job
	rows  *rowset.Data
	valid *rowset.Data // nil without validation data

	c     *growing.Circuit
	p     *growing.Planner
	gauge *growing.Gauge
	nodes []node // the roots of the variables first
	above *graph.Closure
	queue growing.Queue
	steps []step

	strength int // index of the smoothing in strengths

	try  int // number of this search, from 0
	best best
}

func newSearch(l *Options, job *learner.Job) *search {
	s := &search{l: l, job: job, rows: rowset.New(job.Train)}
	if job.Valid != nil {
		s.valid = rowset.New(job.Valid)
	}
	s.begin()
	return s
}

// begin starts from independent variables.
func (s *search) begin() {
	s.c = growing.New(s.rows.Cards)
	s.p, s.gauge = s.c.Planner(), s.c.Gauge(s.job.Cores)
	s.nodes, s.steps = nil, nil
	s.above = graph.NewClosure(len(s.rows.Cards))
	params := int32(0)
	for x, card := range s.rows.Cards {
		s.nodes = append(s.nodes, s.leaf(x, nil, nil, params))
		params += int32(card)
	}
}

// start offers the splits of all leaves. It returns false if ctx ends first.
func (s *search) start(ctx context.Context) bool {
	s.queue = growing.Queue{Split: s.l.SplitPenalty, Edge: growing.StartEdge(s.l.EdgePenalty, highEdge, s.l.Shrink)}
	for id := range s.nodes {
		if ctx.Err() != nil {
			return false
		}
		if s.nodes[id].v < 0 {
			s.queue.List = append(s.queue.List, s.offers(int32(id))...)
		}
	}
	s.queue.Order()
	return true
}

// run makes splits until none pays or ctx ends, and then stores a checkpoint.
func (s *search) run(ctx context.Context, saver *learner.Saver) error {
	progress := s.job.Throttle()
	for ctx.Err() == nil && len(s.queue.List) > 0 && s.l.growth().More(len(s.steps)) {
		top := s.queue.Top()
		switch {
		case !s.open(top), top.Measured && int(top.Cost) > s.l.MaxEdges-s.c.Edges():
			s.queue.Take()
		case s.queue.Score(top) <= 0:
			if !s.l.Shrink || !s.queue.Fall(s.c.Edges(), s.l.MaxEdges) {
				return nil
			}
		case !top.Measured:
			s.gauge.Measure(&s.queue, s.l.MaxEdges, s.open, func(c *growing.Candidate) growing.Split {
				return s.splitOf(c.Of, int(c.Var), int(c.State))
			})
		default:
			s.make(s.queue.Take())
			progress.Report(learner.Event{Done: len(s.steps), Score: s.queue.Edge})
			if saver.Due() {
				if err := s.save(saver); err != nil {
					return err
				}
			}
		}
	}
	if ctx.Err() == nil {
		return nil
	}
	return s.save(saver)
}

// open reports whether a split can still be made.
func (s *search) open(c *growing.Candidate) bool {
	n := &s.nodes[c.Of]
	return n.v < 0 && int(c.Var) != n.of && !s.above.Has(int(c.Var), n.of)
}

// offers lists the splits of a leaf that have a gain.
func (s *search) offers(id int32) []growing.Candidate {
	n := &s.nodes[id]
	rows := s.rows.Where(n.tests)
	byState := make([][]uint64, len(n.counts))
	for k := range byState {
		byState[k] = slices.Clone(rows)
		s.rows.And(byState[k], rowset.Test{Var: n.of, State: k})
	}
	lists := make([][]growing.Candidate, len(s.rows.Cards))
	learner.Each(s.job.Cores, len(lists), func(v int) {
		card := s.rows.Cards[v]
		if card < 2 || v == n.of || s.above.Has(v, n.of) {
			return
		}
		for state := range card {
			test := rowset.Test{Var: v, State: state}
			if slices.ContainsFunc(n.tests, func(t rowset.Test) bool { return t.Var == v && (!t.Not || t.State == state) }) {
				continue
			}
			if gain := s.gain(n, byState, test); gain > s.l.SplitPenalty+leastGain {
				lists[v] = append(lists[v], growing.Candidate{Gain: gain, Of: id, Var: int32(v), State: int32(state)})
			}
			if card == 2 { // the other state makes the same split
				break
			}
		}
	})
	return slices.Concat(lists...)
}

// leastGain excludes gains that are rounding errors.
const leastGain = 1e-9

// gain returns how much a split of a leaf raises the log-likelihood. byState holds the leaf's rows
// by state of its variable.
func (s *search) gain(n *node, byState [][]uint64, t rowset.Test) float64 {
	yes, no, both := make([]float64, len(byState)), make([]float64, len(byState)), make([]float64, len(byState))
	for k, rows := range byState {
		yes[k] = s.rows.WeightOf(rows, t.Var, t.State)
		known, all := s.rows.WeightKnown(rows, t.Var)
		if all {
			known = n.counts[k]
		}
		both[k], no[k] = known, max(0, known-yes[k])
	}
	return s.l.rate(yes) + s.l.rate(no) - s.l.rate(both)
}

func (s *search) splitOf(id int32, v, state int) growing.Split {
	return growing.Split{Params: s.nodes[id].params, Var: v, State: state}
}

// make makes a split and offers the splits of the new leaves.
func (s *search) make(c growing.Candidate) {
	yes, tidied := s.apply(growing.Step{Of: c.Of, Var: int(c.Var), State: int(c.State)})
	switch {
	case s.l.Quick:
		s.queue.Stale(true)
	case tidied:
		s.queue.Stale(false)
	default:
		s.forget()
	}
	for _, id := range []int32{yes, yes + 1} {
		s.queue.Add(s.offers(id)...)
	}
}

// apply makes a split in the tree and in the circuit. It returns the first of the two new leaves
// and reports whether the circuit was tidied.
func (s *search) apply(made growing.Step) (id int32, tidied bool) {
	x := step{Step: made}
	old := s.nodes[x.Of]
	n := int32(s.c.Params())
	s.p.Apply(s.splitOf(x.Of, x.Var, x.State))
	tidied = s.l.Tidy && s.c.Tidy()
	s.above.Add(x.Var, old.of)
	id = int32(len(s.nodes))
	at := &s.nodes[x.Of]
	at.v, at.state, at.yes, at.no = x.Var, x.State, id, id+1
	for i, not := range []bool{false, true} {
		tests := append(slices.Clip(old.tests), rowset.Test{Var: x.Var, State: x.State, Not: not})
		s.nodes = append(s.nodes, s.leaf(old.of, &old, tests, n+int32(i*len(old.params))))
	}
	if s.valid != nil {
		x.valid = s.validGain(&old, id)
	}
	s.steps = append(s.steps, x)
	return id, tidied
}

// validGain returns how much the log-likelihood of the validation data rises if a leaf is replaced
// by the nodes id and id + 1, for each of strengths.
func (s *search) validGain(old *node, id int32) []float64 {
	gain := make([]float64, len(strengths))
	for i, n := range []*node{old, &s.nodes[id], &s.nodes[id+1]} {
		rows := s.valid.Where(n.tests)
		counts := make([]float64, len(n.counts))
		for k := range counts {
			counts[k] = s.valid.WeightOf(rows, n.of, k)
		}
		for j, dist := range n.dists {
			if x := logLik(counts, dist); i == 0 {
				gain[j] -= x
			} else {
				gain[j] += x
			}
		}
	}
	return gain
}

// forget marks the costs of splits as outdated if the last split changed their part of the circuit.
func (s *search) forget() {
	group := make([]int32, s.c.Params())
	for i := range group {
		group[i] = -1
	}
	for id := range s.nodes {
		if n := &s.nodes[id]; n.v < 0 {
			for _, x := range n.params {
				group[x] = int32(id)
			}
		}
	}
	changed := s.p.Changed(group, len(s.nodes))
	for i := range s.queue.List {
		if c := &s.queue.List[i]; s.nodes[c.Of].v < 0 && changed(int(c.Of), int(c.Var)) {
			c.Cost, c.Measured = 0, false
		}
	}
	s.queue.Order()
}
