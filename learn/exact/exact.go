// Package exact learns a network of the highest score by dynamic programming over sets of
// variables.
//
// Data: rows of at most 20 variables, discrete and real, or of more if the rules about edges leave
// at most 20 in each strongly connected part of the graph of allowed edges, as tiers do. Guarantee:
// no network with at most MaxParents parents a variable has a higher score. Cost: for n variables
// of a part, the score of every family, and time and memory proportional to n 2^n: 136 MB for 20
// variables, besides the counts.
//
// The best parents of a variable within a set are the whole set or the best ones within the set
// without one variable. The best network of a set has a sink; it is the best network of the others
// plus the best parents of the sink among them. A cycle lies within a part, so that parents outside
// of the part of a variable are free, and each part is searched by itself (Koller and Friedman,
// exercise 18.14, for a search that a graph of allowed edges bounds).
//
// It is the yardstick for searches without such a guarantee, such as hillclimb for more variables
// and knownorder for a known order.
//
// Source: Silander and Myllymäki 2006, A simple approach for finding the globally optimal Bayesian
// network structure; Koivisto and Sood 2004.
package exact

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner finds an optimal network.
var Learner = learner.Learner{
	Name:  "exact",
	Doc:   "a best network of up to 20 variables, by dynamic programming; of more in tiers",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed,
}

// maxVars is the most variables of a part.
const maxVars = 20

// Options holds the options of exact. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	learner.Scoring
	MaxParents int     `opt:"max-parents" default:"5" help:"most parents of a variable"`
	Softmax    float64 `opt:"softmax" help:"let real variables be parents of discrete ones, by softmax CPDs with this penalty, such as 1; 0 is never"`
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
	s, rules, err := l.common().RuledParents(job)
	if err != nil {
		return nil, err
	}
	search, cancel := job.Limit(ctx)
	defer cancel()
	parents, err := l.parents(search, job, s, rules, maxVars)
	if err != nil {
		return nil, err
	}
	return l.common().Result("exact", s, parents)
}

// parents returns an optimal structure. It searches up to a number of variables together, and more
// in parts between which no edges can close a cycle.
func (l *Options) parents(ctx context.Context, job *learner.Job, s *score.Scorer, rules *network.Rules, together int) ([][]int, error) {
	n := len(job.Train.Vars)
	list := []part{whole(n)}
	if n > together {
		list = split(rules, n)
	}
	if err := l.check(list, n); err != nil {
		return nil, err
	}
	alone := make([]float64, n)
	for x := range alone {
		alone[x] = s.Family(x)
	}
	tie, parents, count := score.Tie(alone...), make([][]int, n), job.Counter(n)
	for _, p := range list {
		tables := make([]table, len(p.vars))
		learner.Each(job.Cores, len(p.vars), func(i int) {
			tables[i] = p.families(ctx, s, i, l.MaxParents, rules.ParentsOf(p.vars[i]), tie)
			count()
		})
		if ctx.Err() != nil {
			return nil, fmt.Errorf("stopped before the first result: %w", context.Cause(ctx))
		}
		for i, set := range optimum(tables, len(p.vars), tie) {
			x := p.vars[i]
			parents[x] = append(p.members(set), tables[i].outer[set]...)
			slices.Sort(parents[x])
		}
	}
	return parents, nil
}

// table holds, for each set of the variables other than one, the best parents of that one within
// the set.
type table struct {
	score   []float64
	parents []uint32
	outer   map[uint32][]int // by best parents in the part: those outside of it
}

// within returns the index of a set in the table of x: the set without x, with the bits above x
// moved down by one.
func within(set uint32, x int) uint32 {
	low := uint32(1)<<x - 1
	return set&low | set>>1&^low
}

// wide returns the set with the given index in the table of x.
func wide(index uint32, x int) uint32 {
	low := uint32(1)<<x - 1
	return index&low | index&^low<<1
}

// families fills the table of the variable with an index in the part, in which a set without the
// required parents has a score of -Inf. It stops early if ctx ends.
func (p *part) families(ctx context.Context, s *score.Scorer, x, most int, required []int, tie float64) table {
	needed, outside := uint32(0), []int(nil)
	for _, u := range required {
		if at, ok := slices.BinarySearch(p.vars, u); ok {
			needed |= 1 << at
		} else {
			outside = append(outside, u)
		}
	}
	n := len(p.vars)
	t := table{make([]float64, 1<<(n-1)), make([]uint32, 1<<(n-1)), map[uint32][]int{}}
	best := score.Best[uint32]{Over: math.Inf(-1), Tie: tie}
	for i := range t.score {
		if i%256 == 0 && ctx.Err() != nil {
			return t
		}
		set := wide(uint32(i), x)
		best.Clear()
		for rest := i; rest != 0; rest &= rest - 1 {
			less := i &^ (rest & -rest)
			if f := t.score[less]; f > best.Most() {
				best.Add(t.parents[less], f)
			}
		}
		if bits.OnesCount32(set) <= most && set&needed == needed {
			if outer, f, ok := p.best(s, x, set, most, outside, tie); ok {
				best.Add(set, f)
				if outer != nil {
					t.outer[set] = outer
				}
			}
		}
		t.parents[i], _, _ = best.First()
		t.score[i] = best.Most()
	}
	return t
}

// optimum finds the best network of growing sets by their sinks, and returns the parents of each
// variable in the part.
func optimum(tables []table, n int, tie float64) []uint32 {
	best := score.Best[uint8]{Over: math.Inf(-1), Tie: tie}
	total, sink := make([]float64, 1<<n), make([]uint8, 1<<n)
	for set := uint32(1); set < 1<<n; set++ {
		best.Clear()
		for rest := set; rest != 0; rest &= rest - 1 {
			x := bits.TrailingZeros32(rest)
			others := set &^ (1 << x)
			if f := total[others] + tables[x].score[within(others, x)]; f > best.Most() {
				best.Add(uint8(x), f)
			}
		}
		sink[set], _, _ = best.First()
		total[set] = best.Most()
	}
	parents := make([]uint32, n)
	for set := uint32(1<<n - 1); set != 0; {
		x := int(sink[set])
		set &^= 1 << x
		parents[x] = tables[x].parents[within(set, x)]
	}
	return parents
}
