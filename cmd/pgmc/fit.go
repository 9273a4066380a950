package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// fitFlags are the flags of pgmc fit.
type fitFlags struct {
	out, prior, network    string
	size                   float64
	estimate, empty        cli.Choice
	tie                    []string
	from, to, data, unseen cli.Choice
	maxTime                time.Duration
	restarts               int // negative: by whether there are hidden variables
	opt                    learn.ParameterOptions
}

func (a *app) fitCommand() *cobra.Command {
	f := &fitFlags{}
	cmd := &cobra.Command{
		Use:   "fit MODEL DATA -o MODEL",
		Short: "Fit the numbers of a network to data",
		Long: "Fit keeps the structure of a network and fits the numbers of its tables, trees and noisy-max CPDs to the rows of a data file.\n" +
			"Priors are pseudo-counts: the same for each number (k2 is 1), a sample of --ess rows spread evenly over each CPD (bdeu) or as\n" +
			"--prior-network has it (bde), or --ess rows for each row of a CPD in the proportions of the variable as a whole (pooled).\n\n" +
			"In a model file of pgmc's own format, counts of the data are kept with the numbers. With --update, they and the new rows are fitted\n" +
			"together, as if they had been in one file; where earlier rows missed values, by the counts that EM expected of them.\n\n" +
			"Rows that miss a value of a CPD are left out of its counts, unless --em takes them in, and variables that no row has a value of.\n" +
			"EM begins with the numbers of the model, and where variables are hidden four times more with random ones. Ctrl-C and --max-time\n" +
			"end it with the best so far.",
		Example: "  pgmc fit asia.bif patients.csv -o asia.json\n" +
			"  pgmc fit asia.json more.csv -o asia.json --update\n" +
			"  pgmc fit asia.bif gaps.csv -o asia.json --em --prior k2 --estimate map",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("found %d operands; want a model and a data file", len(args))
			}
			return nil
		},
	}
	cmd.RunE = a.Action(func(ctx context.Context, args []string) error {
		if err := f.check(cmd.Flags().Changed); err != nil {
			return err
		}
		return a.runFit(ctx, args[0], args[1], f)
	})
	var readable, writable []string
	for _, x := range compiler.Formats {
		readable = append(readable, x.Name)
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.out, "output", "o", "", "`file` to write the model to, compressed where it ends in .gz")
	fl.StringVar(&f.prior, "prior", "bdeu", "none, k2, bdeu, bde, pooled, or the pseudo-count of each number")
	fl.Float64Var(&f.size, "ess", 1, "equivalent sample size of bdeu, bde and pooled: `rows`")
	fl.StringVar(&f.network, "prior-network", "", "model `file` of the prior network; its prior is bde")
	cli.AddChoice(cmd, &f.estimate, "estimate", "the mean of what is believed of a number, or its mode", "mean", "map")
	cli.AddChoice(cmd, &f.empty, "empty", "a row without data and prior is uniform, as the variable as a whole, or as it was", "uniform", "pooled", "keep")
	fl.StringArrayVar(&f.tie, "tie", nil, "variables that share their numbers: `A,B`; more than once for several groups")
	fl.BoolVar(&f.opt.Update, "update", false, "add the rows to the counts that the model keeps")
	fl.BoolVar(&f.opt.EM, "em", false, "take in missing values and hidden variables by EM")
	fl.BoolVar(&f.opt.Ascent, "ascent", false, "with --em: gradient ascent (L-BFGS) in its place")
	fl.BoolVar(&f.opt.Random, "random-start", false, "with --em: the first start is random too")
	fl.IntVar(&f.restarts, "restarts", -1, "with --em: further `starts`, from random numbers; -1: 4 where variables are hidden, and otherwise none")
	fl.IntVar(&f.opt.Steps, "steps", em.DefaultSteps, "with --em: most steps of a start")
	fl.Float64Var(&f.opt.Tolerance, "tolerance", em.DefaultTolerance, "with --em: the `part` of the objective that a step has to bring for another to follow")
	fl.DurationVar(&f.maxTime, "max-time", 0, "with --em: end after this `time` with the best so far; 0 for never")
	cli.AddChoice(cmd, &f.unseen, "unseen", "a value that is no state of its variable is an error, or counts as missing", "error", "missing")
	cli.AddFormatChoice(cmd, &f.from, "format", "the format of MODEL", readable)
	cli.AddFormatChoice(cmd, &f.to, "to", "the format of the model written", writable)
	cli.AddChoice(cmd, &f.data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	return cmd
}

