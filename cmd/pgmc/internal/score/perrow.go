package score

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// rowScores scores the rows of a data set and, with --per-row, writes the score of each.
type rowScores struct {
	*cli.App
	by      *rate.Scorer
	opt     *Options
	counted *counted // nil if there is no BIC
	done    atomic.Int64

	kept     []int    // the columns that are copied
	needed   []string // their names
	weighted bool     // rows that were written have weights
}

// scored are the sums over the scores of some rows, as the list of the parts of a folder has them.
type scored struct {
	Rows       int64    `json:"rows"`
	Weight     float64  `json:"weight"`
	Mean       float64  `json:"mean"`
	Squares    float64  `json:"squares"` // of the differences to the mean
	Impossible int      `json:"impossible"`
	First      diag.Pos `json:"first_impossible,omitzero"`
}

// score scores all rows.
func (x *rowScores) score(ctx context.Context, rows *rowfile.Reader) (err error) {
	if !x.opt.PerRow {
		return x.blocks(ctx, rows, nil)
	}
	if x.kept, err = x.opt.Keep.Columns(rows, data.VarsOf(x.by.Model())); err != nil {
		return err
	}
	for _, c := range x.kept {
		x.needed = append(x.needed, rows.Columns[c].Name)
	}
	parts, _, err := cli.WriteRows(ctx, x.App, rows, &x.opt.Out, x.by.Model(), func(rows *rowfile.Reader, out *cli.ResultFile) (int64, scored, error) {
		err := x.blocks(ctx, rows, out)
		n, t := x.by.Take()
		return n, scored{n, t.Weight, t.Value, t.Squares, t.Impossible, t.First}, err
	})
	for _, s := range parts {
		x.by.Merge(s.Rows, rate.Tally{Mean: rate.Mean{Weight: s.Weight, Value: s.Mean, Squares: s.Squares}, Impossible: s.Impossible, First: s.First})
	}
	return err
}

// blocks scores rows, and writes them unless out is nil.
func (x *rowScores) blocks(ctx context.Context, rows *rowfile.Reader, out *cli.ResultFile) error {
	vars := data.VarsOf(x.by.Model())
	binding, err := rows.Bind(vars, x.opt.policyOfUnseen())
	if err != nil {
		return err
	}
	binding.Only(x.needed...)
	var w *cli.RowWriter
	if out != nil {
		if w, err = out.NewRowWriter(rows, binding, vars, x.kept, []data.Output{{Name: "score", Kind: data.Reals}}, true); err != nil {
			return err
		}
	}
	err = binding.EachBlock(ctx, rowfile.BlockOptions{
		Cores: x.Cores(),
		Cells: x.kept != nil,
		Work: func(core int, k *rowfile.Block) error {
			x.counted.work(core, k)
			return x.by.Score(ctx, core, k, k.Scores())
		},
		Then: func(k *rowfile.Block) error {
			x.counted.then(k)
			x.by.Count(k, k.Scores())
			x.done.Add(int64(k.Rows))
			return x.write(w, k)
		},
	})
	if w == nil {
		return err
	}
	return errors.Join(err, w.Flush())
}

// write writes the scores of a block to w, unless that is nil.
func (x *rowScores) write(w *cli.RowWriter, k *rowfile.Block) error {
	if w == nil {
		return nil
	}
	x.weighted = x.weighted || k.Weights != nil
	for row, score := range k.Scores() {
		w.Copy(k.Cells(row))
		w.Number(score)
		if err := w.End(); err != nil {
			return err
		}
	}
	return nil
}

// warn warns of what the output does not show about the rows of the data set at path.
func (x *rowScores) warn(path string) {
	var list diag.List
	if x.by.Len() == 0 {
		list.Warnf(diag.Pos{File: path}, "there are no rows; want some below the names of the columns")
	}
	if x.weighted {
		list.Warnf(diag.Pos{File: path}, "the weights of rows count in the summary, and are not in the output")
	}
	x.Warn(list.Warnings())
}
