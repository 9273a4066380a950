// Package knownorder learns networks under a known order of the variables, with a bound on the
// number of parents: the learner knownorder finds the best one, and k2 a good one in less time; see
// [K2].
//
// Data: rows of discrete and real variables. Guarantee: no network in which parents precede
// children, with at most MaxParents parents a variable, has a higher score. Cost: the score of
// every such family: for the last of n variables and d parents, all choices of up to d from n-1.
//
// Source: Koller and Friedman, proposition 18.4 (the parents of different variables can be chosen
// independently) and section 18.4.2.
package knownorder

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is the exact search under an order.
var Learner = learner.Learner{
	Name:  "knownorder",
	Doc:   "the best network under a known order and a bound on parents",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Counts,
}

// maxFamilies is the most families that are scored. A request for more is taken for a mistake.
const maxFamilies = 1e8

// Options holds the options of knownorder. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	learner.Scoring
	MaxParents int     `opt:"max-parents" default:"3" help:"most parents of a variable"`
	Softmax    float64 `opt:"softmax" help:"let real variables be parents of discrete ones, by softmax CPDs with this penalty, such as 1; 0 is never"`
	Order      string  `opt:"order" help:"all variables, parents before children, separated by commas; the default is the order of the data"`
	learner.Constraints
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
	s, rules, order, err := begin(l.common(), l.Order, job)
	if err != nil {
		return nil, err
	}
	if n := Families(len(order), l.MaxParents); n > maxFamilies {
		return nil, fmt.Errorf("%d variables with up to %d parents have %.3g families; want at most %.0g: fewer parents, or k2", len(order), l.MaxParents, n, float64(maxFamilies))
	}
	search, cancel := job.Limit(ctx)
	defer cancel()
	parents := make([][]int, len(order))
	var rated atomic.Int64
	job.Each(len(order), func(i int) {
		parents[order[i]] = choose(search, s, order[i], order[:i], rules.ParentsOf(order[i]), l.MaxParents, &rated)
	})
	r, err := l.common().Result("knownorder", s, parents)
	if err != nil {
		return nil, err
	}
	r.Report.Steps = int(rated.Load())
	if search.Err() != nil {
		r.Report.Stopped = true
		return r, ctx.Err()
	}
	return r, nil
}

// begin returns the scorer of a job's data, the rules about edges, and the order, which the rules
// allow.
func begin(c *network.Common, order string, job *learner.Job) (*score.Scorer, *network.Rules, []int, error) {
	s, rules, err := c.RuledParents(job)
	if err != nil {
		return nil, nil, nil, err
	}
	list, err := network.Order(job.Train, order)
	if err == nil {
		err = rules.Agree(list)
	}
	return s, rules, list, err
}

// Families returns the number of families of n ordered variables with up to d parents. It counts in
// floating point, since combin.Binomial of gonum overflows an int without an error, and Learn
// compares the count with a limit.
func Families(n, d int) float64 {
	total := 0.0
	for i := range n {
		choices := 1.0
		for k := 0; k <= min(d, i); k++ {
			total += choices
			choices *= float64(i-k) / float64(k+1)
		}
	}
	return total
}

// together is the number of families of a variable that are asked for in one request if the counts
// come from a source.
const together = 512

// choose returns the best parents of x, including the required ones; ties go to the fewest, then to
// the first. If ctx ends, it returns the best so far.
func choose(ctx context.Context, s *score.Scorer, x int, before, required []int, most int, rated *atomic.Int64) []int {
	total := s.Family(x, required...)
	best := score.Best[[]int]{Over: math.Inf(-1), Tie: score.Tie(total)}
	best.Add(required, total)
	rated.Add(1)
	var chunk [][]int
	rate := func() {
		s.Prefetch(x, chunk)
		for _, family := range chunk {
			rated.Add(1)
			if f := s.Family(x, family...); f > best.Most() {
				best.Add(family, f)
			}
		}
		chunk = chunk[:0]
	}
	for family := range Sets(before, required, most) {
		if ctx.Err() != nil {
			break
		}
		if s.Fits(x, family...) {
			chunk = append(chunk, slices.Clone(family))
		}
		if len(chunk) == together {
			rate()
		}
	}
	rate()
	parents, _, _ := best.First()
	return parents
}

// Sets iterates over the sets of at most most of some variables that have all required ones and
// others, smaller ones first. Each set is ascending, and valid until the next one.
func Sets(of, required []int, most int) func(yield func([]int) bool) {
	free := slices.DeleteFunc(slices.Sorted(slices.Values(of)), func(v int) bool { return slices.Contains(required, v) })
	return func(yield func([]int) bool) {
		for size := 1; size <= min(most-len(required), len(free)); size++ {
			for set := range Subsets(free, size) {
				if len(required) > 0 {
					set = slices.Concat(set, required)
					slices.Sort(set)
				}
				if !yield(set) {
					return
				}
			}
		}
	}
}

// Subsets iterates over the subsets of a size, in the order of their positions. Each subset is
// valid until the next one. combin.CombinationGenerator of gonum is not used because it counts all
// subsets first, in an int that overflows without an error.
func Subsets(of []int, size int) func(yield func([]int) bool) {
	return func(yield func([]int) bool) {
		at, out := make([]int, size), make([]int, size)
		for i := range at {
			at[i] = i
		}
		for {
			for i, a := range at {
				out[i] = of[a]
			}
			if !yield(out) {
				return
			}
			i := size - 1
			for i >= 0 && at[i] == len(of)-size+i {
				i--
			}
			if i < 0 {
				return
			}
			at[i]++
			for k := i + 1; k < size; k++ {
				at[k] = at[k-1] + 1
			}
		}
	}
}
