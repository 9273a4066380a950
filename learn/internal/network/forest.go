package network

import (
	"context"

	"github.com/pgmc-go/pgmc/learn/internal/forest"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// RuledForest is [Common.Ruled] for learners of forests, which need a score that does not depend on
// the directions of edges.
func (o *Common) RuledForest(job *learner.Job) (*score.Scorer, *Rules, error) {
	s, rules, err := o.Ruled(job)
	if err == nil {
		err = s.Equivalent()
	}
	return s, rules, err
}

// Forest returns the parents in the best forest of all variables, or of all except a class that is
// a parent of each, too: class is negative if there is none, and Forest leaves the class out of the
// result. The weight of an edge is the gain of the child's score by the parent.
func (o *Common) Forest(ctx context.Context, job *learner.Job, s *score.Scorer, rules *Rules, class int) ([][]int, error) {
	var given []int
	if class >= 0 {
		given = []int{class}
	}
	weight := func(parent, child int) (float64, bool) {
		both := append([]int{parent}, given...)
		if !s.Fits(child, given...) || !s.Fits(child, both...) {
			return 0, false
		}
		return s.Family(child, both...) - s.Family(child, given...), true
	}
	if o.Constraints != (Constraints{}) {
		parents, err := rules.Forest(class, func(parent, child int) (float64, bool) {
			if ctx.Err() != nil {
				return 0, false
			}
			return weight(parent, child)
		})
		if err == nil {
			err = ctx.Err()
		}
		return parents, err
	}
	vars := job.Train.Vars
	var edges []forest.Edge
	for j := range vars {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range j {
			parent, child := i, j
			if vars[i].Real && !vars[j].Real {
				parent, child = j, i
			}
			if i == class || j == class {
				continue
			}
			if w, ok := weight(parent, child); ok {
				edges = append(edges, forest.Edge{I: i, J: j, Weight: w})
			}
		}
		job.ReportProgress(learner.Event{Done: j + 1, Total: len(vars)})
	}
	n, first := len(vars), Discrete(vars)
	return forest.Direct(n, forest.Maximum(n, edges, first), first), nil
}
