package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// badRows collects the rows that cannot be read and that --bad-rows leaves out.
type badRows struct {
	mu    sync.Mutex // a reader may go on after the command ended
	files []*badFile
	to    string      // the file that gets them; empty if there is none
	out   *ResultFile // nil if there is none
	sink  data.Sink
	err   error // of writing
}

// badFile counts the rows of one data file.
type badFile struct {
	path  string
	rows  int64
	first data.RowError
}

// leaveOut returns a function for [data.ReadOptions].Bad, for the flag --bad-rows. It returns nil
// if such rows are errors. Rows of a file that is read again are not counted again.
func (a *App) leaveOut(path string, f *DataFlags) (func(data.RowError), error) {
	switch {
	case f.BadRows == "" || f.BadRows == "fail":
		return nil, nil
	case f.Ordered || f.TwoSlices != "":
		return nil, Usagef("--bad-rows %s leaves out rows, and these are slices of sequences, which need all; want fail", ShellQuote(f.BadRows))
	}
	if a.bad == nil {
		a.bad = &badRows{}
	}
	if err := a.bad.open(a, path, f.BadRows); err != nil {
		return nil, err
	}
	for _, x := range a.bad.files {
		if x.path == path {
			return func(data.RowError) {}, nil
		}
	}
	x := &badFile{path: path}
	a.bad.files = append(a.bad.files, x)
	return func(e data.RowError) { a.bad.add(x, e) }, nil
}

// open opens the file that gets the rows of the data at path, unless there is none or it is open.
func (b *badRows) open(a *App, path, to string) (err error) {
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
	b.to = to
	if b.out, err = a.ResultFile(to); err != nil {
		return err
	}
	b.sink = data.NewCSV(b.out, ',', true, []data.Output{{Name: "part"}, {Name: "row"}, {Name: "column"}, {Name: "text"}})
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

// add adds a row of a file.
func (b *badRows) add(x *badFile, e data.RowError) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if x.rows++; x.rows == 1 {
		x.first = e
	}
	if b.sink == nil {
		return
	}
	b.sink.Text(e.Pos.File)
	b.sink.Text(strconv.Itoa(e.Pos.Line))
	b.sink.Text(e.Column)
	if e.Column == "" { // the row as a whole is wrong
		e.Text = e.Msg
	}
	b.sink.Text(e.Text)
	if err := b.sink.End(); b.err == nil {
		b.err = err
	}
}

// finish completes the file, unless err is not nil, and warns of the rows. It returns err, or else
// the error of the file.
func (b *badRows) finish(a *App, err error) error {
	if b == nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.out != nil {
		if err == nil {
			err = errors.Join(b.err, b.sink.Flush())
		}
		err = b.out.Finish(err)
		b.sink = nil
	}
	var list diag.List
	for _, x := range b.files {
		if x.rows == 0 {
			continue
		}
		into := ""
		if b.to != "" && err == nil {
			into = ", which " + b.to + " lists"
		}
		list.Warnf(diag.Pos{File: x.path}, "left out %d %s%s; the first: %s", x.rows, plural(int(x.rows), "row that cannot be read", "rows that cannot be read"), into, Text(x.first.Diagnostic))
	}
	a.Warn(list.Warnings())
	return err
}
