package score

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Options are the flags of pgmc score.
type Options struct {
	cli.ModelFlags
	cli.MethodFlags
	Unseen  cli.Choice
	Data    cli.DataFlags
	PLL     bool   // the pseudo-log-likelihood instead of the log-likelihood
	CLL     string // the variables whose conditional log-likelihood is wanted; empty for none
	CMLL    string // the fractions of a row that are evidence; empty for none
	Against string // another model, compared with the first on the same rows
	// Structure is the score of the structure that is wanted; empty for none. ESS is the equivalent
	// sample size of scores that have one.
	Structure string
	ESS       float64
	Slices    slicing.Flags // of a model with a transition
	PerRow    bool          // write the score of each row
	Out       cli.RowsOut
	Keep      cli.KeepFlags
}

// Run scores the rows of the file dataPath by the model at path and prints the report.
func Run(ctx context.Context, a *cli.App, path, dataPath string, f *Options) error {
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	if err := f.check(path, m); err != nil {
		return err
	}
	if f.Structure != "" {
		return scoreStructure(ctx, a, path, dataPath, m, f)
	}
	if f.conditional() {
		return scoreConditional(ctx, a, path, dataPath, m, opt, f)
	}
	if opt, err = integrated(a, m, opt, f); err != nil {
		return err
	}
	if err := f.MethodFlags.CheckFor(&opt); err != nil {
		return err
	}
	if f.Data.Ordered = m.Transition != nil; f.Data.Ordered {
		return scoreSequences(ctx, a, path, dataPath, m, opt, f)
	}
	if cli.Approximate(opt.MethodName()) != nil && f.measure(m) == rate.LL && m.Kind != model.Dependency {
		return diag.Errorf("%s: method %s does not compute the probability of a row; for the log-likelihood %s; --pll needs no inference, and --cmll the posteriors of any method",
			path, opt.MethodName(), compiler.Alternatives(m))
	}
	return scoreRows(ctx, a, path, dataPath, m, opt, f)
}

// scoreRows prints the report on rows without an order.
func scoreRows(ctx context.Context, a *cli.App, path, dataPath string, m *model.Model, opt compiler.Options, f *Options) error {
	rows, err := a.OpenData(ctx, dataPath, &f.Data, cli.Test)
	if err != nil {
		return err
	}
	defer rows.Close()
	if f.Against != "" {
		return scoreAgainst(ctx, a, path, m, opt, rows, f)
	}
	measure := f.measure(m)
	s, err := newScorer(a, path, m, opt, rate.ScorerOptions{Measure: measure})
	if err != nil {
		return err
	}
	a.WarnColumns(rows, data.VarsOf(s.Model()), nil)
	x := &rowScores{App: a, by: s, opt: f}
	defer a.Progress("scoring "+filepath.Base(dataPath), x.done.Load).Stop()
	if measure == rate.LL && !f.Out.Folder() {
		x.counted = newCounted(m, a.Cores())
	}
	s.Cores(a.Cores())
	if err := x.score(ctx, rows); err != nil {
		return err
	}
	if s.Len() == 0 && !f.PerRow {
		return cli.NoRows(dataPath)
	}
	x.warn(dataPath)
	r, t := summary(a, s)
	if bic, ok := x.counted.bic(); ok && s.Len() > 0 {
		r.BIC = &bic
		t.Add("BIC", fmt.Sprintf("%.4f", bic))
	}
	if f.PerRow && f.Out.File == "" && !a.JSON {
		if !a.Quiet {
			_, err = io.WriteString(a.Stderr, t.String())
		}
		return err
	}
	return a.Print(r, t.String)
}

// integrated returns the options for the network that engines compute for m, of which the method
// may be another.
func integrated(a *cli.App, m *model.Model, opt compiler.Options, f *Options) (compiler.Options, error) {
	if rest := rate.Integrated(m); rest != m {
		return a.Options(rest, &f.ModelFlags)
	}
	return opt, nil
}

// check returns an error if the flags contradict each other or do not fit m, the model at path.
func (f *Options) check(path string, m *model.Model) error {
	switch {
	case !f.PerRow && (f.Out != cli.RowsOut{} || f.Keep.Given()):
		return cli.Usagef("--output, --resume, --keep and --key are for the rows of --per-row")
	case f.PerRow && (m.Transition != nil || f.conditional() || f.Structure != "" || f.Against != ""):
		return cli.Usagef("--per-row writes the log-likelihoods, or with --pll the pseudo-log-likelihoods, of independent rows by one model; leave out --per-row")
	case m.Transition != nil && (f.conditional() || f.PLL || f.Against != ""):
		return cli.Usagef("%s: the model has a transition from slice to slice, and its score is the log-likelihood of sequences; leave out --pll, --cll, --cmll and --against", path)
	case f.ESS > 0 && f.ESS != 1 && f.Structure != "bdeu" && f.Structure != "loocv":
		return cli.Usagef("--ess is for --structure bdeu and loocv")
	case f.Structure != "" && (f.conditional() || f.PLL || f.Against != ""):
		return cli.Usagef("--structure is the score of the structure alone; want it, or --pll, --cll, --cmll or --against")
	case f.conditional() && f.PLL:
		return cli.Usagef("--pll is the pseudo-log-likelihood alone; want it, or --cll and --cmll")
	case f.conditional() && f.Against != "":
		return cli.Usagef("--against compares log-likelihoods of rows; want it, or --cll and --cmll")
	}
	if err := f.Keep.Check(&f.Data); err != nil {
		return err
	}
	if err := f.Out.Check(&f.Data); err != nil {
		return err
	}
	return f.Slices.Check(path, m, &f.Data)
}

// conditional reports whether conditional log-likelihoods are wanted.
func (f *Options) conditional() bool { return f.CLL != "" || f.CMLL != "" }

// measure returns the measure that the flags ask for, of a forest model the weights of rows in
// place of their probabilities.
func (f *Options) measure(m *model.Model) rate.Measure {
	switch {
	case f.PLL:
		return rate.PLL
	case m.Kind == model.Forest && f.Against == "":
		return rate.LogWeight
	}
	return rate.LL
}

// newScorer makes a scorer of the model at path whose engine the command compiles.
func newScorer(a *cli.App, path string, m *model.Model, opt compiler.Options, how rate.ScorerOptions) (*rate.Scorer, error) {
	how.Rows, how.Warn, how.Engine = opt.Rows, a.Warn, Engine(a, path, opt)
	s, err := rate.NewScorer(m, how)
	var faults diag.Errors
	if err != nil && !errors.As(err, &faults) { // those have positions in the file
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, err
}

// Engine returns a function that compiles the log-probability of a model, for the engine of a
// scorer. Errors name the model by path.
func Engine(a *cli.App, path string, opt compiler.Options) func(context.Context, *model.Model) (*infer.Engine, error) {
	return func(ctx context.Context, m *model.Model) (*infer.Engine, error) {
		opt.Queries, opt.IgnoreUnderflow = []string{"logprob"}, infer.ScoresInLogSpace(m)
		r, err := a.Compile(ctx, path, m, opt, nil)
		if err != nil {
			return nil, err
		}
		return infer.Of(r, a.Seed), nil
	}
}

// policyOfUnseen returns the value of --unseen.
func (f *Options) policyOfUnseen() rowfile.Unseen {
	if f.Unseen.Value == "missing" {
		return rowfile.UnseenMissing
	}
	return rowfile.UnseenError
}
