package learning

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/look"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/structem"
)

// job is a job of a learner and the command's data beside it.
type job struct {
	*learner.Job
	test *data.Set // the rows that --split holds out; nil without
}

// readJob returns the job of the flags, with the data and models that they name.
func readJob(ctx context.Context, a *cli.App, f *Options) (*job, error) {
	j := &job{Job: &learner.Job{Seed: a.Seed, Cores: a.CPU, MaxTime: f.MaxTime}}
	if j.Cores == 0 {
		j.Cores = runtime.GOMAXPROCS(0)
	}
	opt := rowfile.LoadOptions{MaxMem: int64(a.MaxMem), Slices: f.OneSequence || f.Slices.Column != "" || f.Data.TwoSlices != ""}
	err := readBins(f.Bins, f.Binning.Value == "width", &opt)
	if err != nil {
		return nil, err
	}
	if err = realColumns(f.Real, &opt); err != nil {
		return nil, err
	}
	if f.Real != nil && f.Init != "" {
		return nil, cli.Usagef("--real is for columns that no model knows; leave it out, since --init has the variables")
	}
	if f.Init != "" {
		if j.Init, err = a.Load(ctx, f.Init, ""); err != nil {
			return nil, err
		}
		opt.Vars = data.VarsOf(j.Init)
	}
	if f.PriorNetwork != "" {
		if j.Prior, err = a.Load(ctx, f.PriorNetwork, ""); err != nil {
			return nil, err
		}
	}
	if f.PriorStructure != "" {
		if j.Structure, err = a.Load(ctx, f.PriorStructure, ""); err != nil {
			return nil, err
		}
	}
	if f.Target != "" {
		if j.Job.Target, err = a.Load(ctx, f.Target, ""); err != nil {
			return nil, err
		}
		if f.Cmd.Flags().Changed("max-mem") {
			j.MaxMem = int64(a.MaxMem)
		}
		j.Train, err = data.New(data.VarsOf(j.Job.Target), nil, nil)
		return j, err
	}
	if f.Counts.Given() {
		return j, j.loadCounts(ctx, a, f, opt)
	}
	if f.Passes {
		return j, j.loadPasses(ctx, a, f, opt)
	}
	left, err := j.load(ctx, a, f, opt)
	if err == nil && f.Cmd.Flags().Changed("max-mem") {
		j.MaxMem = left // otherwise learners have lower limits of their own
	}
	return j, err
}

// load reads the rows, also of --valid, and returns the memory that is left.
func (j *job) load(ctx context.Context, a *cli.App, f *Options, opt rowfile.LoadOptions) (left int64, err error) {
	shares, err := f.Data.Shares()
	if err != nil {
		return 0, err
	}
	if len(shares) == 3 && f.Valid != "" {
		return 0, cli.Usagef("--split has a part for the choice between results, and so has --valid; want one of them")
	}
	if opt.Numbering, err = f.Data.Numbering(); err != nil {
		return 0, err
	}
	whole := f.Data
	whole.Split = "" // the states are those of all rows
	of := slicing.Source{Path: f.Train, Flags: &whole, Model: j.Init}
	if j.Train, err = loadRows(ctx, a, &of, &f.Slices, opt, caution{gapsOf(f.Algo), f.AsIs, true}); err != nil {
		return 0, err
	}
	left = max(1, opt.MaxMem-j.Train.Bytes())
	if f.Valid != "" {
		opt.Vars, opt.MaxMem = j.Train.Vars, left
		of.Path = f.Valid
		if _, j.Valid, err = readRows(ctx, a, &of, &f.Slices, opt); err != nil {
			return 0, err
		}
		left = max(1, left-j.Valid.Bytes())
	}
	return left, j.split(shares, a.Seed)
}

// split divides the rows of the job into parts.
func (j *job) split(shares []float64, seed uint64) error {
	if shares == nil {
		return nil
	}
	var sets []*data.Set
	n, what := j.Train.Units()
	for _, units := range data.Split(n, shares, seed) {
		if len(units) == 0 {
			return cli.Usagef("--split leaves a part of the %d %s empty; want larger shares or more %[2]s", n, what)
		}
		sets = append(sets, j.Train.Take(units))
	}
	j.Train, j.test = sets[0], sets[len(sets)-1]
	if len(sets) == 3 {
		j.Valid = sets[1]
	}
	return nil
}

