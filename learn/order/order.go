// Package order learns a network by search over orders of the variables. The score of an order is
// the score of the best network in which parents precede children. A step swaps two adjacent
// variables; if no swap improves the score, a variable moves to any other position.
//
// Data: rows of discrete and real variables. Guarantee: no move of one variable improves the final
// order, and the network is the best one under it, with at most MaxParents parents from the
// candidates of each variable. Cost: the scores of all sets of parents from the candidates, once;
// after that, a swap changes the parents of two variables and the gains of three swaps.
//
// Cycles cannot arise, and a step may change many edges at once. The search therefore has fewer
// local optima than one over single edges; see hillclimb. If an order is known, use knownorder.
//
// Sources: Teyssier and Koller 2005, Ordering-based search: a simple and effective algorithm for
// learning Bayesian networks; Alonso-Barba, de la Ossa and Puerta 2011, Structural learning of
// Bayesian networks using local algorithms based on the space of orderings, for the moves.
package order

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is the search over orders.
var Learner = learner.Learner{
	Name:  "order",
	Doc:   "search over orders of the variables (Teyssier and Koller)",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed,
}

// Options holds the options of order. A pointer to Options is the learner.
type Options struct {
	Score      string  `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	ESS        float64 `opt:"ess" default:"1" help:"equivalent sample size of the score"`
	EdgePrior  string  `opt:"edge-prior" help:"log prior odds of edges, added to the score for each: a number for all, a->b=1 for one, a--b=1 for both directions"`
	Prior      float64 `opt:"prior" default:"1" help:"pseudo-count of each parameter"`
	MaxParents int     `opt:"max-parents" default:"3" help:"most parents of a variable"`
	Softmax    float64 `opt:"softmax" help:"let real variables be parents of discrete ones, by softmax CPDs with this penalty, such as 1; 0 is never"`
	Candidates int     `opt:"candidates" default:"20" help:"number of candidate parents of a variable: those that alone improve its score most; 0 for all"`
	Tabu       int     `opt:"tabu" default:"10" help:"number of steps for which a change is not undone, while steps that lower the score are allowed; 0 climbs only" range:"[0,inf)" wrong:"tabu {tabu}, patience {patience}, restarts {restarts}; want numbers from 0"`
	Patience   int     `opt:"patience" default:"50" help:"number of steps without a new best after which a search with a tabu list ends" range:"[0,inf)" wrong:"=tabu"`
	Restarts   int     `opt:"restarts" default:"10" help:"number of further searches, from random orders" range:"[0,inf)" wrong:"=tabu"`
	Require    string  `opt:"require" help:"required edges: a->b,b->c"`
	Forbid     string  `opt:"forbid" help:"forbidden edges: a->b,b->c"`
	Tiers      string  `opt:"tiers" help:"tiers of variables, from first to last: a,b<c<d; no edge leads from a later tier to an earlier one, and variables of no tier are free"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "bdeu") }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return l.common().Canonical(ctx, job, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := options.Check(l); err != nil {
		return nil, err
	}
	s, rules, err := l.common().Ruled(job)
	if err == nil {
		err = rules.Fit(l.MaxParents)
	}
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	lists, err := parentsets.All(timed, s, parentsets.Options{MaxParents: l.MaxParents, Candidates: l.Candidates, Required: rules.ParentsOf}, job.Cores)
	if err != nil {
		return nil, err
	}
	best, steps := l.rounds(timed, job, rules, lists)
	r, err := l.common().Result("order", s, best.parents())
	if err != nil {
		return nil, err
	}
	r.Report.Steps, r.Report.Stopped = steps, timed.Err() != nil
	return r, ctx.Err()
}

// rounds searches from the order of the data, or of the initial network, and from random orders. It
// returns the result of the best search, the first of ties, and the steps of all.
func (l *Options) rounds(ctx context.Context, job *learner.Job, rules *network.Rules, lists [][]parentsets.Set) (best *state, steps int) {
	const together = 1024 // searches with results in memory
	var mu sync.Mutex
	done, searches := 0, l.Restarts+1
	all := score.Best[*state]{Over: math.Inf(-1), Tie: tieOf(lists)}
	for begin := 0; begin < searches && (best == nil || ctx.Err() == nil); begin += together {
		ends, taken := make([]*state, min(together, searches-begin)), make([]int, min(together, searches-begin))
		learner.Each(job.Cores, len(ends), func(i int) {
			rng := rand.New(rand.NewPCG(job.Seed, uint64(begin+i)))
			order := rng.Perm(len(lists))
			if begin+i == 0 {
				order = graph.Order(network.Start(job))
			}
			ends[i], taken[i] = l.climb(ctx, newState(lists, rules.Sort(order)))
			mu.Lock()
			defer mu.Unlock()
			done++
			job.ReportProgress(learner.Event{Done: done, Total: searches, Score: ends[i].total})
		})
		for i, e := range ends {
			steps += taken[i]
			all.Add(e, e.total)
		}
		best, _, _ = all.First()
	}
	return best, steps
}

// climb makes swaps, and moves a variable further if no swap improves the score, until neither
// does. It returns the best order.
func (l *Options) climb(ctx context.Context, s *state) (best *state, steps int) {
	for {
		best, taken := l.swaps(ctx, s)
		steps += taken
		s = newState(s.lists, best)
		from, to, gain := s.furthest()
		if ctx.Err() != nil || gain <= s.tie {
			return s, steps
		}
		steps++
		x := s.order[from]
		s = newState(s.lists, slices.Insert(slices.Delete(s.order, from, from+1), to, x))
	}
}

