package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/pgmc-go/pgmc/ir/folder"
)

// dump collects the results of passes.
type dump struct {
	passes []string // names, or "all"
	dir    string
	files  []*dumpFile
}

type dumpFile struct {
	bytes.Buffer
	name string
}

// Close does nothing; it implements io.WriteCloser.
func (*dumpFile) Close() error { return nil }

// file returns the file for the result of a pass; nil if no flag names the pass.
func (d *dump) file(number int, pass string) io.WriteCloser {
	if !slices.Contains(d.passes, pass) && !slices.Contains(d.passes, "all") {
		return nil
	}
	f := &dumpFile{name: fmt.Sprintf("%02d-%s.txt", number, pass)}
	d.files = append(d.files, f)
	return f
}

// output returns the writer of the folder with all files.
func (d *dump) output() *folder.Writer {
	out := &folder.Writer{Dir: d.dir}
	for _, f := range d.files {
		out.Files = append(out.Files, folder.File{Name: f.name, Data: f.Bytes()})
	}
	return out
}
