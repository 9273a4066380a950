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
		if err := c.put(&family{Family: f, Table: c.zero(&f)}); err != nil {
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
			addValues(&f.Moments[at], f.Real, values, weight)
		}
	}
}

// addValues adds the values of real variables in a row to moments (Chan, Golub and LeVeque 1983,
// for a single row).
func addValues(x *data.Moment, real []int, values []float64, weight float64) {
	before := x.Weight
	x.Weight += weight
	share := weight / x.Weight
	for i, v := range real {
		for j, u := range real[:i+1] {
			x.Cross[data.Packed(i, j)] += float64(before*share) * float64((values[v]-x.Mean[i])*(values[u]-x.Mean[j]))
		}
	}
	for i, v := range real {
		x.Mean[i] += float64((values[v] - x.Mean[i]) * share)
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
