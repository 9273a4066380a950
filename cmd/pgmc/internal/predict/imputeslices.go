package predict

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// sequences fills the missing cells of rows that are slices of sequences, given all rows of a
// sequence, and writes the rows in the order of the reader.
func (i *imputer) sequences(ctx context.Context, w *cli.RowWriter) error {
	names, err := i.rows.SequenceNames(i.slices.Column)
	if err != nil {
		return err
	}
	byName := map[string]int{}
	var all, rows []*slice
	var of [][]*slice
	err = i.binding.Each(ctx, func(rec *data.Record, states []int) error {
		name, err := names.Of(rec)
		if err != nil {
			return err
		}
		k, known := byName[name]
		if !known {
			k = len(of)
			byName[name], of = k, append(of, nil)
		}
		own := *rec
		own.Cells = slices.Clone(rec.Cells)
		x := &slice{rec: own, states: slices.Clone(states), known: i.by.Evidence(states, i.binding.Values)}
		of[k], all = append(of[k], x), append(all, x)
		return nil
	})
	seeds := rand.New(rand.NewPCG(i.Seed, 0)) // of the draws of each sequence
	for k := 0; err == nil && k < len(of); k++ {
		rows = of[k]
		err = i.sequence(ctx, rows, seeds.Uint64())
	}
	var at *infer.SliceError
	if errors.As(err, &at) {
		return diag.Diagnostic{Pos: rows[at.Slice].rec.Pos, Msg: cli.Text(at.Err)}
	}
	for k := 0; err == nil && k < len(all); k++ {
		err = i.write(w, &all[k].rec)
	}
	return err
}

// sequence fills the missing cells of the rows of a sequence.
func (i *imputer) sequence(ctx context.Context, rows []*slice, seed uint64) error {
	given := make([]infer.Given, len(rows))
	missing := 0
	for t, x := range rows {
		given[t] = x.known
		missing += i.missing(x.states)
	}
	if missing == 0 {
		return nil
	}
	values, err := i.path(ctx, given, seed)
	if err != nil {
		return err
	}
	for t, x := range rows {
		if i.missing(x.states) > 0 {
			i.fill(&x.rec, x.states, values[t])
		}
	}
	return nil
}

// path returns a value of each variable in each slice: the best one given the sequence, or a draw
// of all together.
func (i *imputer) path(ctx context.Context, given []infer.Given, seed uint64) ([][]model.Value, error) {
	if i.draw {
		for draw, err := range infer.Of(i.result, seed).Trajectories(ctx, given) {
			return draw, err
		}
	}
	list, err := i.engine.Smooth(ctx, given)
	values := make([][]model.Value, len(list))
	for t := range list {
		values[t] = i.best(&list[t])
	}
	return values, err
}
