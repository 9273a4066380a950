package bench

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// How many sets of evidence single queries get in turn, and how many rows a batch has.
const (
	numSets = 20
	numRows = 1024
)

// Evidence is observations of a model, all of them possible: by observable variable 0, or the state
// counted from 1.
type Evidence struct {
	Sets, Rows [][]int
}

// drawEvidence draws evidence from samples of the model itself. Sets observe all leaves and a tenth
// of the variables in turn; rows a tenth of the variables, different ones in each.
func drawEvidence(ctx context.Context, a *cli.App, path string, r *compiler.Result, opt compiler.Options) (*Evidence, error) {
	draw, err := sampler(ctx, a, path, r, opt)
	if err != nil {
		return nil, err
	}
	samples := make([][]int, numSets)
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
	for i := range numRows {
		e.Rows = append(e.Rows, only(samples[i%len(samples)], some()))
	}
	return e, nil
}

// newRand is a source of random numbers that the seed determines, another one for each stream.
func newRand(a *cli.App, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(a.Seed, stream)) }

// sampler gives what draws a state of each observable variable, counted from 1: a program for
// samples or, where there can't be one, as for a large circuit, that of r, which gives marginals.
func sampler(ctx context.Context, a *cli.App, path string, r *compiler.Result, opt compiler.Options) (draw func() ([]int, error), err error) {
	opt.Queries, opt.Rows, opt.Steps = []string{ir.Sample.String()}, model.RowsAsIs, -1
	s, err := a.Compile(ctx, path, r.Model, opt, nil)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return drawByMarginals(ctx, a, r), nil
	}
	machine := eval.New(s.Program, r.Model)
	machine.Rand = pgmrt.NewRand(a.Seed)
	return func() ([]int, error) {
		if err := machine.Run(s.Program.Entry(ir.Sample.String())); err != nil {
			return nil, err
		}
		var states []int
		for _, v := range observable(r.Model) {
			states = append(states, int(machine.State()[v])+1)
		}
		return states, nil
	}, nil
}

// drawByMarginals draws one variable after another by its marginals given those before.
func drawByMarginals(ctx context.Context, a *cli.App, r *compiler.Result) func() ([]int, error) {
	engine, rng := infer.Of(r, a.Seed), newRand(a, 1)
	return func() ([]int, error) {
		row := make(infer.Row, len(engine.Vars()))
		for i := range row {
			row[i] = infer.Missing
		}
		states := make([]int, len(row))
		for i := range row {
			got, err := engine.Marginals(ctx, row)
			if err != nil {
				return nil, err
			}
			states[i] = drawState(got.List[i].P, rng.Float64())
			row[i] = states[i] - 1
		}
		return states, nil
	}
}

// drawState is the state, counted from 1, at which the probabilities add up to x, which is below 1:
// one that has a probability.
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

// only keeps some of the states of a sample.
func only(sample, observed []int) []int {
	row := make([]int, len(sample))
	for _, i := range observed {
		row[i] = sample[i]
	}
	return row
}

// leafVariables are the observable variables that are nobody's parents, by their places among the
// observable ones; none in a model without direction.
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

// observable lists the variables that are not latent.
func observable(m *model.Model) []model.VarID {
	var list []model.VarID
	for _, v := range m.Vars {
		if !v.Latent {
			list = append(list, v.ID)
		}
	}
	return list
}
