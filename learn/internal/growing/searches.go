package growing

import "context"

// Best is the result of searches that the validation data like best so far.
type Best struct {
	Steps []Step  `json:"steps"`
	Made  int     `json:"made"`  // splits, by that search, with those that did not help the validation data
	Value float64 `json:"value"` // the log-likelihood of the validation data, in nats, up to a constant of the learner's
	Try   int     `json:"try"`   // which search it was; the first is 0
}

// Searches makes one search after the other, until ctx ends or there are no further restarts; try counts them. Each is started, but for the
// first where that had begun before, run and kept. Where start reports false, that is the end.
func (g *Growth) Searches(ctx context.Context, try *int, begun bool, start func() (bool, error), run func() error, keep func()) error {
	for ; ; *try++ {
		if !begun {
			if ok, err := start(); !ok {
				return err
			}
		}
		if err := run(); err != nil {
			return err
		}
		if keep(); ctx.Err() != nil || *try >= g.Restarts {
			return nil
		}
		begun = false
	}
}
