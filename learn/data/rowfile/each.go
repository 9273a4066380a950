package rowfile

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Each calls do with each row that is left. The rows that cannot be read, and those for which do
// returns a [RowError], go to [ReadOptions].Bad; if it is nil, Each reads on and reports the first
// few of them together. Each ends with any other error of do, and with ctx.
func (r *Reader) Each(ctx context.Context, do func(*data.Record) error) error {
	var list diag.List
	return r.each(ctx, &list, do)
}

// each is Each with the list of the errors so far.
func (r *Reader) each(ctx context.Context, list *diag.List, do func(*data.Record) error) error {
	for !list.Full() {
		if err := ctx.Err(); err != nil {
			return err
		}
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = do(rec)
		}
		var bad RowError
		switch {
		case err == nil || r.Skip(err):
		case errors.As(err, &bad):
			list.Add(bad.Diagnostic)
		default:
			return err
		}
	}
	return list.Err()
}

// Each calls do with each row that is left and with the states of the bound variables,
// [data.Missing] without one. Both are valid until do returns. Unless [ReadOptions].Bad gets them,
// rows that cannot be read are reported together, the first few of them; after one of them Each
// reads on but does not call do. Each ends with the first error of do, and with ctx.
func (b *Binding) Each(ctx context.Context, do func(rec *data.Record, states []int) error) error {
	var list diag.List
	var end error // of do
	states := make([]int, len(b.Column))
	err := b.r.each(ctx, &list, func(rec *data.Record) error {
		if err := b.States(rec, states); err != nil || list.HasErrors() {
			return err
		}
		if end = do(rec, states); end != nil {
			return io.ErrUnexpectedEOF // ends each, also if end is a RowError
		}
		return nil
	})
	return cmp.Or(end, err)
}
