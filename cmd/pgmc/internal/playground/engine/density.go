package engine

import (
	"context"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// mixture returns the posterior of a real variable, which is a mixture of normal distributions. Of
// a sequence it is one normal distribution, and only if no variable is discrete: filters return no
// more than the mean and the variance.
func (e *Engine) mixture(ctx context.Context, q *Question, name string) (infer.Mixture, error) {
	if e.m.Transition != nil {
		return e.normal(ctx, q, name)
	}
	in, err := e.engine(ctx, q.Do)
	if err != nil {
		return nil, err
	}
	given, err := e.evidence(q.Hard, q.Soft)
	if err != nil {
		return nil, err
	}
	return in.Mixture(ctx, given, name)
}
