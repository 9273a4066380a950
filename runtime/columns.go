package pgmrt

import (
	"encoding/binary"
	"math"
	"strconv"
)

// columnBlock is the number of rows that Columns looks at together. Their numbers fit into the
// cache.
const columnBlock = 1024

// Columns answers rows of evidence that are given by variable. A complete row of a Bayesian network
// is answered by its families: the sum of the logarithms that the CPDs have at its states. Others
// are answered in groups by functions of the package. Which way a row takes depends on that row
// only.
type Columns struct {
	names    *Names
	rows     int
	cells    []cells
	families []family
	blankets []*blanket // by variable; nil before the first use
	index    [columnBlock]uint32
	apart    [columnBlock]bool // whether the row is not answered by families
	group    [Lanes]int
	grouped  int
}

// cells holds the values of one variable by row, in one of the slices: states from 1, and 0 for a
// missing value, or real values, and NaN for a missing one. All slices are nil if no row has the
// variable.
type cells struct {
	bytes []uint8
	words []uint16
	reals []float64
}

// family is a CPD as a table.
type family struct {
	lookup
	reals []int32 // the real parents and then the child; nil for a discrete child
	// table holds, by joint state, ln P. For a real child it holds the mean, the coefficients of
	// the real parents, and the numbers by which the square of the distance from the mean is
	// multiplied and to which the product is added.
	table []float64
	p     []float64 // the probabilities of a discrete child, by joint state
}

// lookup finds the place of a row in a table over discrete variables, the last changing fastest.
type lookup struct {
	vars  []int32
	steps []uint32
	first uint32 // the place of the row in which all states are 1
}

// newLookup returns the lookup of variables, and the number of their joint states.
func newLookup(n *Names, vars []int32) (l lookup, size int) {
	l, size = lookup{vars: vars, steps: make([]uint32, len(vars))}, 1
	for i := len(vars) - 1; i >= 0; i-- {
		l.steps[i] = uint32(size)
		l.first += uint32(size)
		size *= len(n.States(int(vars[i])))
	}
	return l, size
}

// Begin makes c ready for the families in code, with numbers at places of data. Code has for each
// family the number of discrete variables, these, the number of real variables, these, the number
// of places and the places. There is none if complete rows are answered as others are.
func (c *Columns) Begin(n *Names, code []int32, data []float64) {
	c.names, c.cells, c.blankets = n, make([]cells, len(n.Vars)), make([]*blanket, len(n.Vars))
	next := func() []int32 {
		list := code[1 : 1+code[0]]
		code = code[1+code[0]:]
		return list
	}
	for len(code) > 0 {
		vars := next()
		f := family{reals: next()}
		f.lookup, _ = newLookup(n, vars)
		for _, place := range next() {
			f.table = append(f.table, data[place])
		}
		f.prepare()
		c.families = append(c.families, f)
	}
}

// prepare turns probabilities, or the numbers of Gaussian CPDs, into the numbers of the table.
func (f *family) prepare() {
	if len(f.reals) == 0 {
		f.p = append(f.p, f.table...)
		for i, p := range f.p {
			f.table[i] = Ln(p)
		}
		return
	}
	width := len(f.reals) + 2
	wide := make([]float64, 0, len(f.table)/(width-1)*width)
	for t := f.table; len(t) > 0; t = t[width-1:] {
		v := t[width-2]
		wide = append(append(wide, t[:width-2]...), -.5/v, -.5*Ln(2*math.Pi*v))
	}
	f.table = wide
}

// Set takes the columns of rows: column returns a pointer to the slice of a variable. It fails if a
// slice that is not nil has another length.
func (c *Columns) Set(rows int, column func(variable int) any) error {
	c.rows = rows
	for i := range c.cells {
		x, n := cells{}, 0
		switch p := column(i).(type) {
		case *[]uint8:
			x.bytes, n = *p, len(*p)
		case *[]uint16:
			x.words, n = *p, len(*p)
		case *[]float64:
			x.reals, n = *p, len(*p)
		}
		if (x.bytes != nil || x.words != nil || x.reals != nil) && n != rows {
			return c.names.BadLength("the column of "+strconv.Quote(Short(c.names.Vars[i].Name)), n, rows)
		}
		c.cells[i] = x
	}
	return nil
}

