package predict

import (
	"context"
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// intervals finds the numbers that stand for the intervals of a variable in a column of numbers.
type intervals struct {
	cuts    []float64
	names   bool // the column has names of intervals
	whole   bool // its numbers are whole
	sums    []float64
	weights []float64 // by interval, of the rows with a number in it
}

// intervalsOf returns the intervals of variables by place in a row, nil for a variable of other
// states, and reports whether some variable with a column has intervals.
func intervalsOf(vars []*model.Var, b *rowfile.Binding, m *model.Model) (list []*intervals, any bool) {
	list = make([]*intervals, len(vars))
	for v, x := range vars {
		states := m.States(x.ID)
		if cuts, ok := model.IntervalCuts(states); ok && b.Column[v] >= 0 {
			list[v] = &intervals{cuts: cuts, whole: true, sums: make([]float64, len(states)), weights: make([]float64, len(states))}
			any = true
		}
	}
	return list, any
}

// add adds the value of a row.
func (n *intervals) add(text string, state int, weight float64) {
	x, ok := model.Number(text)
	if !ok {
		n.names = true
		return
	}
	n.whole = n.whole && x == math.Trunc(x)
	n.sums[state] += weight * x
	n.weights[state] += weight
}

// text returns the number that stands for an interval: the mean of the column's numbers in it, or
// without numbers there its middle. The text is whole if all numbers of the column are, and the
// name of the interval in a column of names or if there is no bound.
func (n *intervals) text(state int, name string) string {
	if n.names || len(n.cuts) == 0 {
		return name
	}
	x := n.middle(state)
	if n.weights[state] > 0 {
		x = n.sums[state] / n.weights[state]
	}
	if n.whole {
		x = math.Round(x)
	}
	return strconv.FormatFloat(x+0, 'g', -1, 64) // no "-0"
}

// middle returns the middle of an interval. Without a bound on one side, the interval counts as
// wide as its neighbour, or as 2 wide if that has no bound either.
func (n *intervals) middle(state int) float64 {
	last, width := len(n.cuts)-1, 2.0
	if last > 0 {
		at := min(max(state, 1), last)
		width = n.cuts[at] - n.cuts[at-1]
	}
	switch {
	case state == 0:
		return n.cuts[0] - width/2
	case state > last:
		return n.cuts[last] + width/2
	}
	return n.cuts[state-1] + width/2
}

// findNumbers reads the rows of the file at path once, if the model has intervals, and finds the
// numbers that stand for them.
func (i *imputer) findNumbers(ctx context.Context, path string, f *cli.DataFlags, m *model.Model) error {
	any := false
	if i.numbers, any = intervalsOf(i.vars, i.binding, m); !any || i.rows.Format == rowfile.Libra {
		return nil
	}
	if path == cli.Standard {
		var list diag.List
		list.Warnf(diag.Pos{File: path}, "an interval is filled by its middle, since standard input is read once; of a file it is filled by the mean of the numbers in it")
		i.Warn(list.Warnings())
		return nil
	}
	rows, err := i.OpenData(ctx, path, f, cli.Train)
	if err != nil {
		return err
	}
	defer rows.Close()
	b, err := rows.Bind(data.VarsOf(m), i.unseen)
	if err != nil {
		return err
	}
	return b.Each(ctx, func(rec *data.Record, states []int) error {
		for v, n := range i.numbers {
			if n != nil && states[v] != data.Missing {
				n.add(rec.Cells[b.Column[v]].Text, states[v], rec.Weight)
			}
		}
		return nil
	})
}
