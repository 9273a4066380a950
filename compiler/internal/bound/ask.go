package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/compiler/internal/wcsp"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Options are the limits of a question. The zero value asks for the defaults. Work is counted, so
// that without a deadline the answer is the same on every machine; a deadline of the context ends
// each stage of the work at a share of the time.
type Options struct {
	MaxTable int    // the most numbers of a table of the model; 0: any
	MaxMem   int64  // bytes for the tables and the memory of a search; 0: 1 GiB
	Seed     uint64 // of samples, of local search and of the search for an order
	Nodes    int    // the most nodes of a search; 0: 2^20, or with a deadline any number
	Level    float64
	Keep     int // the number of best states to find; 0: 1
	// Discrepancies is the largest limit of limited discrepancy searches for better states; 0 is
	// DefaultDiscrepancies, negative: none.
	Discrepancies int
	Each          bool           // Sum bounds each marginal too
	Report        func(Progress) // is called now and then, by one goroutine; nil: never
}

// Progress is the state of an answer while it is being computed.
type Progress struct {
	Phase string  // what is being done
	Best  float64 // ln of the value of the best states so far, or a lower bound of ln Z; -Inf without any
	Bound float64 // an upper bound; +Inf without any
	Nodes int     // of the search
}

// The defaults of counted work, and the seconds that a pass over a number takes on a slow machine,
// by which a deadline limits the tables.
const (
	defaultMem       = 1 << 30
	defaultNodes     = 1 << 20
	defaultNumbers   = 1 << 22
	rounds           = 100
	samples          = 20000
	enoughESS        = 400 // effective samples
	climbSteps       = 10  // steps of local search, by variable
	climbRounds      = 200
	lowerBoundRounds = 20
	tupleSize        = 1 << 16
	tupleGrowth      = 4       // of neighbourSize, from one choice of fixed variables to the next
	repairWork       = 1 << 28 // rows
	neighbourSize    = 1 << 12
	orderSteps       = 2000
	shortTime        = 5 * time.Second // the least time for more than the quickest search for an order
	passSeconds      = 1e-7
	bytesANumber     = 32 // of a box: its table, what it believes, and the messages of two eliminations
	bytesANode       = 128
)

// DefaultDiscrepancies is the default of [Options.Discrepancies].
const DefaultDiscrepancies = wcsp.DefaultDiscrepancies

// query is a question with its limits.
type query struct {
	Options
	ctx      context.Context
	begin    time.Time
	deadline time.Time // zero without one
	numbers  float64   // the most numbers of all boxes
}

func newQuery(ctx context.Context, opt Options) *query {
	a := &query{Options: opt, ctx: ctx, begin: time.Now(), numbers: defaultNumbers}
	if a.MaxTable == 0 {
		a.MaxTable = math.MaxInt32
	}
	if a.MaxMem == 0 {
		a.MaxMem = defaultMem
	}
	if a.Report == nil {
		a.Report = func(Progress) {}
	}
	if a.Discrepancies == 0 {
		a.Discrepancies = wcsp.DefaultDiscrepancies
	}
	if a.Level == 0 {
		a.Level = .95
	}
	if d, ok := ctx.Deadline(); ok {
		a.deadline = d
		const passes = 60 // in all, half of the time
		a.numbers = max(1<<12, d.Sub(a.begin).Seconds()/passes/passSeconds)
	}
	a.numbers = min(a.numbers, float64(a.MaxMem)/2/bytesANumber, mostNumbers)
	if a.Nodes == 0 {
		if a.Nodes = defaultNodes; !a.deadline.IsZero() {
			a.Nodes = math.MaxInt
		}
	}
	return a
}

// deadlineAt returns a function that reports whether a share of the time has passed.
func (a *query) deadlineAt(share float64) func() bool {
	end := a.begin.Add(time.Duration(share * float64(a.deadline.Sub(a.begin))))
	return func() bool { return a.ctx.Err() != nil || !a.deadline.IsZero() && time.Now().After(end) }
}

// elapsed returns the share of the time that has passed; 0 without a deadline.
func (a *query) elapsed() float64 {
	if a.deadline.IsZero() {
		return 0
	}
	return float64(time.Since(a.begin)) / float64(a.deadline.Sub(a.begin))
}

// remaining returns how long it is until a share of the time has passed.
func (a *query) remaining(share float64) time.Duration {
	return time.Until(a.begin.Add(time.Duration(share * float64(a.deadline.Sub(a.begin)))))
}

// memoLimit returns the most entries or nodes that a search may keep in memory.
func (a *query) memoLimit() int { return int(a.MaxMem / 2 / bytesANode) }

