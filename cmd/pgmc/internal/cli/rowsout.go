package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// FolderHelp is the part of a command's help on data sets and outputs of many files.
const FolderHelp = "DATA may be a folder, or a pattern in quotes such as 'day=2026-11-*/'. The files in it,\n" +
	"except those with names that begin with _ or ., are one data set, in the order of\n" +
	"their names. A folder day=3 gives its files a column day. With a folder as -o, such\n" +
	"as out/, each file of DATA has an output there, which appears when it is whole;\n" +
	"_SUCCESS says that all are there, and _pgmc.json lists them. If a run was ended,\n" +
	"--resume keeps the files that are listed, if model, flags and input are the same."

// RowsOut are the flags of commands that write a row for each row that they read.
type RowsOut struct {
	File   string // or a folder; empty for standard output
	Resume bool
}

// AddTo adds the flags to a command.
func (o *RowsOut) AddTo(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.File, "output", "o", "", "`file` to write to, compressed if its name ends in .gz, or a folder, such as out/, with a file for each file of the data (default: standard output)")
	cmd.Flags().BoolVar(&o.Resume, "resume", false, "with a folder as output: keep the files that an earlier run wrote there from the same data by the same model and flags")
}

// Folder reports whether the output is a folder: its name ends so, or it exists.
func (o *RowsOut) Folder() bool {
	info, err := os.Stat(o.File)
	return o.File != "" && (os.IsPathSeparator(o.File[len(o.File)-1]) || strings.HasSuffix(o.File, "/") || err == nil && info.IsDir())
}

// SeedOf returns the seed of the random numbers for rows: --seed, or in a folder one for each file,
// so that those of a file do not depend on the files before it.
func (o *RowsOut) SeedOf(a *App, rows *rowfile.Reader) uint64 {
	if !o.Folder() {
		return a.Seed
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", a.Seed, rows.Parts()[0].Name)
	return h.Sum64()
}

// Check returns a usage error if the output has the name of another kind of file, or is a folder
// and rows, which the flags choose, are not those of whole files.
func (o *RowsOut) Check(f *DataFlags) error {
	switch {
	case !o.Folder() && o.Resume:
		return Usagef("--resume is for a folder as output, such as -o out/")
	case !o.Folder():
		return CheckRows(o.File)
	case f.Split != "" || f.Ordered || f.TwoSlices != "":
		return Usagef("-o %s: in a folder each file of the data has its own output, which rows of --split and of sequences do not allow; want a file", o.File)
	}
	return nil
}

// WriteRows calls write with the rows and the output or, if that is a folder, once for each file of
// the data that is not kept by --resume. write returns the number of rows that it wrote and sums
// over them, which WriteRows returns in the order of the files, those of earlier runs included.
// kept is the number of rows of earlier runs.
func WriteRows[S any](ctx context.Context, a *App, rows *rowfile.Reader, o *RowsOut, m *model.Model, write func(rows *rowfile.Reader, out *ResultFile) (int64, S, error)) (sums []S, kept int64, err error) {
	if !o.Folder() {
		out, err := a.ResultFile(o.File)
		if err != nil {
			return nil, 0, err
		}
		if a.JSON && o.File == "" {
			out.Writer = io.Discard
		}
		_, sum, err := write(rows, out)
		return []S{sum}, 0, out.Finish(err)
	}
	f, err := a.openFolder(rows, o, m)
	if err != nil {
		return nil, 0, err
	}
	for i := range f.list.Parts {
		var sum S
		p := &f.list.Parts[i]
		if p.done {
			kept += p.Rows
			err = json.Unmarshal(p.Sums, &sum)
		} else if err = ctx.Err(); err == nil {
			err = f.write(p, func(out *ResultFile) (err error) {
				part := rows.Part(i)
				defer part.Close()
				if p.Rows, sum, err = write(part, out); err == nil {
					p.Sums, err = json.Marshal(sum)
				}
				return err
			})
		}
		if err != nil {
			f.save() // an error costs the next run time only
			return nil, 0, err
		}
		sums = append(sums, sum)
	}
	return sums, kept, f.finish()
}
