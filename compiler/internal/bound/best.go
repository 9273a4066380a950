package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
)

// A search with a deadline begins with quick attempts: many problems are proven in a small part of
// the time that bounds and local search would take of it. Each attempt has some times as long as
// the one before, and all of them together a small share.
const (
	firstAttempt  = 100 * time.Millisecond
	attemptGrowth = 4
	attemptShare  = 1. / 8 // of the time: the longest attempt but the last
)

// Best finds the most probable states of the variables that max marks, all others summed out.
func Best(ctx context.Context, m *model.Model, max []bool, opt Options) (*Incumbent, error) {
	find := func() (*Incumbent, error) { return bestInAttempts(ctx, m, max, opt, nil) }
	if _, timed := ctx.Deadline(); timed && fitsConsistency(max, &opt) {
		find = func() (*Incumbent, error) { return bestConcurrently(ctx, m, max, opt) }
	}
	f, err := find()
	if err == nil {
		err = f.resolveTies(ctx, m, max, opt)
	}
	return f, err
}

// bestInAttempts is [Best] over mini-buckets. It exchanges states with other, which may be nil.
func bestInAttempts(ctx context.Context, m *model.Model, max []bool, opt Options, other *consistent) (*Incumbent, error) {
	deadline, timed := ctx.Deadline()
	longest := time.Duration(attemptShare * float64(time.Until(deadline)))
	report, before := opt.Report, (*Incumbent)(nil)
	if report != nil {
		opt.Report = func(p Progress) { report(p.merge(before)) }
	}
	for most := firstAttempt; timed && most < longest; {
		begin := time.Now()
		within, cancel := context.WithTimeout(ctx, most)
		f, err := attempt(within, m, max, opt, before)
		cancel()
		if err != nil || f.Proven || ctx.Err() != nil {
			return f, err
		}
		if before = f; other != nil {
			before = other.merge(f)
		}
		most = attemptGrowth * time.Since(begin) // which may be longer, if the problem is large
	}
	return attempt(ctx, m, max, opt, before)
}

// merge returns p with the earlier findings, which may be nil.
func (p Progress) merge(earlier *Incumbent) Progress {
	if earlier != nil {
		p.Best, p.Bound = max(p.Best, earlier.Value), min(p.Bound, earlier.Bound)
	}
	return p
}

// attempt is [Best] in one go, with the states and the bound of the attempt before, which may be
// nil.
func attempt(ctx context.Context, m *model.Model, max []bool, opt Options, before *Incumbent) (*Incumbent, error) {
	a := newQuery(ctx, opt)
	t, err := a.tree(m, max)
	if err != nil {
		return nil, err
	}
	if a.deadline.IsZero() && fitsConsistency(max, &opt) && t.splits() {
		a.Report(Progress{"consistency", math.Inf(-1), math.Inf(1), 0})
		var proven bool
		if before, proven = a.searchConsistent(t.Problem, before); proven || ctx.Err() != nil && before != nil {
			return before, nil
		}
	}
	a.Report(Progress{"bounds", math.Inf(-1), math.Inf(1), 0})
	e := newElimination(t, upper)
	e.improve(rounds, a.deadlineAt(upperUntil))
	s := newPseudo(t)
	if s == nil {
		return a.unsearched(t, e).merge(before), nil
	}
	start := a.start(t, s, e)
	if all := !slices.Contains(max, false); before != nil && before.Value > math.Inf(-1) && (!all || before.Value > t.Value(start)) {
		start = before.States
	}
	within, cancel := a.withTimeShare(searchUntil)
	defer cancel()
	x := newSearch(within, s, e, Limits{Nodes: a.Nodes, Entries: a.memoLimit(), Keep: a.Keep})
	x.report = func(value, bound float64) { a.Report(Progress{"search", value, bound, x.nodes}) }
	if !slices.Contains(max, false) && t.splits() {
		a.Report(Progress{"local search", math.Inf(-1), e.value + t.slack(), 0})
		n := a.localSearch(t, start, localSearchUntil)
		x.localSearch = &improvement{neighbours: n, rng: rand.New(rand.NewPCG(a.Seed, 4))}
		start = n.state
	}
	f := x.run(start)
	if math.IsInf(f.Value, -1) && !slices.Contains(max, false) {
		f.States, f.Value = start, t.Value(start) // the time was over before the search looked at them
	}
	f.Bound += t.slack()
	f.evaluate(t.Problem)
	if f.Proven {
		f.Bound = f.Value
	}
	if !f.Proven && math.IsInf(f.Value, -1) {
		f.Guess = a.guess(t, start)
	}
	return f.merge(before), nil
}

