package hillclimb

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is hill climbing.
var Learner = learner.Learner{
	Name:  "hillclimb",
	Doc:   "local search by adding, deleting and reversing edges, with a tabu list if wanted",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Slices | model.Reals | model.Gaussians | model.Mixed | model.Counts,
}

// Options holds the options of hillclimb. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	learner.Scoring
	MaxParents  int     `opt:"max-parents" default:"5" help:"most parents of a variable"`
	Softmax     float64 `opt:"softmax" help:"let real variables be parents of discrete ones, by softmax CPDs with this penalty, such as 1; 0 is never"`
	Tabu        int     `opt:"tabu" help:"number of steps for which a change is not undone, while steps that lower the score are allowed; 0 climbs only" range:"[0,inf)" wrong:"tabu {tabu}, patience {patience}, restarts {restarts}; want numbers from 0"`
	Patience    int     `opt:"patience" default:"15" help:"number of steps without a new best after which a search with a tabu list ends" range:"[0,inf)" wrong:"=tabu"`
	Restarts    int     `opt:"restarts" help:"number of further searches, from random networks" range:"[0,inf)" wrong:"=tabu"`
	Perturb     float64 `opt:"perturb" help:"start each further search from the result of the last one, by a search on randomly weighted rows with this initial variance" range:"[0,10]" wrong:"perturb {perturb}; want a variance from 0 to 10"`
	FirstAscent bool    `opt:"first-ascent" help:"make the first change found that improves the score, in random order, instead of the best one"`
	MaxWidth    float64 `opt:"max-width" help:"largest width, so that the result compiles: log2 of the joint states of the largest clique; 0 for no bound" range:"[0,inf]" wrong:"max-width {max-width}; want 0 or more"`
	Candidates  int     `opt:"candidates" help:"number of candidate parents of a variable: those that alone improve its score most, and those that it is a candidate of; 0 for all"`
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
	if err := options.Check(l); err != nil {
		return nil, err
	}
	if l.Perturb > 0 && l.Restarts == 0 {
		return nil, fmt.Errorf("perturb %v without restarts; say how many with restarts", l.Perturb)
	}
	s, rules, err := l.common().RuledParents(job)
	if err != nil {
		return nil, err
	}
	start, err := network.Start(job)
	if err == nil {
		start, err = rules.Impose(start)
	}
	if err != nil {
		return nil, err
	}
	if l.MaxWidth > 0 && network.Discrete(job.Train.Vars) != nil {
		return nil, fmt.Errorf("max-width %v bounds the joint states of cliques, and the data has real variables; leave it out", l.MaxWidth)
	}
	if l.Perturb > 0 && job.Train.Counted() {
		return nil, fmt.Errorf("perturb %v gives random weights to rows, and the data has counts in place of them; leave it out", l.Perturb)
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	near, err := rules.Near(s, l.Candidates, job)
	if err != nil {
		return nil, err
	}
	h := newSearch(score.NewCache(s.Barring(near)), len(start), l, rules, job)
	h.near = near
	if err := h.bound.check(start); err != nil {
		return nil, err
	}
	h.begin(timed, start)
	stopped, err := h.rounds(timed)
	if err != nil {
		return nil, err
	}
	r, err := l.common().Result("hillclimb", s, h.best)
	if err != nil {
		return nil, err
	}
	r.Report.Steps, r.Report.Stopped = h.steps, stopped
	if stopped {
		return r, ctx.Err()
	}
	return r, nil
}

// Families scores families. Several goroutines may use it at once.
type Families interface {
	// Family returns the score of variable x with parents, in any order.
	Family(x int, parents ...int) float64
	// Fits reports whether a family may be considered.
	Fits(x int, parents ...int) bool
}

// Climb climbs from n variables without edges, if the rules require none, by the change that
// improves the sum of the families' scores most, until no change does or ctx ends. It returns the
// parents of each variable and the number of changes.
func Climb(ctx context.Context, job *learner.Job, f Families, n int, rules *network.Rules, maxParents int) (parents [][]int, steps int) {
	return Search(ctx, job, f, make([][]int, n), rules, &Options{MaxParents: maxParents})
}

// Search searches from a structure that keeps the rules by the options' MaxParents, Tabu and
// Patience, until the search or ctx ends. It returns the parents of each variable in the best
// structure and the number of changes.
func Search(ctx context.Context, job *learner.Job, f Families, start [][]int, rules *network.Rules, l *Options) (parents [][]int, steps int) {
	h := newSearch(f, len(start), l, rules, job)
	h.begin(ctx, start)
	h.run(ctx)
	return h.best, h.steps
}

// search is a local search.
type search struct {
	s         Families
	l         *Options
	job       *learner.Job
	rules     *network.Rules
	near      func(x, parent int) bool // bars other edges than those to candidates; nil if there are none
	bound     *bound
	rng       *rand.Rand
	n         int
	cores     int
	parents   [][]int
	family    []float64   // by variable
	delta     [][]float64 // by child and other variable: the gain of the child's family by adding it as a parent, or by removing it
	most      []float64   // by child: the largest of delta
	open      [][]int     // by child: the others with a delta above -Inf, ascending
	total     float64
	tie       float64 // the difference up to which gains count as equal: rounding, see score.Tie
	best      [][]int
	bestTotal float64
	steps     int
	byParent  bool         // ties go to the first parent and then child, as in bnlearn: for data with real variables
	ahead     []int        // the parents that likely found last, until they are a family's
	until     map[move]int // tabu list: by move, the step up to which it is forbidden
}

