package depnet

import (
	"context"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/internal/boost"
	"github.com/pgmc-go/pgmc/learn/internal/logistic"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// maxDepth is the most tests on a path of a boosted tree, which may have 2 to the power of it
// leaves.
const maxDepth = 16

// boosted learns a network of boosted trees.
func (l *Options) boosted(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	switch {
	case l.Trees < 0:
		return nil, fmt.Errorf("at most %d boosted trees; want 0 or more", l.Trees)
	case l.Depth < 1 || l.Depth > maxDepth:
		return nil, fmt.Errorf("boosted trees of depth %d; want 1 to %d", l.Depth, maxDepth)
	case !(l.Shrinkage > 0 && l.Shrinkage <= 1):
		return nil, fmt.Errorf("shrinkage %v; want a number above 0 and up to 1", l.Shrinkage)
	case !(l.MinCount >= 0) || math.IsInf(l.MinCount, 0):
		return nil, fmt.Errorf("least weight of a leaf %v; want 0 or more", l.MinCount)
	}
	if err := learner.Fits(job.Train); err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	o := boost.Options{Trees: l.Trees, Depth: l.Depth, Shrinkage: l.Shrinkage, MinCount: l.MinCount}
	d := boost.New(job.Train, job.Valid)
	cpds := make([]logistic.CPD, len(job.Train.Vars))
	trees := make([]int, len(cpds))
	tell := job.Counter(len(cpds))
	learner.Each(job.Cores, len(cpds), func(x int) {
		c := d.Fit(timed, x, o)
		cpds[x], trees[x] = c.CPD, c.Trees
		tell()
	})
	r, err := network("loglik", job.Train.Vars, cpds)
	if err != nil {
		return nil, err
	}
	for _, n := range trees {
		r.Report.Steps += n
	}
	if job.Valid != nil {
		mean, err := pseudo(r.Models[0], job.Valid)
		if err != nil {
			return nil, err
		}
		r.Report.Remarks = append(r.Report.Remarks, fmt.Sprintf("%d trees, %.6f nats a row of the validation data", r.Report.Steps, mean))
	}
	r.Report.Stopped = timed.Err() != nil
	return r, ctx.Err()
}
