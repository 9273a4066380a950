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
	o.Undirected = true
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
	if job.Train.Counted() {
		prefetch(job, s, class, given)
	}
	if o.Constraints != (learner.Constraints{}) {
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
	rows := make([][]forest.Edge, len(vars)) // by J
	const block = 64                         // of rows, after which the context and the progress count
	for start := 0; start < len(vars); start += block {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min(start+block, len(vars))
		learner.Each(job.Cores, end-start, func(k int) { rows[start+k] = weights(s, start+k, class, given, weight) })
		for j := start; j < end; j++ {
			edges, rows[j] = append(edges, rows[j]...), nil
		}
		job.ReportProgress(learner.Event{Done: end, Total: len(vars)})
	}
	n, first := len(vars), Discrete(vars)
	return forest.Direct(n, forest.Maximum(n, edges, first), first), nil
}

// prefetch asks for the counts of all pairs that a forest may join, in one request.
func prefetch(job *learner.Job, s *score.Scorer, class int, given []int) {
	job.Each(len(job.Train.Vars), func(j int) {
		var sets [][]int
		for i := range j {
			if both := append([]int{i}, given...); i != class && j != class && s.Fits(j, both...) {
				sets = append(sets, both)
			}
		}
		s.Prefetch(j, sets)
	})
}

// weights returns the edges between variable j and those before it, except the class. Edges from
// discrete or equally real variables to j are weighted together.
func weights(s *score.Scorer, j, class int, given []int, weight func(parent, child int) (float64, bool)) (edges []forest.Edge) {
	if j == class {
		return nil
	}
	vars := s.Counter.Set().Vars
	fit := s.Fits(j, given...)
	var parents, at []int // that are weighted together, and their indices in edges
	for i := range j {
		switch {
		case i == class:
		case vars[i].Real && !vars[j].Real:
			if w, ok := weight(j, i); ok {
				edges = append(edges, forest.Edge{I: i, J: j, Weight: w})
			}
		case fit && s.Fits(j, append([]int{i}, given...)...):
			parents, at = append(parents, i), append(at, len(edges))
			edges = append(edges, forest.Edge{I: i, J: j})
		}
	}
	if len(parents) == 0 {
		return edges
	}
	scores, before := make([]float64, len(parents)), s.Family(j, given...)
	s.Adding(j, given, parents, scores)
	for k, score := range scores {
		edges[at[k]].Weight = score - before
	}
	return edges
}
