package edit

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Replace gives v the CPD d over its parents and itself: over the discrete parents, then the real
// ones, each in the order of the CPD that it had, and then v. Rows of a table and of a noisy-max
// must sum to one, within the rounding of a few digits, by which they are divided.
func Replace(m *model.Model, v model.VarID, d model.Dist) (*model.Model, []Effect, error) {
	i, err := cpd(m, v)
	if err != nil {
		return nil, nil, err
	}
	f := m.Factors[i]
	discrete, real := m.SplitParents(f)
	g := revised(f, append(slices.Concat(discrete, real), v), d)
	e := Effect{Of: m.FactorName(f), Text: "all rows are replaced"}
	if d.Kind() != f.Dist.Kind() {
		e.Text += fmt.Sprintf("; it was of kind %s and is of kind %s", f.Dist.Kind(), d.Kind())
	}
	scaled := 0
	switch d := d.(type) {
	case *model.Table:
		values := slices.Clone(d.Values)
		g.Dist = &model.Table{Values: values}
		scaled, err = completeRows(m, v, values, func(r int) []State { return stateAt(m, discrete, r) })
	case *model.NoisyMax:
		own := &model.NoisyMax{Leak: slices.Clone(d.Leak)}
		scaled, err = completeRows(m, v, own.Leak, func(int) []State { return nil })
		for k, cause := range d.Cause {
			own.Cause = append(own.Cause, slices.Clone(cause))
			more := 0
			if err == nil && k < len(discrete) {
				more, err = completeRows(m, v, own.Cause[k], func(s int) []State { return stateAt(m, discrete[k:k+1], s) })
			}
			scaled += more
		}
		g.Dist = own
	}
	if err != nil {
		return nil, nil, err
	}
	if scaled > 0 {
		e.Text += "; " + counted(scaled, "row", "divided by its sum")
	}
	out := copyOf(m)
	out.Factors[i] = g
	if d.Kind() != f.Dist.Kind() {
		out.Tied = untie(out.Tied, v)
	}
	return checked(out, []Effect{e})
}

// completeRows completes each row of numbers of v, and returns how many it had to scale. states
// returns the states of a row.
func completeRows(m *model.Model, v model.VarID, numbers []float64, states func(row int) []State) (scaled int, err error) {
	card := m.Card(v)
	for at := 0; at+card <= len(numbers) && card > 0; at += card {
		off, err := complete(numbers[at:][:card])
		if err != nil {
			return 0, fmt.Errorf("in the row of %s: %w", rowText(m, v, states(at/card)), err)
		}
		if off {
			scaled++
		}
	}
	return scaled, nil
}

// stateAt returns joint state number i of vars, row-major.
func stateAt(m *model.Model, vars []model.VarID, i int) []State {
	list := make([]State, len(vars))
	for k := len(vars) - 1; k >= 0; k-- {
		if card := m.Card(vars[k]); card > 0 {
			list[k] = State{vars[k], i % card}
			i /= card
		}
	}
	return list
}
