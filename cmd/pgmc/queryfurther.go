package main

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

// intervene returns the model after the interventions that the values of --do name.
func intervene(m *model.Model, values []string) (*model.Model, error) {
	if len(values) == 0 {
		return m, nil
	}
	if m.Kind != model.Bayes {
		return nil, fmt.Errorf("--do wants a Bayesian network, whose CPDs name the causes of each variable; this is a %s", m.Kind)
	}
	set := map[model.VarID]int{}
	for _, value := range values {
		pairs, err := cli.SplitPairs("--do", value, "a state")
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			v, ok := m.VarByName(p[0])
			if !ok || v.Latent {
				return nil, fmt.Errorf("--do: unknown variable %q", p[0])
			}
			state, ok := m.StateByName(v.ID, p[1])
			if !ok {
				return nil, fmt.Errorf("--do: variable %q has no state %q; want one of %q", p[0], p[1], m.States(v.ID))
			}
			if _, twice := set[v.ID]; twice {
				return nil, fmt.Errorf("--do: variable %q occurs twice", p[0])
			}
			set[v.ID] = state
		}
	}
	return m.Do(set), nil
}

// mostRows is the most joint states of one joint posterior. Each takes some 30 bytes of the
// answer's text, and several times that in memory while the text is written.
const mostRows = 1 << 20

// joints returns the joint posteriors that the values of --joint name.
func joints(values []string, vars []rows.Variable) ([]rows.Joint, error) {
	var list []rows.Joint
	for _, value := range values {
		names, err := cli.NamesOf("--joint", value)
		if err != nil {
			return nil, err
		}
		var j rows.Joint
		for _, name := range names {
			i := slices.IndexFunc(vars, func(v rows.Variable) bool { return v.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("--joint: unknown variable %q", name)
			}
			if slices.Contains(j.Vars, i) {
				return nil, fmt.Errorf("--joint: variable %q occurs twice", name)
			}
			j.Vars = append(j.Vars, i)
		}
		n := 1.0
		for _, i := range j.Vars {
			n *= float64(len(vars[i].States))
		}
		if n > mostRows {
			return nil, fmt.Errorf("--joint %s: %s joint states are more than the %d that pgmc query shows; ask for fewer variables together", value, compiler.Count(n), mostRows)
		}
		list = append(list, j)
	}
	return list, nil
}
