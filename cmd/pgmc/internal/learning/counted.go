package learning

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/counting"
	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// counted returns the data of counts, which the messages call name.
func counted(c *counts.Counts, name string) (*data.Set, error) {
	s, err := data.NewCounted(c.Vars, c)
	if err == nil && s.Total() == 0 {
		err = cli.NoRows(name)
	}
	return s, err
}

// checkCounts returns an error if flags contradict the counts that are in place of rows.
func (f *Options) checkCounts() error {
	given := f.Cmd.Flags().Changed
	if err := f.Counts.Check(given); err != nil || !f.Counts.Given() {
		return err
	}
	if f.Train != "" || f.Target != "" {
		return cli.Usagef("counts are in place of DATA and --target; want one of them")
	}
	names := []string{"valid", "folds", "bootstrap", "one-sequence", "bins", "binning", "keep", "as-is"}
	if f.Counts.File != "" || f.Init != "" {
		names = append(names, "columns", "drop", "real")
	}
	if f.Counts.File != "" {
		names = append(names, "resume")
	}
	return counting.RefuseRows(given, names...)
}

// passFlags are flags that --passes refuses, beside some of counts: they need rows in memory.
var passFlags = []string{"target", "counts", "counts-from", "resume", "valid", "folds", "bootstrap", "one-sequence", "bins", "binning", "as-is", "split", "sequence-column", "two-slices"}

// checkPasses returns an error if flags contradict --passes.
func (f *Options) checkPasses() error {
	if !f.Passes {
		return nil
	}
	for _, name := range passFlags {
		if f.Cmd.Flags().Changed(name) {
			return cli.Usagef("--passes reads rows again and again, and holds none for --%s; leave one of them out", name)
		}
	}
	if f.Train == cli.Standard {
		return cli.Usagef("--passes reads DATA again and again; want a file in place of standard input")
	}
	return nil
}

// loadPasses makes the data of the job the counts that passes over a file give.
func (j *job) loadPasses(ctx context.Context, a *cli.App, f *Options, opt rowfile.LoadOptions) (err error) {
	if opt.Numeric {
		return cli.Usagef("--real '*' looks at rows, and --passes holds none; name the columns")
	}
	p := &counts.Passes{Vars: opt.Vars, Cores: j.Cores, MaxMem: int64(a.MaxMem), Ctx: ctx}
	p.Open = func() (*rowfile.Reader, error) { return a.OpenData(p.Ctx, f.Train, &f.Data, cli.Train) }
	if opt.Numbering, err = f.Data.Numbering(); err != nil {
		return err
	}
	r, err := p.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	a.WarnColumns(r, opt.Vars, nil)
	if p.Vars == nil {
		if p.Vars, err = cli.Await(ctx, func() ([]data.Var, error) { return r.Scan(opt) }); err != nil {
			return err
		}
		a.Warn(leftOut(r, p.Vars, &opt, ""))
	}
	c := counts.New(p.Vars, int64(a.MaxMem))
	c.From = p
	if j.Train, err = counted(c, f.Train); err != nil {
		return err
	}
	p.Ctx = counting.Outlive(ctx)
	if opt.Vars != nil {
		return nil
	}
	return r.Check(j.Train)
}

// loadCounts reads the data of the job from a source of counts.
func (j *job) loadCounts(ctx context.Context, a *cli.App, f *Options, opt rowfile.LoadOptions) (err error) {
	columns := counting.Columns{Real: opt.Real}
	if opt.Numeric {
		return cli.Usagef("--real '*' looks at rows, and there are counts in place of them; name the columns")
	}
	if columns.Only, err = cli.NamesOf("--columns", f.Data.Columns...); err != nil {
		return err
	}
	if columns.Drop, err = cli.NamesOf("--drop", f.Data.Drop...); err != nil {
		return err
	}
	c, err := f.Counts.Open(ctx, a, opt.Vars, columns, f.Resume)
	if err != nil {
		return err
	}
	j.Train, err = counted(c, f.Counts.Name())
	counting.OutliveIn(ctx, c)
	return err
}
