package sequence

import (
	"context"
	"encoding/csv"
	"iter"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
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

// Draw writes draws of a sequence to a file, as CSV or Parquet: the number of the draw, the number
// of the slice, and the variables of e. The rows of in are evidence on the slices; in may be nil.
// Draws without evidence, but on given variables, are from the CPDs in turn. Done counts the draws.
func Draw(ctx context.Context, e *infer.Engine, in *data.Reader, out *cli.ResultFile, opt *DrawOptions, done func(int64) int64) error {
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
func writeDraws(ctx context.Context, e *infer.Engine, draws iter.Seq2[[][]model.Value, error], out *cli.ResultFile, n int, done func(int64) int64) error {
	var w lines
	k := 0
	for draw, err := range draws {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if k == 0 { // the first draw shows that the evidence is possible
			if w, err = newLines(e, out); err != nil {
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

// lines takes the cells of rows, as a csv.Writer does.
type lines interface {
	Write(cells []string) error
	Flush()
	Error() error
}

// newLines returns what writes the rows of draws to a file, after the names of the columns.
func newLines(e *infer.Engine, out *cli.ResultFile) (lines, error) {
	columns := []data.Output{{Name: unused("sequence", e), Kind: data.Integers}, {Name: unused("t", e), Kind: data.Integers}}
	for _, v := range e.Vars() {
		c := data.Output{Name: v.Name}
		if e.Model().IsReal(v.ID) {
			c.Kind = data.Reals
		}
		columns = append(columns, c)
	}
	if out.Parquet() {
		sink, err := out.Sink(0, true, columns)
		return &sinkLines{sink: sink}, err
	}
	w := csv.NewWriter(out)
	var head []string
	for _, c := range columns {
		head = append(head, c.Name)
	}
	return w, w.Write(head)
}

// sinkLines writes lines to a sink.
type sinkLines struct {
	sink data.Sink
	err  error
}

// Write writes a line.
func (l *sinkLines) Write(cells []string) error {
	for _, c := range cells {
		l.sink.Text(c)
	}
	return l.sink.End()
}

// Flush writes what is left; Error tells whether that failed.
func (l *sinkLines) Flush() { l.err = l.sink.Flush() }

// Error returns the error of the last Flush.
func (l *sinkLines) Error() error { return l.err }
