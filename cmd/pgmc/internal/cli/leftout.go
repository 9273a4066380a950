package cli

import (
	"errors"
	"strconv"
	"sync"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// badRows collects the rows that cannot be read and that --bad-rows leaves out.
type badRows struct {
	mu    sync.Mutex // a reader may go on after the command ended
	files []*badFile
	to    string                           // the file that gets them; empty if there is none
	out   interface{ Finish(error) error } // nil if there is none
	sink  data.Sink
	err   error // of writing
}

// badFile counts the rows of one data file.
type badFile struct {
	path  string
	rows  int64
	first rowfile.RowError
}

// add adds a row of a file.
func (b *badRows) add(x *badFile, e rowfile.RowError) {
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
func (b *badRows) finish(err error, warn func([]diag.Diagnostic)) error {
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
	warn(list.Warnings())
	return err
}
