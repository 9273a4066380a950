package acmn

import (
	"container/heap"
	"context"
	"math"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/learn/convex"
	"github.com/pgmc-go/pgmc/learn/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rowset"
)

// feature is a conjunction; its number is that of its parameter in the circuit.
type feature struct {
	tests []rowset.Test
	seen  float64 // weight of the rows where it holds
	valid float64 // the same in the validation data
}

// candidate is a split that may be made.
type candidate struct {
	gain     float64 // when it was last found
	feature  int32
	v, state int32
	version  int32 // of the model by which the gain was found
	cost     int32 // edges that it adds: the last measured, or a bound from below
	measured bool  // the cost is that of now
}

// step is a split that was made.
type step struct {
	feature  int32
	v, state int
}

// search is the state of a search. It is a heap of candidates.
type search struct {
	l           *instance
	job         *learner.Job
	rows, valid *rowset.Data // valid is nil without validation data
	total       float64      // weight of all rows
	validTotal  float64

	c        *growing.Circuit
	p        *growing.Planner
	tape     *growing.Tape
	features []feature
	weights  []float64 // natural logarithms
	theta    []float64
	z        float64
	version  int32
	expected map[int32][]float64 // by feature: of its conjunction with each state, in the model of now
	offsets  []int               // by variable, where its states begin

	edge  float64
	queue []candidate
	steps []step

	best        int // steps that the validation data like best
	bestValue   float64
	bestWeights []float64
}

func newSearch(l *instance, job *learner.Job) (*search, error) {
	train, err := job.Train.Filled(job.Seed)
	if err != nil {
		return nil, err
	}
	s := &search{l: l, job: job, rows: rowset.New(train), edge: l.edge}
	s.total = s.rows.Weight(s.rows.All())
	if job.Valid != nil {
		valid, err := job.Valid.Filled(job.Seed)
		if err != nil {
			return nil, err
		}
		s.valid = rowset.New(valid)
		s.validTotal = s.valid.Weight(s.valid.All())
	}
	offset := 0
	for _, card := range s.rows.Cards {
		s.offsets = append(s.offsets, offset)
		offset += card
	}
	s.begin()
	return s, nil
}

// begin makes independent variables.
func (s *search) begin() {
	s.c = growing.New(s.rows.Cards)
	s.p = s.c.Planner()
	s.features, s.weights, s.steps = nil, nil, nil
	for v, card := range s.rows.Cards {
		for k := range card {
			s.add([]rowset.Test{{Var: v, State: k}}, 0)
			f := &s.features[len(s.features)-1]
			s.weights[len(s.weights)-1] = math.Log((f.seen + 1/float64(card)) / (s.total + 1))
		}
	}
	s.changed()
}

// add adds a feature with a weight.
func (s *search) add(tests []rowset.Test, weight float64) {
	f := feature{tests: tests, seen: s.rows.Weight(s.rows.Where(tests))}
	if s.valid != nil {
		f.valid = s.valid.Weight(s.valid.Where(tests))
	}
	s.features = append(s.features, f)
	s.weights = append(s.weights, weight)
}

// changed takes note of a new circuit.
func (s *search) changed() {
	s.tape = s.c.Tape(s.tape)
	s.expected = map[int32][]float64{}
	s.version++
}

// evaluate sums the model up for weights.
func (s *search) evaluate(weights []float64) float64 {
	s.theta = s.theta[:0]
	for _, w := range weights {
		s.theta = append(s.theta, math.Exp(w))
	}
	s.tape.All()
	return s.tape.Eval(s.theta)
}

// fit fits all weights.
func (s *search) fit(ctx context.Context, tolerance float64) {
	var l1 []float64
	if s.l.l1 > 0 {
		l1 = slices.Repeat([]float64{s.l.l1}, len(s.weights))
	}
	convex.Minimise(func(w, gradient []float64) float64 {
		z := s.evaluate(w)
		if !growing.Finite(z) {
			return math.Inf(1)
		}
		s.tape.Derive()
		value := s.total * math.Log(z)
		for i, x := range w {
			f := &s.features[i]
			value += s.precision()/2*x*x - x*f.seen
			gradient[i] = s.total*s.theta[i]*s.tape.ByParam(int32(i))/z - f.seen + s.precision()*x
		}
		return value
	}, s.weights, convex.Options{L1: l1, Steps: maxFit, Tolerance: tolerance, Stop: func() bool { return ctx.Err() != nil }})
	s.z = s.evaluate(s.weights)
	clear(s.expected)
	s.version++
}

