package rows

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// IsTable reports whether a batch is a data file, by the extension of its name, or several.
func IsTable(path string) bool {
	parts, err := rowfile.FindParts(path)
	return parts != nil || err != nil || rowfile.HasExtension(path) && !rowfile.IsJSONLines(path)
}

// ServeFile answers the questions about m in a file, as [Server.Serve] does.
func (r *Server) ServeFile(ctx context.Context, a *cli.App, file string, f *cli.DataFlags, m *model.Model) error {
	lines, end, err := open(ctx, a, file, f, m)
	if err != nil {
		return err
	}
	defer end()
	info, err := os.Stat(file)
	r.whole = err == nil && info.Mode().IsRegular()
	return r.serve(ctx, lines, a.Stdout)
}

// ReadFile returns the questions about m in a file. It returns an error at the first line that is
// none, and the number of that line.
func ReadFile(ctx context.Context, a *cli.App, file string, m *model.Model) ([]*Question, error) {
	lines, end, err := open(ctx, a, file, &cli.DataFlags{}, m)
	if err != nil {
		return nil, err
	}
	defer end()
	r := NewServer(Variables(m), Wanted{}, nil)
	var list []*Question
	for l := range lines {
		if l.Err != nil {
			return nil, l.Err
		}
		q := l.question
		if q == nil {
			if q, _, err = r.Parse(&l); err != nil {
				return nil, fmt.Errorf("line %d of the evidence: %w", l.Number, err)
			}
		}
		q.Ctx, q.Line = ctx, l.Number
		list = append(list, q)
	}
	return list, nil
}

// open opens a file of questions about m, and returns its lines and the function that closes it.
// The file holds lines of JSON or is a data file; "-" is standard input. Opening a pipe waits for a
// writer.
func open(ctx context.Context, a *cli.App, file string, f *cli.DataFlags, m *model.Model) (<-chan line, func(), error) {
	stop := make(chan struct{})
	if file == cli.Standard {
		return readLines(a.Stdin, stop), func() { close(stop) }, nil
	}
	if IsTable(file) {
		t, err := openTable(ctx, a, file, f, m)
		if err != nil {
			return nil, nil, err
		}
		return t.lines(stop), func() { close(stop); t.in.Close() }, nil
	}
	in, err := cli.Await(ctx, func() (io.ReadCloser, error) { return os.Open(file) })
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = diag.Diagnostic{Pos: diag.Pos{File: file}, Msg: path.Err.Error()}
	}
	if err != nil {
		return nil, nil, err
	}
	return readLines(in, stop), func() { close(stop); in.Close() }, nil
}

// tableFile is a data file with a question in each row: the evidence. The number of its line is the
// identifier.
type tableFile struct {
	in      *rowfile.Reader
	binding *rowfile.Binding
	vars    []Variable
}

// openTable opens a data file of evidence about m. It warns of columns that are no variables of m,
// and of variables without a column.
func openTable(ctx context.Context, a *cli.App, path string, f *cli.DataFlags, m *model.Model) (*tableFile, error) {
	r, err := a.OpenData(ctx, path, f, cli.Test)
	if err != nil {
		return nil, err
	}
	a.WarnColumns(r, data.VarsOf(m), nil)
	b, err := r.Bind(data.VarsOf(m), rowfile.UnseenError)
	if err != nil {
		r.Close()
		return nil, err
	}
	return &tableFile{r, b, Variables(m)}, nil
}

// lines reads up to 64 rows ahead, until they end, one is invalid, or stop is closed.
func (t *tableFile) lines(stop <-chan struct{}) <-chan line {
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
		if err := cli.Guard(func() error { return t.each(send) }); err != nil {
			send(line{Err: err})
		}
	}()
	return lines
}

// each calls do with the question of each row, until do returns false. It returns an error at the
// first invalid row.
func (t *tableFile) each(do func(line) bool) error {
	states := make([]int, len(t.binding.Column))
	for {
		rec, err := t.in.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = t.binding.States(rec, states)
		}
		if t.in.Skip(err) {
			continue
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
		if !do(line{Number: rec.Pos.Line, question: &q, id: strconv.AppendInt(nil, int64(rec.Pos.Line), 10)}) {
			return nil
		}
	}
}
