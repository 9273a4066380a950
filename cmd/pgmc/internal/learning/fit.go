package learning

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/counting"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// AutoPrior is the prior that depends on the network and the data: bdeu, for Gaussian CPDs only if
// variables are hidden, which could otherwise explain single rows with variances near 0.
const AutoPrior = "auto"

// FitOptions are the flags of pgmc fit.
type FitOptions struct {
	Out, Prior, Network string
	Size                float64
	Estimate, Empty     cli.Choice
	Tie, Fix, FixMean   []string
	Share               []string   // variables that share a learned prior
	NormalGamma         []string   // priors of Gaussian CPDs
	Conditional         string     // the variables of the conditional likelihood
	TieSlices           cli.Choice // of a model with a transition
	From, To, Unseen    cli.Choice
	Counts              counting.Flags // a source of counts in place of rows
	Data                cli.DataFlags
	Slices              slicing.Flags
	MaxTime             time.Duration
	Restarts            int // negative: 4 if there are hidden variables, and otherwise 0
	Opt                 learn.ParameterOptions
	Structure, Bins     string   // a structure in place of a network, and the intervals of its columns of numbers
	Real                []string // the columns of real numbers of Structure
	AsIs                bool     // fit to columns that look wrong

	ofCPDs string // a flag that was given and has no meaning for Markov networks, or none
}

// Check returns an error if flags contradict each other.
func (f *FitOptions) Check(given func(flag string) bool) error {
	if f.Out == "" {
		return cli.Usagef("--output is missing; name the file of the model, as in -o model.bif")
	}
	for _, name := range []string{"ascent", "random-start", "restarts", "steps", "tolerance", "max-time", "identifiability"} {
		if given(name) && !f.Opt.EM && (f.Conditional == "" || name == "ascent" || name == "identifiability") {
			return cli.Usagef("--%s needs --em", name)
		}
	}
	if err := f.checkConditional(given); err != nil {
		return err
	}
	if err := f.Counts.Check(given); err != nil {
		return err
	}
	if f.Counts.Given() {
		if err := counting.RefuseRows(given, "em", "conditional", "structure", "columns", "drop"); err != nil {
			return err
		}
	}
	ofCPDs := []string{"prior", "ess", "prior-network", "estimate", "tie", "share", "fix", "fix-mean", "keep-zeros", "min-variance", "softmax", "restarts", "random-start"}
	if i := slices.IndexFunc(ofCPDs, given); i >= 0 {
		f.ofCPDs = ofCPDs[i]
	}
	if !(f.Opt.Floor >= 0 && f.Opt.Floor <= model.MaxReal) {
		return cli.Usagef("--min-variance is %v; want a number from 0 to %g", f.Opt.Floor, float64(model.MaxReal))
	}
	if !(f.Opt.Softmax > 0 && f.Opt.Softmax <= model.MaxReal) {
		return cli.Usagef("--softmax is %v; want a number above 0", f.Opt.Softmax)
	}
	if given("restarts") && f.Restarts < -1 {
		return cli.Usagef("--restarts is %d; want -1 or more", f.Restarts)
	}
	for _, name := range []string{"bins", "as-is", "real"} {
		if given(name) && f.Structure == "" {
			return cli.Usagef("--%s needs --structure; a model has the variables", name)
		}
	}
	for _, name := range []string{"format", "sequence-column", "time", "time-format", "every", "two-slices", "update"} {
		if given(name) && f.Structure != "" {
			return cli.Usagef("--%s is about a model; leave it out, since --structure is in its place", name)
		}
	}
	if given("ess") && f.Network == "" && !slices.Contains([]string{AutoPrior, "bdeu", "bde", "pooled"}, f.Prior) {
		return cli.Usagef("--ess is for priors bdeu, bde and pooled, not for %s", f.Prior)
	}
	if len(f.Share) > 0 && f.Prior != "learned" {
		return cli.Usagef("--share is for prior learned, not for %s", f.Prior)
	}
	switch {
	case f.Network == "":
	case f.Prior != AutoPrior && f.Prior != "bde":
		return cli.Usagef("--prior-network is for prior bde, not for %s", f.Prior)
	default:
		f.Prior = "bde"
	}
	return nil
}

// mostPenalty is the largest --l1 and --l2. It makes weights so small that the rows no longer
// count. The likelihood is lost in the rounding of larger penalties, so that no step is found.
const mostPenalty = 1e12

// checkConditional returns an error if flags contradict --conditional.
func (f *FitOptions) checkConditional(given func(flag string) bool) error {
	for _, name := range []string{"l1", "l2"} {
		if given(name) && f.Conditional == "" {
			return cli.Usagef("--%s needs --conditional", name)
		}
	}
	for _, name := range []string{"em", "update", "unbiased", "empty"} {
		if given(name) && given("conditional") {
			return cli.Usagef("--%s is about the likelihood of all variables; leave it out, or --conditional", name)
		}
	}
	switch {
	case given("conditional") && f.Conditional == "":
		return cli.Usagef("--conditional is empty; want names of variables, as in --conditional class")
	case !(f.Opt.L1 >= 0 && f.Opt.L1 <= mostPenalty):
		return cli.Usagef("--l1 is %v; want a number from 0 to %g", f.Opt.L1, mostPenalty)
	case !(f.Opt.L2 >= 0 && f.Opt.L2 <= mostPenalty):
		return cli.Usagef("--l2 is %v; want a number from 0 to %g", f.Opt.L2, mostPenalty)
	}
	return nil
}

