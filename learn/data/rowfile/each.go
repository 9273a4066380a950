package rowfile

import (
	"context"
	"errors"
	"io"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Each calls do with each row that is left and with the states of the bound variables,
// [data.Missing] without one. Both are valid until do returns. Unless [ReadOptions].Bad gets them,
// rows that cannot be read are reported together, the first few of them; after one of them Each
// reads on but does not call do. Each ends with the first error of do, and with ctx.
func (b *Binding) Each(ctx context.Context, do func(rec *data.Record, states []int) error) error {
	var list diag.List
	states := make([]int, len(b.Column))
	for !list.Full() {
		if err := ctx.Err(); err != nil {
			return err
		}
		rec, err := b.r.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = b.States(rec, states)
		}
		var bad RowError
		if b.r.Skip(err) {
			continue
		}
		if errors.As(err, &bad) {
			list.Add(bad.Diagnostic)
			continue
		}
		if err == nil && !list.HasErrors() {
			err = do(rec, states)
		}
		if err != nil {
			return err
		}
	}
	return list.Err()
}
