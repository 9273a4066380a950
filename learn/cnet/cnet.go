package cnet

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Learner learns cutset networks.
var Learner = learner.Learner{
	Name: "cnet",
	Doc:  "a cutset network: a decision tree with a forest at each leaf, or a bagged ensemble",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options holds the options of cnet. A pointer to Options is the learner.
type Options struct {
	Gain       string  `opt:"gain" default:"exact" help:"criterion for tests: exact (likelihood of the resulting trees) or entropy" range:"exact|entropy" wrong:"gain {gain}; want exact or entropy"`
	Candidates int     `opt:"candidates" default:"20" help:"number of variables, the best by entropy, whose exact gain is computed for each test; 0 for all" range:"[0,inf)" wrong:"{candidates} candidates; want 1 or more, or 0"`
	Subset     float64 `opt:"subset" help:"share of the variables considered for each test, chosen at random; 0 for all, or half of them with bags" range:"[0,1]" wrong:"share {subset} of the variables; want 0 to 1"`
	MinRows    float64 `opt:"min-rows" default:"20" help:"fewest rows on each side of a test" range:"(0,inf]" wrong:"at least {min-rows} rows on each side; want a number above 0"`
	Penalty    float64 `opt:"penalty" default:"-1" help:"price of a test as a multiple of that of BIC; negative for 1, or 0.1 with validation data" range:"[-inf,inf]" wrong:"price of a test {penalty}; want a finite number"`
	Pseudo     float64 `opt:"pseudo" default:"1" help:"number of rows of pseudo-counts in each distribution, spread evenly over all joint states" range:"(0,inf)" wrong:"pseudo-count {pseudo}; want a number above 0"`
	Bags       int     `opt:"bags" help:"number of networks of an ensemble, each from rows drawn with replacement; 0 for one network from all rows" range:"[0,10000]" wrong:"{bags} networks; want 0 to 10000"`
	MaxEdges   int     `opt:"max-edges" help:"most edges of the circuit; 0 for any number" range:"[0,inf)" wrong:"at most {max-edges} edges; want 0 or more"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) limit() *spn.Limit { return &spn.Limit{Edges: l.MaxEdges} }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return job.Canonical(ctx, true, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := options.Check(l); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	train := job.Train.Merged()
	if _, err := trees.NewIndex(train, nil, nil); err != nil { // no later index is larger
		return nil, err
	}
	var valid *data.Set
	if job.Valid != nil && job.Valid.Len() > 0 {
		valid = job.Valid.Merged()
	}
	members, err := l.members(timed, job, train, valid)
	if err != nil {
		return nil, err
	}
	n := build(train.Vars, members, valid)
	for err := l.limit().Over(n, "take a larger price of a test"); err != nil; err = l.limit().Over(n, "take a larger price of a test") {
		if len(members) == 1 {
			return nil, err
		}
		members = members[:len(members)-1]
		n = build(train.Vars, members, valid)
	}
	tests := 0
	for _, x := range members {
		tests += x.tests()
	}
	r, err := n.Result(ctx, job, "cnet", tests, timed.Err() != nil)
	if r != nil {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("networks: %d with %d tests", len(members), tests))
	}
	return r, err
}

// build returns one network: a mixture of the members of an ensemble.
func build(vars []data.Var, members []*node, valid *data.Set) *spn.Network {
	n := spn.New(vars)
	var roots []spn.Block
	for _, x := range members {
		roots = append(roots, x.build(n))
	}
	if len(members) > 1 {
		n.Sum(mix(members, valid), roots...)
	}
	return n
}

// members learns the networks: one, or an ensemble's. If ctx ends, it returns the finished ones, or
// if none is finished, one of them as far as it was learned.
func (l *Options) members(ctx context.Context, job *learner.Job, train, valid *data.Set) ([]*node, error) {
	h, count := &history{}, max(1, l.Bags)
	if err := h.Begin(job.Saver("cnet", *l), h, count); err != nil {
		return nil, err
	}
	all, whole := make([]*node, count), make([]bool, count)
	learner.Each(job.Cores, count, func(i int) {
		if i > 0 && ctx.Err() != nil {
			return
		}
		rng, weights, cores := rand.New(rand.NewPCG(job.Seed, uint64(i))), train.Weights(), job.Cores
		if l.Bags > 0 {
			weights, cores = draw(train, rng), 1
		}
		g := l.grower(ctx, train, weights, rng, valid, cores)
		g.history, g.member = h, i
		all[i] = g.learn()
		whole[i] = ctx.Err() == nil
	})
	if err := h.End(ctx); err != nil {
		return nil, err
	}
	var out []*node
	for i, ok := range whole {
		if ok {
			out = append(out, all[i])
		}
	}
	if len(out) == 0 {
		out = all[:1]
	}
	return out, nil
}

// draw draws as many rows as the set has, with replacement, and returns how often each was drawn.
func draw(set *data.Set, rng *rand.Rand) []float64 {
	sums, total := make([]float64, set.Len()), 0.0
	for row := range sums {
		total += set.Weight(row)
		sums[row] = total
	}
	out := make([]float64, len(sums))
	for range int(math.Round(total)) {
		x := total * rng.Float64()
		at := sort.Search(len(sums)-1, func(i int) bool { return sums[i] > x })
		out[at]++
	}
	return out
}

// mix returns the weights of an ensemble: fitted by EM on the validation data, or equal ones
// without.
func mix(members []*node, valid *data.Set) []float64 {
	k := len(members)
	w := make([]float64, k)
	for i := range w {
		w[i] = 1 / float64(k)
	}
	if valid == nil {
		return w
	}
	logs := make([][]float64, k)
	for i, x := range members {
		logs[i] = make([]float64, valid.Len())
		x.logs(valid, rowsOf(valid), logs[i])
	}
	term := make([]float64, k)
	for range mixRounds {
		used, total := make([]float64, k), 0.0
		for row := range valid.Len() {
			for i := range term {
				term[i] = pgmrt.Ln(w[i]) + logs[i][row]
			}
			sum := floats.LogSumExp(term)
			for i := range term {
				used[i] += valid.Weight(row) * math.Exp(term[i]-sum)
			}
			total += valid.Weight(row)
		}
		for i := range w {
			w[i] = (used[i] + 1) / (total + float64(k))
		}
	}
	return w
}

// mixRounds is the number of rounds of EM for the weights of an ensemble.
const mixRounds = 20

func rowsOf(set *data.Set) []int32 {
	rows := make([]int32, set.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
