package edit

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// NewState is a state that a variable gets.
type NewState struct {
	Name string
	From int // the number of the state that it was; negative for a new one
}

// SetStates gives a discrete variable the states of list, in its order. It renames, moves, adds and
// removes states.
func SetStates(m *model.Model, v model.VarID, list []NewState, limit int) (*model.Model, []Effect, error) {
	if m.IsReal(v) {
		return nil, nil, fmt.Errorf("%s is real and has no states", name(m, v))
	}
	r, names := &restating{m: m, v: v, limit: limit}, make([]string, len(list))
	for i, s := range list {
		switch {
		case s.From >= m.Card(v):
			return nil, nil, fmt.Errorf("%s has no state number %d", name(m, v), s.From)
		case s.From >= 0 && slices.Contains(r.from, s.From):
			return nil, nil, fmt.Errorf("the state %q of %s is there twice", m.States(v)[s.From], name(m, v))
		}
		names[i], r.from = s.Name, append(r.from, max(s.From, -1))
	}
	out, w := copyOf(m), *m.Vars[v]
	w.Domain = model.Discrete{States: names}
	out.Vars[v] = &w
	if r.same() {
		return checked(out, nil)
	}
	if len(list) == 0 {
		return checked(out, nil) // the check refuses it
	}
	effects, err := r.all(out)
	if err != nil {
		return nil, nil, err
	}
	if out.Transition != nil {
		more, err := inStep(out, func(step *model.Model) ([]Effect, error) {
			r := &restating{m: m.Step(), v: v, from: r.from, limit: limit}
			effects, err := r.all(step)
			if k := slices.Index(m.Transition.Before, v); k >= 0 && err == nil {
				before := &restating{m: copyOf(r.m), v: model.VarID(len(m.Vars) + k), from: r.from, limit: limit}
				before.m.Factors, before.m.Vars[v] = step.Factors, step.Vars[v]
				var more []Effect
				more, err = before.all(step)
				effects = append(effects, more...)
			}
			return effects, err
		})
		if err != nil {
			return nil, nil, err
		}
		effects = append(effects, more...)
	}
	return checked(out, slices.Concat(effects, r.utilities(out), r.asymmetry(out)))
}

// restating changes the states of v in the CPDs of m.
type restating struct {
	m     *model.Model // with the old states
	v     model.VarID
	from  []int // by new state: the old one, or -1
	limit int
}

// same reports whether states only get other names.
func (r *restating) same() bool {
	for i, from := range r.from {
		if i != from {
			return false
		}
	}
	return len(r.from) == r.m.Card(r.v)
}

// all changes the factors of out, which has the new states.
func (r *restating) all(out *model.Model) (effects []Effect, err error) {
	for i, f := range out.Factors {
		if !slices.Contains(f.Scope, r.v) {
			continue
		}
		if f.Child < 0 {
			return nil, fmt.Errorf("the %s names %s; want a variable of a network of CPDs to add, remove or move states", r.m.FactorName(f), name(r.m, r.v))
		}
		e := Effect{Of: r.m.FactorName(f)}
		g, err := r.factor(f, &e)
		if err != nil {
			return nil, err
		}
		out.Factors[i], out.Tied = g, untie(out.Tied, f.ChildVar())
		effects = append(effects, e)
	}
	return effects, nil
}

// factor returns f with the new states.
func (r *restating) factor(f *model.Factor, e *Effect) (*model.Factor, error) {
	if f.ChildVar() == r.v {
		return r.child(f, e)
	}
	e.Text = r.kept("its rows are kept for the states of %s that stay")
	discrete, real := r.m.SplitParents(f)
	scope := append(slices.Concat(discrete, real), f.ChildVar())
	card := r.m.Card(f.ChildVar())
	switch d := f.Dist.(type) {
	case *model.Gaussian:
		n, added := len(real), slices.Contains(r.from, -1)
		if added {
			e.Text += "; rows of new states have the mean 0 and the variance 1"
		}
		return revised(f, scope, &model.Gaussian{
			Mean: r.rows(d.Mean, discrete, []float64{0}, nil),
			Coef: r.rows(d.Coef, discrete, make([]float64, n), nil),
			Var:  r.rows(d.Var, discrete, []float64{1}, nil),
		}), nil
	case *model.Softmax:
		bias := r.rows(d.Bias, discrete, make([]float64, card), e)
		return revised(f, scope, &model.Softmax{Bias: bias, Coef: r.rows(d.Coef, discrete, make([]float64, card*len(real)), nil)}), nil
	case *model.NoisyMax:
		lowest := make([]float64, card)
		lowest[0] = 1
		own := &model.NoisyMax{Leak: d.Leak, Cause: slices.Clone(d.Cause)}
		i := slices.Index(f.Parents(), r.v)
		own.Cause[i] = r.rows(d.Cause[i], []model.VarID{r.v}, lowest, nil)
		if slices.Contains(r.from, -1) {
			e.Text += "; new states contribute the lowest state"
		}
		return revised(f, scope, own), nil
	case *model.Func:
		return nil, fmt.Errorf("the CPD of %s is of kind func, an expression that may name states of %s; want another expression", name(r.m, f.ChildVar()), name(r.m, r.v))
	}
	table, err := r.table(f, e)
	if err != nil {
		return nil, err
	}
	return revised(f, scope, &model.Table{Values: r.rows(table, discrete, uniform(card), e)}), nil
}

