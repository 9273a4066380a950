package gssl

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/pseudo"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner learns Markov networks from generated features.
var Learner = learner.Learner{
	Name: "gssl",
	Doc:  "Markov network of conjunctions drawn from the rows (GSSL), its weights by pseudo-likelihood",
	New:  func() learner.Instance { return NewOptions() },
}

// Options holds the options of gssl. A pointer to Options is the learner.
type Options struct {
	L1             string  `opt:"l1" default:"2" help:"L1 penalty per unit of each weight, in nats; of several, as in 1,2,5, the validation data choose"`
	WeightVariance float64 `opt:"weight-variance" help:"variance of the Gaussian prior of each weight; 0 for none"`
	Steps          int     `opt:"steps" default:"100" help:"most iterations of the fit"`
	Tolerance      float64 `opt:"tolerance" default:"1e-6" help:"relative change of the objective in one iteration below which the fit ends"`
	Features       int     `opt:"features" default:"10000" help:"number of conjunctions that are drawn" range:"[0,5000000]" wrong:"{features} conjunctions; want 0 to 5000000"`
	MaxLength      int     `opt:"max-length" default:"4" help:"most variables of a conjunction" range:"[2,inf)" wrong:"at most {max-length} variables of a conjunction; want 2 or more"`
	MinCount       float64 `opt:"min-count" default:"10" help:"least total weight of the rows in which a conjunction holds" range:"[0,inf]" wrong:"least weight of the rows of a conjunction {min-count}; want 0 or more"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

func (l *Options) shared() *pseudo.Options { return pseudo.Of(l) }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return job.Canonical(ctx, true, l.learn)
}

// learn learns from data in canonical order.
func (l *Options) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	penalties, err := l.shared().Penalties(job, true)
	if err == nil {
		err = options.Check(l)
	}
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	first := append(pseudo.States(job.Train), l.draw(timed, job)...)
	best, points, remarks, err := pseudo.Path(job, penalties, func(l1 float64, before *pseudo.Fit) (*pseudo.Fit, error) {
		if before != nil {
			return l.shared().Fit(timed, job, before.Features, l1)
		}
		return l.shared().Fit(timed, job, first, l1)
	})
	if err != nil {
		return nil, err
	}
	remarks = append(remarks, fmt.Sprintf("%d conjunctions drawn that hold in enough rows", len(first)-len(pseudo.States(job.Train))))
	r, err := best.Result(best.Model("gssl", job.Train.Vars), job.Train.Vars, points, remarks)
	if err != nil {
		return nil, err
	}
	return r, ctx.Err()
}

// draw returns distinct conjunctions of two or more variables, in the order in which they were
// drawn.
func (l *Options) draw(ctx context.Context, job *learner.Job) []pseudo.Feature {
	rng := rand.New(rand.NewPCG(job.Seed, 0))
	sets := rowset.New(job.Train)
	row := make([]int, len(job.Train.Vars))
	seen := map[string]bool{}
	var list []pseudo.Feature
	for range l.Features {
		if ctx.Err() != nil {
			break
		}
		job.Train.Row(rng.IntN(job.Train.Len()), row)
		var known []int
		for v, s := range row {
			if s != data.Missing && len(job.Train.Vars[v].States) > 1 {
				known = append(known, v)
			}
		}
		if len(known) < 2 {
			continue
		}
		n := 2 + rng.IntN(min(l.MaxLength, len(known))-1)
		for i := range n {
			k := i + rng.IntN(len(known)-i)
			known[i], known[k] = known[k], known[i]
		}
		slices.Sort(known[:n])
		var tests []rowset.Test
		for _, v := range known[:n] {
			tests = append(tests, rowset.Test{Var: v, State: row[v]})
		}
		key := fmt.Sprint(tests)
		if seen[key] {
			continue
		}
		seen[key] = true
		if sets.Weight(sets.Where(tests)) >= l.MinCount {
			list = append(list, pseudo.Feature{Tests: tests})
		}
	}
	return list
}
