package sequence

import (
	"context"
	"fmt"
	"io"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// watch warns, once, that an exact belief may outgrow the histories that it has room for: while
// there is time to choose another filter.
type watch struct {
	growth *compiler.Growth // nil if there is nothing to warn of, or no longer
	notes  io.Writer
}

// newWatch returns a watch for the belief of e.
func newWatch(ctx context.Context, e *infer.Engine, opt *Options) (*watch, error) {
	w := &watch{notes: opt.Notes}
	if opt.Notes == nil || !(opt.Filter || opt.Smooth || opt.Viterbi) || opt.Beam > 0 || opt.MeanField != nil || opt.By != nil {
		return w, nil
	}
	g, err := e.Growth(ctx)
	if err == nil && g != nil && g.Slices >= 0 {
		w.growth = g
	}
	return w, err
}

// nearly is the share of the histories that are kept from which on a belief is said to grow: two
// states, for instance, leave it time for ten more slices.
const nearly = 1. / 1024

// slice looks at the number of histories after a slice that was read at pos.
func (w *watch) slice(pos diag.Pos, histories int) {
	if w.growth != nil && float64(histories) > nearly*float64(w.growth.Most) && histories > 1 {
		w.warn(pos, fmt.Sprintf("%d histories after this slice: ", histories))
	}
}

// sequence looks at the length of a sequence that is about to be smoothed, or given its path.
func (w *watch) sequence(pos diag.Pos, slices int) {
	if w.growth != nil && slices > w.growth.Slices {
		w.warn(pos, fmt.Sprintf("a sequence of %d slices: ", slices))
	}
}

func (w *watch) warn(pos diag.Pos, what string) {
	var list diag.List
	list.Warnf(pos, "%s%v", what, w.growth.Warning())
	w.growth = nil
	fmt.Fprintln(w.notes, cli.Text(list.Warnings()[0]))
}
