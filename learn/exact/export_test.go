package exact

import (
	"context"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// InParts learns from data in canonical order with the variables split into parts, though few.
func InParts(ctx context.Context, l *Options, job *learner.Job) (total float64, parts int, err error) {
	s, rules, err := l.common().Ruled(job)
	if err != nil {
		return 0, 0, err
	}
	parents, err := l.parents(ctx, job, s, rules, 0)
	if err != nil {
		return 0, 0, err
	}
	return s.Network(parents), len(split(rules, len(parents))), nil
}
