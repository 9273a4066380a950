package edit

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// SetState sets the probability of a state of v in the rows of its CPD that have the states of
// given. Parents that given leaves out may have any state. The other states of v keep their
// proportions. In a noisy-max, a row is the contribution of the one cause in given, or of the leak
// if given is empty.
func SetState(m *model.Model, v model.VarID, state int, given []State, p float64) (*model.Model, []Effect, error) {
	return setRows(m, v, given, func(row []float64) (bool, error) { return false, share(row, state, p) })
}

// SetRow sets the rows of the CPD of v that SetState sets, to a probability for each state.
func SetRow(m *model.Model, v model.VarID, given []State, row []float64) (*model.Model, []Effect, error) {
	if n := m.Card(v); n != len(row) {
		return nil, nil, fmt.Errorf("found %d of %d numbers, one for each state of %s", len(row), n, name(m, v))
	}
	row = slices.Clone(row)
	scaled, err := complete(row)
	if err != nil {
		return nil, nil, fmt.Errorf("in the row of %s: %w", rowText(m, v, given), err)
	}
	return setRows(m, v, given, func(to []float64) (bool, error) { copy(to, row); return scaled, nil })
}

// rowText names a row for messages.
func rowText(m *model.Model, v model.VarID, given []State) string {
	if len(given) == 0 {
		return name(m, v)
	}
	return name(m, v) + " with " + stateText(m, given)
}

// setRows changes the rows of a CPD that have the states of given. change reports whether it scaled
// a row.
func setRows(m *model.Model, v model.VarID, given []State, change func(row []float64) (scaled bool, err error)) (*model.Model, []Effect, error) {
	i, err := cpd(m, v)
	if err == nil {
		err = parents(m, m.Factors[i], given)
	}
	if err != nil {
		return nil, nil, err
	}
	f := m.Factors[i]
	rows, err := rowsOf(m, f, given)
	if err != nil {
		return nil, nil, err
	}
	e := Effect{Of: m.FactorName(f), Text: counted(len(rows.at), "row", "set")}
	for _, at := range rows.at {
		row := make([]float64, m.Card(v))
		for s := range row {
			row[s] = rows.numbers[at+s*rows.stride]
		}
		scaled, err := change(row)
		if err != nil {
			return nil, nil, fmt.Errorf("in the row of %s: %w", rowText(m, v, given), err)
		}
		if scaled {
			e.Text = counted(len(rows.at), "row", "set and divided by its sum")
		}
		for s, x := range row {
			rows.numbers[at+s*rows.stride] = x
		}
	}
	if _, ok := f.Dist.(*model.Deterministic); ok {
		e.Text += "; the CPD is a table now"
	}
	out, g := copyOf(m), *f
	g.Dist, g.Counts = rows.dist(rows.numbers), nil
	out.Factors[i] = &g
	return checked(out, []Effect{e})
}

// counted writes a number of things and what happened to them.
func counted(n int, thing, done string) string {
	if n == 1 {
		return "1 " + thing + " is " + done
	}
	return fmt.Sprintf("%d %ss are %s", n, thing, done)
}

// parents returns an error unless given has parents of f, each once.
func parents(m *model.Model, f *model.Factor, given []State) error {
	list := f.Parents()
	for i, s := range given {
		if !slices.Contains(list, s.Var) {
			return fmt.Errorf("%s is no parent of %s; its parents: %s", name(m, s.Var), name(m, f.ChildVar()), names(m, list))
		}
		if slices.ContainsFunc(given[:i], func(t State) bool { return t.Var == s.Var }) {
			return fmt.Errorf("%s is there twice; want one state of it", name(m, s.Var))
		}
	}
	return nil
}

// chosen are some rows of a CPD: row r has the numbers at[r], at[r]+stride and so on.
type chosen struct {
	numbers []float64 // a copy of all numbers
	at      []int
	stride  int
	dist    func(numbers []float64) model.Dist
}

// rowsOf returns the rows of f that have the states of given.
func rowsOf(m *model.Model, f *model.Factor, given []State) (*chosen, error) {
	v := f.ChildVar()
	switch d := f.Dist.(type) {
	case *model.Table:
		r := &chosen{numbers: slices.Clone(d.Values), dist: d.WithNumbers, stride: 1}
		for _, u := range f.Scope[f.Child+1:] {
			r.stride *= m.Card(u)
		}
		r.at = matching(m, f.Scope, append(slices.Clone(given), State{v, 0}))
		return r, nil
	case *model.NoisyMax:
		r := &chosen{numbers: d.Numbers(), dist: d.WithNumbers, stride: 1, at: []int{0}}
		if len(given) > 1 {
			return nil, fmt.Errorf("the CPD of %s is a noisy-max, with a row for each state of a cause and for the leak; want the state of one cause, or none for the leak", name(m, v))
		}
		if len(given) == 1 {
			r.at[0] = len(d.Leak) * (1 + given[0].State)
			for i, u := range f.Parents() {
				if u == given[0].Var {
					break
				}
				r.at[0] += len(d.Cause[i])
			}
		}
		return r, nil
	case *model.Deterministic:
		values, err := m.Tabulate(f, len(d.States)*m.Card(v))
		if err != nil {
			return nil, err
		}
		return rowsOf(m, &model.Factor{Scope: f.Scope, Child: f.Child, Dist: &model.Table{Values: values}}, given)
	}
	return nil, unsettable(m, f)
}

// matching returns the row-major indices in scope of the joint states that have the given states.
func matching(m *model.Model, scope []model.VarID, given []State) (list []int) {
	list = []int{0}
	for _, u := range scope {
		states := make([]int, 0, m.Card(u))
		for s := range m.Card(u) {
			states = append(states, s)
		}
		if i := slices.IndexFunc(given, func(t State) bool { return t.Var == u }); i >= 0 {
			states = []int{given[i].State}
		}
		next := make([]int, 0, len(list)*len(states))
		for _, at := range list {
			for _, s := range states {
				next = append(next, at*m.Card(u)+s)
			}
		}
		list = next
	}
	return list
}

// KindError is the error for a CPD of a kind that has no single numbers to set, or others than were
// asked for.
type KindError struct {
	Kind string // of the CPD
	Name string // of its variable
	Want string // what can be set; empty if it can only be replaced
}

// Error says what can be set.
func (e *KindError) Error() string {
	want := e.Want
	if want == "" {
		want = "a new CPD, such as its table with that number changed"
	}
	return fmt.Sprintf("the CPD of %q is of kind %s, and has no probability to set; want %s", e.Name, e.Kind, want)
}

// unsettable returns the error for a CPD without probabilities to set.
func unsettable(m *model.Model, f *model.Factor) error {
	e := &KindError{Kind: f.Dist.Kind(), Name: m.Vars[f.ChildVar()].Name}
	switch f.Dist.(type) {
	case *model.Gaussian:
		e.Want = "its mean, coefficients or variance"
	case *model.Func:
		e.Want = "its variance"
	case *model.Softmax:
		e.Want = "the bias or the coefficients of a state"
	}
	return e
}
