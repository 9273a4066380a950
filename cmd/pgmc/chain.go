package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// chainFlags are the flags of methods that sample, beside --iterations and --seed.
type chainFlags struct {
	burnIn, chains int
	sampler        string
}

func (f *chainFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.burnIn, "burn-in", 100, "of methods gibbs and ldfm: sweeps of a chain before those that count")
	cmd.Flags().IntVar(&f.chains, "chains", 4, "of methods gibbs and ldfm: how many chains; of ais: how many samples; of icm, tabu and anneal: how many starts")
	cmd.Flags().StringVar(&f.sampler, "sampler", "tree", "of method ldfm: draws states with the `tree`, or with it summed out, gibbs or determinant")
}

// options are the flags with their values, as text.
func (f *chainFlags) options() [][2]string {
	return [][2]string{{"burn-in", strconv.Itoa(f.burnIn)}, {"chains", strconv.Itoa(f.chains)}, {"sampler", f.sampler}}
}

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
