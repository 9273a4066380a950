package growing

import "context"

// Best is the result of the searches that is best on the validation data so far.
type Best struct {
	Steps []Step  `json:"steps"`
	Made  int     `json:"made"`  // splits made by that search, including those that did not help the validation data
	Value float64 `json:"value"` // log-likelihood of the validation data, in nats, up to a constant of the learner
	Try   int     `json:"try"`   // number of that search, from 0
}

// Searches runs one search after the other until ctx ends or no restarts are left; try is the
// number of the current one. Each search is started, run and kept; the first is not started if it
// had begun before. It ends early if start returns false.
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
