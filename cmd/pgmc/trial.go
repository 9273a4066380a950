package main

import (
	"fmt"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// climbs has w answered by the best states that a search finds, where it asks for these or for nothing in particular.
func (w *wanted) climbs(name string, asked bool) error {
	if asked || w.Joint != nil || w.MAP != nil || w.KMPE > 0 {
		return fmt.Errorf("method %s searches for a most probable completion and answers --mpe alone; for anything else try --method jointree, circuit or belief", name)
	}
	w.Marginals, w.LogP, w.MPE = nil, false, true
	return nil
}

// trialText says how weighted samples or a search went, for people.
func (r *reportJSON) trialText() string {
	if r.Search {
		if r.Status == pgmrt.Converged.String() {
			return fmt.Sprintf("%d %s, to states that no single change makes better; better ones may exist\n", r.Iterations, table.Plural("step", r.Iterations))
		}
		return fmt.Sprintf("%d %s, which still found better states; take more\n", r.Iterations, table.Plural("step", r.Iterations))
	}
	logError := "unknown"
	if r.LogError != nil {
		logError = fmt.Sprintf("%.2g", *r.LogError)
	}
	text := fmt.Sprintf("standard errors up to %.2g, of ln P %s, effective sample size %.0f", r.Residual, logError, *r.ESS)
	if r.Status != pgmrt.Converged.String() {
		return text + ": too few to rely on; take more samples, or another method\n"
	}
	return text + "\n"
}
