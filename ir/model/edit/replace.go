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
	if d, ok := d.(model.Rowed); ok {
		numbers := slices.Clone(d.Numbers())
		d.EachRow(m, g, func(at int, state []int) {
			if err != nil || at+m.Card(v) > len(numbers) { // the check reports missing numbers
				return
			}
			var off bool
			if off, err = complete(numbers[at:][:m.Card(v)]); err != nil {
				err = fmt.Errorf("in the row of %s: %w", rowText(m, v, among(discrete, state)), err)
			}
			if off {
				scaled++
			}
		})
		g.Dist = d.WithNumbers(numbers)
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

// among returns the states of vars that are known in state.
func among(vars []model.VarID, state []int) (list []State) {
	for _, v := range vars {
		if state[v] >= 0 {
			list = append(list, State{v, state[v]})
		}
	}
	return list
}