// tree returns the mini-buckets of m, with tables.
func (a *query) tree(m *model.Model, max []bool) (*tree, error) {
	a.Report(Progress{"tables", math.Inf(-1), math.Inf(1), 0})
	p, err := FromModel(m, max, a.MaxTable)
	if err != nil {
		return nil, err
	}
	opt := order.Options{Steps: orderSteps, Seed: a.Seed, Stop: a.deadlineAt(orderUntil)}
	if !a.deadline.IsZero() && a.deadline.Sub(a.begin) < shortTime {
		opt.Steps, opt.Quick = 0, true
	}
	t := plan(p, p.order(m, opt), a.numbers, a.deadlineAt(planUntil))
	t.fill()
	return t, nil
}

// Total is what Sum knows of ln Z.
type Total struct {
	Interval
	Samples Estimate
	Log     float64 // the best estimate; within the interval
	// Marginals are estimates of the probability of each state of each variable: of the samples if
	// they are worth many, and otherwise the upper bound's beliefs.
	Marginals [][]float64
	Bounds    [][]Bound // of the marginals, proven; nil without Options.Each
}

// Sum bounds ln of the sum of m over all joint states, and estimates it.
func Sum(ctx context.Context, m *model.Model, opt Options) (*Total, error) {
	a := newQuery(ctx, opt)
	t, err := a.tree(m, make([]bool, len(m.Vars)))
	if err != nil {
		return nil, err
	}
	a.Report(Progress{"bounds", math.Inf(-1), math.Inf(1), 0})
	s := newPseudo(t)
	rows := a.byRows(t)
	up := newElimination(t, upper)
	up.momentum = !a.deadline.IsZero()
	up.improve(rounds, a.deadlineAt(upperUntil))
	out := &Total{Samples: Estimate{Log: up.value}}
	if math.IsInf(up.value, -1) {
		rows()
		out.Lower, out.Upper, out.Exact, out.Marginals = up.value, up.value, true, up.beliefs()
		out.finalize()
		return out, nil
	}
	down, least := up, math.Inf(-1)
	if t.splits() {
		down = newElimination(t, lower)
		down.improve(rounds, a.deadlineAt(lowerUntil))
	}
	if t.splits() && s != nil {
		least = a.samplingLowerBound(s)
	}
	var regions *regions
	var sums [][]clamped
	drawn := sampleUntil
	if a.Each && t.splits() {
		a.Report(Progress{"marginals", max(least, down.value) - t.slack(), up.value + t.slack(), 0})
		regions, sums = newRegions(t.Problem, a.deadlineAt(regionsUntil)), clamps(up, down, a.deadline.IsZero(), a.deadlineAt(clampsUntil))
		drawn = sampleEachUntil
	}
	var r *refiner
	if s != nil {
		r = newRefiner(s, up, down)
		r.report = func(at Interval) {
			a.Report(Progress{"search", max(at.Lower, least-t.slack()), at.Upper, at.Nodes})
		}
		out.Interval = a.refine(r, refineUntil)
	} else {
		out.Lower, out.Upper = min(down.value, up.value)-t.slack(), up.value+t.slack()
	}
	out.Lower = max(out.Lower, min(least-t.slack(), out.Upper))
	a.sample(out, up, drawn)
	out.Interval = out.Interval.withUpper(rows() + t.slack())
	if regions != nil {
		out.Bounds = t.anything()
		out.tightenMarginals(sums, r)
		regions.propagate(out.Bounds, a.deadlineAt(propagateUntil))
	}
	if a.Each {
		out.clampToBounds()
	}
	out.finalize()
	return out, nil
}

// refine searches until a share of the time. If the search gains less at its beginning than rounds
// of messages gained at their end, more rounds follow in its place: nodes keep the bounds that they
// have, and the smallest bound counts.
func (a *query) refine(r *refiner, share float64) Interval {
	most, trial := min(a.Nodes, a.memoLimit()), share
	if !a.deadline.IsZero() && r.upper.rate > 0 {
		now := a.elapsed()
		trial = now + trialShare*(share-now)
	}
	run := func(share float64) Interval {
		within, cancel := a.withTimeShare(share)
		defer cancel()
		return r.run(within, most)
	}
	begin := time.Now()
	out := run(trial)
	if out.Exact || trial == share {
		return out
	}
	if gain := r.upper.value + r.slack() - out.Upper; gain > r.upper.rate*time.Since(begin).Seconds() {
		return run(share)
	}
	r.upper.improve(rounds, a.deadlineAt(share))
	out.Upper = min(out.Upper, r.upper.value+r.slack())
	return out
}

