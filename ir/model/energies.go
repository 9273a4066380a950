package model

import (
	"fmt"
	"math"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Energies holds the known properties of the energies of a potential over two variables: negated
// natural logarithms of its values, less a constant Shift. Methods for most probable completions
// choose by these properties (Boykov, Veksler and Zabih 2001; Kolmogorov and Zabih 2004).
//
// An energy is a logarithm of a number that a file may have rounded to 15 digits, so that sums of
// four of them differ by rounding from the intended sums. Two sums count as equal if they differ by
// less than 2^-40 of the largest energy among them: a thousand times that rounding, and too little
// to change the value of any state by what methods prove.
type Energies struct {
	// Submodular is set if E(i,j) + E(i+1,j+1) <= E(i,j+1) + E(i+1,j) for all neighbouring states.
	// With two states each, a sum of such energies is minimised by one cut of a graph.
	Submodular bool
	// Semimetric is set if the energies of equal states are equal, the energies of different states
	// larger, and E(i,j) = E(j,i). A Metric also obeys the triangle inequality.
	Semimetric, Metric bool
	// Convex is set if the energy is a convex function of the difference of the states' numbers.
	Convex bool
	// Shape gives the energy as a formula. It is nil if the energy has none of Pairwise's metrics.
	Shape *Pairwise
	Shift float64 // the energy of equal states, if Shape is set
	// Truncated is set if Shape is of a linear or quadratic energy with a cap that applies.
	Truncated bool
}

// energyTie is the relative difference of sums of energies that counts as rounding.
const energyTie = 0x1p-40

// mostTriples bounds the work of the test of the triangle inequality: all triples of 128 states.
const mostTriples = 128 * 128 * 128

// Several returns the variables of f with more than one state.
func (m *Model) Several(f *Factor) []VarID {
	return slices.DeleteFunc(slices.Clone(f.Scope), func(v VarID) bool { return m.Card(v) == 1 })
}

// EnergiesOf returns the known properties of the energies of f. ok is false if f is not over two
// variables with several states each, if all of its values are 0, or if its table has more than
// limit entries. Energies over more than 128 states without a Shape do not count as a metric.
func (m *Model) EnergiesOf(f *Factor, limit int) (e Energies, ok bool) {
	wide := m.Several(f)
	if len(wide) != 2 {
		return e, false
	}
	t := energyTable{rows: m.Card(wide[0]), columns: m.Card(wide[1])}
	if n, fits := m.TableSize(f.Scope); !fits || n > limit {
		return e, false
	}
	if d, is := f.Dist.(*Pairwise); is {
		t.ofPairwise(d)
	} else if values, err := m.Tabulate(f, limit); err != nil || !t.ofValues(values) {
		return e, false
	}
	e.Submodular = t.submodular()
	if t.rows != t.columns {
		return e, true
	}
	e.Convex = t.convex()
	e.Shape = t.shape()
	if e.Shape != nil {
		e.Shift = t.at(0, 0)
		e.Truncated = e.Shape.Cap > 0
	}
	e.Semimetric = t.semimetric()
	e.Metric = e.Semimetric && t.triangles(e.Shape)
	return e, true
}

// energyTable is a table of energies, row-major. Those of value 0 are +Inf.
type energyTable struct {
	rows, columns int
	energy        []float64
}

func (t *energyTable) ofPairwise(d *Pairwise) {
	for i := range t.rows {
		for j := range t.columns {
			t.energy = append(t.energy, d.Energy(i, j))
		}
	}
}

// ofValues sets the energies relative to the energy of the largest value. It reports false if all
// values are 0.
func (t *energyTable) ofValues(values []float64) bool {
	top := slices.Max(values)
	if top <= 0 {
		return false
	}
	for _, x := range values {
		t.energy = append(t.energy, pgmrt.Ln(top)-pgmrt.Ln(x))
	}
	return true
}

func (t *energyTable) at(i, j int) float64 { return t.energy[i*t.columns+j] }

// tied reports whether x and y are equal up to rounding in terms of size at most.
func tied(x, y, size float64) bool {
	return x == y || math.Abs(x-y) <= energyTie*max(1, size)
}

// compareEnergySums compares a+b with c+d, where infinite energies count as equal numbers larger
// than any sum of others: +1 if a+b is larger by more than rounding, -1 if it is smaller, and else
// 0.
func compareEnergySums(a, b, c, d float64) int {
	left, right, size, infinite := 0.0, 0.0, 0.0, 0
	for i, x := range [...]float64{a, b, c, d} {
		switch {
		case math.IsInf(x, 1):
			infinite += 1 - 2*(i/2)
		case i < 2:
			left += x
			size = max(size, math.Abs(x))
		default:
			right += x
			size = max(size, math.Abs(x))
		}
	}
	switch {
	case infinite != 0:
		return max(-1, min(1, infinite))
	case tied(left, right, size):
		return 0
	case left > right:
		return 1
	}
	return -1
}

func (t *energyTable) submodular() bool {
	for i := 1; i < t.rows; i++ {
		for j := 1; j < t.columns; j++ {
			if compareEnergySums(t.at(i-1, j-1), t.at(i, j), t.at(i-1, j), t.at(i, j-1)) > 0 {
				return false
			}
		}
	}
	return true
}

// convex reports whether the energies are a function of i-j, and that is convex.
func (t *energyTable) convex() bool {
	n := t.rows
	along := make([]float64, 2*n-1) // by i-j+n-1
	for i := range n {
		for j := range n {
			k := i - j + n - 1
			if i == 0 || j == 0 {
				along[k] = t.at(i, j)
			} else if !tied(along[k], t.at(i, j), math.Abs(along[k])) {
				return false
			}
		}
	}
	for k := 1; k+1 < len(along); k++ {
		if compareEnergySums(along[k], along[k], along[k-1], along[k+1]) > 0 {
			return false
		}
	}
	return true
}

func (t *energyTable) semimetric() bool {
	same := t.at(0, 0)
	for i := range t.rows {
		for j := range t.columns {
			x := t.at(i, j)
			switch equal := tied(x, same, math.Abs(same)); {
			case math.IsInf(same, 1), i == j && !equal, i != j && (equal || x < same):
				return false
			case !tied(x, t.at(j, i), math.Abs(x)):
				return false
			}
		}
	}
	return true
}

// triangles reports whether a semimetric obeys the triangle inequality, by its formula if there is
// one.
func (t *energyTable) triangles(d *Pairwise) bool {
	if d != nil && d.Metric != Quadratic {
		return true
	}
	n := t.rows
	if n*n*n > mostTriples {
		return d != nil && d.Cap > 0 && d.Cap <= 2 // two steps of 1 reach any distance
	}
	same := t.at(0, 0)
	for i := range n {
		for j := range n {
			for k := range n {
				if compareEnergySums(t.at(i, j), same, t.at(i, k), t.at(k, j)) > 0 {
					return false
				}
			}
		}
	}
	return true
}

// shape returns the energies as a formula, or nil. With two states every metric is Potts'.
func (t *energyTable) shape() *Pairwise {
	n, same := t.rows, t.at(0, 0)
	step, last := t.at(0, 1)-same, t.at(0, n-1)-same
	if math.IsInf(same, 1) || math.IsInf(last, 1) || math.IsInf(step, 1) || tied(step, 0, math.Abs(same)) {
		return nil
	}
	for metric := range Metric(len(metrics)) {
		d := &Pairwise{Metric: metric, Weight: step}
		if far := d.Energy(0, n-1); !tied(far, last, math.Abs(far)) {
			d.Cap = last / step
		}
		if d.Cap >= 0 && t.follows(d, same) {
			return d
		}
	}
	return nil
}

// follows reports whether the energies equal d's, plus shift.
func (t *energyTable) follows(d *Pairwise, shift float64) bool {
	for i := range t.rows {
		for j := range t.columns {
			if x := t.at(i, j); !tied(x, d.Energy(i, j)+shift, math.Abs(x)) {
				return false
			}
		}
	}
	return true
}

// EnergyCounts counts the potentials over two variables of a model by the properties of their
// energies. A potential may have several.
type EnergyCounts struct {
	Pairs      int `json:"pairs"`  // potentials over two variables
	Binary     int `json:"binary"` // pairs of two states each
	Submodular int `json:"submodular"`
	Semimetric int `json:"semimetric"`
	Metric     int `json:"metric"`
	Convex     int `json:"convex"`
	Potts      int `json:"potts"`
	Linear     int `json:"linear"`
	Quadratic  int `json:"quadratic"`
	Truncated  int `json:"truncated"` // linear or quadratic, with a cap
	Wider      int `json:"wider"`     // factors over three or more variables
}

// CountEnergies classifies the energies of all factors of m. Tables of more than limit entries are
// not looked at, and count only as pairs.
func (m *Model) CountEnergies(limit int) (c EnergyCounts) {
	for _, f := range m.Factors {
		wide := m.Several(f)
		switch {
		case len(wide) > 2:
			c.Wider++
		case len(wide) == 2:
			c.Pairs++
		}
		if e, ok := m.EnergiesOf(f, limit); ok {
			c.add(&e, m.Card(wide[0]) == 2 && m.Card(wide[1]) == 2)
		}
	}
	return c
}

func (c *EnergyCounts) add(e *Energies, binary bool) {
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	count(&c.Binary, binary)
	count(&c.Submodular, e.Submodular)
	count(&c.Semimetric, e.Semimetric)
	count(&c.Metric, e.Metric)
	count(&c.Convex, e.Convex)
	count(&c.Truncated, e.Truncated)
	if d := e.Shape; d != nil {
		count([]*int{&c.Potts, &c.Linear, &c.Quadratic}[d.Metric], true)
	}
}

// Cuts reports whether one cut of a graph minimises the energy of the whole model: all factors are
// over at most two variables of two states, and submodular.
func (c *EnergyCounts) Cuts() bool {
	return c.Pairs > 0 && c.Wider == 0 && c.Binary == c.Pairs && c.Submodular == c.Pairs
}

// String returns the classes that some pairs have, such as "12 pairs: all binary, all submodular, 3
// potts".
func (c *EnergyCounts) String() string {
	text := fmt.Sprintf("%d pairs", c.Pairs)
	mark := ": "
	for _, class := range []struct {
		n    int
		name string
	}{{c.Binary, "binary"}, {c.Submodular, "submodular"}, {c.Metric, "metric"}, {c.Semimetric, "semimetric"}, {c.Convex, "convex"},
		{c.Potts, "Potts"}, {c.Linear, "linear"}, {c.Quadratic, "quadratic"}, {c.Truncated, "truncated"}} {
		switch class.n {
		case 0:
			continue
		case c.Pairs:
			text += mark + "all " + class.name
		default:
			text += mark + fmt.Sprintf("%d %s", class.n, class.name)
		}
		mark = ", "
	}
	return text
}