// kept returns a text about the states that stay, or that there are none.
func (r *restating) kept(format string) string {
	if !slices.ContainsFunc(r.from, func(s int) bool { return s >= 0 }) {
		format = "no state of %s stays"
	}
	return fmt.Sprintf(format, name(r.m, r.v))
}

// table returns the numbers of f as a table with the old states, if the one with new states fits.
func (r *restating) table(f *model.Factor, e *Effect) ([]float64, error) {
	table, err := tabulated(r.m, f, r.limit)
	if err != nil {
		return nil, err
	}
	values, _ := table.Table()
	if n := len(values) / r.m.Card(r.v); n > r.limit/len(r.from) {
		return nil, fmt.Errorf("the table of %s would have more than %d numbers", name(r.m, f.ChildVar()), r.limit)
	}
	if f.Dist.Kind() != table.Dist.Kind() {
		e.Text += "; it is a table now"
	}
	return values, nil
}

// rows returns rows of numbers over the joint states of vars with the new states of v. Rows of a
// new state are copies of row, and e counts them.
func (r *restating) rows(numbers []float64, vars []model.VarID, row []float64, e *Effect) []float64 {
	inner := 1
	for _, u := range vars[slices.Index(vars, r.v)+1:] {
		inner *= r.m.Card(u)
	}
	n, card := len(row), r.m.Card(r.v)
	out := make([]float64, 0, len(numbers)/card*len(r.from))
	for at := 0; n > 0 && at < len(numbers); at += card * inner * n {
		for _, s := range r.from {
			if s >= 0 {
				out = append(out, numbers[at+s*inner*n:][:inner*n]...)
				continue
			}
			out = append(out, slices.Repeat(row, inner)...)
			if e != nil {
				e.Uniform += inner
			}
		}
	}
	return out
}

// child returns the CPD of v itself with the new states.
func (r *restating) child(f *model.Factor, e *Effect) (*model.Factor, error) {
	e.Text = r.kept("the states of %s that stay keep their proportions")
	if slices.Contains(r.from, -1) {
		e.Text += "; new ones have the probability 0 where others are above 0"
	}
	switch d := f.Dist.(type) {
	case *model.Softmax:
		return nil, fmt.Errorf("the CPD of %s is of kind softmax, which has no probability 0 for a new state, and whose others depend on a removed one; want a new variable", name(r.m, r.v))
	case *model.NoisyMax:
		if !slices.IsSorted(slices.DeleteFunc(slices.Clone(r.from), func(s int) bool { return s < 0 })) {
			break // the maximum is by the order of states
		}
		own := &model.NoisyMax{Leak: r.along(d.Leak, e)}
		for _, cause := range d.Cause {
			own.Cause = append(own.Cause, r.along(cause, e))
		}
		return revised(f, scopeOf(f), own), nil
	}
	table, err := r.table(f, e)
	if err != nil {
		return nil, err
	}
	return revised(f, scopeOf(f), &model.Table{Values: r.along(table, e)}), nil
}

// along returns rows of v with the new states.
func (r *restating) along(numbers []float64, e *Effect) []float64 {
	var out []float64
	card := r.m.Card(r.v)
	for at := 0; at < len(numbers); at += card {
		row, sum := make([]float64, len(r.from)), 0.0
		for i, s := range r.from {
			if s >= 0 {
				row[i] = numbers[at+s]
			}
			sum += row[i]
		}
		switch {
		case sum == 0:
			row = uniform(len(row))
			e.Uniform++
		case slices.ContainsFunc(stateNumbers(card), func(s int) bool { return !slices.Contains(r.from, s) }):
			for i := range row {
				row[i] = rounded(row[i] / sum)
			}
		}
		out = append(out, row...)
	}
	return out
}

// stateNumbers returns 0 to n-1.
func stateNumbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// utilities changes the utilities of v; a new state has the utility 0.
func (r *restating) utilities(out *model.Model) (effects []Effect) {
	if out.Diagram == nil {
		return nil
	}
	for i, u := range out.Diagram.Utilities {
		if !slices.Contains(u.Scope, r.v) {
			continue
		}
		w, e := *u, Effect{Of: utilityName(u), Text: r.kept("its numbers are kept for the states of %s that stay")}
		w.Values = r.rows(u.Values, u.Scope, []float64{0}, nil)
		if slices.Contains(r.from, -1) {
			e.Text += ", and 0 for new ones"
		}
		out.Diagram.Utilities[i] = &w
		effects = append(effects, e)
	}
	return effects
}