func newSearch(s Families, n int, l *Options, r *network.Rules, job *learner.Job) *search {
	h := &search{s: s, l: l, job: job, rules: r, n: n, cores: max(1, job.Cores), family: make([]float64, n), delta: make([][]float64, n), most: make([]float64, n), open: make([][]int, n)}
	h.rng = rand.New(rand.NewPCG(job.Seed, 1))
	h.byParent = slices.ContainsFunc(job.Train.Vars, func(v data.Var) bool { return v.Real })
	h.bound = newBound(job.Train.Vars, l.MaxWidth)
	h.bestTotal = math.Inf(-1)
	for y := range h.delta {
		h.delta[y] = make([]float64, n)
	}
	return h
}

// begin sets the current structure and clears the tabu list.
func (h *search) begin(ctx context.Context, parents [][]int) {
	h.parents, h.until = graph.Clone(parents), map[move]int{}
	h.bound.forget()
	all := make([]int, h.n)
	for y := range all {
		all[y] = y
	}
	h.rate(ctx, all...)
	h.note()
}

// note stores the structure if it is the best so far.
func (h *search) note() bool {
	if h.best != nil && !(h.total > h.bestTotal+h.tie) {
		return false
	}
	h.bestTotal, h.best = h.total, graph.Clone(h.parents)
	return true
}

// rate updates the scores of the families of some variables, and their differences. If ctx ends,
// some differences become -Inf.
func (h *search) rate(ctx context.Context, vars ...int) {
	parts := min(2*h.cores, 1+h.n/256) // of the other variables
	h.job.Each(len(vars), func(i int) { h.family[vars[i]] = h.s.Family(vars[i], h.parents[vars[i]]...) })
	next, sets := h.likely(vars)
	h.job.Each(len(vars)*parts+min(1, len(sets)), func(i int) {
		if i == len(vars)*parts {
			h.s.(interface{ Prefetch(int, [][]int) }).Prefetch(next, sets)
			return
		}
		y, k := vars[i/parts], i%parts
		if from, to := k*h.n/parts, (k+1)*h.n/parts; ctx.Err() == nil {
			h.change(y, from, to)
		} else {
			for x := from; x < to; x++ {
				h.delta[y][x] = math.Inf(-1)
			}
		}
	})
	for _, y := range vars {
		h.most[y], h.open[y] = slices.Max(h.delta[y]), h.open[y][:0]
		for x, d := range h.delta[y] {
			if !math.IsInf(d, -1) {
				h.open[y] = append(h.open[y], x)
			}
		}
	}
	h.total, h.tie = 0, score.Tie(h.family...)
	for _, f := range h.family {
		h.total += f
	}
}

// adder is implemented by Families that score a variable with each of several further parents in
// less time than one by one.
type adder interface {
	Adding(x int, parents, others []int, out []float64)
}

// change computes the gains of the family of y by adding or removing each x in a range; -Inf if y
// has too many parents already.
func (h *search) change(y, from, to int) {
	p, adds := h.parents[y], []int(nil)
	with := append(slices.Clone(p), 0)
	for x := from; x < to; x++ {
		h.delta[y][x] = math.Inf(-1)
		if i := slices.Index(p, x); i >= 0 {
			if rest := slices.Delete(slices.Clone(p), i, i+1); h.s.Fits(y, rest...) {
				h.delta[y][x] = h.s.Family(y, rest...) - h.family[y]
			}
		} else if x != y && len(p) < h.l.MaxParents {
			if with[len(p)] = x; h.s.Fits(y, with...) {
				adds = append(adds, x)
			}
		}
	}
	scores := make([]float64, len(adds))
	if a, ok := h.s.(adder); ok {
		a.Adding(y, p, adds, scores)
	} else {
		for i, x := range adds {
			with[len(p)] = x
			scores[i] = h.s.Family(y, with...)
		}
	}
	for i, x := range adds {
		h.delta[y][x] = scores[i] - h.family[y]
	}
}

// run searches from the current structure, and reports whether ctx ended it.
func (h *search) run(ctx context.Context) (stopped bool) {
	waited, tabu := 0, h.l.Tabu
	progress := h.job.Throttle()
	for {
		if ctx.Err() != nil {
			return true
		}
		m, gain := h.choose()
		if math.IsInf(gain, -1) || gain <= h.tie && (tabu == 0 || waited >= h.l.Patience) {
			return false
		}
		h.apply(ctx, m)
		h.bound.moved(m)
		h.steps++
		if tabu > 0 {
			h.until[m.undo()] = h.steps + tabu
		}
		waited++
		if h.note() {
			waited = 0
		}
		progress.Report(learner.Event{Done: h.steps, Score: h.bestTotal})
	}
}
