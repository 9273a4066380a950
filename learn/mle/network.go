package mle

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Network returns the function for Prior.Joint that computes the joint distributions of the
// families of m in a prior network. Variables and states are matched by name. The prior network
// must have all variables of m, each with the same states in any order.
func Network(ctx context.Context, m, prior *model.Model) (func(vars []model.VarID) ([]float64, error), error) {
	to := make([]model.VarID, len(m.Vars))
	for i, v := range m.Vars {
		w, ok := prior.VarByName(v.Name)
		if !ok {
			return nil, fmt.Errorf("%s: the prior network has no variable %q", prior.File, v.Name)
		}
		if !sameStates(m.States(v.ID), prior.States(w.ID)) {
			return nil, fmt.Errorf("%s: variable %q has the states %q in the prior network; want %q", prior.File, v.Name, prior.States(w.ID), m.States(v.ID))
		}
		to[i] = w.ID
	}
	var queries []string
	for _, f := range m.Factors {
		queries = append(queries, jointQuery(prior, to, f.Scope))
	}
	r, err := compiler.Compile(ctx, prior, compiler.Options{Queries: queries, Interpreted: true})
	if err != nil {
		return nil, fmt.Errorf("prior network: %w", err)
	}
	machine := eval.New(r.Program, r.Model)
	entry := map[string]int{}
	for i := range r.Program.Entries {
		entry[targets(r.Program.Entries[i].Query.Targets)] = i
	}
	return func(vars []model.VarID) ([]float64, error) {
		asked := make([]model.VarID, len(vars))
		for i, v := range vars {
			asked[i] = to[v]
		}
		i, ok := entry[targets(asked)]
		if !ok {
			return nil, fmt.Errorf("the variables are no family of the structure")
		}
		if err := machine.Run(&r.Program.Entries[i]); err != nil {
			return nil, fmt.Errorf("prior network: %w", err)
		}
		return reordered(m, prior, vars, asked, machine.Posterior(0)), nil
	}, nil
}

func sameStates(a, b []string) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

func targets(vars []model.VarID) string { return fmt.Sprint(vars) }

func jointQuery(prior *model.Model, to, scope []model.VarID) string {
	var names []string
	for _, v := range scope {
		names = append(names, strconv.Quote(prior.Vars[to[v]].Name))
	}
	return "joint(" + strings.Join(names, ", ") + ")"
}

// reordered lays out a joint distribution in the order of the states of m.
func reordered(m, prior *model.Model, vars, asked []model.VarID, joint []float64) []float64 {
	out := make([]float64, len(joint))
	state := make([]int, len(m.Vars))
	for i := range out {
		at := 0
		for k, v := range vars {
			s, _ := prior.StateByName(asked[k], m.States(v)[state[v]])
			at = at*prior.Card(asked[k]) + s
		}
		out[i] = joint[at]
		m.Next(vars, state)
	}
	return out
}
