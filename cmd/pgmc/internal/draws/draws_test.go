package draws_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draws"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
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

// TestWrite writes rows of several blocks in turn and from each block on, by one and several cores.
func TestWrite(t *testing.T) {
	var want strings.Builder
	const n = 100_000 // three blocks of 1<<16 values, and a part of one
	want.WriteString("a,x\n")
	for i := range n {
		fmt.Fprintf(&want, "%s,%d\n", []string{"no", "yes"}[i%2], i)
	}
	opt := draws.Options{N: n, Vars: []data.Var{{Name: "a", States: []string{"no", "yes"}}, {Name: "x", Real: true}}, Format: data.CSV}
	for _, cores := range []int{1, 2, 5} {
		for name, source := range map[string]draws.Source{
			"in turn": {InTurn: from(0, n)},
			"from":    {From: func(row int) draws.Rows { return from(row, n) }},
		} {
			var b bytes.Buffer
			var done atomic.Int64
			opt.Cores, opt.Done = cores, &done
			if err := draws.Write(source, &cli.ResultFile{Writer: &b}, &opt); err != nil || b.String() != want.String() || done.Load() != n {
				t.Errorf("%s, %d cores: %v, %d rows, %d bytes; want %d", name, cores, err, done.Load(), b.Len(), want.Len())
			}
		}
		for name, source := range map[string]draws.Source{
			"in turn": {InTurn: from(0, 90_000)},
			"from":    {From: func(row int) draws.Rows { return from(row, 90_000) }},
		} {
			var b bytes.Buffer
			opt.Cores, opt.Done = cores, new(atomic.Int64)
			if err := draws.Write(source, &cli.ResultFile{Writer: &b}, &opt); !errors.Is(err, errLast) {
				t.Errorf("%s, %d cores: %v; want the error of row 90000", name, cores, err)
			}
		}
		var b bytes.Buffer
		if err := draws.Write(draws.Source{InTurn: from(0, 0)}, &cli.ResultFile{Writer: &b}, &opt); !errors.Is(err, errLast) || b.Len() > 0 {
			t.Errorf("%v, and %q was written before the first row", err, &b)
		}
		opt.Format = data.Libra
		if err := draws.Write(draws.Source{InTurn: from(0, n)}, &cli.ResultFile{Writer: &b}, &opt); err == nil || b.Len() > 0 {
			t.Errorf("%v, %d bytes: real values in the format of Libra", err, b.Len())
		}
		opt.Format = data.CSV
	}
}