// swaps swaps adjacent variables until nothing improves the score, or until patience ends, and
// returns the best order.
func (l *Options) swaps(ctx context.Context, s *state) (best []int, steps int) {
	best, most := slices.Clone(s.order), s.total
	until := map[[2]int]int{} // tabu list: by pair, the step up to which it must not be swapped back
	for waited := 0; ctx.Err() == nil; {
		swaps := score.Best[int]{Over: math.Inf(-1), Tie: s.tie}
		for i, d := range s.delta {
			if until[s.pair(i)] <= steps {
				swaps.Add(i, d)
			}
		}
		at, gain, ok := swaps.First()
		if !ok || gain <= s.tie && (l.Tabu == 0 || waited >= l.Patience) {
			break
		}
		steps++
		if l.Tabu > 0 {
			until[s.pair(at)] = steps + l.Tabu
		}
		s.swap(at)
		waited++
		if s.total > most+s.tie {
			best, most, waited = slices.Clone(s.order), s.total, 0
		}
	}
	return best, steps
}

// state is an order with the best parents of each variable among its predecessors.
type state struct {
	lists  [][]parentsets.Set // by variable, best first
	order  []int
	before []graph.Set // by position: the variables at earlier ones
	family []*parentsets.Set
	delta  []float64 // by position: the gain of a swap with the next one
	total  float64
	tie    float64 // the difference up to which scores count as equal
}

// tieOf returns the difference up to which sums of the best scores of lists count as equal.
func tieOf(lists [][]parentsets.Set) float64 {
	most := make([]float64, len(lists))
	for x, list := range lists {
		most[x] = list[0].Score
	}
	return score.Tie(most...)
}

func newState(lists [][]parentsets.Set, order []int) *state {
	n := len(order)
	s := &state{lists: lists, order: order, before: make([]graph.Set, n), family: make([]*parentsets.Set, n), delta: make([]float64, max(0, n-1)), tie: tieOf(lists)}
	seen := graph.NewSet(n)
	for i, x := range order {
		s.before[i] = append(graph.Set(nil), seen...)
		seen.Add(x)
		s.family[x] = parentsets.First(lists[x], s.before[i])
	}
	s.add()
	for i := range s.delta {
		s.rate(i)
	}
	return s
}

func (s *state) add() {
	s.total = 0
	for _, f := range s.family {
		s.total += f.Score
	}
}

// pair returns the variables at a position and the next.
func (s *state) pair(i int) [2]int {
	a, b := s.order[i], s.order[i+1]
	return [2]int{min(a, b), max(a, b)}
}

// swapped returns the best parents that the variables a and b, at a position and the next, have
// after a swap.
func (s *state) swapped(i int) (ofA, ofB *parentsets.Set) {
	a, b := s.order[i], s.order[i+1]
	after := append(graph.Set(nil), s.before[i]...)
	after.Add(b)
	return parentsets.First(s.lists[a], after), parentsets.First(s.lists[b], s.before[i])
}

// rate updates the gain of a swap.
func (s *state) rate(i int) {
	if i < 0 || i >= len(s.delta) {
		return
	}
	ofA, ofB := s.swapped(i)
	s.delta[i] = ofA.Score - s.family[s.order[i]].Score + ofB.Score - s.family[s.order[i+1]].Score
}

// swap swaps the variables at a position and the next.
func (s *state) swap(i int) {
	a, b := s.order[i], s.order[i+1]
	s.family[a], s.family[b] = s.swapped(i)
	s.order[i], s.order[i+1] = b, a
	s.before[i+1].Drop(a)
	s.before[i+1].Add(b)
	s.add()
	for k := i - 1; k <= i+1; k++ {
		s.rate(k)
	}
}

// furthest finds the move of a variable to another position with the highest gain, the first of
// ties.
func (s *state) furthest() (from, to int, gain float64) {
	n := len(s.order)
	moves := score.Best[[2]int]{Tie: s.tie}
	try := func(i, j int, d float64) { moves.Add([2]int{i, j}, d) }
	for i, x := range s.order {
		own := s.family[x].Score
		before, sum := slices.Clone(s.before[i]), 0.0 // the predecessors of x, and the gains of x and of the variables that it passes
		for j := i + 1; j < n; j++ {
			y := s.order[j]
			less := slices.Clone(s.before[j])
			less.Drop(x)
			sum += parentsets.First(s.lists[y], less).Score - s.family[y].Score
			before.Add(y)
			try(i, j, sum+parentsets.First(s.lists[x], before).Score-own)
		}
		before, sum = slices.Clone(s.before[i]), 0
		for j := i - 1; j >= 0; j-- {
			y := s.order[j]
			more := slices.Clone(s.before[j])
			more.Add(x)
			sum += parentsets.First(s.lists[y], more).Score - s.family[y].Score
			before.Drop(y)
			try(i, j, sum+parentsets.First(s.lists[x], before).Score-own)
		}
	}
	move, gain, _ := moves.First()
	return move[0], move[1], gain
}

func (s *state) parents() [][]int {
	parents := make([][]int, len(s.family))
	for x, f := range s.family {
		parents[x] = f.Parents
	}
	return parents
}
