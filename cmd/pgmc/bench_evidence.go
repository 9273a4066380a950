package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// How many sets of evidence single queries get in turn, and how many rows a batch has.
const (
	benchSets = 20
	benchRows = 1024
)

// benchEvidence is observations of a model, all of them possible: by observable variable 0, or the state counted from 1.
type benchEvidence struct {
	Sets, Rows [][]int
}

// drawEvidence draws evidence from samples of the model itself. Sets observe all leaves and a tenth of the variables in turn; rows
// a tenth of the variables, different ones in each.
func (a *app) drawEvidence(ctx context.Context, path string, r *compiler.Result, opt compiler.Options) (*benchEvidence, error) {
	opt.Queries, opt.Method, opt.Rows, opt.Steps = []string{ir.Sample.String()}, "", model.RowsAsIs, -1
	sampler, err := a.compile(ctx, path, r.Model, opt, nil)
	if err != nil {
		return nil, err
	}
	m := r.Model
	machine := eval.New(sampler.Program, m)
	machine.Rand = pgmrt.NewRand(a.seed)
	entry := sampler.Program.Entry(ir.Sample.String())
	rng := rand.New(rand.NewPCG(a.seed, 0x9e3779b97f4a7c15))
	vars := observable(m)
	samples := make([][]int, benchSets)
	for i := range samples {
		if err := machine.Run(entry); err != nil {
			return nil, fmt.Errorf("%s: drawing evidence: %w", path, err)
		}
		for _, v := range vars {
			samples[i] = append(samples[i], int(machine.State()[v])+1)
		}
	}
	some := func() []int { return rng.Perm(len(vars))[:min(len(vars), max(1, len(vars)/10))] }
	e := &benchEvidence{}
	leaves := leafVariables(m)
	for i, sample := range samples {
		observed := some()
		if i%2 == 0 && len(leaves) > 0 {
			observed = leaves
		}
		e.Sets = append(e.Sets, only(sample, observed))
	}
	for i := range benchRows {
		e.Rows = append(e.Rows, only(samples[i%len(samples)], some()))
	}
	return e, nil
}

// only keeps some of the states of a sample.
func only(sample, observed []int) []int {
	row := make([]int, len(sample))
	for _, i := range observed {
		row[i] = sample[i]
	}
	return row
}

// leafVariables are the observable variables that are nobody's parents, by their places among the observable ones; none in a model
// without direction.
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
