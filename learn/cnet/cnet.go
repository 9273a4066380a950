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
	// Gain is the criterion by which tests are chosen: exact (likelihood of the resulting trees) or
	// entropy.
	Gain string
	// Candidates is the number of variables, the best by entropy, whose exact gain is computed for
	// each test; 0 for all.
	Candidates int
	// Subset is the share of the variables that is considered for each test, chosen at random; 0
	// for all, or half of them with Bags.
	Subset  float64
	MinRows float64 // fewest rows on each side of a test
	// Penalty is the price of a test as a multiple of that of BIC; negative for 1, or 0.1 with
	// validation data.
	Penalty float64
	// Pseudo is the number of rows of pseudo-counts in each distribution, spread evenly over all
	// joint states.
	Pseudo float64
	// Bags is the number of networks of an ensemble, each learned from rows drawn with replacement;
	// 0 for one network from all rows.
	Bags     int
	MaxEdges int // most edges of the circuit; 0 for any number
}

// NewOptions returns the default options.
func NewOptions() *Options {
	return &Options{
		Gain: "exact", Candidates: 20, MinRows: 20, Penalty: -1, Pseudo: 1,
	}
}

// Bind declares the flags of the options.
func (l *Options) Bind(fs *flag.FlagSet) {
	fs.StringVar(&l.Gain, "gain", l.Gain, "criterion for tests: exact (likelihood of the resulting trees) or entropy")
	fs.IntVar(&l.Candidates, "candidates", l.Candidates, "number of variables, the best by entropy, whose exact gain is computed for each test; 0 for all")
	fs.Float64Var(&l.Subset, "subset", l.Subset, "share of the variables considered for each test, chosen at random; 0 for all, or half of them with bags")
	fs.Float64Var(&l.MinRows, "min-rows", l.MinRows, "fewest rows on each side of a test")
	fs.Float64Var(&l.Penalty, "penalty", l.Penalty, "price of a test as a multiple of that of BIC; negative for 1, or 0.1 with validation data")
	fs.Float64Var(&l.Pseudo, "pseudo", l.Pseudo, "number of rows of pseudo-counts in each distribution, spread evenly over all joint states")
	fs.IntVar(&l.Bags, "bags", l.Bags, "number of networks of an ensemble, each from rows drawn with replacement; 0 for one network from all rows")
	spn.BindLimit(fs, &l.MaxEdges)
}

func (l *Options) limit() *spn.Limit { return &spn.Limit{Edges: l.MaxEdges} }

func (l *Options) check() error {
	switch {
	case l.Gain != "exact" && l.Gain != "entropy":
		return fmt.Errorf("gain %q; want exact or entropy", l.Gain)
	case l.Candidates < 0:
		return fmt.Errorf("%d candidates; want 1 or more, or 0", l.Candidates)
	case !(l.Subset >= 0 && l.Subset <= 1):
		return fmt.Errorf("share %v of the variables; want 0 to 1", l.Subset)
	case !(l.MinRows > 0):
		return fmt.Errorf("at least %v rows on each side; want a number above 0", l.MinRows)
	case math.IsNaN(l.Penalty):
		return fmt.Errorf("price of a test %v; want a finite number", l.Penalty)
	case !(l.Pseudo > 0) || math.IsInf(l.Pseudo, 0):
		return fmt.Errorf("pseudo-count %v; want a number above 0", l.Pseudo)
	case l.Bags < 0 || l.Bags > maxBags:
		return fmt.Errorf("%d networks; want 0 to %d", l.Bags, maxBags)
	}
	return l.limit().Check()
}

const maxBags = 10_000

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
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

// members learns the networks: one, or those of an ensemble. If ctx ends, it returns the finished
// ones, or if none is finished, one of them as far as it was learned.
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