// Fit fits the numbers of the network at path to the rows of the file dataPath, or to counts of the
// source dataPath, writes the network and prints the report.
func Fit(ctx context.Context, a *cli.App, path, dataPath string, f *FitOptions) error {
	to, err := cli.OutputFormat(f.Out, f.To.Value)
	if err != nil {
		return err
	}
	job := &learner.Job{Seed: a.Seed, Cores: a.CPU, MaxTime: f.MaxTime}
	if job.Cores == 0 {
		job.Cores = runtime.GOMAXPROCS(0)
	}
	defer a.Progress("fitting to "+filepath.Base(dataPath), nil).Stop()
	if f.Structure != "" {
		err = f.build(ctx, a, dataPath, job)
	} else {
		err = f.load(ctx, a, path, dataPath, job)
	}
	if err != nil {
		return err
	}
	if job.Init.Kind == model.Markov && f.Conditional != "" && f.ofCPDs != "" {
		return cli.Usagef("--%s is for Bayesian networks, and %s is a Markov network; leave it out", f.ofCPDs, path)
	}
	job.MaxMem = max(1, int64(a.MaxMem)-job.Train.Bytes())
	if err := fitOptions(ctx, a, job, f); err != nil {
		return err
	}
	job.Progress = a.Step
	r, err := learn.FitParameters(ctx, job, f.Opt)
	if err != nil && (r == nil || !errors.Is(err, context.Canceled)) {
		return fmt.Errorf("%s: %w", dataPath, err)
	}
	r.Models[0] = f.Slices.Remember(r.Models[0])
	if err := writeModel(a, to, f.Out, r.Models[0]); err != nil {
		return err
	}
	r.Report.Remarks = append(r.Report.Remarks, f.prior(job.Init))
	return show(a, f.Out, Form{}, r.Models[0], &report{Report: r.Report})
}

// prior describes the prior of the numbers of m.
func (f *FitOptions) prior(m *model.Model) string {
	penalties := fmt.Sprintf("penalties: L1 %v, L2 %v", f.Opt.L1, f.Opt.L2)
	if m.Kind == model.Markov { // its fit is conditional
		return penalties
	}
	p, text := f.Opt.Prior, "prior: "+f.Opt.Prior.String()
	if f.Conditional != "" {
		text = penalties + "; " + text
	}
	own := len(f.Opt.NormalGamma)
	reals, other := len(m.Reals()) > own, ""
	if own > 0 {
		other = "other "
		text += "; normal-gamma by --normal-gamma"
	}
	switch {
	case reals && (p.Discrete || p.Kind == mle.Learned):
		text += fmt.Sprintf(", none for %sGaussian CPDs", other)
	case reals && p.Size > 0:
		text += fmt.Sprintf("; for %sGaussian CPDs with the variances of all rows and no correlations", other)
	}
	if p.Size == 0 {
		return text
	}
	return text + "; --prior none is maximum likelihood"
}

// load reads the network at path and the rows.
func (f *FitOptions) load(ctx context.Context, a *cli.App, path, dataPath string, job *learner.Job) (err error) {
	if job.Init, err = a.Load(ctx, path, f.From.Value); err != nil {
		return err
	}
	if err := f.Slices.Check(path, job.Init, &f.Data); err != nil {
		return err
	}
	opt := rowfile.LoadOptions{Vars: data.VarsOf(job.Init), MaxMem: int64(a.MaxMem), Slices: job.Init.Transition != nil}
	if f.Unseen.Value == "missing" {
		opt.Unseen = rowfile.UnseenMissing
	}
	f.Data.Ordered = opt.Slices
	if f.Counts.Given() {
		c, err := f.Counts.Open(ctx, a, opt.Vars, counting.Columns{}, "")
		if err == nil {
			job.Train, err = counted(c, f.Counts.Name())
		}
		return err
	}
	of := &slicing.Source{Path: dataPath, Flags: &f.Data, Model: job.Init}
	job.Train, err = loadRows(ctx, a, of, &f.Slices, opt, caution{gaps: f.gaps()})
	return err
}

// gaps says what fit does with rows that miss a value. It is empty with --em, which uses them.
func (f *FitOptions) gaps() string {
	if f.Opt.EM || f.Conditional != "" {
		return ""
	}
	return "such a row does not count for a CPD of which it misses a value; --em uses it"
}

// fitOptions sets f.Opt by the other flags, for the network of the job.
func fitOptions(ctx context.Context, a *cli.App, job *learner.Job, f *FitOptions) error {
	m, o := job.Init, &f.Opt
	var err error
	hidden := learn.HasHidden(m, job.Train)
	prior := f.Prior
	if prior == AutoPrior {
		prior = "bdeu"
	}
	if o.Prior, err = mle.ParsePrior(prior, f.Size); err != nil {
		return cli.Usage(err)
	}
	o.Prior.Discrete = f.Prior == AutoPrior && !hidden
	o.Mode = f.Estimate.Value == "map"
	o.Empty = map[string]mle.Empty{"uniform": mle.EmptyUniform, "pooled": mle.EmptyPooled, "keep": mle.EmptyKeep}[f.Empty.Value]
	if o.Restarts = f.Restarts; f.Restarts < 0 {
		o.Restarts = 0
		if hidden {
			o.Restarts = 4
		}
	}
	o.Ties = map[string]learn.Ties{"equal": learn.TieEqual, "all": learn.TieAll, "none": learn.TieNone}[f.TieSlices.Value]
	if err := f.variables(m); err != nil {
		return err
	}
	if o.Prior.Kind != mle.BDe {
		return nil
	}
	if f.Network == "" {
		return cli.Usagef("--prior bde needs a network for its proportions; name it by --prior-network")
	}
	network, err := a.Load(ctx, f.Network, "")
	if err != nil {
		return err
	}
	o.Prior.Joint, err = mle.Network(ctx, m, network)
	return err
}
