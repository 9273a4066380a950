package cnet

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of cutset networks.
var Learner = learner.Learner{
	Name: "cnet",
	Doc:  "a cutset network: a decision tree with a forest at each leaf, or a bagged ensemble",
	New:  func() learner.Instance { return &instance{} },

	Resumes: true,
}

type instance struct {
	gain       string
	candidates int
	subset     float64
	minRows    float64
	penalty    float64
	prior      float64
	bags       int
	limit      spn.Limit
}

func (l *instance) Options(fs *flag.FlagSet) {
	fs.StringVar(&l.gain, "gain", "exact", "what a test is chosen by: exact (likelihood of the trees it leaves), entropy")
	fs.IntVar(&l.candidates, "candidates", 20, "variables whose exact gain is worked out for each test, the best by entropy; 0 for all")
	fs.Float64Var(&l.subset, "subset", 0, "the part of the variables that are looked at for each test, at random; 0 for all, or half of them with --bags")
	fs.Float64Var(&l.minRows, "min-rows", 20, "fewest rows on each side of a test")
	fs.Float64Var(&l.penalty, "penalty", -1, "the price of a test, times that of BIC; negative for 1, or 0.1 with --valid")
	fs.Float64Var(&l.prior, "pseudo", 1, "rows of pseudo-counts, spread evenly over all joint states, in each distribution")
	fs.IntVar(&l.bags, "bags", 0, "networks of an ensemble, each from rows drawn with replacement; 0 for one network from all rows")
	l.limit.Options(fs)
}

func (l *instance) check() error {
	switch {
	case l.gain != "exact" && l.gain != "entropy":
		return fmt.Errorf("gain %q; want exact or entropy", l.gain)
	case l.candidates < 0:
		return fmt.Errorf("%d candidates; want 1 or more, or 0", l.candidates)
	case !(l.subset >= 0 && l.subset <= 1):
		return fmt.Errorf("part %v of the variables; want 0 to 1", l.subset)
	case !(l.minRows > 0):
		return fmt.Errorf("at least %v rows on each side; want a number above 0", l.minRows)
	case math.IsNaN(l.penalty):
		return fmt.Errorf("price of a test %v; want a number", l.penalty)
	case !(l.prior > 0) || math.IsInf(l.prior, 0):
		return fmt.Errorf("pseudo-count %v; want a number above 0", l.prior)
	case l.bags < 0 || l.bags > maxBags:
		return fmt.Errorf("%d networks; want 0 to %d", l.bags, maxBags)
	}
	return l.limit.Check()
}

const maxBags = 10_000

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := spn.Check(job); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	train := job.Train.Merged()
	if _, err := trees.NewIndex(train, nil, nil); err != nil { // the largest that there will be
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
	for err := l.limit.Over(n, "take a larger price of a test"); err != nil; err = l.limit.Over(n, "take a larger price of a test") {
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

// build makes one network of an ensemble.
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

// members learns the networks: one, or those of an ensemble. Where time ends, those that were done; where none was, one of them as
// far as it came.
func (l *instance) members(ctx context.Context, job *learner.Job, train, valid *data.Set) ([]*node, error) {
	h, count := &history{}, max(1, l.bags)
	if err := h.Begin(job.Saver("cnet", *l), h, count); err != nil {
		return nil, err
	}
	all, whole := make([]*node, count), make([]bool, count)
	learner.Each(job.Cores, count, func(i int) {
		if i > 0 && ctx.Err() != nil {
			return
		}
		rng, weights, cores := rand.New(rand.NewPCG(job.Seed, uint64(i))), train.Weights(), job.Cores
		if l.bags > 0 {
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

// draw draws as many rows as there are, with replacement, and gives how often each was drawn.
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

// mix gives the weights of an ensemble: by EM on the validation data, or equal ones without.
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
				term[i] = math.Log(w[i]) + logs[i][row]
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

// mixRounds are the rounds of EM for the weights of an ensemble.
const mixRounds = 20

func rowsOf(set *data.Set) []int32 {
	rows := make([]int32, set.Len())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}
