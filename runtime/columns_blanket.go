package pgmrt

import "math"

// mostBlanket is the most numbers of a table of posteriors.
const mostBlanket = 1 << 16

// blanket is a table of the posterior of a variable given its Markov blanket.
type blanket struct {
	lookup
	certain []*family // those with a probability of 0 that do not have the variable
	table   []float64 // by joint state of the blanket, then by state of the variable; NaN if the joint state is impossible; nil if there is no table
}

// Posteriors sets out to the posteriors of a variable, an element for each state. Rows that have
// all of the variable's Markov blanket, and not the variable itself, are looked up in a table, if
// it is small and the rest of the row is possible. The function group answers others, at most as
// many as there are lanes. Rows that are impossible are added to bad.
func (c *Columns) Posteriors(variable int, out [][]float64, bad *RowErrors, group func(rows []int)) {
	b := c.blankets[variable]
	if b == nil { // once
		b = c.newBlanket(variable)
		c.blankets[variable] = b
	}
	if b.table == nil {
		c.Each(group)
		return
	}
	for at := 0; at < c.rows; at += columnBlock {
		n := min(columnBlock, c.rows-at)
		apart, index := c.apart[:n], c.index[:n]
		c.markBlanket(b, variable, at, apart)
		b.places(c, at, index)
		for r, i := range index {
			if apart[r] {
				c.collect(at+r, group)
				continue
			}
			p := b.table[int(i)*len(out):][:len(out)]
			if p[0] != p[0] {
				bad.Add(at+r, ErrImpossible)
				p = p[:0]
			}
			SpreadRow(out, at+r, p)
		}
	}
	c.rest(group)
}

// markBlanket finds the rows from at on that the table of a variable does not answer.
func (c *Columns) markBlanket(b *blanket, variable, at int, apart []bool) {
	clear(apart)
	for v := range c.cells {
		c.markVar(v, at, 0, apart)
	}
	for _, v := range b.vars {
		c.markVar(int(v), at, 1, apart)
	}
	c.markObserved(variable, at, apart)
	for _, f := range b.certain {
		f.markZeros(c, at, apart)
	}
}

// markZeros marks the rows from at on that do not have all variables of f, or have a probability of
// 0.
func (f *family) markZeros(c *Columns, at int, apart []bool) {
	for _, v := range f.vars {
		c.markVar(int(v), at, 1, apart)
	}
	index := c.index[:len(apart)]
	f.places(c, at, index)
	for r, i := range index {
		if uint(i) < uint(len(f.table)) && math.IsInf(f.table[i], -1) {
			apart[r] = true
		}
	}
}

// markObserved marks the rows from at on that have a value of variable v.
func (c *Columns) markObserved(v, at int, apart []bool) {
	for r := range apart {
		if x := &c.cells[v]; x.bytes != nil && x.bytes[at+r] != 0 || x.words != nil && x.words[at+r] != 0 {
			apart[r] = true
		}
	}
}

// SpreadRow sets the element of a row in each of some slices to a number, and to 0 without numbers.
// It leaves out slices that are nil.
func SpreadRow(to [][]float64, row int, numbers []float64) {
	for i, column := range to {
		switch {
		case column == nil:
		case len(numbers) == 0:
			column[row] = 0
		default:
			column[row] = numbers[i]
		}
	}
}

// newBlanket computes the table of a variable. Its blanket are the other variables of the families
// that have it.
func (c *Columns) newBlanket(variable int) *blanket {
	var near, certain []*family
	in := make([]bool, len(c.cells))
	for i := range c.families {
		f := &c.families[i]
		if !f.has(variable) {
			if f.hasZero() {
				certain = append(certain, f)
			}
			continue
		}
		if len(f.reals) > 0 {
			return &blanket{}
		}
		near = append(near, f)
		for _, v := range f.vars {
			in[v] = int(v) != variable
		}
	}
	states := len(c.names.States(variable))
	var vars []int32
	size := 1
	for v := range in {
		if in[v] {
			vars = append(vars, int32(v))
			if size *= len(c.names.States(v)); size*states > mostBlanket {
				return &blanket{}
			}
		}
	}
	if near == nil {
		return &blanket{}
	}
	b := &blanket{certain: certain, table: make([]float64, 0, size*states)}
	b.lookup, _ = newLookup(c.names, vars)
	state := make([]uint32, len(c.cells)) // from 1, by variable
	for i := range size {
		for k, v := range vars {
			state[v] = 1 + uint32(i)/b.steps[k]%uint32(len(c.names.States(int(v))))
		}
		b.table = append(b.table, posterior(near, state, variable, states)...)
	}
	return b
}

// hasZero reports whether f has a probability of 0.
func (f *family) hasZero() bool {
	for _, x := range f.table {
		if len(f.reals) == 0 && math.IsInf(x, -1) {
			return true
		}
	}
	return false
}

// has reports whether v is a discrete variable of f.
func (f *family) has(v int) bool {
	for _, x := range f.vars {
		if int(x) == v {
			return true
		}
	}
	return false
}

// leastBlanket is the least sum of products of probabilities that are not computed in logarithms. A
// product that underflows beside it is no part of a posterior in double precision.
const leastBlanket = 0x1p-900

// posterior returns the posterior of a variable in a joint state of its blanket, or NaN if the
// joint state is impossible.
func posterior(near []*family, state []uint32, variable, states int) []float64 {
	p, logs := make([]float64, states), make([]float64, states)
	sum, most := 0.0, math.Inf(-1)
	for s := range p {
		state[variable] = uint32(s) + 1
		p[s] = 1
		for _, f := range near {
			i := -f.first
			for k, v := range f.vars {
				i += f.steps[k] * state[v]
			}
			p[s] *= f.p[i]
			logs[s] += f.table[i]
		}
		sum += p[s]
		most = max(most, logs[s])
	}
	if sum < leastBlanket {
		sum = 0
		for s := range p {
			p[s] = math.Exp(logs[s] - most) // NaN if all are impossible
			sum += p[s]
		}
	}
	for s := range p {
		p[s] /= sum
	}
	return p
}
