package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
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
	set := map[model.VarID]model.Value{}
	for _, value := range values {
		pairs, err := cli.SplitPairs("--do", value, "a state or a number")
		if err != nil {
			return nil, err
		}
		for _, p := range pairs {
			v, ok := m.VarByName(p[0])
			if !ok || v.Latent {
				return nil, cli.UnknownVariable("--do", p[0], m)
			}
			x, err := setTo(m, v, p[1])
			if err != nil {
				return nil, err
			}
			if _, twice := set[v.ID]; twice {
				return nil, fmt.Errorf("--do: variable %q occurs twice", p[0])
			}
			set[v.ID] = x
		}
	}
	return m.Do(set), nil
}

// setTo returns the value to which --do sets v.
func setTo(m *model.Model, v *model.Var, text string) (x model.Value, err error) {
	if v.Given {
		return x, fmt.Errorf("--do: variable %q is given, and set by its evidence", v.Name)
	}
	if m.IsReal(v.ID) {
		if x, err = v.Domain.Parse(text); err != nil {
			err = fmt.Errorf("--do: variable %q: %w", v.Name, err)
		}
		return x, err
	}
	state, ok := m.StateByName(v.ID, text)
	if !ok {
		return x, fmt.Errorf("--do: variable %q has no state %q; want one of %q", v.Name, text, m.States(v.ID))
	}
	return model.Value{State: state}, nil
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
				return nil, fmt.Errorf("--joint: unknown variable %q%s", name, nearestVariable(name, vars))
			}
			if slices.Contains(j.Vars, i) {
				return nil, fmt.Errorf("--joint: variable %q occurs twice", name)
			}
			j.Vars = append(j.Vars, i)
		}
		n := 1.0
		for _, i := range j.Vars {
			n *= float64(max(1, len(vars[i].States)))
		}
		if n > mostRows {
			return nil, fmt.Errorf("--joint %s: %s joint states are more than the %d that pgmc query shows; ask for fewer variables together", value, compiler.Count(n), mostRows)
		}
		list = append(list, j)
	}
	return list, nil
}

// mixtures returns the mixtures that the values of --mixture name.
func mixtures(values []string, vars []rows.Variable) ([]rows.Joint, error) {
	index := map[string]int{}
	for i, v := range vars {
		index[v.Name] = i
	}
	list, err := namedVariables("--mixture", values, index)
	if err != nil {
		return nil, err
	}
	var out []rows.Joint
	for _, i := range list {
		if !vars[i].Real {
			return nil, fmt.Errorf("--mixture: variable %q has states; want a real variable", vars[i].Name)
		}
		out = append(out, rows.Joint{Vars: []int{i}})
	}
	return out, nil
}

// nearestVariable suggests the variable whose name is nearest.
func nearestVariable(name string, vars []rows.Variable) string {
	var known []string
	for _, v := range vars {
		known = append(known, v.Name)
	}
	return diag.DidYouMean(name, known)
}

// namedVariables returns the numbers of the variables that a flag names; nil if it was not given.
func namedVariables(flag string, lists []string, index map[string]int) ([]int, error) {
	names, err := cli.NamesOf(flag, lists...)
	if err != nil {
		return nil, err
	}
	var vars []int
	for _, name := range names {
		i, ok := index[name]
		if !ok {
			known := slices.Sorted(maps.Keys(index))
			return nil, fmt.Errorf("%s: unknown variable %q%s", flag, name, diag.DidYouMean(name, known))
		}
		vars = append(vars, i)
	}
	return vars, nil
}

// setIf sets an element of a list to true if set is true. The list may be nil otherwise.
func setIf(list []bool, i int, set bool) []bool {
	if set {
		list[i] = true
	}
	return list
}