// LogProbs sets out to ln P of the rows, and adds the rows that are impossible to bad. The function
// group answers rows that are not answered by families, at most as many as there are lanes.
func (c *Columns) LogProbs(out []float64, bad *RowErrors, group func(rows []int)) {
	for at := 0; at < c.rows; at += columnBlock {
		n := min(columnBlock, c.rows-at)
		c.mark(at, n)
		block := out[at:][:n]
		clear(block)
		for i := range c.families {
			c.families[i].add(c, at, block)
		}
		for r, apart := range c.apart[:n] {
			if apart {
				c.collect(at+r, group)
			} else if math.IsInf(block[r], -1) {
				bad.Add(at+r, ErrImpossible)
			}
		}
	}
	c.rest(group)
}

// Each calls group for all rows, at most as many at once as there are lanes.
func (c *Columns) Each(group func(rows []int)) {
	for row := range c.rows {
		c.collect(row, group)
	}
	c.rest(group)
}

// collect adds a row to those for group, which it calls for as many as there are lanes.
func (c *Columns) collect(row int, group func(rows []int)) {
	c.group[c.grouped] = row
	if c.grouped++; c.grouped == len(c.group) {
		c.rest(group)
	}
}

// rest calls group for the rows that collect has left.
func (c *Columns) rest(group func(rows []int)) {
	if c.grouped > 0 {
		group(c.group[:c.grouped])
	}
	c.grouped = 0
}

// mark finds the rows of a block that families do not answer: a value is missing or none of its
// variable's.
func (c *Columns) mark(at, n int) {
	apart := c.apart[:n]
	clear(apart)
	if c.families == nil {
		setAll(apart)
		return
	}
	for v := range c.cells {
		c.markVar(v, at, 1, apart)
	}
}

func setAll(list []bool) {
	for i := range list {
		list[i] = true
	}
}

// markVar marks the rows from at on that do not have a value of variable v. A row in which v is
// missing counts as one with a value if least is 0, and not if it is 1.
func (c *Columns) markVar(v, at, least int, apart []bool) {
	switch x := &c.cells[v]; {
	case x.bytes != nil:
		markBytes(x.bytes[at:][:len(apart)], least, len(c.names.States(v)), apart)
	case x.words != nil:
		markStates(x.words[at:][:len(apart)], least, len(c.names.States(v)), apart)
	case x.reals != nil:
		for r, x := range x.reals[at:][:len(apart)] {
			if math.Abs(x) > mostMeasured || x != x && least > 0 {
				apart[r] = true
			}
		}
	case least > 0:
		setAll(apart)
	}
}

// markStates marks the rows with a number below least or above the number of states, which is below
// 1 << 16.
func markStates[S uint8 | uint16](column []S, least, states int, apart []bool) {
	for r, s := range column {
		if int(s) < least || int(s) > states {
			apart[r] = true
		}
	}
}

// markBytes is markStates for bytes. It looks at eight at once, and at each if one of them is to be
// marked.
func markBytes(column []uint8, least, states int, apart []bool) {
	if states > 127 {
		markStates(column, least, states, apart)
		return
	}
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	up := uint64(127-states) * ones // a larger number overflows into the top bit
	down := uint64(least) * ones    // a smaller number does
	for r := 0; r < len(column); r += 8 {
		if r+8 <= len(column) {
			x := binary.LittleEndian.Uint64(column[r:])
			if ((x-down)&^x|(x+up)|x)&tops == 0 {
				continue
			}
		}
		end := min(r+8, len(column))
		markStates(column[r:end], least, states, apart[r:end])
	}
}

// places sets c.index to the places of the rows from at on in the table of l. A row without a state
// of each variable may have any place.
func (l *lookup) places(c *Columns, at int, index []uint32) {
	for r := range index {
		index[r] = -l.first
	}
	for i, v := range l.vars {
		switch x := &c.cells[v]; {
		case x.bytes != nil:
			addPlaces(index, x.bytes[at:], l.steps[i])
		case x.words != nil:
			addPlaces(index, x.words[at:], l.steps[i])
		}
	}
}

func addPlaces[S uint8 | uint16](index []uint32, column []S, step uint32) {
	column = column[:len(index)]
	for r, s := range column {
		index[r] += step * uint32(s)
	}
}

// add adds the logarithms of the rows from at on. A row that is marked may get any number.
func (f *family) add(c *Columns, at int, out []float64) {
	for _, v := range f.vars {
		if x := &c.cells[v]; x.bytes == nil && x.words == nil {
			return // all rows are marked
		}
	}
	if len(f.reals) == 0 && len(f.vars) <= 4 && f.addBytes(c, at, out) {
		return
	}
	index := c.index[:len(out)]
	f.places(c, at, index)
	if len(f.reals) > 0 {
		f.addReal(c, at, index, out)
		return
	}
	for r, i := range index {
		if uint(i) < uint(len(f.table)) {
			out[r] += f.table[i]
		}
	}
}

