package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// intervene returns the model after the interventions that the values of --do name.
func intervene(m *model.Model, values []string) (*model.Model, error) {
	if len(values) == 0 {
		return m, nil
	}
	if m.Kind != model.Bayes {
		return nil, fmt.Errorf("--do wants a Bayesian network, whose CPDs name the causes of each variable; this is a %s", m.Kind)
	}
	set := map[model.VarID]model.Dist{}
	for _, value := range values {
		pairs, err := cli.SplitPairs("--do", value, "a state, a number, or a distribution as in A=0.3/0.7")
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
	return m.DoBy(set), nil
}

// findings returns the evidence on m, which --do must not contradict.
func (f *queryFlags) findings(path string, m *model.Model, flags cli.Evidence) (*infer.Findings, error) {
	known, err := flags.Findings(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return known, checkDone(m, f.do, known)
}

// checkDone returns an error if --do sets a variable to a state, and another was observed.
func checkDone(m *model.Model, values []string, known *infer.Findings) error {
	for _, value := range values {
		pairs, err := cli.SplitPairs("--do", value, "a state")
		if err != nil {
			return err
		}
		for _, p := range pairs {
			v, _ := m.VarByName(p[0])
			state, ok := m.StateByName(v.ID, p[1])
			if seen := known.State[v.ID]; ok && !m.IsReal(v.ID) && seen != infer.Missing && seen != state {
				return cli.Usagef("--do sets %q to %q, and the evidence is that it is %q; leave out one of them", v.Name, p[1], m.States(v.ID)[seen])
			}
		}
	}
	return nil
}

// setTo returns the distribution to which --do sets v: a value, or numbers as in --soft.
func setTo(m *model.Model, v *model.Var, text string) (model.Dist, error) {
	if v.Given {
		return nil, fmt.Errorf("--do: variable %q is given, and set by its evidence", v.Name)
	}
	if state, ok := m.StateByName(v.ID, text); ok && !m.IsReal(v.ID) {
		return m.Certain(v.ID, model.Value{State: state}), nil
	}
	numbers, spread, err := cli.Numbers(text)
	switch {
	case m.IsReal(v.ID) && err == nil && spread && len(numbers) == 2 && numbers[1] > 0:
		return &model.Gaussian{Mean: numbers[:1], Var: []float64{numbers[1] * numbers[1]}}, nil
	case m.IsReal(v.ID):
		x, err := v.Domain.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--do: variable %q: %w", v.Name, err)
		}
		return m.Certain(v.ID, x), nil
	case err != nil || len(numbers) == 1:
		return nil, fmt.Errorf("--do: variable %q has no state %q; want one of %q", v.Name, text, m.States(v.ID))
	case spread || len(numbers) != m.Card(v.ID) || !pgmrt.IsDistribution(numbers):
		return nil, fmt.Errorf("--do: found %s for %q; want a probability for each of its %d states, which sum to 1", text, v.Name, m.Card(v.ID))
	}
	return &model.Table{Values: numbers}, nil
}

// wanted returns the answers that the flags ask for. If they ask for nothing, that is all marginals
// for one question, and everything for a batch.
func (f *queryFlags) wanted(vars []rows.Variable) (rows.Wanted, error) {
	w := rows.Wanted{LogP: f.logp, MPE: f.mpe, Batch: f.batch != ""}
	var err error
	if w.Joint, err = joints(f.joint, vars); err == nil {
		w.Mixture, err = mixtures(f.mixture, vars)
	}
	if err != nil {
		return w, err
	}
	if f.max && f.targets == nil && f.joint == nil {
		f.all = true
	}
	if !f.all && !f.logp && !f.mpe && f.targets == nil && f.joint == nil && f.mixture == nil && f.mapOf == nil && f.kmpe == 0 {
		if by := cli.Approximate(f.Method.Value); by != nil && by.Answers.Kind == ir.Decoding {
			w.MPE = true
			return w, nil
		}
		f.all = true
		w.LogP, w.MPE = true, f.batch != ""
	}
	if f.all || f.targets != nil {
		w.Marginals = make([]bool, len(vars))
	}
	index := map[string]int{}
	for i, v := range vars {
		w.Marginals = setIf(w.Marginals, i, f.all)
		index[v.Name] = i
	}
	w.KMPE = f.kmpe
	if w.MAP, err = namedVariables("--map", f.mapOf, index); err != nil {
		return w, err
	}
	targets, err := namedVariables("--targets", f.targets, index)
	for _, i := range targets {
		w.Marginals[i] = true
	}
	if f.max {
		w.Maximise()
	}
	return w, err
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

// nearestVariable suggests the variable with the nearest name.
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
