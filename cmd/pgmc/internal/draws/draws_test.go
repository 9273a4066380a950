package draws_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draws"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

var errLast = errors.New("no further row")

// from yields rows that say their number, up to row last, which is an error.
func from(first, last int) draws.Rows {
	return func(yield func([]model.Value, error) bool) {
		for i := first; ; i++ {
			if i == last {
				yield(nil, errLast)
				return
			}
			if !yield([]model.Value{{State: i % 2}, {Real: float64(i)}}, nil) {
				return
			}
		}
	}
}

// TestWrite writes rows of several blocks by one and several cores.
func TestWrite(t *testing.T) {
	var want strings.Builder
	const n = 100_000 // three blocks of 1<<16 values, and a part of one
	want.WriteString("a,x\n")
	for i := range n {
		fmt.Fprintf(&want, "%s,%d\n", []string{"no", "yes"}[i%2], i)
	}
	opt := draws.Options{N: n, Vars: []data.Var{{Name: "a", States: []string{"no", "yes"}}, {Name: "x", Real: true}}, Format: rowfile.CSV}
	for _, cores := range []int{1, 2, 5} {
		var b bytes.Buffer
		var done atomic.Int64
		opt.Cores, opt.Done = cores, &done
		source := func(block, row int) draws.Rows {
			if block*(1<<15) != row {
				t.Errorf("block %d begins at row %d", block, row)
			}
			return from(row, n)
		}
		if err := draws.Write(source, &cli.ResultFile{Writer: &b}, &opt); err != nil || b.String() != want.String() || done.Load() != n {
			t.Errorf("%d cores: %v, %d rows, %d bytes; want %d", cores, err, done.Load(), b.Len(), want.Len())
		}
		short := func(_, row int) draws.Rows { return from(row, 90_000) }
		if err := draws.Write(short, &cli.ResultFile{Writer: io.Discard}, &opt); !errors.Is(err, errLast) {
			t.Errorf("%d cores: %v; want the error of row 90000", cores, err)
		}
		b.Reset()
		none := func(_, row int) draws.Rows { return from(0, 0) }
		if err := draws.Write(none, &cli.ResultFile{Writer: &b}, &opt); !errors.Is(err, errLast) || b.Len() > 0 {
			t.Errorf("%v, and %q was written before the first row", err, &b)
		}
		opt.Format = rowfile.Libra
		if err := draws.Write(source, &cli.ResultFile{Writer: &b}, &opt); err == nil || b.Len() > 0 {
			t.Errorf("%v, %d bytes: real values in the format of Libra", err, b.Len())
		}
		opt.Format = rowfile.CSV
	}
}
