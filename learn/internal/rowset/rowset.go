// Package rowset counts the rows of a data set in which conjunctions of tests hold. It stores sets
// of rows as bit sets.
//
// In a row that misses a variable, no test of that variable holds. Counts are sums of row weights.
// Cost: a pass over the words of a set, of 64 rows each; if rows have weights, also one over the
// rows of the result.
package rowset

import (
	"math/bits"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Test tests whether a variable has a state, or with Not, whether it has another one.
type Test struct {
	Var, State int
	Not        bool
}

// Holds reports whether the test holds in a row of states.
func (t Test) Holds(row []int) bool {
	x := row[t.Var]
	return x != data.Missing && (x == t.State) != t.Not
}

// Data is a data set as sets of rows. Several goroutines may use it at once.
type Data struct {
	Cards   []int
	sets    [][][]uint64 // by variable and state
	known   [][]uint64   // by variable; nil if no row misses it
	weights []float64    // by row; nil if all are 1
	rows    int
}

// New builds the sets of all states.
func New(s *data.Set) *Data {
	d := &Data{weights: s.Weights(), rows: s.Len()}
	for v, x := range s.Vars {
		d.Cards = append(d.Cards, len(x.States))
		d.sets = append(d.sets, s.RowSets(v))
		d.known = append(d.known, nil)
		if s.Misses(v) {
			known := make([]uint64, (s.Len()+63)/64)
			for _, set := range d.sets[v] {
				for i, w := range set {
					known[i] |= w
				}
			}
			d.known[v] = known
		}
	}
	return d
}

// All returns the set of all rows.
func (d *Data) All() []uint64 {
	all := make([]uint64, (d.rows+63)/64)
	for i := range all {
		all[i] = ^uint64(0)
	}
	if r := d.rows % 64; r != 0 {
		all[len(all)-1] = 1<<r - 1
	}
	return all
}

// Where returns the set of the rows in which all tests hold.
func (d *Data) Where(tests []Test) []uint64 {
	rows := d.All()
	for _, t := range tests {
		d.And(rows, t)
	}
	return rows
}

// And removes the rows from a set in which a test does not hold.
func (d *Data) And(rows []uint64, t Test) {
	set := d.sets[t.Var][t.State]
	if !t.Not {
		for i, w := range set {
			rows[i] &= w
		}
		return
	}
	for i, w := range set {
		rows[i] &^= w
	}
	for i, w := range d.known[t.Var] {
		rows[i] &= w
	}
}

// Weight returns the total weight of a set of rows.
func (d *Data) Weight(rows []uint64) float64 { return d.common(rows, nil) }

// WeightOf returns the total weight of the rows of a set that have a state.
func (d *Data) WeightOf(rows []uint64, v, state int) float64 {
	return d.common(rows, d.sets[v][state])
}

// WeightKnown returns the total weight of the rows of a set in which a variable is observed. If it
// is observed in all rows of the data, weight is not computed and all is true.
func (d *Data) WeightKnown(rows []uint64, v int) (weight float64, all bool) {
	if d.known[v] == nil {
		return 0, true
	}
	return d.common(rows, d.known[v]), false
}

// common returns the total weight of the rows in both sets; nil is all rows.
func (d *Data) common(a, b []uint64) float64 {
	if d.weights != nil {
		return d.commonWeight(a, b)
	}
	n := 0
	if b == nil {
		for _, w := range a {
			n += bits.OnesCount64(w)
		}
		return float64(n)
	}
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return float64(n)
}

func (d *Data) commonWeight(a, b []uint64) (sum float64) {
	for i, w := range a {
		if b != nil {
			w &= b[i]
		}
		for ; w != 0; w &= w - 1 {
			sum += d.weights[64*i+bits.TrailingZeros64(w)]
		}
	}
	return sum
}
