package score

import (
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// scoreReport holds the scores, in nats a row. A log-likelihood is "-inf" if a row is impossible,
// and its error "inf".
type scoreReport struct {
	Rows      int64 `json:"rows"`
	LL        any   `json:"ll,omitempty"`        // mean log-likelihood
	StdErr    any   `json:"ll_stderr,omitempty"` // its standard error
	PLL       any   `json:"pll,omitempty"`       // mean pseudo-log-likelihood
	PLLStdErr any   `json:"pll_stderr,omitempty"`
	// Weight is the mean of ln Z_x of a latent dependency forest model: the log-likelihood is it
	// less ln Z, if that is known.
	Weight       any      `json:"log_weight,omitempty"`
	WeightStdErr any      `json:"log_weight_stderr,omitempty"`
	LogZ         *float64 `json:"log_z,omitempty"`

	BIC *float64 `json:"bic,omitempty"` // of the structure on complete rows, see counted

	Against *againstReport `json:"against,omitempty"`
}

// summary returns the report of a scorer and the same as a table. It warns of rows of probability
// 0.
func summary(a *cli.App, s *rate.Scorer) (*scoreReport, *table.Table) {
	r := &scoreReport{Rows: s.Len()}
	t := &table.Table{}
	t.Add("rows", fmt.Sprint(r.Rows))
	var list diag.List
	ll, hasLL := s.LL()
	pll, hasPLL := s.PLL()
	if hasLL {
		r.LL, r.StdErr = MeanOrText(&ll)
		t.Add("log-likelihood", Digits(r.LL)+" nats a row")
		t.Add("standard error", Digits(r.StdErr))
		if ll.Impossible > 0 {
			list.Warnf(ll.First, "this row has probability 0; it is the first of %d", ll.Impossible)
		}
	}
	if hasPLL {
		r.PLL, r.PLLStdErr = MeanOrText(&pll)
		t.Add("pseudo-log-likelihood", Digits(r.PLL)+" nats a row")
		t.Add("standard error", Digits(r.PLLStdErr))
		if pll.Impossible > 0 {
			list.Warnf(pll.First, "this row has a state of probability 0 given the others; it is the first of %d", pll.Impossible)
		}
	}
	if weights, ok := s.LogWeights(); ok {
		r.weigh(s.Model(), &weights, t)
		if weights.Impossible > 0 {
			list.Warnf(weights.First, "this row has weight 0; it is the first of %d", weights.Impossible)
		}
	}
	a.Warn(list.Warnings())
	return r, t
}

// weigh sets the mean of the logarithms of weights, and if ln Z takes few joint states, the
// log-likelihood.
func (r *scoreReport) weigh(m *model.Model, weights *rate.Tally, t *table.Table) {
	r.Weight, r.WeightStdErr = MeanOrText(weights)
	t.Add("ln Z_x", Digits(r.Weight)+" nats a row: ln of the sum over trees of a row's weights")
	t.Add("standard error", Digits(r.WeightStdErr))
	z, ok := m.ForestLogSum()
	if !ok {
		t.Add("log-likelihood", "ln Z_x less ln Z, one number for all rows, which is #P-hard")
		return
	}
	r.LogZ, r.LL, r.StdErr = &z, r.Weight, r.WeightStdErr
	if weights.Impossible == 0 {
		r.LL = weights.Value - z
	}
	t.Add("ln Z", Digits(z)+" by enumeration")
	t.Add("log-likelihood", Digits(r.LL)+" nats a row")
}

// MeanOrText returns the mean of t and its standard error, or texts if a row is impossible: JSON
// has no infinite numbers.
func MeanOrText(t *rate.Tally) (value, stderr any) {
	if t.Impossible > 0 {
		return "-inf", "inf"
	}
	return t.Value, t.StdErr()
}

// Digits returns a number, or the text in its place, as tables show it: with the ten digits that
// pgmc query has. JSON has all digits.
func Digits(x any) string {
	if v, ok := x.(float64); ok {
		return fmt.Sprintf("%.10g", v)
	}
	return fmt.Sprint(x)
}
