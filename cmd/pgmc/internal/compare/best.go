package compare

import (
	"context"
	"fmt"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
)

// bestReport holds the results of one method that chooses states. Errors are null without exact
// answers.
type bestReport struct {
	Method string `json:"method"`
	Claim  string `json:"claim"`
	// Mean is the mean of ln P of a most probable completion less ln P of the method's own. It is
	// null also if the method found no completion.
	Mean      *float64 `json:"mean_mpe_error"`
	Largest   *float64 `json:"largest_mpe_error"` // the largest difference; null in the same cases
	Found     int      `json:"found"`             // questions whose completion is a most probable one, to 1e-6
	Proven    int      `json:"proven"`            // questions for which the method proved its completion most probable
	Converged int      `json:"converged"`         // questions on which it converged, to the best states or others
	Rounds    float64  `json:"rounds"`            // the mean
	Answered  int      `json:"answered"`
	Compiling float64  `json:"compile_seconds"`
	Seconds   float64  `json:"seconds"` // of an answer, the mean
}

// foundError is the difference of ln P up to which a completion counts as a most probable one.
// Methods that prove bounds prove no more.
const foundError = 1e-6

// summariseBest compares the completions of a method with most probable ones.
func (c *comparison) summariseBest(ctx context.Context, name, claim string, compiling time.Duration, seconds float64,
	answers []*rows.Answer) error {
	if err := c.bestCompletions(ctx); err != nil {
		return err
	}
	r := bestReport{Method: name, Claim: claim, Compiling: compiling.Seconds(), Seconds: seconds}
	sum, most, compared := 0.0, 0.0, 0
	for i, a := range answers {
		if a == nil {
			continue
		}
		r.Answered++
		r.Rounds += float64(a.Iterations)
		if a.Status != "not converged" {
			r.Converged++
		}
		if a.Gap == 0 {
			r.Proven++
		}
		if c.best == nil || c.best[i] == nil {
			continue
		}
		off := c.best[i].MpeLogP - a.MpeLogP
		sum, most, compared = sum+off, max(most, off), compared+1
		if off <= foundError {
			r.Found++
		}
	}
	r.Rounds /= float64(max(1, r.Answered))
	if compared > 0 {
		r.Mean, r.Largest = table.FiniteOnly(max(0, sum/float64(compared))), table.FiniteOnly(most)
	}
	c.report.Best = append(c.report.Best, r)
	return nil
}

// bestCompletions finds most probable completions, once, if an exact method fits. In a Markov
// network they are scored as other methods score them, by the product of the potentials.
func (c *comparison) bestCompletions(ctx context.Context) error {
	if c.best != nil || c.want == nil {
		return nil
	}
	opt := c.opt
	opt.Method, opt.Queries, opt.Unnormalised = jointree.Options{}, []string{"mpe"}, true
	r, err := c.Compile(ctx, c.path, c.model, opt, nil)
	if err != nil {
		return err
	}
	c.best, _, err = c.answers(r, rows.Wanted{MPE: true})
	return err
}

// bestTable returns the report on completions as a table.
func (r *report) bestTable() *table.Table {
	t := &table.Table{}
	t.Add("method", "mean below best", "largest", "best", "proven", "rounds", "converged", "compiling", "answer")
	of := func(n int, m *bestReport) string { return fmt.Sprintf("%d of %d", n, m.Answered) }
	for i := range r.Best {
		m := &r.Best[i]
		found := "-"
		if m.Mean != nil || m.Found > 0 {
			found = of(m.Found, m)
		}
		t.Add(m.Method, table.Optional("%.3g", m.Mean), table.Optional("%.3g", m.Largest), found, of(m.Proven, m), fmt.Sprintf("%.1f", m.Rounds), of(m.Converged, m),
			secondsText(m.Compiling), secondsText(m.Seconds))
	}
	t.AlignRight()
	return t
}
