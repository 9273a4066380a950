package average

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/parentsets"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Learner averages over structures.
var Learner = learner.Learner{
	Name:  "average",
	Doc:   "probabilities of edges, by averages over orders or structures (MCMC)",
	New:   func() learner.Instance { return NewOptions() },
	Takes: model.Reals | model.Gaussians | model.Mixed,
}

// Options holds the options of average. A pointer to Options is the learner.
type Options struct {
	Score string `opt:"score" help:"score of structures: loglik, aic or bic, bge for real variables, k2, bdeu or loocv for discrete ones; the default is bdeu, and bic for data with real variables"`
	learner.Scoring
	MaxParents int    `opt:"max-parents" default:"3" help:"most parents of a variable"`
	Over       string `opt:"over" default:"orders" help:"what to average over: order (the structures of a known order), orders or structures" range:"order|orders|structures" wrong:"average over {over}; want order, orders or structures"`
	Order      string `opt:"order" help:"all variables, parents before children, separated by commas; the default is the order of the data"`
	Candidates int    `opt:"candidates" default:"20" help:"number of candidate parents of a variable: those that alone improve its score most; 0 for all"`
	Chains     int    `opt:"chains" default:"4" help:"number of Markov chains, which are compared" range:"[1,inf)" wrong:"{chains} chains, burn-in {burn-in}, {samples} samples, every {every}; want numbers from 1, and burn-in from 0"`
	BurnIn     int    `opt:"burn-in" default:"10000" help:"number of steps of a chain before its first sample" range:"[0,inf)" wrong:"=chains"`
	Samples    int    `opt:"samples" default:"1000" help:"number of samples of a chain" range:"[1,inf)" wrong:"=chains"`
	Every      int    `opt:"every" default:"20" help:"number of steps from one sample to the next" range:"[1,inf)" wrong:"=chains"`
	Features   string `opt:"features" help:"further probabilities to report, by structures that are drawn: path, of a directed path from one variable to another; blanket, of two variables in the Markov blanket of each other; or both"`
	Mixture    int    `opt:"mixture" help:"largest number of structures, of those that are drawn most often: the model is the average of their predictions in place of the best network; 0 is the best network" range:"[0,inf)"`
	learner.Constraints
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) common() *network.Common { return network.Of(l, "bdeu") }

// check returns an error if the options are not valid for a score.
func (l *Options) check(score string) error {
	if err := options.Check(l); err != nil {
		return err
	}
	switch {
	case l.Over != "order" && l.Order != "":
		return fmt.Errorf("an order is given, and the average is over %s; want over order", l.Over)
	case !slices.Contains([]string{"bdeu", "k2", "bic", "bic-g", "bic-cg", "bge"}, score):
		return fmt.Errorf("score %s says nothing of how probable structures are; want bdeu, k2 or bic, or bge for real variables", score)
	}
	_, _, err := l.features()
	return err
}

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
	if err := l.check(s.Kind.Name); err != nil {
		return nil, err
	}
	if samples, n := l.Chains*l.Samples, len(job.Train.Vars); l.Mixture > 0 {
		if err := job.Room(structureBytes*float64(samples)*float64(n), fmt.Sprintf("%d structures", samples), "samples"); err != nil {
			return nil, err
		}
	}
	first, err := network.Start(job)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	if l.Over == "structures" {
		start, err := rules.Impose(first)
		if err != nil {
			return nil, err
		}
		for x, p := range start {
			if len(p) > l.MaxParents || !s.Fits(x, p...) {
				return nil, fmt.Errorf("the chains would begin with %d parents of %q; want at most %d, and a table of at most %d numbers", len(p), job.Train.Vars[x].Name, l.MaxParents, score.MaxFamily)
			}
		}
		return l.byChains(ctx, timed, job, s, l.structures(s, rules, start))
	}
	lists, err := parentsets.All(timed, s, parentsets.Options{MaxParents: l.MaxParents, Candidates: l.Candidates, Slack: negligible, Required: rules.ParentsOf}, job.Cores)
	if err != nil {
		return nil, err
	}
	if l.Over == "orders" {
		return l.byChains(ctx, timed, job, s, func(i int, rng *rand.Rand) walk {
			if i == 0 {
				return newOrderWalk(lists, rules.Sort(graph.Order(first)))
			}
			return newOrderWalk(lists, rules.Sort(rng.Perm(len(lists))))
		})
	}
	return l.byOrder(ctx, timed, job, s, rules, lists)
}

