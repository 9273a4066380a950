package editing

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cpt"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// setting is the value of --set.
type setting struct {
	name, state string     // what is set
	whole       bool       // a whole row, and no state of it
	given       [][]string // names of parents and their states
	numbers     []float64
	parameters  []parameter // in place of numbers
}

// parameter is a number of a Gaussian or softmax CPD.
type parameter struct {
	name  string
	value float64
}

// parseSet reads a setting: lung=yes | smoke=yes: 0.1.
func parseSet(text string) ([]operation, error) {
	left, right, ok := cut(text, ':', true)
	if !ok {
		return nil, fmt.Errorf("want a colon and a number, as in 'lung=yes | smoke=yes: 0.1'")
	}
	target, given, conditional := cut(left, '|', false)
	s := &setting{}
	list, err := diag.SplitNames(target)
	switch {
	case err != nil:
		return nil, err
	case len(list) != 1 || len(list[0]) > 2:
		return nil, fmt.Errorf("found %q; want a variable, or one of its states as in lung=yes", target)
	case len(list[0]) == 2:
		s.state = list[0][1]
	}
	s.name, s.whole = list[0][0], len(list[0]) == 1
	if conditional {
		if s.given, err = pairs(given, "a state of each parent after the bar, as in 'lung=yes | smoke=yes: 0.1'"); err != nil {
			return nil, err
		}
	}
	if _, _, ok := cut(right, '=', false); ok {
		s.parameters, err = parameters(right)
	} else {
		s.numbers, err = numbers(right)
	}
	switch {
	case err != nil:
		return nil, err
	case !s.whole && len(s.numbers) > 1:
		return nil, fmt.Errorf("found %d numbers for one state; want one, or the variable without a state for a whole row", len(s.numbers))
	}
	return []operation{s.apply}, nil
}

// parameters reads parameters: mean=2, temperature=0.5.
func parameters(text string) (list []parameter, err error) {
	all, err := pairs(text, "parameters, as in mean=2, var=1")
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		x, err := strconv.ParseFloat(p[1], 64)
		if err != nil {
			return nil, fmt.Errorf("found %q; want a number for %q", p[1], p[0])
		}
		list = append(list, parameter{name: p[0], value: x})
	}
	return list, nil
}

// apply sets the numbers. If that needs another CPD, the error says how to get one.
func (s *setting) apply(r *run) (*model.Model, []edit.Effect, error) {
	m, effects, err := s.set(r)
	if kind := (*edit.KindError)(nil); errors.As(err, &kind) && kind.Want == "" {
		name := cli.QuoteName(s.name)
		err = fmt.Errorf("%w; pgmc show model %s --var %s -o cpt.csv writes the table, and --cpt %s reads it", err,
			cli.ShellQuote(r.path), cli.ShellQuote(s.name), cli.ShellQuote(name+"=cpt.csv"))
	}
	return m, effects, err
}

// set sets the numbers.
func (s *setting) set(r *run) (*model.Model, []edit.Effect, error) {
	if u := r.utility(s.name); u >= 0 {
		return s.utility(r, u)
	}
	return r.inSlice(s.name, func(at *slice, v model.VarID) (*model.Model, []edit.Effect, error) {
		given, err := at.states(s.given)
		if err != nil {
			return nil, nil, err
		}
		state := -1
		if !s.whole {
			if state, err = at.state(v, s.state); err != nil {
				return nil, nil, err
			}
		}
		switch {
		case s.parameters != nil:
			list, err := s.resolve(at, v, state)
			if err != nil {
				return nil, nil, err
			}
			return edit.SetParameters(at.m, v, state, given, list)
		case s.whole && at.m.IsReal(v):
			return nil, nil, fmt.Errorf("%q is real; want its parameters, as in 'mean=2, var=1'", s.name)
		case s.whole:
			return edit.SetRow(at.m, v, given, s.numbers)
		}
		return edit.SetState(at.m, v, state, given, s.numbers[0])
	})
}

// kinds are the names of parameters that are no coefficients.
var kinds = map[string]model.ParameterKind{"mean": model.Mean, "var": model.Variance, "bias": model.Bias}

// resolve returns the parameters of the CPD of v. A name is one of kinds, or otherwise of a parent.
func (s *setting) resolve(at *slice, v model.VarID, state int) (list []edit.Parameter, err error) {
	if !at.m.IsReal(v) && state < 0 {
		return nil, fmt.Errorf("%q has states, each with parameters of its own; want a state, as in %s=%s", s.name, s.name, at.m.States(v)[0])
	}
	if at.m.IsReal(v) && state >= 0 {
		return nil, fmt.Errorf("%q is real and has no states", s.name)
	}
	for _, p := range s.parameters {
		if kind, ok := kinds[p.name]; ok {
			list = append(list, edit.Parameter{Kind: kind, Value: p.value})
			continue
		}
		parent, err := at.variable(p.name)
		if err != nil {
			return nil, err
		}
		list = append(list, edit.Parameter{Kind: model.Coefficient, Parent: parent, Value: p.value})
	}
	return list, nil
}

// utility sets numbers of a utility.
func (s *setting) utility(r *run, u int) (*model.Model, []edit.Effect, error) {
	given, err := r.slice().states(s.given)
	switch {
	case err != nil:
		return nil, nil, err
	case !s.whole || len(s.numbers) != 1:
		return nil, nil, fmt.Errorf("%q is a utility; want one number, as in '%s | %s: 10'", s.name, s.name, "choice=yes")
	}
	return edit.SetUtility(r.m, u, given, s.numbers[0])
}

// parseCPT reads a variable and a file: lung=cpt.csv.
func parseCPT(text string) ([]operation, error) {
	name, path, ok := cut(text, '=', false)
	if !ok || path == "" {
		return nil, fmt.Errorf("want a variable and a file, as in lung=cpt.csv")
	}
	list, err := diag.Names(name)
	if err != nil || len(list) != 1 {
		return nil, fmt.Errorf("found %q; want one variable, as in lung=cpt.csv", name)
	}
	return []operation{func(r *run) (*model.Model, []edit.Effect, error) { return replaceCPT(r, list[0], path) }}, nil
}

// replaceCPT replaces a CPD or a utility by the one in a file.
func replaceCPT(r *run, name, path string) (*model.Model, []edit.Effect, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	if u := r.utility(name); u >= 0 {
		values, err := cpt.ReadUtility(path, in, r.m, r.m.Diagram.Utilities[u])
		if err != nil {
			return nil, nil, err
		}
		return edit.ReplaceUtility(r.m, u, values)
	}
	return r.inSlice(name, func(at *slice, v model.VarID) (*model.Model, []edit.Effect, error) {
		i := slices.IndexFunc(at.m.Factors, func(f *model.Factor) bool { return f.ChildVar() == v })
		if i < 0 {
			return edit.Replace(at.m, v, &model.Table{}) // says why there is none
		}
		d, err := cpt.Read(path, in, at.shown(), at.m.Factors[i], r.limit)
		if err != nil {
			return nil, nil, err
		}
		return edit.Replace(at.m, v, d)
	})
}
