package acmn

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/learn/internal/convex"
	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// feature is a conjunction. Its number is that of its parameter in the circuit.
type feature struct {
	tests []rowset.Test
	seen  float64 // weight of the rows in which it holds
	valid float64 // the same for the validation rows
}

// search is the state of a search.
type search struct {
	l           *Options
	job         *learner.Job
	rows, valid *rowset.Data // valid is nil without validation data
	total       float64      // total weight of the rows
	validTotal  float64

	c        *growing.Circuit
	p        *growing.Planner
	gauge    *growing.Gauge
	tape     *growing.Tape
	features []feature
	weights  []float64 // by feature, in nats
	theta    []float64 // by feature: its factor, exp of its weight, scaled for the features of a single variable
	z        float64   // the sum of the circuit, near 1 since factors are scaled
	logZ     float64   // ln of the partition function of the network, whose factors are not scaled
	level    float64   // further scale of the factors of each variable, as a logarithm
	holds    []float64 // by feature: its probability under the current model
	version  int32     // version of the model
	fitted   int       // number of features at the last fit
	offsets  []int     // by variable: the index of its first state
	probes   [probes]*growing.Probe

	queue growing.Queue
	steps []growing.Step
	wide  bool // splits with little gain compared with their feature's best are candidates too

	best        int // number of steps at the best validation score
	bestValue   float64
	bestWeights []float64

	try int  // number of this search, from 0
	won best // result of all searches
}

func newSearch(l *Options, job *learner.Job) (*search, error) {
	train, err := job.Train.Filled(job.Seed)
	if err != nil {
		return nil, err
	}
	s := &search{l: l, job: job, rows: rowset.New(train)}
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

// begin starts from independent variables.
func (s *search) begin() {
	s.c = growing.New(s.rows.Cards)
	s.p, s.gauge = s.c.Planner(), s.c.Gauge(s.job.Cores)
	s.features, s.weights, s.steps, s.fitted, s.level, s.wide = nil, nil, nil, 0, 0, false
	s.best, s.bestValue, s.bestWeights = 0, 0, nil
	for v, card := range s.rows.Cards {
		for k := range card {
			s.add([]rowset.Test{{Var: v, State: k}}, 0)
			f := &s.features[len(s.features)-1]
			s.weights[len(s.weights)-1] = math.Log((f.seen + 1/float64(card)) / (s.total + 1))
		}
	}
	s.tape = s.c.Tape(s.tape)
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

// evaluate evaluates the model for weights: z is the sum of the circuit, and logZ is ln of the
// partition function of the network. The factors of single variables are scaled so that each
// variable's sum to the same number; otherwise a circuit of hundreds of variables would overflow or
// underflow.
func (s *search) evaluate(weights []float64) (z, logZ float64) {
	s.theta = s.theta[:0]
	for v := range s.offsets {
		own := s.own(weights, v)
		scale := s.scale(own)
		logZ += scale
		for _, w := range own {
			s.theta = append(s.theta, math.Exp(w-scale))
		}
	}
	for _, w := range weights[len(s.theta):] {
		s.theta = append(s.theta, math.Exp(w))
	}
	s.tape.All()
	z = s.tape.Eval(s.theta)
	return z, logZ + math.Log(z)
}

// own returns the weights of the features of variable v alone, by state.
func (s *search) own(weights []float64, v int) []float64 {
	return weights[s.offsets[v]:][:s.rows.Cards[v]]
}

// scale returns the logarithm of the scale of a variable's own factors.
func (s *search) scale(own []float64) float64 { return floats.LogSumExp(own) + s.level }

// settle sets the level at which the circuit sums to 1, given the logarithm of its sum.
func (s *search) settle(off float64) {
	for range mostSettling {
		s.z, s.logZ = s.evaluate(s.weights)
		log := math.Log(s.z)
		if math.Abs(log) <= off {
			return
		}
		if math.IsNaN(log) { // undefined because of infinities
			log = math.Inf(1)
		}
		s.level += max(-farthest, min(log, farthest)) / float64(len(s.rows.Cards))
	}
}

const (
	mostSettling = 64  // most iterations of settle
	farthest     = 700 // the most by which one of them changes the sum, in nats; beyond it, float64 overflows
)

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
// good and whose gain and cost are current.
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
	s.p.Apply(s.splitOf(x.Of, x.Var, x.State))
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
