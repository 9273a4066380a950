package main

import (
	"context"
	"encoding/json"
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
	"github.com/pgmc-go/pgmc/compiler/format/libra"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// learnFlags are the flags that all learners have.
type learnFlags struct {
	algo                    string // the learner
	train, valid, init, out string
	circuit                 string
	resume, target          string
	truth                   string
	to                      cli.Choice
	data                    cli.Choice
	maxTime                 time.Duration
	bins, folds             int
	binning                 cli.Choice
	real                    []string
	cmd                     *cobra.Command // that runs
}

func (a *app) runLearn(ctx context.Context, f *learnFlags) error {
	switch {
	case f.target != "" && f.algo != "acopt":
		return cli.Usagef("--target: %s learns from rows; acopt comes close to a network", f.algo)
	case f.target != "" && (f.train != "" || f.valid != ""):
		return cli.Usagef("--target replaces DATA and --valid; want one or the other")
	case f.target == "" && f.train == "":
		return cli.Usagef("there is no data file; want pgmc learn %s DATA -o MODEL", f.algo)
	case f.out == "":
		return cli.Usagef("--output is missing")
	}
	in, err := f.instance()
	if err != nil {
		return err
	}
	to, err := format.Find(compiler.Formats, f.out, f.to.Value)
	if err != nil {
		return cli.Usage(err)
	}
	var done atomic.Int64
	defer a.Progress("learning from "+filepath.Base(f.train+f.target), done.Load).Stop()
	job, err := a.job(ctx, f)
	if err != nil {
		return err
	}
	if f.resume != "" {
		if err := a.Resume(job, f.algo, f.resume); err != nil {
			return err
		}
	}
	if err := f.takes(job.Train); err != nil {
		return err
	}
	truth, err := a.loadTruth(ctx, f.truth, job.Train.Vars)
	if err != nil {
		return err
	}
	job.Progress = func(e learner.Event) { done.Store(int64(e.Done)) }
	var folds *foldsReport
	if f.folds != 0 {
		if folds, err = a.crossValidate(ctx, f, job); err != nil {
			return err
		}
	}
	r, err := in.Learn(ctx, job)
	if r == nil || len(r.Models) == 0 {
		return err
	}
	if err != nil && !errors.Is(err, context.Canceled) { // --timeout writes nothing
		return err
	}
	if err := a.writeModels(f, to, r.Models); err != nil {
		return err
	}
	report := &learnReport{Report: r.Report, Folds: folds}
	if truth != nil {
		if d, ok := rate.Compare(truth, r.Models[0], job.Train.Vars); ok {
			report.Truth = &d
		} else {
			report.Remarks = append(report.Remarks, "what was learned is no Bayesian network, and is not compared with the truth")
		}
	}
	return a.showReport(f.out, r.Models[0], report)
}

// loadTruth reads the model whose structure the learned one is compared with; nil without a path.
func (a *app) loadTruth(ctx context.Context, path string, vars []data.Var) (*model.Model, error) {
	if path == "" {
		return nil, nil
	}
	m, err := a.Load(ctx, path, "")
	if err != nil {
		return nil, err
	}
	if m.Kind != model.Bayes {
		return nil, fmt.Errorf("%s: the model is no Bayesian network; --truth wants one", path)
	}
	if err := rate.SameVariables(m, vars); err != nil {
		return nil, fmt.Errorf("%s: %w; --truth wants the same variables", path, err)
	}
	return m, nil
}

// takes refuses data with variables that the learner does not take.
func (f *learnFlags) takes(s *data.Set) error {
	l, err := learn.Find(f.algo)
	if err != nil {
		return err
	}
	var untaken *model.Untaken
	if err := learn.Check(l, s); errors.As(err, &untaken) && untaken.Need.Trait == model.Reals {
		return cli.Usagef("%v; --bins makes intervals of numbers", err)
	} else if err != nil {
		return cli.Usage(err)
	}
	return nil
}

// job reads what to learn from.
func (a *app) job(ctx context.Context, f *learnFlags) (*learner.Job, error) {
	job := &learner.Job{Seed: a.Seed, Cores: a.CPU, MaxTime: f.maxTime}
	if job.Cores == 0 {
		job.Cores = runtime.GOMAXPROCS(0)
	}
	if f.cmd.Flags().Changed("max-mem") {
		job.MaxMem = int64(a.MaxMem) // else learners keep to less than a compiled program may take
	}
	opt := data.LoadOptions{MaxMem: int64(a.MaxMem), Bins: f.bins, Binning: data.BinsFrequency}
	if f.binning.Value == "width" {
		opt.Binning = data.BinsWidth
	}
	if f.bins < 0 || f.bins == 1 || f.bins > data.MaxStates {
		return nil, cli.Usagef("--bins is %d; want 0, or 2 to %d", f.bins, data.MaxStates)
	}
	var err error
	for _, value := range f.real {
		names, err := cli.NamesOf("--real", value)
		if err != nil {
			return nil, err
		}
		opt.Real = append(opt.Real, names...)
	}
	if f.real != nil && f.init != "" {
		return nil, cli.Usagef("--real is for columns that no model knows; leave it out, since --init has the variables")
	}
	if f.init != "" {
		if job.Init, err = a.Load(ctx, f.init, ""); err != nil {
			return nil, err
		}
		opt.Vars = data.VarsOf(job.Init)
	}
	if f.target != "" {
		if job.Target, err = a.Load(ctx, f.target, ""); err != nil {
			return nil, err
		}
		job.Train, err = data.New(data.VarsOf(job.Target), nil, nil)
		return job, err
	}
	if job.Train, err = a.LoadData(ctx, f.train, &f.data, opt); err != nil {
		return nil, err
	}
	if f.valid != "" {
		opt.Vars = job.Train.Vars
		if job.Valid, err = a.LoadData(ctx, f.valid, &f.data, opt); err != nil {
			return nil, err
		}
	}
	return job, nil
}

// writeModels writes the network or, where it is in a format of circuits or the flag for it is
// given, the circuit.
func (a *app) writeModels(f *learnFlags, to format.Format, models []*model.Model) error {
	m := models[0]
	if len(models) > 1 && (to.Name == libra.AC.Name || to.Name == libra.SPN.Name) {
		m = models[1]
	}
	if f.circuit != "" {
		if len(models) < 2 {
			return cli.Usagef("--circuit: %s makes no circuit", f.algo)
		}
		to, err := format.Find(compiler.Formats, f.circuit, "")
		if err != nil {
			return cli.Usage(err)
		}
		if err := a.writeModel(to, f.circuit, models[1]); err != nil {
			return err
		}
	}
	return a.writeModel(to, f.out, m)
}

// writeModel writes a model, and says what is lost.
func (a *app) writeModel(to format.Format, path string, m *model.Model) error {
	sink, err := format.Encode(compiler.Formats, to, path, m)
	if err != nil {
		return err
	}
	var list diag.List
	for _, what := range sink.Lost {
		list.Warnf(diag.Pos{File: path}, "lost: %s", what)
	}
	a.Warn(list.Warnings())
	return sink.Flush()
}

// learnReport is what is said of a result.
type learnReport struct {
	learner.Report
	Truth *rate.Distance `json:"truth,omitempty"` // where there is something to compare with
	Folds *foldsReport   `json:"cross_validation,omitempty"`
}

// showReport prints what was learned, m: a summary, or all as JSON.
func (a *app) showReport(path string, m *model.Model, r *learnReport) error {
	if a.JSON {
		enc := json.NewEncoder(a.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	edges := 0
	for _, f := range r.Families {
		edges += len(f.Parents)
	}
	if len(m.Factors) == 1 {
		if c := m.Factors[0].Circuit(); c != nil {
			edges = c.Edges()
		}
	}
	fmt.Fprintf(a.Stdout, "%s: %d variables, %d edges, %d parameters, %s %.4f\n", path, len(m.Vars), edges, r.Params, r.Score, r.Total)
	for _, x := range r.Remarks {
		fmt.Fprintln(a.Stdout, x)
	}
	if d := r.Truth; d != nil {
		fmt.Fprintf(a.Stdout, "against the truth: structural Hamming distance %d (%d edges missing, %d extra, %d with another direction), skeleton precision %.4f, recall %.4f\n",
			d.SHD, d.Missing, d.Extra, d.Directions, d.Precision, d.Recall)
	}
	if r.Folds != nil {
		fmt.Fprintln(a.Stdout, r.Folds)
	}
	if r.Stopped {
		fmt.Fprintln(a.Stdout, "the search was stopped before its end; this is the best it had found")
	}
	return nil
}
