package rows

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Open opens a file of questions about m as lines of JSON. The file holds such lines or is a data
// file; "-" is standard input. Opening a pipe waits for a writer. The reader of a file of JSON
// lines is the *os.File, which a process can inherit.
func Open(ctx context.Context, a *cli.App, file string, f *cli.DataFlags, m *model.Model) (io.ReadCloser, error) {
	if file == cli.Standard {
		return io.NopCloser(a.Stdin), nil
	}
	if !IsTable(file) {
		in, err := cli.Await(ctx, func() (io.ReadCloser, error) { return os.Open(file) })
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			err = diag.Diagnostic{Pos: diag.Pos{File: file}, Msg: path.Err.Error()}
		}
		return in, err
	}
	t, err := OpenTable(ctx, a, file, f, m)
	if err != nil {
		return nil, err
	}
	return t.Lines(), nil
}

// ServeFile answers the questions about m in a file, which it opens as [Open] does.
func (r *Server) ServeFile(ctx context.Context, a *cli.App, file string, f *cli.DataFlags, m *model.Model) error {
	if file != cli.Standard && IsTable(file) {
		t, err := OpenTable(ctx, a, file, f, m)
		if err != nil {
			return err
		}
		defer t.Close()
		return r.ServeTable(ctx, t, a.Stdout)
	}
	in, err := Open(ctx, a, file, f, m)
	if err != nil {
		return err
	}
	defer in.Close()
	return r.Serve(ctx, in, a.Stdout)
}
