package model

import (
	"math"
	"slices"
)

// FormulaOf returns the energies of f as a formula, if they have one: those relative to the largest
// value top of f are d.Energy plus the energy of equal states, which is 0 unless the weight is
// negative. d is nil if f is not over two variables with several states each, if no formula of
// Pairwise holds, or if a table of more than limit entries would be looked at. A Pairwise factor
// has no table, and may be over any number of states.
func (m *Model) FormulaOf(f *Factor, limit int) (d *Pairwise, top float64) {
	wide := m.Several(f)
	if len(wide) != 2 || m.Card(wide[0]) != m.Card(wide[1]) {
		return nil, 0
	}
	n := m.Card(wide[0])
	if given, is := f.Dist.(*Pairwise); is {
		d = given.simplest(n)
		return d, math.Exp(-min(0, d.Energy(0, n-1)))
	}
	if size, fits := m.TableSize(f.Scope); !fits || size > limit {
		return nil, 0
	}
	values, err := m.Tabulate(f, limit)
	if err != nil || !mayHaveFormula(values, n) {
		return nil, 0
	}
	t := energyTable{rows: n, columns: n}
	if !t.ofValues(values) {
		return nil, 0
	}
	return t.shape(), slices.Max(values)
}

// mayHaveFormula reports whether the corners of a table of n states squared look like a function of
// distances. It saves most tables the logarithms.
func mayHaveFormula(values []float64, n int) bool {
	near := func(x, y float64) bool { return x > 0 && y > 0 && math.Abs(x-y) <= formulaSlack*max(x, y) }
	last := len(values) - 1
	return near(values[0], values[last]) && near(values[n-1], values[last-n+1])
}

// formulaSlack is a relative difference of values far above what tied allows for their energies.
const formulaSlack = 1e-9

// simplest returns d for variables of n states, as a Potts energy if distances above 1 count as 1.
func (d *Pairwise) simplest(n int) *Pairwise {
	if n == 2 || d.Metric == Potts || d.Cap > 0 && d.Cap <= 1 {
		return &Pairwise{Metric: Potts, Weight: d.Energy(0, 1)}
	}
	return d
}
