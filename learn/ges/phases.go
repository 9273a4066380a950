package ges

import (
	"context"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Search makes both phases, or ends with ctx. It returns the class that it found, with the
// directions that the rules ask for, and the number of insertions and deletions. The structures of
// a class must have the same score.
func Search(ctx context.Context, job *learner.Job, s *score.Cache, rules *network.Rules, maxParents int) (class *graph.Partial, steps int) {
	start, err := rules.Impose(make([][]int, len(job.Train.Vars)))
	if err != nil {
		panic("ges: " + err.Error()) // NewRules has imposed the rules before
	}
	h := searchFrom(start, job, s, rules)
	h.most = maxParents
	if !h.phase(ctx, h.inserts, insert) {
		h.phase(ctx, h.deletes, remove)
	}
	class, ok := rules.Direct(h.class)
	if !ok {
		panic("ges: no structure of the class keeps the rules")
	}
	return class, h.steps
}

// searchFrom returns a search from the class of a structure.
func searchFrom(parents [][]int, job *learner.Job, s *score.Cache, rules *network.Rules) *search {
	families := make([]float64, len(parents))
	for x, p := range parents {
		families[x] = s.Family(x, p...)
	}
	return &search{space: &space{s: s, over: score.Tie(families...), rules: rules}, job: job, class: graph.Of(parents), total: s.Network(parents)}
}

// Backward deletes edges from the class of a structure that keeps the rules, as the second phase of
// ges does, until no deletion improves the score or ctx ends. It returns a structure of the last
// class and the number of deletions.
func Backward(ctx context.Context, job *learner.Job, s *score.Cache, rules *network.Rules, parents [][]int) (after [][]int, steps int) {
	h := searchFrom(parents, job, s, rules)
	h.phase(ctx, h.deletes, remove)
	class, ok := rules.Direct(h.class)
	if !ok || h.steps == 0 {
		return parents, 0
	}
	after, _ = class.Extend()
	return after, h.steps
}
