package cli

import (
	"os"
	"path/filepath"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// leaveOut returns a function for [rowfile.ReadOptions].Bad, for the flag --bad-rows. It returns
// nil if such rows are errors. Rows of a file that is read again are not counted again.
func (a *App) leaveOut(path string, f *DataFlags) (func(rowfile.RowError), error) {
	switch {
	case f.BadRows == "" || f.BadRows == "fail":
		return nil, nil
	case f.Ordered || f.TwoSlices != "":
		return nil, Usagef("--bad-rows %s leaves out rows, and these are slices of sequences, which need all; want fail", ShellQuote(f.BadRows))
	}
	if a.bad == nil {
		a.bad = &badRows{}
	}
	if err := a.openBad(path, f.BadRows); err != nil {
		return nil, err
	}
	for _, x := range a.bad.files {
		if x.path == path {
			return func(rowfile.RowError) {}, nil
		}
	}
	x := &badFile{path: path}
	a.bad.files = append(a.bad.files, x)
	return func(e rowfile.RowError) { a.bad.add(x, e) }, nil
}

// openBad opens the file that gets the rows of the data at path, unless there is none or it is
// open.
func (a *App) openBad(path, to string) error {
	b := a.bad
	if to == "skip" || b.out != nil {
		return nil
	}
	if IsParquet(to) || to == Standard {
		return Usagef("--bad-rows %s: the rows are written as CSV; want fail, skip, or the name of a CSV file", ShellQuote(to))
	}
	if err := CheckRows(to); err != nil {
		return err
	}
	if within(to, path) {
		return Usagef("--bad-rows %s: the file would replace a part of the data %s, or be one; want another", ShellQuote(to), path)
	}
	if out := a.given()["output"]; out != "" && within(to, out) {
		return Usagef("--bad-rows %s: the file is the output %s, or in it; want another", ShellQuote(to), out)
	}
	out, err := a.ResultFile(to)
	if err != nil {
		return err
	}
	b.to, b.out = to, out
	b.sink = rowfile.NewCSV(out, ',', true, []data.Output{{Name: "part"}, {Name: "row"}, {Name: "column"}, {Name: "text"}})
	return nil
}

// within reports whether a file is the one at path or in the folder there, or path matches it or a
// folder that has it as a pattern.
func within(file, path string) bool {
	at, err := filepath.Abs(file)
	if err != nil {
		return false
	}
	pattern, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	root, none := os.Stat(path)
	for {
		if match, err := filepath.Match(pattern, at); err == nil && match {
			return true
		}
		if info, err := os.Stat(at); err == nil && none == nil && os.SameFile(info, root) {
			return true
		}
		if filepath.Dir(at) == at {
			return false
		}
		at = filepath.Dir(at)
	}
}