const (
	maxFit = 100  // steps of a fit
	rough  = 1e-5 // relative tolerance of a fit between splits
	fine   = 1e-9 // and at the end
)

func (s *search) precision() float64 {
	if s.l.variance == 0 {
		return 0
	}
	return 1 / s.l.variance
}

// expect gives the probability of a feature together with each state of each variable, by the offsets of variables.
func (s *search) expect(id int32) []float64 {
	if e := s.expected[id]; e != nil {
		return e
	}
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
	var e []float64
	for v, card := range s.rows.Cards {
		for k := range card {
			e = append(e, s.tape.ByState(v, k)/s.z)
		}
	}
	s.expected[id] = e
	return e
}

// addition is what a split would add; the probability of the feature is that with any state of the variable.
func (s *search) addition(id int32, v, state int, seen float64) addition {
	e := s.expect(id)[s.offsets[v]:][:s.rows.Cards[v]]
	x := addition{p: e[state], seen: seen, none: s.features[id].seen - seen, rows: s.total, l1: s.l.l1, precision: s.precision()}
	for k, p := range e {
		if k != state {
			x.q += p
		}
	}
	return x
}

func (s *search) Len() int { return len(s.queue) }

// Less puts the best first, of equals the one of the first feature, variable and state.
func (s *search) Less(i, j int) bool {
	a, b := &s.queue[i], &s.queue[j]
	if x, y := s.score(a), s.score(b); x != y {
		return x > y
	}
	if a.feature != b.feature {
		return a.feature < b.feature
	}
	if a.v != b.v {
		return a.v < b.v
	}
	return a.state < b.state
}

func (s *search) Swap(i, j int) { s.queue[i], s.queue[j] = s.queue[j], s.queue[i] }

func (s *search) Push(c any) { s.queue = append(s.queue, c.(candidate)) }

func (s *search) Pop() any {
	last := s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	return last
}

// score is what a candidate is worth by its gain and cost as far as they are known.
func (s *search) score(c *candidate) float64 {
	return c.gain - s.l.split - s.edge*float64(c.cost)
}

// leastEdge is where the penalty of an edge stops to fall.
const leastEdge = 1e-20

// run makes splits until none is worth it, or ctx ends.
func (s *search) run(ctx context.Context) {
	s.fit(ctx, fine)
	s.validate()
	for id := range s.features {
		if ctx.Err() != nil {
			return
		}
		s.queue = append(s.queue, s.offers(int32(id))...)
	}
	heap.Init(s)
	last := time.Now()
	for ctx.Err() == nil && len(s.queue) > 0 && (s.l.maxSplits == 0 || len(s.steps) < s.l.maxSplits) {
		top := &s.queue[0]
		switch {
		case s.score(top) <= 0:
			if !s.l.shrink || s.edge <= leastEdge || float64(s.c.Edges()) >= 0.99*float64(s.l.maxEdges) {
				s.finish(ctx)
				return
			}
			s.edge /= 2
			heap.Init(s)
		case top.version != s.version:
			s.reconsider(top)
		case !top.measured && s.score(top) >= (1-s.l.sloppy)*s.second():
			s.measure(top)
		case top.measured:
			s.make(ctx, heap.Pop(s).(candidate))
			if time.Since(last) > 100*time.Millisecond {
				s.job.Tell(learner.Event{Done: len(s.steps), Score: s.edge})
				last = time.Now()
			}
		}
	}
	s.finish(ctx)
}

// finish fits the weights once more, and to the end.
func (s *search) finish(ctx context.Context) {
	s.fit(ctx, fine)
	s.validate()
}

// second is the score of the best candidate but one.
func (s *search) second() float64 {
	next := 0.0
	for i := 1; i <= 2 && i < len(s.queue); i++ {
		next = max(next, s.score(&s.queue[i]))
	}
	return next
}

