package main

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/method"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// decodes has w answered by a method that chooses states by messages, which is asked for nothing else; maxprod also has max-marginals.
func (w *wanted) decodes(m *method.Method, logP bool) error {
	switch {
	case w.Joint != nil || w.MAP != nil || w.KMPE > 0 || logP:
		return fmt.Errorf("method %s answers --mpe alone; for --logp, --joint, --map and --kmpe try --method jointree or circuit", m.Name)
	case w.Marginals != nil && !m.Answers.MaxMarginals:
		return fmt.Errorf("method %s answers --mpe alone; for marginals try --method belief, and for max-marginals maxprod", m.Name)
	}
	w.LogP = false
	return nil
}

// decodeText says for people what is known of states that were chosen by messages.
func (r *reportJSON) decodeText() string {
	text := fmt.Sprintf("%s after %d %s, residual %.3g\n", r.Status, r.Iterations, table.Plural("round", r.Iterations), r.Residual)
	unit := r.unit
	if unit == "" {
		unit = "log-probability"
	}
	switch {
	case r.Gap == nil && r.Upper == nil:
		return text + "no bound of what other completions have\n"
	case r.Gap == nil:
		return text + fmt.Sprintf("no completion has a %s above %.10g\n", unit, *r.Upper)
	case *r.Gap == 0:
		return text + "proven: no completion is more probable\n"
	}
	return text + fmt.Sprintf("no completion has a %s above %.10g, a gap of %.3g\n", unit, *r.Upper, *r.Gap)
}

// decodeReport is a report as JSON has it, with logarithms to base 10, as tasks have them.
func decodeReport(r pgmrt.DecodeReport) *reportJSON {
	return &reportJSON{Status: r.Status.String(), Iterations: r.Iterations, Residual: r.Residual, Upper: table.FiniteOnly(r.Bound / math.Ln10),
		Gap: table.FiniteOnly(r.Gap / math.Ln10), decodes: true, unit: "log10"}
}

// weakness says why other states than those of a report may be better; empty where these are proven to be best.
func (r *reportJSON) weakness() string {
	if r.decodes && r.Gap != nil && *r.Gap == 0 {
		return ""
	}
	if r.decodes {
		return "has not proven its states to be best: "
	}
	if r.Status != pgmrt.Converged.String() {
		return "has not settled: "
	}
	return ""
}

// errInfeasible says that a task has no answer by messages.
func errInfeasible(method string) error {
	return fmt.Errorf("method %s found no states of positive value, which does not prove that there are none; try --method jointree or circuit", method)
}

// infeasible reports whether a logarithm is that of states of probability 0.
func infeasible(logP float64) bool { return math.IsInf(logP, -1) }
