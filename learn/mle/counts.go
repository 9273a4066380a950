package mle

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Counts holds the sufficient statistics of the factors, by number. A tree has one count for each
// number at its leaves, a deterministic CPD one count, the weight of rows that contradict it; a
// Gaussian CPD has the moments of its real parents and its child for each row: the weight, the
// means, and the packed cross products of the differences from the means. A softmax CPD
// and a diffuse prior have none. Other CPDs have a table over their scopes.
type Counts [][]float64

// Zero returns counts of 0.
func (e *Estimator) Zero() (Counts, error) {
	n := make(Counts, len(e.cpds))
	for i, c := range e.cpds {
		if r := e.reals[i]; r != nil {
			n[i] = make([]float64, r.f.Gaussian().Statistics())
			continue
		}
		if e.soft[i] || e.none[i] {
			continue
		}
		if c == nil {
			n[i] = make([]float64, 1)
			continue
		}
		size := c.n
		if c.Hidden {
			var ok bool
			if size, ok = e.m.TableSize(c.f.Scope); !ok || size > maxNoisy {
				return nil, fmt.Errorf("%v: the family of the %s has e^%.1f joint states; want at most %d", c.f.Pos, e.m.FactorName(c.f), e.m.LogTableSize(c.f.Scope), maxNoisy)
			}
		}
		n[i] = make([]float64, size)
	}
	return n, nil
}

// Add adds other counts to n.
func (e *Estimator) Add(n, other Counts) {
	for i := range n {
		e.Merge(i, n[i], other[i])
	}
}

// Count counts the rows of a set. column holds the column of each variable of the model, or -1.
// missed is, by factor, the weight of the rows that miss a value of its family and are left out of
// its counts.
func (e *Estimator) Count(s *data.Set, column []int) (n Counts, missed []float64, err error) {
	if n, err = e.Zero(); err != nil {
		return nil, nil, err
	}
	missed = make([]float64, len(n))
	if s.Counted() {
		if err := e.countTables(s, column, n, missed); err != nil {
			return nil, nil, err
		}
	} else {
		state := make([]int, len(e.m.Vars))
		for row := range s.Len() {
			States(s, row, column, state)
			e.Tally(n, state, s.Weight(row), missed)
		}
	}
	if len(e.sets) == 0 {
		return n, missed, nil
	}
	m := data.NewMoments(s, 1)
	for i, r := range e.reals {
		if r != nil {
			missed[i] = r.count(m, column, n[i])
		}
	}
	return n, missed, nil
}

// countTables is the part of Count that Tally does, for a set without rows: by one request for the
// tables of all families.
func (e *Estimator) countTables(s *data.Set, column []int, n Counts, missed []float64) error {
	families := make([]data.Family, len(e.m.Factors))
	for i, f := range e.m.Factors {
		if e.soft[i] {
			return fmt.Errorf("%v: the %s is fitted to rows, and the data has counts in place of them", f.Pos, e.m.FactorName(f))
		}
		for _, v := range f.Scope {
			if e.m.IsReal(v) {
				families[i].Real = append(families[i].Real, column[v])
			} else {
				families[i].Discrete = append(families[i].Discrete, column[v])
			}
		}
	}
	for i, t := range s.Tables(families) {
		if e.reals[i] != nil || e.none[i] {
			continue
		}
		missed[i] = data.Missed(s.Total(), t.Weight())
		if e.cpds[i] != nil {
			e.cpds[i].fold(t.N, n[i])
			continue
		}
		state := make([]int, len(e.m.Vars))
		for _, x := range t.N {
			if e.m.Value(e.m.Factors[i], state) == 0 {
				n[i][0] += x
			}
			e.m.Next(e.m.Factors[i].Scope, state)
		}
	}
	return nil
}

// States writes the states of a row to state, by VarID.
func States(s *data.Set, row int, column, state []int) {
	for v, c := range column {
		state[v] = data.Missing
		if c >= 0 {
			col := s.Column(c)
			state[v] = col.At(row)
		}
	}
}

// Values writes the values of a row to value, by VarID: the values of real variables, and 0 for
// others and for missing ones.
func Values(s *data.Set, row int, column []int, value []float64) {
	for v, c := range column {
		value[v] = 0
		if c >= 0 && s.Vars[c].Real {
			if col := s.Column(c); col.At(row) != data.Missing {
				value[v] = s.Real(c)[row]
			}
		}
	}
}

// Tally adds a row of weight w to counts, except counts of Gaussian and softmax CPDs. For each
// factor with a missing value in its family, it adds w to missed instead.
func (e *Estimator) Tally(n Counts, state []int, w float64, missed []float64) {
	for i, f := range e.m.Factors {
		if e.reals[i] != nil || e.soft[i] || e.none[i] {
			continue
		}
		switch at, ok := e.place(f, e.cpds[i], state); {
		case !ok:
			missed[i] += w
		case e.cpds[i] != nil:
			n[i][at] += w
		case e.m.Value(f, state) == 0:
			n[i][0] += w
		}
	}
}

// place returns the index at which a joint state counts; ok is false if a value is missing.
func (e *Estimator) place(f *model.Factor, c *cpd, state []int) (at int, ok bool) {
	for _, v := range f.Scope {
		if state[v] == data.Missing {
			return 0, false
		}
		at = at*e.m.Card(v) + state[v]
	}
	if c != nil && c.at != nil {
		return c.at(state), true
	}
	return at, true
}

// FromTables converts counts of all factors as tables over their scopes into Counts. Those of
// Gaussian CPDs have the form of Counts.
func (e *Estimator) FromTables(tables [][]float64) (Counts, error) {
	n, err := e.Zero()
	if err != nil {
		return nil, err
	}
	for i, c := range e.cpds {
		if c != nil {
			c.fold(tables[i], n[i])
		} else if e.reals[i] != nil {
			copy(n[i], tables[i])
		}
	}
	return n, nil
}