// evaluate sets the values to the values of the states, if all variables of p are maximised.
func (f *Incumbent) evaluate(p *Problem) {
	if slices.Contains(p.Max, false) || math.IsInf(f.Value, -1) {
		return
	}
	f.Value = p.Value(f.States)
	f.Bound = max(f.Bound, f.Value)
	for i := range f.More {
		f.More[i].Value = p.Value(f.More[i].States)
	}
}

// start returns the states that the tables of e prefer, or if these are impossible, the states that
// a dive finds, if any.
func (a *query) start(t *tree, s *pseudo, e *elimination) []int {
	states := s.greedy(e)
	if math.IsInf(t.Value(states), -1) && !math.IsInf(e.value, -1) {
		if x := newDive(t.Problem, rand.New(rand.NewPCG(a.Seed, 6)), a.deadlineAt(diveUntil)).run(); x != nil {
			return x
		}
	}
	return states
}

// merge returns f, or the better findings before it, which may be nil. States that are proven stay:
// others are better by rounding errors at most, and need not be the first of equal ones.
func (f *Incumbent) merge(before *Incumbent) *Incumbent {
	if before == nil {
		return f
	}
	if before.Value > f.Value && !f.Proven {
		f.States, f.Value, f.More = before.States, before.Value, before.More
	}
	if !f.Proven {
		f.Bound = max(min(f.Bound, before.Bound), f.Value)
	}
	switch {
	case !math.IsInf(f.Value, -1):
		f.Guess = nil
	case f.Guess == nil || before.Guess != nil && before.Guess.Value > f.Guess.Value:
		f.Guess = before.Guess
	}
	f.Nodes += before.Nodes
	return f
}

// unsearched returns the bound of e, with the states of a local search if all are maximised.
func (a *query) unsearched(t *tree, e *elimination) *Incumbent {
	f := &Incumbent{States: make([]int, len(t.Card)), Value: math.Inf(-1), Bound: e.value + t.slack()}
	if !slices.Contains(t.Max, false) {
		f.States, f.Value = a.climbOrDive(t.Problem, f.States, 1, unsearchedUntil)
	} else if !math.IsInf(f.Bound, -1) {
		f.Guess = a.guess(t, f.States)
	}
	f.Bound = max(f.Bound, f.Value)
	return f
}

// guess returns the joint state that a local search from start finds, as if all variables were
// maximised, with a lower bound of ln of the sum over those that are not; nil if it is impossible.
// The states that it does not take are dead in t afterwards.
func (a *query) guess(t *tree, start []int) *Assignment {
	states, value := a.climbOrDive(t.Problem, start, 5, 1)
	if math.IsInf(value, -1) {
		return nil
	}
	t.fix(states)
	e := newElimination(t, lower)
	e.forward()
	return &Assignment{states, max(value, e.value) - t.slack()}
}

// climbOrDive returns the best joint state that a local search from start finds until a share of
// the time, and its value. If all that it sees are impossible, it begins again at the states of a
// dive.
func (a *query) climbOrDive(p *Problem, start []int, stream uint64, share float64) ([]int, float64) {
	rng, stop := rand.New(rand.NewPCG(a.Seed, stream)), a.deadlineAt(share)
	c := newClimber(p, start)
	c.run(climbSteps*len(p.Card)+1000, rng, stop)
	if math.IsInf(c.best, -1) {
		if x := newDive(p, rng, stop).run(); x != nil {
			c = newClimber(p, x)
			c.run(climbSteps*len(p.Card)+1000, rng, stop)
		}
	}
	return c.states, c.best
}

// fix makes all states of maximised variables impossible except the given ones.
func (t *tree) fix(states []int) {
	for v, n := range t.Card {
		for k := range n {
			if t.Max[v] && k != states[v] {
				t.kill(v, k)
			}
		}
	}
}

// localSearch improves states by local search until a share of the time: first one variable at a
// time, then many.
func (a *query) localSearch(t *tree, start []int, share float64) *neighbours {
	c := newClimber(t.Problem, start)
	c.run(climbSteps*len(t.Card)+1000, rand.New(rand.NewPCG(a.Seed, 1)), a.deadlineAt(share-climbShare))
	n := newNeighbours(t.Problem, t.order, c.states, neighbourSize)
	most := climbRounds
	if !a.deadline.IsZero() {
		most = math.MaxInt
	}
	n.run(most, rand.New(rand.NewPCG(a.Seed, 2)), a.deadlineAt(share))
	return n
}
