package edit

import (
	"fmt"
	"math"
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
	i, err := cpdGiven(m, v, given)
	if err != nil {
		return nil, nil, err
	}
	f, note, err := rowed(m, m.Factors[i])
	if err != nil {
		return nil, nil, err
	}
	d := f.Dist.(model.Rowed)
	numbers, stride, text := slices.Clone(d.Numbers()), d.Layout(m, f).Inner, "set"
	rows := chosen(m, f, given)
	if rows == nil {
		return nil, nil, fmt.Errorf("the CPD of %s is a %s, with a row for each state of a cause and for the leak; want the state of one cause, or none for the leak", name(m, v), f.Dist.Kind())
	}
	for _, at := range rows {
		row := make([]float64, m.Card(v))
		for s := range row {
			row[s] = numbers[at+s*stride]
		}
		scaled, err := change(row)
		if err != nil {
			return nil, nil, fmt.Errorf("in the row of %s: %w", rowText(m, v, given), err)
		}
		if scaled {
			text = "set and divided by its sum"
		}
		for s, x := range row {
			numbers[at+s*stride] = x
		}
	}
	out, g := copyOf(m), *f
	g.Dist, g.Counts = d.WithNumbers(numbers), nil
	out.Factors[i] = &g
	return checked(out, []Effect{{Of: m.FactorName(f), Text: counted(len(rows), "row", text) + note}})
}

// counted writes a number of things and what happened to them.
func counted(n int, thing, done string) string {
	if n == 1 {
		return "1 " + thing + " is " + done
	}
	return fmt.Sprintf("%d %ss are %s", n, thing, done)
}

// cpdGiven is cpd, with an error unless given has parents of v, each once.
func cpdGiven(m *model.Model, v model.VarID, given []State) (int, error) {
	i, err := cpd(m, v)
	if err != nil {
		return 0, err
	}
	list := m.Factors[i].Parents()
	for k, s := range given {
		if !slices.Contains(list, s.Var) {
			return 0, fmt.Errorf("%s is no parent of %s; its parents: %s", name(m, s.Var), name(m, v), names(m, list))
		}
		if slices.ContainsFunc(given[:k], func(t State) bool { return t.Var == s.Var }) {
			return 0, fmt.Errorf("%s is there twice; want one state of it", name(m, s.Var))
		}
	}
	return i, nil
}

// HasRows reports whether SetRow can set rows of f.
func HasRows(f *model.Factor) bool {
	_, rows := f.Dist.(model.Rowed)
	_, states := f.Dist.(*model.Deterministic)
	return rows || states
}

// rowed returns f with a CPD that has rows to set, and a note if that is a table in its place.
func rowed(m *model.Model, f *model.Factor) (*model.Factor, string, error) {
	if !HasRows(f) {
		return nil, "", &KindError{Kind: f.Dist.Kind(), Name: m.Vars[f.ChildVar()].Name, Want: wordsOf(f).want}
	}
	if _, ok := f.Dist.(model.Rowed); ok {
		return f, "", nil
	}
	values, err := m.Tabulate(f, math.MaxInt)
	if err != nil {
		return nil, "", err
	}
	g := *f
	g.Dist = &model.Table{Values: values}
	return &g, "; the CPD is a table now", nil
}

// chosen returns the places of the rows of f that are for the states of given, or if there are
// none, for these and any states of other parents.
func chosen(m *model.Model, f *model.Factor, given []State) (list []int) {
	want, exact, parents := statesOf(m, given), -1, f.Parents()
	f.Dist.(model.Rowed).EachRow(m, f, func(at int, state []int) {
		differs := func(u model.VarID) bool { return state[u] != want[u] }
		if !slices.ContainsFunc(parents, differs) {
			exact = at
		}
		if !slices.ContainsFunc(parents, func(u model.VarID) bool { return want[u] >= 0 && differs(u) }) {
			list = append(list, at)
		}
	})
	if exact >= 0 {
		return []int{exact}
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
