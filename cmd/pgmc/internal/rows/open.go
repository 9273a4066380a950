package rows

import (
	"bytes"
	"context"
	"io"
	"os"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Open opens the rows of a file of questions: JSON lines, or a table of data about m. The name - is
// stdin, and without a name row is the only row. A pipe opens once somebody writes to it. The reader
// of a file is the *os.File, which a process can inherit.
func Open(ctx context.Context, file string, stdin io.Reader, row []byte, m *model.Model) (in io.Reader, closeFile func() error, err error) {
	var c io.ReadCloser
	switch {
	case file == "":
		return bytes.NewReader(row), func() error { return nil }, nil
	case file == "-":
		return stdin, func() error { return nil }, nil
	case IsTable(file):
		c, err = cli.Await(ctx, func() (io.ReadCloser, error) { return TableRows(file, m) })
	default:
		c, err = cli.Await(ctx, func() (io.ReadCloser, error) { return os.Open(file) })
	}
	if err != nil {
		return nil, nil, err
	}
	return c, c.Close, nil
}
