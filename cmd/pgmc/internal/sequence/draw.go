package sequence

import (
	"context"
	"encoding/csv"
	"iter"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// DrawOptions say what to draw.
type DrawOptions struct {
	N     int // draws
	Steps int // slices of a draw, without evidence
	Seed  uint64
	// Slices opened the rows that draws are given. It has no effect without rows.
	Slices *slicing.Flags
}

// Draw writes draws of a sequence to a file, as CSV or Parquet: the number of the draw, the number
// of the slice, and the variables of e; the first two under the names that e's model remembers, and
// with times if it remembers these. The rows of in are evidence on the slices; in may be nil.
// Draws without evidence, but on given variables, are from the CPDs in turn. Done counts the draws.
func Draw(ctx context.Context, e *infer.Engine, in *rowfile.Reader, out *cli.ResultFile, opt *DrawOptions, done func(int64) int64) error {
	given := make([]infer.Given, opt.Steps)
	observed := false
	var list []*row
	if in != nil {
		s, err := newSource(e, in, opt.Slices, rowfile.UnseenError)
		if err != nil {
			return err
		}
		given = nil
		err = s.each(func(r *row) error {
			if len(list) > 0 && r.of != list[0].of {
				return r.at(diag.Errorf("the row is of the sequence %q, and rows before it of %q; want one sequence, of which slices are drawn", r.of, list[0].of))
			}
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
	err := writeDraws(ctx, e, draws, newLabels(e, list), out, opt.N, done)
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
func writeDraws(ctx context.Context, e *infer.Engine, draws iter.Seq2[[][]model.Value, error], names *labels, out *cli.ResultFile, n int, done func(int64) int64) error {
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
			if w, err = newLines(e, names, out); err != nil {
				return err
			}
		}
		for t, values := range draw {
			cells := []string{strconv.Itoa(k), names.at(t)}
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
func newLines(e *infer.Engine, names *labels, out *cli.ResultFile) (lines, error) {
	columns := []data.Output{{Name: unused(names.sequence, e), Kind: data.Integers}, {Name: unused(names.slice, e), Kind: names.kind}}
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
