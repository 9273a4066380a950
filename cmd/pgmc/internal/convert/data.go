package convert

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// DataIn and DataOut are the extensions of the data files that convert reads and writes. A schema
// is one line, of the number of states of each column.
var (
	DataIn  = []string{".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".data", ".ev", ".q", ".arff", ".parquet"}
	DataOut = []string{".csv", ".data", ".schema", ".parquet"}
)

// extension returns the extension of a file in lower case, without ".gz".
func extension(path string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
}

// convertData reads one data file and writes its rows as another.
func convertData(ctx context.Context, a *cli.App, in, out string, f *Options) (err error) {
	if extension(out) == ".parquet" {
		if err := cli.CheckRows(out); err != nil {
			return err
		}
	}
	if !slices.Contains(DataOut, extension(out)) {
		return cli.Usagef("%s: data is written as %s", out, strings.Join(DataOut, ", "))
	}
	opt := rowfile.LoadOptions{MaxMem: int64(a.MaxMem), Times: true}
	if f.Schema != "" {
		if opt.Cards, err = rowfile.ReadSchema(f.Schema); err != nil {
			return err
		}
	}
	if f.Model != "" {
		m, err := a.Load(ctx, f.Model, "")
		if err != nil {
			return err
		}
		opt.Vars = data.VarsOf(m)
	}
	defer a.Progress("converting "+filepath.Base(in), nil).Stop()
	vars, rows := opt.Vars, (*data.Set)(nil)
	if f.Observed != nil || onlyOnce(in) {
		if rows, err = a.LoadData(ctx, in, &f.Data, cli.Train, opt); err == nil && f.Observed != nil {
			rows, err = withObserved(rows, in, f.Observed)
		}
		if err == nil {
			vars = rows.Vars
		}
	} else if vars == nil || extension(out) == ".schema" {
		vars, err = scan(ctx, a, in, f, opt)
	}
	if err != nil {
		return err
	}
	file, err := a.ResultFile(out)
	if err != nil {
		return err
	}
	return file.Finish(writeData(file, vars, extension(out), func(to *rowfile.Writer) error {
		if rows != nil {
			return writeSet(ctx, rows, to)
		}
		return copyRows(ctx, a, in, vars, f, to)
	}))
}

// onlyOnce reports whether a file can be read only once, as a pipe.
func onlyOnce(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// scan reads a file and returns its variables.
func scan(ctx context.Context, a *cli.App, in string, f *Options, opt rowfile.LoadOptions) ([]data.Var, error) {
	r, err := a.OpenData(ctx, in, &f.Data, cli.Train)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a.WarnColumns(r, opt.Vars, nil)
	return cli.Await(ctx, func() ([]data.Var, error) { return r.Scan(opt) })
}

// copyRows writes the rows of a file, block by block.
func copyRows(ctx context.Context, a *cli.App, in string, vars []data.Var, f *Options, to *rowfile.Writer) error {
	r, err := a.OpenData(ctx, in, &f.Data, cli.Train)
	if err != nil {
		return err
	}
	defer r.Close()
	if f.Model != "" { // otherwise scan has warned
		a.WarnColumns(r, vars, nil)
	}
	b, err := r.Bind(vars, rowfile.UnseenError)
	if err != nil {
		return err
	}
	b.Only()
	states, values := make([]int, len(vars)), make([]float64, len(vars))
	return b.EachBlock(ctx, rowfile.BlockOptions{Cores: a.Cores(), Then: func(k *rowfile.Block) error {
		for row := range k.Rows {
			k.Row(row, states, values)
			if err := to.Write(states, values, k.Weight(row)); err != nil {
				return err
			}
		}
		return nil
	}})
}

// writeSet writes the rows of a set.
func writeSet(ctx context.Context, set *data.Set, to *rowfile.Writer) error {
	for i := range set.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := to.WriteRow(set, i); err != nil {
			return err
		}
	}
	return nil
}

// withObserved adds observability variables of the named columns, or with * of all with gaps.
func withObserved(set *data.Set, path string, values []string) (*data.Set, error) {
	names, err := cli.NamesOf("--observed", values...)
	if err != nil {
		return nil, err
	}
	var vars []int
	for _, name := range names {
		if name == "*" {
			for v := range set.Vars {
				if set.Misses(v) {
					vars = append(vars, v)
				}
			}
			continue
		}
		v, err := data.Find(set.Vars, name)
		if err != nil {
			return nil, cli.Usagef("--observed: %w", err)
		}
		vars = append(vars, v)
	}
	if set, err = set.WithObserved(vars); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return set, nil
}

// writeData writes rows of variables, or the schema of these, in the format of the extension ext.
func writeData(w *cli.ResultFile, vars []data.Var, ext string, rows func(to *rowfile.Writer) error) error {
	format := rowfile.CSV
	switch ext {
	case ".schema":
		cards := make([]string, len(vars))
		for i, v := range vars {
			cards[i] = strconv.Itoa(len(v.States))
		}
		_, err := fmt.Fprintln(w, strings.Join(cards, ","))
		return err
	case ".data":
		format = rowfile.Libra
	}
	out, err := w.Rows(format, vars)
	if err != nil {
		return err
	}
	if err := rows(out); err != nil {
		return err
	}
	return out.Flush()
}
