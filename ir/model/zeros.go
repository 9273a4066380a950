package model

import (
	"fmt"
	"slices"
	"strings"
)

// zeros returns the rows of zeros of a table in an influence diagram, which say that the states of
// the parents cannot be: all are handled here. It reports those that some choices reach with
// positive probability, with a case.
func (c *checker) zeros(f *Factor, rows [][]float64, factors []*Factor) map[int]bool {
	if _, table := f.Dist.(*Table); !table || c.m.Diagram == nil {
		return nil
	}
	out, parents := map[int]bool{}, f.Parents()
	state := make([]int, len(c.m.Vars))
	for r, row := range rows {
		if !slices.ContainsFunc(row, func(x float64) bool { return x != 0 }) {
			out[r] = true
			if c.m.Diagram.Asymmetry != nil {
				continue // the variable does not exist
			}
			if reach := c.reach(factors, parents, state); reach != nil {
				c.Errorf(c.rowPos(f, r), "row of the %s sums to 0 and can be reached%s; want 1, or a case of probability 0", c.m.FactorName(f), reach)
			}
		}
		c.m.Next(parents, state)
	}
	return out
}

// String returns the known states, parents first.
func (r *reach) String() (text string) {
	for _, v := range r.order {
		if r.known[v] {
			text += fmt.Sprintf(", %s=%s", r.m.Vars[v].Name, r.m.States(v)[r.state[v]])
		}
	}
	return strings.Replace(text, ",", " by", 1)
}
