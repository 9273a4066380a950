package acmn

import (
	"context"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/convex"
	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// search is the state of a search.
type search struct {
	l   *Options
	job *learner.Job
	sample
	network
	estimates
	frontier
	incumbent
	restarts
}

// frontier is the splits that were made and those that may follow.
type frontier struct {
	planner *growing.Planner // makes splits in the circuit
	gauge   *growing.Gauge   // measures how much candidates would enlarge it
	steps   []growing.Step   // the splits that were made
	queue   growing.Queue    // candidates
	wide    bool             // splits with little gain compared with their feature's best are candidates too
}

// incumbent is the model of this search with the best validation score.
type incumbent struct {
	best        int // number of its splits
	bestValue   float64
	bestWeights []float64 // nil without validation data
}

// restarts is the state of the searches before this one.
type restarts struct {
	try int  // number of this search, from 0
	won best // result of all searches
}

// estimates are the probabilities of features under the current model, and the passes that compute
// the candidates' probabilities.
type estimates struct {
	holds   []float64 // by feature
	version int32     // version of the model
	probes  [probes]*growing.Probe
}

// newSearch returns a search that begins with independent variables.
func newSearch(l *Options, job *learner.Job) (*search, error) {
	s := &search{l: l, job: job}
	var err error
	if s.sample, err = newSample(job); err != nil {
		return nil, err
	}
	s.cards = s.rows.Cards
	offset := 0
	for _, card := range s.cards {
		s.offsets = append(s.offsets, offset)
		offset += card
	}
	s.begin()
	return s, nil
}

// begin starts from independent variables.
func (s *search) begin() {
	s.c = growing.New(s.cards)
	s.planner, s.gauge = s.c.Planner(), s.c.Gauge(s.job.Cores)
	s.features, s.weights, s.steps, s.fitted, s.level, s.wide = nil, nil, nil, 0, 0, false
	s.incumbent = incumbent{}
	for v, card := range s.cards {
		for k := range card {
			s.add([]rowset.Test{{Var: v, State: k}}, 0)
			f := &s.features[len(s.features)-1]
			s.weights[len(s.weights)-1] = pgmrt.Ln((f.seen + 1/float64(card)) / (s.total + 1))
		}
	}
	s.tape = s.c.Tape(s.tape)
}

// add adds a feature with a weight.
func (s *search) add(tests []rowset.Test, weight float64) {
	s.features = append(s.features, s.feature(tests))
	s.weights = append(s.weights, weight)
}

// fit fits all weights.
func (s *search) fit(ctx context.Context, tolerance float64) {
	var l1 []float64
	if s.l.L1 > 0 {
		l1 = slices.Repeat([]float64{s.l.L1}, len(s.weights))
	}
	convex.Minimise(func(w, gradient []float64) float64 {
		z, logZ := s.evaluate(w)
		if !growing.Finite(z) {
			return math.Inf(1)
		}
		s.tape.Derive()
		value := s.total * logZ
		for i, x := range w {
			f := &s.features[i]
			value += s.precision()/2*x*x - x*f.seen
			gradient[i] = s.total*s.theta[i]*s.tape.ByParam(int32(i))/z - f.seen + s.precision()*x
		}
		return value
	}, s.weights, convex.Options{L1: l1, Steps: maxFit, Tolerance: tolerance, Stop: func() bool { return ctx.Err() != nil }})
	s.fitted = len(s.features)
	s.observe()
}

// observe updates the state after new weights or changes of the circuit.
func (s *search) observe() {
	s.settle(1)
	s.tape.Derive()
	s.holds = s.holds[:0]
	for i, x := range s.theta {
		s.holds = append(s.holds, x*s.tape.ByParam(int32(i))/s.z)
	}
	for i := range s.probes {
		s.probes[i] = s.tape.Probe(s.probes[i], s.theta)
	}
	s.version++
}

const (
	maxFit = 100  // most iterations of a fit
	rough  = 1e-5 // relative tolerance of a fit between splits
	fine   = 1e-9 // and of the final fit
	share  = 50   // weights are fitted whenever the features have grown by one part in share
)

func (s *search) precision() float64 {
	if s.l.WeightVariance == 0 {
		return 0
	}
	return 1 / s.l.WeightVariance
}

// start offers the splits of all features except those that were made. It returns false if ctx ends
// first.
func (s *search) start(ctx context.Context) bool {
	s.queue = growing.Queue{Split: s.l.SplitPenalty, Edge: growing.StartEdge(s.l.EdgePenalty, highEdge, s.l.Shrink)}
	made := map[growing.Step]bool{}
	for _, x := range s.steps {
		made[x] = true
	}
	for id := range s.features {
		if ctx.Err() != nil {
			return false
		}
		s.queue.List = append(s.queue.List, slices.DeleteFunc(s.offers(int32(id)), func(c growing.Candidate) bool {
			return made[growing.Step{Of: c.Of, Var: int(c.Var), State: int(c.State)}]
		})...)
	}
	s.queue.Order()
	return true
}

// dry reports whether no split pays any more at the lowest penalties.
func (s *search) dry() bool {
	return len(s.queue.List) == 0 || s.queue.Score(s.queue.Top()) <= 0 && !(s.l.Shrink && s.queue.Fall(s.c.Edges(), s.l.MaxEdges))
}

// run makes splits until none pays or ctx ends, and then stores a checkpoint. If only splits with
// little gain compared with their feature's best remain, they become candidates, and the penalties
// start again.
func (s *search) run(ctx context.Context, saver *learner.Saver) error {
	progress := s.job.Throttle()
	for ctx.Err() == nil && s.l.growth().More(len(s.steps)) {
		switch {
		case s.dry():
			if s.wide || s.queue.Full(s.c.Edges(), s.l.MaxEdges) {
				return nil
			}
			s.wide = true
			if !s.start(ctx) {
				s.wide, s.queue.List = false, nil
			}
		case s.queue.Top().Version != s.version:
			s.reconsider()
		default:
			s.choose()
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

// choose measures the best candidates, or makes a split: the best one, or one that is almost as
// good and has a current gain and cost.
func (s *search) choose() {
	if !s.queue.Top().Measured {
		s.gauge.Measure(&s.queue, s.l.MaxEdges, func(c *growing.Candidate) bool { return c.Version == s.version }, func(c *growing.Candidate) growing.Split {
			return s.splitOf(c.Of, int(c.Var), int(c.State))
		})
	}
	if len(s.queue.List) == 0 {
		return
	}
	enough, at := (1-s.l.Sloppy)*s.queue.Score(s.queue.Top()), -1
	for i := range min(near, len(s.queue.List)) {
		c := &s.queue.List[i]
		if score := s.queue.Score(c); c.Version != s.version || !c.Measured || score <= 0 || score < enough {
			continue
		}
		if at < 0 || s.queue.Before(i, at) {
			at = i
		}
	}
	if at >= 0 {
		s.make(s.queue.Remove(at))
	}
}

// near is how many candidates from the top of the queue choose considers for a split that is almost
// as good.
const near = 16

func (s *search) splitOf(id int32, v, state int) growing.Split {
	return growing.Split{Params: []int32{id}, Var: v, State: state, Keep: true}
}

// make makes a split, fits all weights if enough features are new, and offers the splits of the new
// features.
func (s *search) make(c growing.Candidate) {
	x := s.additionOf(&c, s.expect(c.Of)[s.offsets[c.Var]+int(c.State)])
	a, b, _ := x.best()
	id := s.apply(growing.Step{Of: c.Of, Var: int(c.Var), State: int(c.State)}, a, b)
	s.queue.Stale(s.l.Quick)
	if s.tape = s.c.Tape(s.tape); share*(len(s.features)-s.fitted) >= s.fitted {
		s.fit(context.Background(), rough)
		s.validate()
	} else {
		s.observe()
	}
	for _, id := range []int32{id, id + 1} {
		s.queue.Add(s.offers(id)...)
	}
}

// apply makes a split in the network and in the circuit with the given weights, and returns the
// first new feature.
func (s *search) apply(x growing.Step, a, b float64) int32 {
	id := int32(len(s.features))
	tests := slices.Clip(s.features[x.Of].tests)
	s.planner.Apply(s.splitOf(x.Of, x.Var, x.State))
	if s.l.Tidy {
		s.c.Tidy()
	}
	s.add(append(tests, rowset.Test{Var: x.Var, State: x.State}), a)
	s.add(append(tests, rowset.Test{Var: x.Var, State: x.State, Not: true}), b)
	s.steps = append(s.steps, x)
	return id
}

// validate keeps the weights if the validation likelihood is the best so far.
func (s *search) validate() {
	if s.valid == nil {
		return
	}
	value := -s.validTotal * s.logZ
	for i := range s.features {
		value += s.weights[i] * s.features[i].valid
	}
	if s.bestWeights == nil || value >= s.bestValue {
		s.best, s.bestValue, s.bestWeights = len(s.steps), value, slices.Clone(s.weights)
	}
}
