package counts

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// OfRows returns counts without rows of families, to which [Counts.Row] adds rows.
func OfRows(vars []data.Var, families []data.Family, maxMem int64) (*Counts, error) {
	c := New(vars, maxMem)
	for _, f := range families {
		if c.known[f.Key()] != nil {
			continue
		}
		if err := c.fits(&f); err != nil {
			return nil, err
		}
		x := &family{Family: f, Table: c.zero(&f), step: make([]float64, len(f.Real))}
		x.rest = make([]float64, len(x.Moments)*len(f.Real))
		if err := c.put(x); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Row adds a row: the states by variable, or data.Missing, and the values of real variables.
func (c *Counts) Row(states []int, values []float64, weight float64) {
	c.Rows += weight
	c.whole = nil
	for _, f := range c.list {
		at := 0
		for _, v := range f.Discrete {
			if states[v] == data.Missing {
				at = -1
				break
			}
			at = at*len(c.Vars[v].States) + states[v]
		}
		switch {
		case at < 0 || slices.ContainsFunc(f.Real, func(v int) bool { return states[v] == data.Missing }):
			f.missed += weight
		case f.Real == nil:
			f.N[at] += weight
		case weight > 0:
			f.addValues(at, values, weight)
		}
	}
}

// addValues adds the values of real variables in a row to the moments of a joint state (Chan, Golub
// and LeVeque 1983, for a single row). Means have twice the digits of a number meanwhile: the
// rounding errors of the mean of a million rows around 1e9 would outweigh a standard deviation of
// 1e-3.
func (f *family) addValues(at int, values []float64, weight float64) {
	x, rest := &f.Moments[at], f.rest[at*len(f.Real):]
	before := x.Weight
	x.Weight += weight
	share := weight / x.Weight
	for i, v := range f.Real {
		f.step[i] = values[v] - x.Mean[i] - rest[i]
	}
	for i, d := range f.step {
		for j, e := range f.step[:i+1] {
			x.Cross[data.Packed(i, j)] += float64(before*share) * float64(d*e)
		}
	}
	for i, d := range f.step {
		d = rest[i] + float64(d*share)
		mean := x.Mean[i] + d
		x.Mean[i], rest[i] = mean, d-(mean-x.Mean[i])
	}
}

// Family returns the family of the variables of some names.
func (c *Counts) Family(names []string) (f data.Family, err error) {
	for _, name := range names {
		v := slices.IndexFunc(c.Vars, func(x data.Var) bool { return x.Name == name })
		switch {
		case v < 0:
			return f, fmt.Errorf("there is no variable %q", name)
		case slices.Contains(f.Vars(), v):
			return f, fmt.Errorf("the variable %q is twice in a family", name)
		case c.Vars[v].Real:
			f.Real = append(f.Real, v)
		default:
			f.Discrete = append(f.Discrete, v)
		}
	}
	slices.Sort(f.Discrete)
	slices.Sort(f.Real)
	return f, nil
}
