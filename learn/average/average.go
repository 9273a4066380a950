package average

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner is averaging over structures.
var Learner = learner.Learner{
	Name: "average",
	Doc:  "probabilities of edges, by averages over orders or structures (MCMC)",
	New:  func() learner.Instance { return &instance{} },
}

type instance struct {
	network.Common
	over                           string
	order                          string
	candidates                     int
	chains, burnIn, samples, every int
}

func (l *instance) Options(fs *flag.FlagSet) {
	l.Bind(fs, "bdeu")
	l.BindMaxParents(fs, 3)
	fs.StringVar(&l.over, "over", "orders", "what to average over: order for the structures of a known order, orders, structures")
	fs.StringVar(&l.order, "order", "", "all variables, a parent before its children, with commas between; that of the data unless given")
	fs.IntVar(&l.candidates, "candidates", 20, "how many variables may be parents of one: those that improve its score most alone; 0 for all")
	fs.IntVar(&l.chains, "chains", 4, "how many Markov chains, which are compared")
	fs.IntVar(&l.burnIn, "burn-in", 10000, "steps of a chain before its first sample")
	fs.IntVar(&l.samples, "samples", 1000, "samples of a chain")
	fs.IntVar(&l.every, "every", 20, "steps from one sample to the next")
}

// check refuses what the numbers and the score can't be.
func (l *instance) check() error {
	switch {
	case !slices.Contains([]string{"order", "orders", "structures"}, l.over):
		return fmt.Errorf("average over %q; want order, orders or structures", l.over)
	case l.over != "order" && l.order != "":
		return fmt.Errorf("an order is given, and the average is over %s; want over order", l.over)
	case l.chains < 1 || l.burnIn < 0 || l.samples < 1 || l.every < 1:
		return fmt.Errorf("%d chains, burn-in %d, %d samples, every %d; want numbers from 1, and burn-in from 0", l.chains, l.burnIn, l.samples, l.every)
	case !slices.Contains([]string{"bdeu", "k2", "bic"}, l.Score):
		return fmt.Errorf("score %s says nothing of how probable structures are; want bdeu, k2 or bic", l.Score)
	}
	return nil
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	s, err := l.Scorer(job)
	if err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	if l.over == "structures" {
		start := network.Start(job)
		for x, p := range start {
			if len(p) > l.MaxParents || !s.Fits(x, p...) {
				return nil, fmt.Errorf("the chains would begin with %d parents of %q; want at most %d, and a table of at most %d numbers", len(p), job.Train.Vars[x].Name, l.MaxParents, score.MaxFamily)
			}
		}
		return l.byChains(ctx, timed, job, s, l.structures(s, start))
	}
	lists, err := parentsets.All(timed, s, parentsets.Options{MaxParents: l.MaxParents, Candidates: l.candidates, Slack: negligible}, job.Cores)
	if err != nil {
		return nil, err
	}
	if l.over == "orders" {
		return l.byChains(ctx, timed, job, s, func(i int, rng *rand.Rand) walk {
			if i == 0 {
				return newOrderWalk(lists, graph.Order(network.Start(job)))
			}
			return newOrderWalk(lists, rng.Perm(len(lists)))
		})
	}
	order, err := network.Order(job.Train.Vars, l.order)
	if err != nil {
		return nil, err
	}
	logP, edges, best := Given(lists, order)
	r, err := l.Result("average", s, best)
	if err != nil {
		return nil, err
	}
	r.Report.Posteriors = posteriors(job.Train.Vars, edges)
	r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("sum over the structures of the order: %s %.4f", s.Kind.Name, logP), likely(r.Report.Posteriors))
	return r, nil
}

// structures makes walks over structures: the first one begins with the given one, others with random ones.
func (l *instance) structures(s *score.Scorer, start [][]int) func(i int, rng *rand.Rand) walk {
	cache := score.NewCache(s)
	return func(i int, rng *rand.Rand) walk {
		if i == 0 {
			return newStructureWalk(cache, l.MaxParents, start)
		}
		return newStructureWalk(cache, l.MaxParents, make([][]int, len(start))).scatter(rng)
	}
}

// byChains averages over the samples of several Markov chains.
func (l *instance) byChains(ctx, timed context.Context, job *learner.Job, s *score.Scorer, begin func(i int, rng *rand.Rand) walk) (*learner.Result, error) {
	n := len(job.Train.Vars)
	chains, tell := make([]*chain, l.chains), counter(job, l.chains*l.samples)
	learner.Each(job.Cores, l.chains, func(i int) {
		rng := rand.New(rand.NewPCG(job.Seed, uint64(i)))
		chains[i] = l.run(timed, begin(i, rng), n, rng, tell)
	})
	edges, best, apart := pool(chains, n)
	if best == nil {
		return nil, fmt.Errorf("ended before there was a sample: %w", timed.Err())
	}
	r, err := l.Result("average", s, best.parents)
	if err != nil {
		return nil, err
	}
	steps, moved := 0, 0
	for _, c := range chains {
		steps, moved = steps+c.steps, moved+c.moved
	}
	r.Report.Steps, r.Report.Stopped = steps, timed.Err() != nil
	r.Report.Posteriors = posteriors(job.Train.Vars, edges)
	r.Report.Remarks = append(r.Report.Remarks, likely(r.Report.Posteriors), fmt.Sprintf("%.0f%% of the proposals were accepted", 100*float64(moved)/float64(steps)))
	if l.chains > 1 {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("the chains differ by %.3f at most in the probability of an edge", apart))
	}
	return r, ctx.Err()
}

// reported is the least probability of an edge that stands in a report.
const reported = 0.005

// posteriors lists the edges by probability, equal ones by parent and child.
func posteriors(vars []data.Var, edges [][]float64) []learner.Posterior {
	var list []learner.Posterior
	for u := range vars {
		for x := range vars {
			if p := edges[x][u]; p >= reported {
				list = append(list, learner.Posterior{From: vars[u].Name, To: vars[x].Name, Probability: min(1, p)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b learner.Posterior) int { return cmp.Compare(b.Probability, a.Probability) })
	return list
}

// likely says how many edges are more likely than not.
func likely(list []learner.Posterior) string {
	n := 0
	for _, p := range list {
		if p.Probability > 0.5 {
			n++
		}
	}
	return fmt.Sprintf("%d edges have a probability above 1/2 (--json lists all from %v)", n, reported)
}
