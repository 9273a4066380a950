package rows

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// IsTable reports whether a batch is a data file, by the extension of its name.
func IsTable(path string) bool { return data.HasExtension(path) && !data.IsJSONLines(path) }

// Table is a data file whose rows are questions. A row is the evidence, and the number of its line
// is the identifier.
type Table struct {
	in      *data.Reader
	binding *data.Binding
	vars    []Variable
}

// OpenTable opens a data file of evidence about m. It warns of columns that are no variables of m,
// and of variables without a column.
func OpenTable(ctx context.Context, a *cli.App, path string, f *cli.DataFlags, m *model.Model) (*Table, error) {
	r, err := a.OpenData(ctx, path, f, cli.Test)
	if err != nil {
		return nil, err
	}
	a.WarnColumns(r, data.VarsOf(m), nil)
	b, err := r.Bind(data.VarsOf(m), data.UnseenError)
	if err != nil {
		r.Close()
		return nil, err
	}
	return &Table{r, b, Variables(m)}, nil
}

// Close closes the file.
func (t *Table) Close() error { return t.in.Close() }

// Questions calls do with the question and the identifier of each row, until do returns false. It
// returns an error at the first invalid row.
func (t *Table) Questions(do func(q *Question, id int) bool) error {
	states := make([]int, len(t.binding.Column))
	for {
		rec, err := t.in.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = t.binding.States(rec, states)
		}
		if err != nil {
			return err
		}
		q := NewQuestion(len(states))
		for i := range t.vars {
			if states[i] != data.Missing {
				t.vars[i].port().set(&q, i, states[i], t.binding.Values[i])
			}
		}
		if !do(&q, rec.Pos.Line) {
			return nil
		}
	}
}

// ServeTable answers the rows of t until they end or ctx does, as [Server.Serve] does.
func (r *Server) ServeTable(ctx context.Context, t *Table, out io.Writer) error {
	stop := make(chan struct{})
	defer close(stop)
	lines := make(chan line, 64)
	go func() {
		defer close(lines)
		send := func(l line) bool {
			select {
			case lines <- l:
				return true
			case <-stop:
				return false
			}
		}
		err := cli.Guard(func() error {
			return t.Questions(func(q *Question, id int) bool {
				return send(line{Number: id, question: q, id: strconv.AppendInt(nil, int64(id), 10)})
			})
		})
		if err != nil {
			send(line{Err: err})
		}
	}()
	return r.serve(ctx, lines, out)
}

// Lines returns the rows of t as lines of JSON, for a program that reads these. Closing the reader
// closes the file.
func (t *Table) Lines() io.ReadCloser {
	out, in := io.Pipe()
	s := NewServer(t.vars, Wanted{}, nil)
	go func() {
		defer t.Close()
		var b []byte
		var failed error
		err := cli.Guard(func() error {
			return t.Questions(func(q *Question, id int) bool {
				b = s.AppendQuestion(b[:0], q, id)
				_, failed = in.Write(b)
				return failed == nil
			})
		})
		in.CloseWithError(errors.Join(err, failed))
	}()
	return out
}
