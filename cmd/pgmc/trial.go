package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// trialFlags are the flags of methods that search for states, beside --chains, --iterations and --seed.
type trialFlags struct {
	hot, cold float64
	tenure    int
}

func (f *trialFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().Float64Var(&f.hot, "hot", 0, "of method anneal: the first temperature, in units of ln P; 0 chooses")
	cmd.Flags().Float64Var(&f.cold, "cold", 0, "of method anneal: the last temperature; 0 is a fiftieth of the first")
	cmd.Flags().IntVar(&f.tenure, "tenure", 0, "of method tabu: for how many moves a state that was left is left alone; 0 chooses")
}

// options are the flags with their values, as text.
func (f *trialFlags) options() [][2]string {
	return [][2]string{{"hot", fmt.Sprint(f.hot)}, {"cold", fmt.Sprint(f.cold)}, {"tenure", strconv.Itoa(f.tenure)}}
}

// climbs has w answered by the best states that a search finds, where it asks for these or for nothing in particular.
func (w *wanted) climbs(name string, asked bool) error {
	if asked || w.Joint != nil || w.MAP != nil || w.KMPE > 0 {
		return fmt.Errorf("method %s searches for a most probable completion and answers --mpe alone; for anything else try --method jointree, circuit or belief", name)
	}
	w.Marginals, w.LogP, w.MPE = nil, false, true
	return nil
}

// trials answers by the one query of a program that makes trials.
func (in *interpreter) trials(q *question, want *wanted, a *answer) error {
	e := &in.program.Entries[0]
	r, err := in.machine.RunTrials(q.ctx, e, pgmrt.TrialOptions{})
	if err != nil {
		return impossibleOr(err)
	}
	a.went(r.Report)
	a.ess, a.logError = r.ESS, r.LogError
	if e.Query.Kind != ir.Climb {
		a.logP = in.machine.LogP()
		in.marginals(e, a)
		return nil
	}
	a.mpeLogP, a.gap = in.machine.LogP(), math.Inf(1) // nothing is proven
	for _, v := range in.vars {
		a.mpe = append(a.mpe, int(in.machine.State()[v]))
	}
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