// sample estimates ln Z and the marginals until a share of the time: by samples if buckets are
// split, and by the upper bound's beliefs otherwise.
func (a *query) sample(out *Total, up *elimination, share float64) {
	if up.splits() {
		a.Report(Progress{"samples", out.Lower, out.Upper, out.Nodes})
		most := samples
		if !a.deadline.IsZero() && !out.Exact {
			most = math.MaxInt
		}
		sampler := newSampler(up)
		sampler.prepare()
		out.Samples = sampler.run(most, a.Level, rand.New(rand.NewPCG(a.Seed, 0)), a.deadlineAt(share))
		if out.Samples.Samples < firstCheck {
			out.Samples.Samples = 0 // too few for an interval
		}
		if out.Samples.ESS >= enoughESS {
			out.Marginals = sampler.marginals()
		}
	}
	if out.Marginals == nil {
		out.Marginals = up.beliefs()
	}
}

// tightenMarginals tightens the bounds of the marginals by sums with each state of a variable, and
// by the sums of a search, which may be nil.
func (t *Total) tightenMarginals(sums [][]clamped, r *refiner) {
	for v, list := range t.Bounds {
		if sums[v] != nil {
			clampToBounds(list, sums[v], t.Lower, t.Upper)
		}
	}
	if r != nil {
		r.tightenMarginals(t.Bounds, t.Upper)
	}
}

// clampToBounds moves the estimates of the marginals into their bounds. Without bounds they are
// exact.
func (t *Total) clampToBounds() {
	if t.Bounds != nil {
		for v, p := range t.Marginals {
			clampMarginals(p, t.Bounds[v])
		}
		return
	}
	for _, p := range t.Marginals {
		list := make([]Bound, len(p))
		for k, x := range p {
			list[k] = Bound{x, x}
		}
		t.Bounds = append(t.Bounds, list)
	}
}

// withTimeShare returns a context that ends after a share of the time.
func (a *query) withTimeShare(share float64) (context.Context, context.CancelFunc) {
	if a.deadline.IsZero() {
		return context.WithCancel(a.ctx)
	}
	return context.WithDeadline(a.ctx, a.begin.Add(time.Duration(share*float64(a.deadline.Sub(a.begin)))))
}

// finalize chooses the estimate: the mean of the samples or the nearer end of the interval; without
// samples its middle, or its end if there is no lower bound.
func (t *Total) finalize() {
	switch {
	case t.Exact && math.IsInf(t.Upper, -1):
		t.Log = t.Upper
	case t.Exact:
		t.Log = (t.Lower + t.Upper) / 2
		t.Lower, t.Upper = t.Log, t.Log
	case t.Samples.Samples >= firstCheck:
		t.Log = min(max(t.Samples.Log, t.Lower), t.Upper)
	case !math.IsInf(t.Lower, -1):
		t.Log = (t.Lower + t.Upper) / 2
	default:
		t.Log = t.Upper
	}
}

// samplingLowerBound returns a lower bound of ln Z: a sum over joint states that agree in some
// variables with good ones, or with those that a sampler draws from there.
func (a *query) samplingLowerBound(s *pseudo) float64 {
	maxima := *s.Problem
	maxima.Max = slices.Repeat([]bool{true}, len(s.Card))
	t := *s.tree
	t.Problem = &maxima
	e := newElimination(&t, upper)
	e.improve(lowerBoundRounds, a.deadlineAt(a.elapsed()+startBoundShare))
	n := a.localSearch(&t, a.start(&t, s, e), a.elapsed()+startClimbShare)
	if math.IsInf(n.value, -1) {
		a.repair(n)
	}
	if math.IsInf(n.value, -1) {
		return n.value
	}
	x := newTuples(n, rand.New(rand.NewPCG(a.Seed, 3)))
	if a.deadline.IsZero() {
		n.limit = tupleSize
		x.choose(lowerBoundRounds/2, a.deadlineAt(1))
		x.run(lowerBoundRounds/2, a.deadlineAt(1))
		return x.maxTotal
	}
	chosen := a.elapsed() + chooseTuplesShare
	for stop := a.deadlineAt(chosen); ; n.limit *= tupleGrowth {
		begin := time.Now()
		if x.choose(lowerBoundRounds/2, stop); a.remaining(chosen) < tupleGrowth*time.Since(begin) || n.limit > a.numbers {
			break
		}
	}
	x.run(math.MaxInt, a.deadlineAt(chosen+sumTuplesShare))
	return x.maxTotal
}

// repair makes the state of n one that is not impossible, if a search with soft arc consistency
// finds any.
func (a *query) repair(n *neighbours) {
	work := repairWork
	if !a.deadline.IsZero() {
		work = math.MaxInt
	}
	var c *consistent
	end := a.deadlineAt(repairUntil)
	c = newConsistent(n.Problem, func() bool { return c.incumbent.States != nil || end() })
	c.run(math.MaxInt, work)
	if f := c.best(); f.States != nil {
		copy(n.state, f.States)
		n.value = f.Value
	}
}
