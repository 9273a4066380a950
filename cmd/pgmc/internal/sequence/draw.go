package sequence

import (
	"context"
	"encoding/csv"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// DrawOptions say what to draw.
type DrawOptions struct {
	N     int // draws
	Steps int // slices of a draw, without evidence
	Seed  uint64
}

// Draw writes draws of a sequence as CSV: the number of the draw, the number of the slice, and the
// variables of e. The rows of in are evidence on the slices; in may be nil. Draws without evidence,
// but on given variables, are from the CPDs in turn. Done counts the draws.
func Draw(ctx context.Context, e *infer.Engine, in *data.Reader, out io.Writer, opt *DrawOptions, done func(int64) int64) error {
	given := make([]infer.Given, opt.Steps)
	observed := false
	var list []*row
	if in != nil {
		s, err := newSource(e, in, "", data.UnseenError)
		if err != nil {
			return err
		}
		given = nil
		err = s.each(func(r *row) error {
			given, list = append(given, r.found), append(list, r)
			for _, v := range e.Vars() {
				_, known := r.found.Observed(v)
				observed = observed || known && !v.Given
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	draws := infer.ForwardTrajectories(e.Model(), given, opt.Seed)
	if observed {
		draws = e.Trajectories(ctx, given)
	}
	err := writeDraws(ctx, e, draws, out, opt.N, done)
	if list != nil {
		err = atSlice(err, list)
	}
	return err
}

// unused returns the name of a column that is not the name of a variable of e.
func unused(name string, e *infer.Engine) string {
	for slices.ContainsFunc(e.Vars(), func(v *model.Var) bool { return v.Name == name }) {
		name += "_"
	}
	return name
}

// writeDraws writes n draws.
func writeDraws(ctx context.Context, e *infer.Engine, draws iter.Seq2[[][]model.Value, error], out io.Writer, n int, done func(int64) int64) error {
	w := csv.NewWriter(out)
	head := []string{unused("sequence", e), unused("t", e)}
	for _, v := range e.Vars() {
		head = append(head, v.Name)
	}
	k := 0
	for draw, err := range draws {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if k == 0 { // the first draw shows that the evidence is possible
			if err := w.Write(head); err != nil {
				return err
			}
		}
		for t, values := range draw {
			cells := []string{strconv.Itoa(k), strconv.Itoa(t)}
			for i, x := range values {
				cells = append(cells, e.Vars()[i].Domain.Text(x))
			}
			if err := w.Write(cells); err != nil {
				return err
			}
		}
		if k++; done(1) == int64(n) {
			break
		}
	}
	w.Flush()
	return w.Error()
}
