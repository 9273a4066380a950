package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn/data"
)

// dataIn and dataOut are the extensions of the data files that convert reads and writes. A schema
// is one line, of the number of states of each column.
var (
	dataIn  = []string{".csv", ".tsv", ".tab", ".data", ".ev", ".q", ".arff"}
	dataOut = []string{".csv", ".data", ".schema"}
)

// extension returns the extension of a file in lower case, without ".gz".
func extension(path string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
}

// convertData reads one data file and writes its rows as another.
func (a *app) convertData(ctx context.Context, in, out string, f *convertFlags) (err error) {
	if !slices.Contains(dataOut, extension(out)) {
		return cli.Usagef("%s: data is written as %s", out, strings.Join(dataOut, ", "))
	}
	opt := data.LoadOptions{MaxMem: int64(a.MaxMem)}
	if f.schema != "" {
		if opt.Cards, err = data.ReadSchema(f.schema); err != nil {
			return err
		}
	}
	if f.model != "" {
		m, err := a.Load(ctx, f.model, "")
		if err != nil {
			return err
		}
		opt.Vars = data.VarsOf(m)
	}
	defer a.Progress("converting "+filepath.Base(in), nil).Stop()
	set, err := cli.Await(ctx, func() (*data.Set, error) { return data.Load(in, data.Auto, opt) })
	if err != nil {
		return err
	}
	file, err := a.ResultFile(out)
	if err != nil {
		return err
	}
	return file.Finish(writeData(ctx, file, set, extension(out)))
}

// writeData writes a data set in the format of the extension ext.
func writeData(ctx context.Context, w io.Writer, set *data.Set, ext string) error {
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

func writeRows(ctx context.Context, w io.Writer, set *data.Set, format data.Format) error {
	out, err := data.NewWriter(w, format, set.Vars)
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
