package counting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
	"unicode"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
)

// engine asks the client of a database for counts. It is a [data.CountSource] that keeps nothing.
type engine struct {
	ctx     context.Context
	query   counts.Query
	command []string
	rows    float64 // of the table; negative if unknown
}

// grace is the time that an answer may still take after an interrupt.
const grace = time.Minute

// Outlive returns a context that ends as ctx does, but some time after an interrupt: a learner
// still gets the counts that it waits for, and ends with the best result so far.
func Outlive(ctx context.Context) context.Context {
	longer, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			time.AfterFunc(grace, func() { cancel(context.Canceled) })
		} else {
			cancel(ctx.Err())
		}
	})
	return longer
}

// OutliveIn makes the client of the database whose counts c takes outlive an interrupt of ctx, see
// [Outlive].
func OutliveIn(ctx context.Context, c *counts.Counts) {
	if e, ok := c.From.(*engine); ok {
		e.ctx = Outlive(ctx)
	}
}

// Count implements data.CountSource.
func (e *engine) Count(families []data.Family) ([]data.Table, error) {
	list, err := e.query.Statements(families)
	if err != nil {
		return nil, err
	}
	out := make([]data.Table, len(families))
	for i := range list {
		s := &list[i]
		var answer *counts.Answer
		err := e.ask(s.Text, func(r io.Reader) (err error) {
			answer, err = e.query.Read(s, families, r)
			return err
		})
		if err != nil {
			return nil, err
		}
		if e.rows >= 0 && answer.Rows != e.rows {
			return nil, fmt.Errorf("the table %s has %v rows, and other counts are of %v; want a table that does not change", e.query.Table, answer.Rows, e.rows)
		}
		e.rows = answer.Rows
		for k, at := range s.Families {
			out[at] = answer.Tables[k]
		}
	}
	return out, nil
}

// ask runs the client for one statement, and once more if that fails.
func (e *engine) ask(text string, read func(io.Reader) error) error {
	err := e.run(text, read)
	if err != nil && e.ctx.Err() == nil {
		err = e.run(text, read)
	}
	if e.ctx.Err() != nil {
		return context.Cause(e.ctx)
	}
	return err
}

// run runs the client for one statement and lets read read its output.
func (e *engine) run(text string, read func(io.Reader) error) error {
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, e.command[0], e.command[1:]...)
	process.OwnGroup(cmd)
	cmd.WaitDelay = time.Second // processes that the client started may keep its output open
	var problem tail
	cmd.Stdin, cmd.Stderr = strings.NewReader(text), &problem
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return fmt.Errorf("%s: the client of the database: %w", e.query.Table, err)
	}
	wrong := read(out)
	if wrong == nil {
		_, wrong = io.Copy(io.Discard, out)
	}
	if wrong != nil {
		// A client that has failed ends by itself, and its message says more than the lack of rows.
		ended := time.AfterFunc(time.Second, cancel)
		defer ended.Stop()
		io.Copy(io.Discard, out)
	}
	err = cmd.Wait()
	switch {
	case wrong == nil && err == nil:
		return nil
	case err == nil || ctx.Err() != nil:
		err = wrong
	}
	return fmt.Errorf("%s: the client %s: %w%s", e.query.Table, e.command[0], err, &problem)
}

// tail keeps the end of what is written to it.
type tail struct{ b []byte }

// The end of a client's messages that errors show.
const (
	tailLines = 20
	tailBytes = 1 << 16
)

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if len(t.b) > 2*tailBytes {
		t.b = bytes.Clone(t.b[len(t.b)-tailBytes:])
	}
	return len(p), nil
}

// String returns the last lines after a colon, and no text if there are none.
func (t *tail) String() string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.TrimSpace(string(t.b)))
	if text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	return "; its last lines:\n  " + strings.Join(lines[max(0, len(lines)-tailLines):], "\n  ")
}
