package rows

import (
	"context"
	"io"
	"os"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Open opens a file of questions about m as lines of JSON. The file holds such lines or is a data
// file; "-" is stdin. Opening a pipe waits for a writer. The reader of a file of JSON lines is the
// *os.File, which a process can inherit.
func Open(ctx context.Context, file string, stdin io.Reader, m *model.Model) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(stdin), nil
	}
	return cli.Await(ctx, func() (io.ReadCloser, error) {
		if !IsTable(file) {
			return os.Open(file)
		}
		t, err := OpenTable(file, m)
		if err != nil {
			return nil, err
		}
		return t.Lines(), nil
	})
}

// ServeFile answers the questions about m in a file, which it opens as [Open] does.
func (r *Server) ServeFile(ctx context.Context, file string, stdin io.Reader, m *model.Model, out io.Writer) error {
	if file != "-" && IsTable(file) {
		t, err := cli.Await(ctx, func() (*Table, error) { return OpenTable(file, m) })
		if err != nil {
			return err
		}
		defer t.Close()
		return r.ServeTable(ctx, t, out)
	}
	in, err := Open(ctx, file, stdin, m)
	if err != nil {
		return err
	}
	defer in.Close()
	return r.Serve(ctx, in, out)
}
