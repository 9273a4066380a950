package main

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
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

// chain answers by the one query of a program that samples: marginals, and where that is wanted the probability of the states that were
// observed, one after the other.
func (in *interpreter) chain(q *question, want *wanted, a *answer) error {
	e := &in.program.Entries[0]
	var all pgmrt.SampleReport
	if want.LogP {
		logP, r, err := in.chainJoint(e, q)
		if err != nil {
			return err
		}
		a.logP, all = logP, r
		if err := in.enter(q); err != nil {
			return err
		}
	}
	if want.Marginals != nil {
		r, err := in.runChain(q.ctx, e)
		if err != nil {
			return err
		}
		all = all.With(r)
		in.marginals(e, a)
	}
	a.went(all.Report)
	a.rhat, a.ess = all.RHat, all.ESS
	return nil
}

func (in *interpreter) runChain(ctx context.Context, e *ir.Entry) (pgmrt.SampleReport, error) {
	r, err := in.machine.RunChain(ctx, e, pgmrt.ChainOptions{})
	return r, impossibleOr(err)
}

// chainJoint adds up the logarithms of the probability of each observed state given those before it, which is what GibbsJoint of
// packages does.
func (in *interpreter) chainJoint(e *ir.Entry, q *question) (logP float64, all pgmrt.SampleReport, err error) {
	in.machine.ClearEvidence()
	for i, v := range in.vars {
		if q.soft[i] != nil {
			return 0, all, errSoftJoint
		}
		if q.hard[i] == 0 {
			continue
		}
		if in.model.IsReal(v) {
			return 0, all, errRealJoint
		}
		r, err := in.runChain(q.ctx, e)
		if err != nil {
			return 0, all, err
		}
		all = all.With(r)
		logP += math.Log(in.posterior(e, v)[q.hard[i]-1])
		if math.IsInf(logP, -1) {
			return 0, all, errImpossible
		}
		if err := in.machine.Observe(v, q.hard[i]-1); err != nil {
			return 0, all, err
		}
	}
	return logP, all, nil
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