// offers lists the splits of a feature that may bring something, without those that bring little beside its best.
func (s *search) offers(id int32) []candidate {
	f := &s.features[id]
	rows := s.rows.Where(f.tests)
	s.expect(id)
	lists := make([][]candidate, len(s.rows.Cards))
	learner.Each(s.job.Cores, len(lists), func(v int) {
		card := s.rows.Cards[v]
		if card < 2 || slices.ContainsFunc(f.tests, func(t rowset.Test) bool { return t.Var == v && (!t.Not || card == 2) }) {
			return
		}
		for state := range card {
			if slices.Contains(f.tests, rowset.Test{Var: v, State: state, Not: true}) {
				continue
			}
			x := s.addition(id, v, state, s.rows.WeightOf(rows, v, state))
			if _, _, gain := x.best(); gain > s.l.split+leastGain {
				lists[v] = append(lists[v], candidate{gain: gain, feature: id, v: int32(v), state: int32(state), version: s.version})
			}
			if card == 2 { // the other state makes the same split
				break
			}
		}
	})
	list := slices.Concat(lists...)
	top := 0.0
	for _, c := range list {
		top = max(top, c.gain)
	}
	return slices.DeleteFunc(list, func(c candidate) bool { return c.gain < top/100 })
}

// leastGain keeps out gains that are rounding.
const leastGain = 1e-9

// reconsider finds the gain of the candidate on top anew; without any, it goes.
func (s *search) reconsider(top *candidate) {
	_, _, gain := s.additionOf(top).best()
	if gain <= s.l.split+leastGain {
		heap.Pop(s)
		return
	}
	top.gain, top.version = gain, s.version
	heap.Fix(s, 0)
}

func (s *search) additionOf(c *candidate) *addition {
	tests := append(slices.Clip(s.features[c.feature].tests), rowset.Test{Var: int(c.v), State: int(c.state)})
	x := s.addition(c.feature, int(c.v), int(c.state), s.rows.Weight(s.rows.Where(tests)))
	return &x
}

// measure finds out what the candidate on top costs now, as far as it takes to see that it is worth less than the next one.
func (s *search) measure(top *candidate) {
	room := s.l.maxEdges - s.c.Edges()
	limit := float64(room)
	if s.edge > 0 {
		even := (top.gain - s.l.split) / s.edge
		limit = min(limit, even, slack+2*(even-(1-s.l.sloppy)*s.second()/s.edge))
	}
	cost, exact := s.p.Cost(s.splitOf(top.feature, int(top.v), int(top.state)), int(limit))
	if cost > room {
		heap.Pop(s)
		return
	}
	top.cost, top.measured = int32(max(0, cost)), exact
	heap.Fix(s, 0)
}

// slack is by how many edges a measure may go on after which a candidate is no longer on top.
const slack = 16

func (s *search) splitOf(id int32, v, state int) growing.Split {
	return growing.Split{Params: []int32{id}, Var: v, State: state, Keep: true}
}

// make makes a split, fits all weights, and offers the splits of the new features.
func (s *search) make(ctx context.Context, c candidate) {
	a, b, _ := s.additionOf(&c).best()
	id := s.apply(step{feature: c.feature, v: int(c.v), state: int(c.state)}, a, b)
	for i := range s.queue {
		s.queue[i].measured = false
		if !s.l.quick {
			s.queue[i].cost = 0
		}
	}
	if !s.l.quick {
		heap.Init(s)
	}
	s.fit(ctx, rough)
	s.validate()
	for _, id := range []int32{id, id + 1} {
		for _, c := range s.offers(id) {
			heap.Push(s, c)
		}
	}
}

// apply makes a split in the network and in the circuit, with weights for its features, and gives the first of them.
func (s *search) apply(x step, a, b float64) int32 {
	id := int32(len(s.features))
	tests := slices.Clip(s.features[x.feature].tests)
	s.p.Apply(s.splitOf(x.feature, x.v, x.state))
	s.add(append(tests, rowset.Test{Var: x.v, State: x.state}), a)
	s.add(append(tests, rowset.Test{Var: x.v, State: x.state, Not: true}), b)
	s.steps = append(s.steps, x)
	s.changed()
	return id
}

// validate keeps the weights where the validation data are likeliest so far.
func (s *search) validate() {
	if s.valid == nil {
		return
	}
	value := -s.validTotal * math.Log(s.z)
	for i := range s.features {
		value += s.weights[i] * s.features[i].valid
	}
	if s.bestWeights == nil || value >= s.bestValue {
		s.best, s.bestValue, s.bestWeights = len(s.steps), value, slices.Clone(s.weights)
	}
}
