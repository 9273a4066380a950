package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Rows is the policy for the rows of CPDs that do not sum to one.
type Rows uint8

// The policies for rows.
const (
	RowsNormalize Rows = iota // divide by the sum: silently up to RowsSilent off, with a warning up to RowsWarn, else an error
	RowsAsIs                  // use the numbers unchanged
	RowsStrict                // an error if off by more than RowsExact
	RowsUniform               // as RowsNormalize, but undefined rows that can be reached are uniform, with a warning
)

// Largest differences from one of the sum of a row. Printed digits explain 1e-6; hand-rounded rows
// such as 0.3333 three times stay below 1e-2.
const (
	RowsExact  = 1e-12
	RowsSilent = 1e-6
	RowsWarn   = 1e-2
)

// ParseRows returns the policy with the given name: normalize, asis, strict or uniform.
func ParseRows(s string) (Rows, error) {
	switch s {
	case "normalize":
		return RowsNormalize, nil
	case "asis":
		return RowsAsIs, nil
	case "strict":
		return RowsStrict, nil
	case "uniform":
		return RowsUniform, nil
	}
	return 0, fmt.Errorf("unknown row policy %q; want normalize, asis, strict or uniform", s)
}

// NormalizeRows returns a model with CPD rows that sum to one under the given policy, and reports
// the rows that did not. In an influence diagram, rows of zeros that no choices reach are left as
// they are. Undefined rows become uniform under any policy; it is an error if they can
// be reached, except by RowsUniform. Factors that need no change are shared with m, which is not
// changed and must have passed Check. Potentials stay as they are.
func (m *Model) NormalizeRows(policy Rows) (*Model, diag.List) {
	var list diag.List
	if policy == RowsAsIs && m.Undefined() == nil {
		return m, list
	}
	c := checker{m: m}
	out := *m
	out.Factors = c.normalize(policy, m.Factors)
	if t := m.Transition; t != nil {
		c.m = m.Step()
		next := *t
		next.Factors = c.normalize(policy, t.Factors)
		out.Transition = &next
	}
	list.Append(c.List)
	return &out, list
}

// normalize returns factors of c.m with CPD rows that sum to one.
func (c *checker) normalize(policy Rows, factors []*Factor) []*Factor {
	out := slices.Clone(factors)
	for i, f := range factors {
		f = c.define(policy, f, factors)
		if out[i] = f; f.Child < 0 || policy == RowsAsIs {
			continue
		}
		rows, _ := f.Dist.check(c, f, f.Pos, "")
		changed, zeros := false, c.zeros(f, rows, factors)
		for r, row := range rows {
			if zeros[r] {
				continue
			}
			if off := c.rowSum(policy, f, r, row); off {
				changed = true
			}
		}
		if changed && policy != RowsStrict {
			g := *f
			g.Dist = f.Dist.normalized(c.m, f)
			out[i] = &g
		}
	}
	return out
}

// rowSum reports whether a row needs scaling, and adds a diagnostic if the policy asks for one.
func (c *checker) rowSum(policy Rows, f *Factor, r int, row []float64) bool {
	sum := 0.0
	for _, x := range row {
		sum += x
	}
	off := math.Abs(sum - 1)
	limit := RowsWarn
	if policy == RowsStrict {
		limit = RowsExact
	}
	const message = "row of the %s sums to %v; want 1"
	switch {
	case off > limit || sum == 0:
		c.Errorf(c.rowPos(f, r), message, c.m.FactorName(f), sum)
	case off > RowsSilent:
		c.Warnf(c.rowPos(f, r), message+" (rescaled)", c.m.FactorName(f), sum)
	}
	return sum != 1
}

// scaleRow divides the n numbers x[0], x[stride], ... by their sum.
func scaleRow(x []float64, n, stride int) {
	sum := 0.0
	for i := range n {
		sum += x[i*stride]
	}
	if sum == 0 {
		return
	}
	for i := range n {
		x[i*stride] /= sum
	}
}
