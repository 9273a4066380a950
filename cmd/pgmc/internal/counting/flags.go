package counting

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/ir/sqltext"
	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Flags are the flags that name a source of counts.
type Flags struct {
	File, Table, Command string
	Dialect              cli.Choice
	Coded                bool
}

// AddTo adds the flags to a command that takes counts in place of rows.
func (f *Flags) AddTo(cmd *cobra.Command) {
	f.addFile(cmd.Flags())
	f.AddEngine(cmd)
}

// AddPersistentTo adds the flags to the subcommands of a command.
func (f *Flags) AddPersistentTo(cmd *cobra.Command) {
	f.addFile(cmd.PersistentFlags())
	f.addEngine(cmd, cmd.PersistentFlags(), cli.AddPersistentChoice)
}

func (f *Flags) addFile(fl *pflag.FlagSet) {
	fl.StringVar(&f.File, "counts", "", "a `file` of counts, as pgmc count writes it, in place of DATA")
}

// AddEngine adds the flags that name a table.
func (f *Flags) AddEngine(cmd *cobra.Command) { f.addEngine(cmd, cmd.Flags(), cli.AddChoice) }

func (f *Flags) addEngine(cmd *cobra.Command, fl *pflag.FlagSet, choice func(*cobra.Command, *cli.Choice, string, string, ...string)) {
	fl.StringVar(&f.Table, "counts-from", "", "a `table` of a database, in place of DATA: --engine-cmd counts its rows")
	choice(cmd, &f.Dialect, "dialect", "with --counts-from: the SQL of the database", sqltext.IDs()...)
	fl.StringVar(&f.Command, "engine-cmd", "", "with --counts-from: the `command` of a client that reads SQL from standard input and prints CSV with a header, as 'psql -q --csv -d clinic'; it runs without a shell")
	fl.BoolVar(&f.Coded, "coded", false, "with --counts-from: columns hold numbers of states from 0, and not their names")
}

// Given reports whether a source is named.
func (f *Flags) Given() bool { return f.File != "" || f.Table != "" }

// Name returns the name of the source, for messages.
func (f *Flags) Name() string { return cmp.Or(f.File, f.Table) }

// Check returns an error if flags contradict each other. given reports whether a flag is there.
func (f *Flags) Check(given func(flag string) bool) error {
	if f.File != "" && f.Table != "" {
		return cli.Usagef("found both --counts and --counts-from; want one of them")
	}
	for _, name := range []string{"dialect", "engine-cmd", "coded"} {
		if given(name) && f.Table == "" {
			return cli.Usagef("--%s needs --counts-from", name)
		}
	}
	if f.Table == "" {
		return nil
	}
	if !given("dialect") || len(process.Words(f.Command)) == 0 {
		return cli.Usagef("--counts-from needs --dialect and --engine-cmd, as in --dialect postgres --engine-cmd 'psql -q --csv -d clinic'")
	}
	return nil
}

// rowFlags are flags of commands about the rows that they read.
var rowFlags = []string{"split", "sequence-column", "two-slices", "data-format", "separator", "no-header", "missing", "unseen", "bad-rows"}

// RefuseRows returns an error if a flag about rows, or one of some further names, is given beside
// counts that are in place of rows. given reports whether a flag is there.
func RefuseRows(given func(flag string) bool, further ...string) error {
	for _, name := range slices.Concat(further, rowFlags) {
		if given(name) {
			return cli.Usagef("--%s is about rows; leave it out, since there are counts in place of them", name)
		}
	}
	return nil
}

// Columns chooses the columns of a table, if no model has the variables.
type Columns struct{ Only, Drop, Real []string }

// Open returns the counts of the source. vars are the variables; nil for those of the file or the
// table. Unless keep is empty, it is a file in which counts of a table are kept: if it exists, its
// counts are not asked for again.
func (f *Flags) Open(ctx context.Context, a *cli.App, vars []data.Var, columns Columns, keep string) (*counts.Counts, error) {
	if f.File != "" {
		return ReadFile(f.File, int64(a.MaxMem))
	}
	e, err := f.engine(ctx, vars)
	if err != nil {
		return nil, err
	}
	if vars == nil {
		if f.Coded {
			return nil, cli.Usagef("--coded: numbers have no names of states; give a model with the variables")
		}
		if err := e.discover(columns); err != nil {
			return nil, err
		}
	}
	var names []string
	for _, x := range e.query.Vars {
		names = append(names, x.Name)
	}
	if err := e.query.Dialect.Distinct(names); err != nil {
		return nil, err
	}
	c := counts.New(e.query.Vars, int64(a.MaxMem))
	if keep != "" {
		if c, err = e.kept(a, keep); err != nil {
			return nil, err
		}
	}
	c.From = e
	return c, nil
}

