package infer

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Columns answers complete rows of a Bayesian network that are given by variable, as packages with
// the type Columns do: ln P is the sum of the logarithms that the CPDs have at the row, and the
// posterior of one variable depends on its Markov blanket only. The caller answers the other rows.
// It depends on a row only whether it is among them. Columns is for one goroutine at a time.
type Columns struct {
	names pgmrt.Names
	read  pgmrt.Columns
	rest  []int
}

// The limits on the tables of Columns: numbers of one CPD, and of all together, 32 MiB.
const (
	mostFamily   = 1 << 16
	mostFamilies = 1 << 22
)

// NewColumns returns nil if m has no such rows, see [model.Model.Families], or too large CPDs. The
// rows of its CPDs must sum to one.
func NewColumns(m *model.Model) *Columns {
	list := m.Families(mostFamily)
	c := &Columns{}
	var code []int32
	var numbers []float64
	for _, f := range list {
		for _, vars := range [][]model.VarID{f.Discrete, f.Real} {
			code = append(code, int32(len(vars)))
			for _, v := range vars {
				code = append(code, int32(v))
			}
		}
		code = append(code, int32(len(f.Values)))
		for _, x := range f.Values {
			code, numbers = append(code, int32(len(numbers))), append(numbers, x)
		}
	}
	if list == nil || len(numbers) > mostFamilies {
		return nil
	}
	for v, x := range m.Vars {
		enum := -1
		if states := m.States(model.VarID(v)); !m.IsReal(model.VarID(v)) {
			enum = len(c.names.Enums)
			c.names.Enums = append(c.names.Enums, pgmrt.Enum{States: states})
		}
		c.names.Vars = append(c.names.Vars, pgmrt.NamedVar{Name: x.Name, Enum: enum})
	}
	c.read.Begin(&c.names, code, numbers)
	return c
}

// LogProbs sets out to ln P of rows, an element for each, and returns the numbers of the rows that
// it does not answer. They are valid until the next call. Column returns a pointer to the values of
// a variable, as [pgmrt.Columns.Set] wants it.
func (c *Columns) LogProbs(column func(v int) any, out []float64) (rest []int, err error) {
	if err := c.read.Set(len(out), column); err != nil {
		return nil, err
	}
	c.rest = c.rest[:0]
	c.read.LogProbs(out, &pgmrt.RowErrors{}, c.leave)
	slices.Sort(c.rest)
	return c.rest, nil
}

// leave notes rows that are not answered.
func (c *Columns) leave(rows []int) { c.rest = append(c.rest, rows...) }

// Posteriors sets out to the posteriors of variable v given rows, a list of one number a row for
// each state. It returns the numbers of the rows that it does not answer, impossible ones among
// them. They are valid until the next call. Column is as for LogProbs.
func (c *Columns) Posteriors(v model.VarID, rows int, column func(v int) any, out [][]float64) (rest []int, err error) {
	if err := c.read.Set(rows, column); err != nil {
		return nil, err
	}
	c.rest = c.rest[:0]
	c.read.Posteriors(int(v), out, &pgmrt.RowErrors{}, c.leave)
	for row := range rows {
		if !slices.ContainsFunc(out, func(p []float64) bool { return p[row] > 0 }) { // impossible
			c.rest = append(c.rest, row)
		}
	}
	return c.rest, nil
}
