package main

import (
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// chainText says how sampling went, for people.
func (r *reportJSON) chainText() string {
	rhat := "infinite, since chains stand still apart"
	if r.RHat != nil {
		rhat = fmt.Sprintf("%.4f", *r.RHat)
	}
	text := fmt.Sprintf("%s after %d %s: standard errors up to %.2g, R-hat up to %s, effective sample size %.0f at least\n", r.Status, r.Iterations,
		table.Plural("sweep", r.Iterations), r.Residual, rhat, *r.ESS)
	return text
}
