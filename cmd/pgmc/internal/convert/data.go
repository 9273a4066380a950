package convert

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn/data"
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
	opt := data.LoadOptions{MaxMem: int64(a.MaxMem)}
	if f.Schema != "" {
		if opt.Cards, err = data.ReadSchema(f.Schema); err != nil {
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
	set, err := a.LoadData(ctx, in, &f.Data, cli.Train, opt)
	if err != nil {
		return err
	}
	if f.Observed != nil {
		if set, err = withObserved(set, in, f.Observed); err != nil {
			return err
		}
	}
	file, err := a.ResultFile(out)
	if err != nil {
		return err
	}
	return file.Finish(writeData(ctx, file, set, extension(out)))
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

// writeData writes a data set in the format of the extension ext.
func writeData(ctx context.Context, w *cli.ResultFile, set *data.Set, ext string) error {
	switch ext {
	case ".schema":
		cards := make([]string, len(set.Vars))
		for i, v := range set.Vars {
			cards[i] = strconv.Itoa(len(v.States))
		}
		_, err := fmt.Fprintln(w, strings.Join(cards, ","))
		return err
	case ".data":
		return writeRows(ctx, w, set, data.Libra)
	}
	return writeRows(ctx, w, set, data.CSV)
}

func writeRows(ctx context.Context, w *cli.ResultFile, set *data.Set, format data.Format) error {
	out, err := w.Rows(format, set.Vars)
	if err != nil {
		return err
	}
	for i := range set.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := set.WriteRow(out, i); err != nil {
			return err
		}
	}
	return out.Flush()
}
