package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
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
