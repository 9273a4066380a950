package cli

import (
	"context"
	"errors"
	"io"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// LoadData reads a whole data file.
func (a *App) LoadData(ctx context.Context, path string, f *Choice, opt data.LoadOptions) (*data.Set, error) {
	rows, err := a.OpenData(ctx, path, f)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return Await(ctx, func() (*data.Set, error) { return rows.Load(opt) })
}

// OpenData opens a data file. The path - is standard input, from which reading ends with the
// context.
func (a *App) OpenData(ctx context.Context, path string, format *Choice) (*data.Reader, error) {
	f := map[string]data.Format{"auto": data.Auto, "csv": data.CSV, "data": data.Libra, "arff": data.ARFF}[format.Value]
	if path != "-" {
		return Await(ctx, func() (*data.Reader, error) { return data.Open(path, f) })
	}
	in, pipe := io.Pipe()
	go func() {
		_, err := io.Copy(pipe, a.Stdin)
		pipe.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { pipe.CloseWithError(ctx.Err()) })
	return data.NewReader(path, in, f)
}

// AtRow adds the position of a data row to err if sampling found no answer for the row. It returns
// other errors unchanged.
func AtRow(pos diag.Pos, err error) error {
	if errors.Is(err, pgmrt.ErrStart) || errors.Is(err, pgmrt.ErrWeights) {
		return diag.Diagnostic{Pos: pos, Msg: Text(err)}
	}
	return err
}
