package learning

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/counting"
	"github.com/pgmc-go/pgmc/learn/data"
)

// rowFlags are flags about rows that commands refuse if there are counts in place of rows.
var rowFlags = []string{"split", "sequence-column", "two-slices", "data-format", "separator", "no-header", "missing"}

// counted returns the data of a source of counts, see [counting.Flags.Open].
func counted(ctx context.Context, a *cli.App, f *counting.Flags, vars []data.Var, columns counting.Columns, keep string) (*data.Set, error) {
	c, err := f.Open(ctx, a, vars, columns, keep)
	if err != nil {
		return nil, err
	}
	s, err := data.NewCounted(c.Vars, c)
	if err == nil && s.Total() == 0 {
		err = cli.NoRows(f.Name())
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
	names := append([]string{"valid", "folds", "bootstrap", "one-sequence", "bins", "binning", "keep", "as-is"}, rowFlags...)
	if f.Counts.File != "" || f.Init != "" {
		names = append(names, "columns", "drop", "real")
	}
	if f.Counts.File != "" {
		names = append(names, "resume")
	}
	for _, name := range names {
		if given(name) {
			return cli.Usagef("--%s is about rows; leave it out, since there are counts in place of them", name)
		}
	}
	return nil
}

// loadCounts reads the data of the job from a source of counts.
func (j *job) loadCounts(ctx context.Context, a *cli.App, f *Options, opt data.LoadOptions) (err error) {
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
	j.Train, err = counted(ctx, a, &f.Counts, opt.Vars, columns, f.Resume)
	return err
}