// byOrder averages over the structures of the known order.
func (l *Options) byOrder(ctx, timed context.Context, job *learner.Job, s *score.Scorer, rules *network.Rules, lists [][]parentsets.Set) (*learner.Result, error) {
	order, err := network.Order(job.Train, l.Order)
	if err == nil {
		err = rules.Agree(order)
	}
	if err != nil {
		return nil, err
	}
	logP, edges, best := given(lists, order)
	r, err := l.common().Result("average", s, best)
	if err != nil {
		return nil, err
	}
	r.Report.Posteriors = learner.PosteriorsOf(job.Train.Vars, edges)
	r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("sum over the structures of the order: %s %.4f", s.Kind.Name, logP), likely(r.Report.Posteriors, "edges have"))
	c := &chain{drawn: l.newTally(len(order)), samples: l.Chains * l.Samples}
	if c.drawn.none() {
		return r, nil
	}
	rng := rand.New(rand.NewPCG(job.Seed, 0))
	for i := range c.samples {
		if i%64 == 0 && timed.Err() != nil {
			c.samples, r.Report.Stopped = i, true
			break
		}
		c.drawn.add(draw(lists, order, rng))
	}
	if c.samples > 0 {
		err = l.addDrawn(r, s, []*chain{c})
	}
	return r, cmp.Or(err, ctx.Err())
}

// structures returns a constructor of walks over structures. The first walk starts from the given
// structure, the others from random ones.
func (l *Options) structures(s *score.Scorer, rules *network.Rules, start [][]int) func(i int, rng *rand.Rand) walk {
	cache := score.NewCache(s)
	bare, err := rules.Impose(make([][]int, len(start)))
	if err != nil {
		panic("average: " + err.Error()) // NewRules has imposed the rules before
	}
	return func(i int, rng *rand.Rand) walk {
		if i == 0 {
			return newStructureWalk(cache, rules, l.MaxParents, start)
		}
		return newStructureWalk(cache, rules, l.MaxParents, bare).scatter(rng)
	}
}

// byChains averages over the samples of several Markov chains.
func (l *Options) byChains(ctx, timed context.Context, job *learner.Job, s *score.Scorer, begin func(i int, rng *rand.Rand) walk) (*learner.Result, error) {
	n := len(job.Train.Vars)
	squares, drawn := 1.0, l.newTally(0)
	if drawn.paths != nil {
		squares++
	}
	if drawn.blankets != nil {
		squares++
	}
	if err := job.Room(8*squares*float64(l.Chains)*float64(n)*float64(n), fmt.Sprintf("the edges of %d chains", l.Chains), "chains"); err != nil {
		return nil, err
	}
	chains, tell := make([]*chain, l.Chains), counter(job, l.Chains*l.Samples)
	learner.Each(job.Cores, l.Chains, func(i int) {
		rng := rand.New(rand.NewPCG(job.Seed, uint64(i)))
		draws := rand.New(rand.NewPCG(^job.Seed, uint64(i)))
		chains[i] = l.run(timed, begin(i, rng), n, rng, draws, tell)
	})
	best := best(chains)
	if best == nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("stopped before the first sample: %w", ctx.Err())
		}
		return nil, fmt.Errorf("no sample within %v; want more time, or fewer steps before the first sample", job.MaxTime)
	}
	r, err := l.common().Result("average", s, best.parents)
	if err != nil {
		return nil, err
	}
	steps, moved := 0, 0
	for _, c := range chains {
		steps, moved = steps+c.steps, moved+c.moved
	}
	r.Report.Steps, r.Report.Stopped = steps, timed.Err() != nil
	edges, apart := pool(chains, func(c *chain) [][]float64 { return c.edges })
	r.Report.Posteriors = learner.PosteriorsOf(job.Train.Vars, edges)
	r.Report.Remarks = append(r.Report.Remarks, likely(r.Report.Posteriors, "edges have"), fmt.Sprintf("%.0f%% of the proposals were accepted", 100*float64(moved)/float64(steps)))
	if l.Chains > 1 {
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("the chains differ by %.3f at most in the probability of an edge", apart))
	}
	if err := l.addDrawn(r, s, chains); err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// likely reports how many of a list of edges, or of other pairs, have a probability above 1/2.
func likely(list []learner.Posterior, what string) string {
	n := 0
	for _, p := range list {
		if p.Probability > 0.5 {
			n++
		}
	}
	return fmt.Sprintf("%d %s a probability above 1/2 (the report lists all from %v)", n, what, learner.LeastPosterior)
}