// check refuses flags that say nothing beside the others, or something else.
func (f *fitFlags) check(given func(flag string) bool) error {
	if f.out == "" {
		return cli.Usagef("--output is missing")
	}
	for _, name := range []string{"ascent", "random-start", "restarts", "steps", "tolerance", "max-time"} {
		if given(name) && !f.opt.EM {
			return cli.Usagef("--%s is for --em, which is not there", name)
		}
	}
	if given("restarts") && f.restarts < -1 {
		return cli.Usagef("--restarts is %d; want -1 or more", f.restarts)
	}
	switch {
	case f.network == "":
	case given("prior") && f.prior != "bde":
		return cli.Usagef("--prior-network is for prior bde, not for %s", f.prior)
	default:
		f.prior = "bde"
	}
	return nil
}

func (a *app) runFit(ctx context.Context, path, dataPath string, f *fitFlags) error {
	to, err := format.Find(compiler.Formats, f.out, f.to.Value)
	if err != nil {
		return cli.Usage(err)
	}
	job := &learner.Job{Seed: a.Seed, Cores: a.CPU, MaxTime: f.maxTime, MaxMem: int64(a.MaxMem)}
	if job.Cores == 0 {
		job.Cores = runtime.GOMAXPROCS(0)
	}
	if job.Init, err = a.Load(ctx, path, f.from.Value); err != nil {
		return err
	}
	opt := data.LoadOptions{Vars: data.VarsOf(job.Init), MaxMem: int64(a.MaxMem)}
	if f.unseen.Value == "missing" {
		opt.Unseen = data.UnseenMissing
	}
	if job.Train, err = a.LoadData(ctx, dataPath, &f.data, opt); err != nil {
		return err
	}
	if err := a.fitOptions(ctx, job, f); err != nil {
		return err
	}
	var done atomic.Int64
	defer a.Progress("fitting to "+filepath.Base(dataPath), done.Load).Stop()
	job.Progress = func(e learner.Event) { done.Store(int64(e.Done)) }
	r, err := learn.FitParameters(ctx, job, f.opt)
	if err != nil && (r == nil || !errors.Is(err, context.Canceled)) {
		return fmt.Errorf("%s: %w", dataPath, err)
	}
	if err := a.writeModel(to, f.out, r.Models[0]); err != nil {
		return err
	}
	return a.showReport(f.out, r.Models[0], &learnReport{Report: r.Report})
}

// fitOptions makes the options of the flags for a network.
func (a *app) fitOptions(ctx context.Context, job *learner.Job, f *fitFlags) error {
	m, o := job.Init, &f.opt
	var err error
	if o.Prior, err = mle.ParsePrior(f.prior, f.size); err != nil {
		return cli.Usage(err)
	}
	o.Mode = f.estimate.Value == "map"
	o.Empty = map[string]mle.Empty{"uniform": mle.EmptyUniform, "pooled": mle.EmptyPooled, "keep": mle.EmptyKeep}[f.empty.Value]
	if o.Restarts = f.restarts; f.restarts < 0 {
		o.Restarts = 0
		if hidden(m, job.Train) {
			o.Restarts = 4
		}
	}
	vars := make([]data.Var, len(m.Vars))
	for i, v := range m.Vars {
		vars[i] = data.Var{Name: v.Name, States: m.States(v.ID)}
	}
	for _, list := range f.tie {
		group, err := data.Names(vars, list)
		if err != nil {
			return fmt.Errorf("--tie: %w", err)
		}
		var tied []model.VarID
		for _, v := range group {
			tied = append(tied, model.VarID(v))
		}
		o.Tied = append(o.Tied, tied)
	}
	if o.Prior.Kind != mle.BDe {
		return nil
	}
	if f.network == "" {
		return cli.Usagef("--prior bde takes its proportions from a network; name it by --prior-network")
	}
	prior, err := a.Load(ctx, f.network, "")
	if err != nil {
		return err
	}
	o.Prior.Joint, err = mle.Network(ctx, m, prior)
	return err
}

// hidden reports whether the network has variables that no row has a value of.
func hidden(m *model.Model, s *data.Set) bool {
	if len(s.Vars) < len(m.Vars) {
		return true
	}
	for v := range s.Vars {
		seen := false
		column := s.Column(v)
		for row := 0; row < s.Len() && !seen; row++ {
			seen = column.At(row) != data.Missing
		}
		if !seen {
			return true
		}
	}
	return false
}
