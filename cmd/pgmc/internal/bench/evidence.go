package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The number of sets of evidence that single queries go through, and the number of rows of a batch.
const (
	numSets = 20
	numRows = 1024
)

// Evidence holds sets of observations of a model, all of positive probability. A set has a finding
// for each observable variable: nil if it is not observed, and otherwise its state counted from 1,
// or the value of a real variable.
type Evidence struct {
	Sets, Rows [][]*float64
	Given      [][]float64 // values of the given variables of a signature with real ones
}

// drawEvidence draws evidence from samples of the model itself. Sets alternate between all leaves
// and a random tenth of the variables. Each row observes a random tenth of its own.
func drawEvidence(ctx context.Context, a *cli.App, path string, r *compiler.Result, opt compiler.Options) (*Evidence, error) {
	draw, err := sampler(ctx, a, path, r, opt)
	if err != nil {
		return nil, err
	}
	samples := make([][]float64, numSets)
	for i := range samples {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if samples[i], err = draw(); err != nil {
			return nil, fmt.Errorf("%s: drawing evidence: %w", path, err)
		}
	}
	rng := newRand(a, 2)
	vars := len(observable(r.Model))
	some := func() []int { return rng.Perm(vars)[:min(vars, max(1, vars/10))] }
	e := &Evidence{}
	leaves := leafVariables(r.Model)
	for i, sample := range samples {
		observed := some()
		if i%2 == 0 && len(leaves) > 0 {
			observed = leaves
		}
		e.Sets = append(e.Sets, only(sample, observed))
	}
	if _, given := realSignature(r.Model); len(r.Model.Reals()) == len(r.Model.Vars) {
		e.Given = valuesOf(r.Model, given, samples)
	}
	for i := range numRows {
		e.Rows = append(e.Rows, only(samples[i%len(samples)], some()))
	}
	return e, nil
}

// valuesOf returns the values of some variables in each sample.
func valuesOf(m *model.Model, vars []model.VarID, samples [][]float64) (rows [][]float64) {
	if vars == nil {
		return nil
	}
	for _, sample := range samples {
		var row []float64
		for _, v := range vars {
			row = append(row, sample[slices.Index(observable(m), v)])
		}
		rows = append(rows, row)
	}
	return rows
}

// newRand returns a source of random numbers that depends on the seed and the stream alone.
func newRand(a *cli.App, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(a.Seed, stream)) }

// sampler returns a function that draws a state, counted from 1, or a value of each observable
// variable. It samples with a program for the sample query, or by the marginals of r if that does
// not compile, as for a large circuit.
func sampler(ctx context.Context, a *cli.App, path string, r *compiler.Result, opt compiler.Options) (draw func() ([]float64, error), err error) {
	opt.Queries, opt.Rows, opt.Steps = []string{ir.Sample.String()}, model.RowsAsIs, -1
	s, err := a.Compile(ctx, path, r.Model, opt, nil)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && len(r.Model.Reals()) > 0 {
		return nil, err
	}
	if err != nil {
		return drawByMarginals(ctx, a, r), nil
	}
	engine := infer.Of(s, a.Seed)
	return func() ([]float64, error) {
		rows, err := engine.Draw(ctx, nil, 1)
		if err != nil {
			return nil, err
		}
		list := make([]float64, len(rows[0]))
		for i, v := range observable(r.Model) {
			if list[i] = rows[0][i].Real; !r.Model.IsReal(v) {
				list[i] = float64(rows[0][i].State + 1)
			}
		}
		return list, nil
	}, nil
}

// drawByMarginals returns a function that draws one variable after another from its marginal given
// those before.
func drawByMarginals(ctx context.Context, a *cli.App, r *compiler.Result) func() ([]float64, error) {
	engine, rng := infer.Of(r, a.Seed), newRand(a, 1)
	return func() ([]float64, error) {
		row := make(infer.Row, len(engine.Vars()))
		for i := range row {
			row[i] = infer.Missing
		}
		states := make([]float64, len(row))
		for i := range row {
			got, err := engine.Marginals(ctx, row)
			if err != nil {
				return nil, err
			}
			state := drawState(got.List[i].P, rng.Float64())
			states[i], row[i] = float64(state), state-1
		}
		return states, nil
	}
}

// drawState returns the first state, counted from 1, at which the cumulative probability exceeds x,
// for x below 1. The state has positive probability even if the sum of p is less than x by
// rounding.
func drawState(p []float64, x float64) int {
	last := 0
	for k, y := range p {
		if y == 0 {
			continue
		}
		if last = k + 1; x < y {
			break
		}
		x -= y
	}
	return last
}

// only returns the findings of sample in the places in observed.
func only(sample []float64, observed []int) []*float64 {
	row := make([]*float64, len(sample))
	for _, i := range observed {
		row[i] = &sample[i]
	}
	return row
}

// leafVariables returns the places, among the observable variables, of those without children.
// There are none in a model without directions.
func leafVariables(m *model.Model) []int {
	parent := make([]bool, len(m.Vars))
	for _, f := range m.Factors {
		if f.Child < 0 {
			return nil
		}
		for i, v := range f.Scope {
			parent[v] = parent[v] || i != f.Child
		}
	}
	var leaves []int
	for i, v := range observable(m) {
		if !parent[v] {
			leaves = append(leaves, i)
		}
	}
	return leaves
}

// observable returns the variables that are not latent.
func observable(m *model.Model) []model.VarID {
	var list []model.VarID
	for _, v := range m.Vars {
		if !v.Latent {
			list = append(list, v.ID)
		}
	}
	return list
}