// addBytes is add for at most four variables in bytes. It reports false for others.
func (f *family) addBytes(c *Columns, at int, out []float64) bool {
	var columns [4][]uint8
	var steps [4]uint32
	for i, v := range f.vars {
		if columns[i], steps[i] = c.cells[v].bytes, f.steps[i]; columns[i] == nil {
			return false
		}
		columns[i] = columns[i][at:][:len(out)]
	}
	table, first := f.table, f.first
	w, x, y, z := columns[0], columns[1], columns[2], columns[3]
	a, b, d := steps[0], steps[1], steps[2]
	switch len(f.vars) { // the step of the last variable is 1
	case 1:
		for r := range out {
			if i := uint32(w[r]) - first; uint(i) < uint(len(table)) {
				out[r] += table[i]
			}
		}
	case 2:
		x = x[:len(w)]
		for r, s := range w {
			if i := a*uint32(s) + uint32(x[r]) - first; uint(i) < uint(len(table)) {
				out[r] += table[i]
			}
		}
	case 3:
		x, y = x[:len(w)], y[:len(w)]
		for r, s := range w {
			if i := a*uint32(s) + b*uint32(x[r]) + uint32(y[r]) - first; uint(i) < uint(len(table)) {
				out[r] += table[i]
			}
		}
	case 4:
		x, y, z = x[:len(w)], y[:len(w)], z[:len(w)]
		for r, s := range w {
			if i := a*uint32(s) + b*uint32(x[r]) + d*uint32(y[r]) + uint32(z[r]) - first; uint(i) < uint(len(table)) {
				out[r] += table[i]
			}
		}
	default:
		return false
	}
	return true
}

// addReal adds the logarithms of densities of a real child. Differences from the mean may be small
// beside its terms, so that they are computed in twice the precision.
func (f *family) addReal(c *Columns, at int, index []uint32, out []float64) {
	for _, v := range f.reals {
		if c.cells[v].reals == nil {
			return
		}
	}
	n := len(f.reals)
	child := c.cells[f.reals[n-1]].reals[at:]
	for r, i := range index {
		if uint(i) >= uint(len(f.table)/(n+2)) {
			continue
		}
		t := f.table[int(i)*(n+2):][:n+2]
		d, low := addLow(child[r], -t[0], 0)
		for k, v := range f.reals[:n-1] {
			x := c.cells[v].reals[at+r]
			product := float64(-t[1+k] * x)
			d, low = addLow(d, product, low+math.FMA(-t[1+k], x, -product))
		}
		d += low
		out[r] += float64(d*d*t[n]) + t[n+1]
	}
}

// addLow returns x + y, rounded, and low plus its rounding error.
func addLow(x, y, low float64) (sum, lower float64) {
	sum = x + y
	z := sum - x
	return sum, low + ((x - (sum - z)) + (y - z))
}

// CheckColumns returns an error if a column of the posteriors of a variable is not nil and has
// another number of rows.
func CheckColumns(n *Names, variable, rows int, columns [][]float64) error {
	for _, c := range columns {
		if c != nil && len(c) != rows {
			return n.BadLength("a column of "+strconv.Quote(Short(n.Vars[variable].Name)), len(c), rows)
		}
	}
	return nil
}

// Dictionary sets to[i] to the number of the state states[i] of a variable, from 1, and to 0 for an
// empty text.
func Dictionary[S uint8 | uint16](n *Names, variable int, states []string, to []S) error {
	if variable < 0 || variable >= len(n.Vars) || n.Vars[variable].Enum < 0 {
		return n.Fail("there is no variable with states and the number "+strconv.Itoa(variable), ErrState)
	}
	if len(to) != len(states) {
		return n.BadLength("the dictionary", len(to), len(states))
	}
	for i, text := range states {
		state, err := n.ParseState(n.Vars[variable].Enum, text)
		if err != nil {
			return err
		}
		if to[i] = S(state); uint(to[i]) != state {
			return n.Fail("variable "+strconv.Quote(Short(n.Vars[variable].Name))+" has more than 255 states; want a dictionary of 16 bits", nil)
		}
	}
	return nil
}