// engine returns the engine of the flags.
func (f *Flags) engine(ctx context.Context, vars []data.Var) (*engine, error) {
	d, err := sqltext.Find(f.Dialect.Value)
	if err != nil {
		return nil, err
	}
	q := counts.Query{Dialect: d, Table: f.Table, Vars: vars, Coded: f.Coded}
	return &engine{ctx: ctx, query: q, command: process.Words(f.Command), rows: -1}, nil
}

// kept returns the counts in a file, or none if it does not exist, and keeps further ones there.
func (e *engine) kept(a *cli.App, path string) (*counts.Counts, error) {
	c, err := ReadFile(path, int64(a.MaxMem))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c = counts.New(e.query.Vars, int64(a.MaxMem))
	case err != nil:
		return nil, err
	default:
		if err := c.Differs(e.query.Vars); err != nil {
			return nil, fmt.Errorf("%s: %w, as in %s; remove the file to count anew", path, err, e.query.Table)
		}
		e.rows = c.Rows
	}
	c.Keep = func() error { return WriteFile(a, path, c) }
	return c, nil
}

// discover finds the variables: the columns of the table, and their values as states.
func (e *engine) discover(columns Columns) error {
	table, err := e.query.Dialect.Table(e.query.Table)
	if err != nil {
		return err
	}
	var names []string
	err = e.ask("SELECT * FROM "+table+" LIMIT 1;\n", func(r io.Reader) (err error) {
		if names, err = csv.NewReader(r).Read(); err == io.EOF {
			return fmt.Errorf("the client printed no CSV; want the columns of %s in a header, and at least one row", e.query.Table)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, name := range slices.Concat(columns.Only, columns.Drop, columns.Real) {
		if !slices.Contains(names, name) {
			return fmt.Errorf("the table %s has no column %q; it has %s", e.query.Table, name, cli.QuoteSome(names))
		}
	}
	var families []data.Family
	for _, name := range names {
		if columns.Only != nil && !slices.Contains(columns.Only, name) || slices.Contains(columns.Drop, name) {
			continue
		}
		x := data.Var{Name: name, Real: slices.Contains(columns.Real, name)}
		if e.query.Vars = append(e.query.Vars, x); !x.Real {
			families = append(families, data.Family{Discrete: []int{len(e.query.Vars) - 1}})
		}
	}
	list, err := e.query.Statements(families)
	if err != nil {
		return err
	}
	for i := range list {
		err := e.ask(list[i].Text, func(r io.Reader) error {
			vars, err := e.query.States(&list[i], families, r)
			if err == nil {
				e.query.Vars = vars
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadFile reads a file of counts, as Parquet or JSON if its name says so and as CSV otherwise.
func ReadFile(path string, maxMem int64) (*counts.Counts, error) {
	if cli.IsParquet(path) {
		rows, err := parquet.OpenReader(rowfile.ReadOptions{Format: rowfile.Parquet}, path, maxMem)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		return counts.ReadRows(rows, path, maxMem)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var r io.Reader = bufio.NewReader(file)
	if filepath.Ext(path) == ".gz" {
		if r, err = gzip.NewReader(r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if isJSON(path) {
		return counts.ReadJSON(r, path, maxMem)
	}
	return counts.ReadCSV(r, path, maxMem)
}

func isJSON(path string) bool { return filepath.Ext(strings.TrimSuffix(path, ".gz")) == ".json" }

// WriteFile writes a file of counts, which appears whole or not at all.
func WriteFile(a *cli.App, path string, c *counts.Counts) error {
	w, err := a.ResultFile(path)
	if err != nil {
		return err
	}
	if isJSON(path) {
		return w.Finish(c.WriteJSON(w))
	}
	if w.Parquet() {
		sink, err := w.Sink(0, true, counts.Outputs())
		if err == nil {
			err = c.WriteTo(sink)
		}
		return w.Finish(err)
	}
	return w.Finish(c.WriteCSV(w))
}
