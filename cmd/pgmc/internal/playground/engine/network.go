package engine

import (
	"context"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// network answers a question about a network.
func (e *Engine) network(ctx context.Context, q *Question) (*Answer, error) {
	in, err := e.engine(ctx, q.Do)
	if err != nil {
		return nil, err
	}
	given, err := e.evidence(q.Hard, q.Soft)
	if err != nil {
		return nil, err
	}
	return e.answer(ctx, in, given, q)
}

// answer asks an engine for what the page shows.
func (e *Engine) answer(ctx context.Context, in *infer.Engine, given infer.Evidence, q *Question) (*Answer, error) {
	all, err := in.Marginals(ctx, given)
	if err != nil {
		return nil, e.explain(ctx, in, given, err)
	}
	out := &Answer{Density: dense(in.Model(), q.Hard)}
	if len(q.Hard) > 0 || len(q.Soft) > 0 { // without evidence it is 0, but for rounding
		out.LogP = all.LogProb + 0
	}
	out.Marginals = numbers(all)
	if !q.MPE {
		return out, nil
	}
	best, err := in.MPE(ctx, given)
	if err != nil {
		return nil, err
	}
	out.MPELogP, out.MPE = best.LogProb+0, states(best)
	return out, nil
}
