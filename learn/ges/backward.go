package ges

import (
	"context"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// Backward deletes edges from the class of a structure that keeps the rules, as the second phase of
// ges does, until no deletion improves the score or ctx ends. It returns a structure of the last
// class and the number of deletions.
func Backward(ctx context.Context, job *learner.Job, s *score.Cache, rules *network.Rules, parents [][]int) (after [][]int, steps int) {
	families := make([]float64, len(parents))
	for x, p := range parents {
		families[x] = s.Family(x, p...)
	}
	h := &search{space: &space{s: s, over: score.Tie(families...), rules: rules}, job: job, class: graph.Of(parents), total: s.Network(parents)}
	h.phase(ctx, h.deletes, remove)
	class, ok := rules.Direct(h.class)
	if !ok || h.steps == 0 {
		return parents, 0
	}
	after, _ = class.Extend()
	return after, h.steps
}