// caution is how a command looks at rows.
type caution struct {
	gaps string // what becomes of rows with missing values; empty if they are used
	asIs bool   // go on with columns that look wrong
	real bool   // the command has the flag --real
}

// readRows reads rows, and if they are slices in the order that f says.
func readRows(ctx context.Context, a *cli.App, s *slicing.Source, f *slicing.Flags, opt rowfile.LoadOptions) (r *rowfile.Reader, rows *data.Set, err error) {
	s.Real, s.Numeric = opt.Real, opt.Numeric && opt.Vars == nil
	for _, v := range opt.Vars {
		if v.Real {
			s.Real = append(s.Real, v.Name)
		}
	}
	if opt.Slices {
		r, err = f.Open(ctx, a, s)
	} else {
		r, err = a.OpenData(ctx, s.Path, s.Flags, cli.Train)
	}
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	opt.Sequence = f.Column
	a.WarnColumns(r, opt.Vars, f.Columns())
	rows, err = cli.Await(ctx, func() (*data.Set, error) { return r.Load(opt) })
	return r, rows, err
}

// loadRows reads the rows that a model is learned from, and looks at them first: it warns of rows
// with missing values, and unless a model has the variables, of columns that look wrong. It returns
// an error if a model could make no sense.
func loadRows(ctx context.Context, a *cli.App, s *slicing.Source, f *slicing.Flags, opt rowfile.LoadOptions, care caution) (*data.Set, error) {
	r, rows, err := readRows(ctx, a, s, f, opt)
	switch {
	case err != nil:
		return nil, err
	case rows.Len() == 0:
		return nil, cli.NoRows(s.Path)
	}
	if opt.Vars == nil {
		if err := r.Check(rows); err != nil {
			return nil, err
		}
	}
	opt.Sequence = f.Column
	a.Warn(leftOut(r, rows.Vars, &opt, f.Time))
	seen := look.Of(r, rows)
	a.Warn(seen.Gaps(care.gaps))
	if opt.Vars != nil {
		return rows, nil
	}
	a.Warn(seen.Concerns(care.real))
	if care.asIs {
		return rows, nil
	}
	return rows, seen.Err(care.real)
}

// leftOut warns of columns of times except one, and of columns that number slices, which are none
// of the variables that were found.
func leftOut(r *rowfile.Reader, vars []data.Var, opt *rowfile.LoadOptions, known string) []diag.Diagnostic {
	var list diag.List
	for _, c := range r.Columns {
		switch {
		case !c.Time || opt.Vars != nil || c.Name == known || c.Name == opt.Sequence || slices.ContainsFunc(vars, func(v data.Var) bool { return v.Name == c.Name }):
		case opt.Slices && known == "":
			list.Warnf(c.Pos, "left out: %q, which holds times; --time %s finds times that are missing", c.Name, cli.ShellQuote(c.Name))
		default:
			list.Warnf(c.Pos, "left out: %q, which holds times, and times are no states", c.Name)
		}
	}
	var names []string
	for _, name := range opt.Numbering {
		if r.Numbers() && r.Has(name) && opt.Vars == nil && name != opt.Sequence && !slices.ContainsFunc(vars, func(v data.Var) bool { return v.Name == name }) {
			names = append(names, name)
		}
	}
	if names == nil {
		return list.Warnings()
	}
	number, keeps, slice := "number slices", "keeps them", ""
	if len(names) == 1 {
		number, keeps = "numbers slices", "keeps it"
	}
	if !opt.Slices {
		slice = "; --sequence-column " + rowfile.NumberingColumns()[0] + " learns a transition from slice to slice"
	}
	list.Warnf(r.Columns[0].Pos, "left out: %s, which %s as pgmc sample does; --keep %s %s%s", cli.QuoteSome(names), number, strings.Join(names, ","), keeps, slice)
	return list.Warnings()
}

// gapsOf says how a learner treats rows that miss a value. It is empty for learners by EM, which
// use them.
func gapsOf(learner string) string {
	if learner == em.Learner.Name || learner == structem.Learner.Name {
		return ""
	}
	return "most learners leave them out of the counts that they touch; em and structem use them"
}
