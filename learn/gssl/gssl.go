package gssl

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/pseudo"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Learner is the learner of Markov networks from generated features.
var Learner = learner.Learner{
	Name: "gssl",
	Doc:  "Markov network of conjunctions drawn from the rows (GSSL), its weights by pseudo-likelihood",
	New:  func() learner.Instance { return &instance{} },
}

type instance struct {
	pseudo.Flags
	features, length int
	minCount         float64
}

// maxFeatures is the most conjunctions that may be drawn, which take some hundred bytes each.
const maxFeatures = 5_000_000

func (l *instance) Options(fs *flag.FlagSet) {
	l.Bind(fs, "2", 0)
	fs.IntVar(&l.features, "features", 10000, "how many conjunctions are drawn")
	fs.IntVar(&l.length, "max-length", 4, "most variables of a conjunction")
	fs.Float64Var(&l.minCount, "min-count", 10, "least weight of the rows in which a conjunction holds")
}

func (l *instance) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	penalties, err := l.Penalties(job, true)
	switch {
	case err != nil:
		return nil, err
	case l.features < 0 || l.features > maxFeatures:
		return nil, fmt.Errorf("%d conjunctions; want 0 to %d", l.features, maxFeatures)
	case l.length < 2:
		return nil, fmt.Errorf("at most %d variables of a conjunction; want 2 or more", l.length)
	case !(l.minCount >= 0):
		return nil, fmt.Errorf("least weight of the rows of a conjunction %v; want a number from 0", l.minCount)
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	first := append(pseudo.States(job.Train), l.draw(timed, job)...)
	best, points, remarks, err := pseudo.Path(job, penalties, func(l1 float64, before *pseudo.Fit) (*pseudo.Fit, error) {
		if before != nil {
			return l.Fit(timed, job, before.Features, l1)
		}
		return l.Fit(timed, job, first, l1)
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

// draw gives different conjunctions of two variables or more, in the order in which they were drawn.
func (l *instance) draw(ctx context.Context, job *learner.Job) []pseudo.Feature {
	rng := rand.New(rand.NewPCG(job.Seed, 0))
	sets := rowset.New(job.Train)
	row := make([]int, len(job.Train.Vars))
	seen := map[string]bool{}
	var list []pseudo.Feature
	for range l.features {
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
		n := 2 + rng.IntN(min(l.length, len(known))-1)
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
		if sets.Weight(sets.Where(tests)) >= l.minCount {
			list = append(list, pseudo.Feature{Tests: tests})
		}
	}
	return list
}
