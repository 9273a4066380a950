package data

import (
	"math/bits"
	"slices"
)

// cell is the rows in one joint state of some variables, at least one.
type cell struct {
	at   int      // the index of the joint state
	n    int      // the number of rows
	rows []int32  // the rows, ascending; nil if they are many
	set  []uint64 // the set of the rows; nil if they are few, or have weights
}

// A cell has a list of up to listed rows for each word of a set, and a set from half that many: a
// count of few states takes fewer steps by sets, and one of many states by the list.
const listed = 4

// Adding counts the families of a child with the same parents and one of others each. It calls f
// with each index of others and the counts, as [Counter.Counts] returns them for the parents with
// the other one, ascending, and then the child. The parents must be in ascending order. The counts
// are valid during the call.
//
// Adding splits the rows by the joint states of the family once for all others, and counts the
// states of each other variable in all cells but the largest: the rest of its rows are in that one
// (as in AD-trees, Moore and Lee 1998).
func (c *Counter) Adding(child int, parents, others []int, f func(i int, n []float64)) {
	if c.set.Counted() {
		c.addingCounted(child, parents, others, f)
		return
	}
	family := append(slices.Clone(parents), child)
	cells := c.split(family)
	states, _ := c.Size(family)
	total, largest := 0, 0
	for i, x := range cells {
		total += x.n
		if x.n > cells[largest].n {
			largest = i
		}
	}
	spare := c.set.weights == nil && total > 0 && total == c.set.Len() // no row is in no cell
	var out []float64
	var rest []int
	for i, v := range others {
		place, _ := slices.BinarySearch(parents, v)
		step, card := c.Card(child), c.Card(v)
		for _, u := range parents[place:] {
			step *= c.Card(u)
		}
		size := states * card
		out = slices.Grow(out[:0], size)[:size]
		clear(out)
		if size == 0 {
			f(i, out)
			continue
		}
		if spare {
			rest = append(rest[:0], c.once[v]().rows...)
		}
		for k := range cells {
			x := &cells[k]
			n := out[x.at/step*step*card+x.at%step:]
			if spare && k == largest {
				continue
			}
			c.addCell(x, v, n, step)
			for s := range rest {
				rest[s] -= int(n[s*step])
			}
		}
		for s, n := range rest {
			at := cells[largest].at
			out[at/step*step*card+at%step+s*step] = float64(n)
		}
		f(i, out)
	}
}

// addingCounted is Adding by one request to the source of the data.
func (c *Counter) addingCounted(child int, parents, others []int, f func(i int, n []float64)) {
	families := make([]Family, len(others))
	for i, v := range others {
		families[i].Discrete = append(slices.Sorted(slices.Values(append([]int{v}, parents...))), child)
	}
	for i, t := range c.set.Tables(families) {
		f(i, t.N)
	}
}

// addCell counts the states of a variable in the rows of a cell. The count of state s goes to
// n[s*step], which is 0 before.
func (c *Counter) addCell(x *cell, v int, n []float64, step int) {
	card, words, rows := c.Card(v), c.words(), x.rows
	if x.set != nil && (card-1)*words < 2*x.n {
		c.addSets(x, v, n, step)
		return
	}
	if rows == nil {
		rows = listOf(x.set, x.n)
	}
	col := c.set.columns[v]
	switch {
	case c.set.weights != nil || col.Bytes == nil:
		for _, row := range rows {
			if s := col.At(int(row)); s != Missing {
				n[s*step] += c.set.Weight(int(row))
			}
		}
	case len(rows) <= MissingByte: // clearing seen would take longer
		for _, row := range rows {
			if s := col.Bytes[row]; s != MissingByte {
				n[int(s)*step]++
			}
		}
	default:
		var seen [4][MissingByte + 1]int32 // in turn, since a count waits for the last one of its state
		for ; len(rows) >= 4; rows = rows[4:] {
			seen[0][col.Bytes[rows[0]]]++
			seen[1][col.Bytes[rows[1]]]++
			seen[2][col.Bytes[rows[2]]]++
			seen[3][col.Bytes[rows[3]]]++
		}
		for _, row := range rows {
			seen[0][col.Bytes[row]]++
		}
		for s := range card {
			n[s*step] = float64(seen[0][s] + seen[1][s] + seen[2][s] + seen[3][s])
		}
	}
}

// addSets is addCell by the sets of rows. If no row misses the variable, the last state has the
// rows of the cell that no other has.
func (c *Counter) addSets(x *cell, v int, n []float64, step int) {
	col := c.once[v]()
	sets, rest := col.sets, x.n
	if !col.misses {
		sets = sets[:len(sets)-1]
	}
	for s := range sets {
		both := common(x.set, sets[s])
		n[s*step] = float64(both)
		rest -= both
	}
	if !col.misses {
		n[len(sets)*step] = float64(rest)
	}
}

// level is the cells of a variable and the variables of the levels before, in this order.
type level struct {
	v     int
	cells []cell
}

// split returns the rows in each joint state of vars that has any, and misses none of their values.
// The indices of the states are row-major in the order of vars. The cells go through the levels of
// an earlier split as far as these are of vars, and then by the last of vars first: searches split
// by one child and many sets of parents that differ little.
func (c *Counter) split(vars []int) []cell {
	var last []level
	if l, ok := c.splits.Get().(*[]level); ok {
		last = *l
	}
	kept := 0
	for kept < len(last) && slices.Contains(vars, last[kept].v) {
		kept++
	}
	levels := slices.Clone(last[:kept])
	cells := []cell{c.all()}
	if kept > 0 {
		cells = levels[kept-1].cells
	}
	for _, v := range slices.Backward(vars) {
		if slices.ContainsFunc(levels[:kept], func(l level) bool { return l.v == v }) {
			continue
		}
		var next []cell
		for i := range cells {
			if cells[i].rows != nil {
				next = c.splitRows(next, &cells[i], v)
			} else {
				next = c.splitSet(next, &cells[i], v)
			}
		}
		cells = next
		levels = append(levels, level{v, cells})
	}
	c.splits.Put(&levels)
	return c.reindex(cells, levels, vars)
}

// all returns the cell of all rows.
func (c *Counter) all() cell {
	all := cell{n: c.set.Len()}
	if c.set.weights != nil {
		all.rows = make([]int32, all.n)
		for i := range all.rows {
			all.rows[i] = int32(i)
		}
	}
	return all
}

// reindex returns cells with indices in the order of vars in place of the order of levels.
func (c *Counter) reindex(cells []cell, levels []level, vars []int) []cell {
	order := make([]int, len(levels))
	for i, l := range levels {
		order[i] = l.v
	}
	steps := c.strides(order, vars)
	cells = slices.Clone(cells)
	for i := range cells {
		rest, at := cells[i].at, 0
		for k, v := range slices.Backward(order) {
			at += rest % c.Card(v) * steps[k]
			rest /= c.Card(v)
		}
		cells[i].at = at
	}
	return cells
}

// splitRows appends the cells into which the states of a variable split a cell with a list of rows.
func (c *Counter) splitRows(to []cell, x *cell, v int) []cell {
	card, col := c.Card(v), c.set.columns[v]
	start := make([]int, card+1)
	for _, row := range x.rows {
		if s := col.At(int(row)); s != Missing {
			start[s+1]++
		}
	}
	for s := range card {
		start[s+1] += start[s]
	}
	list, next := make([]int32, start[card]), slices.Clone(start)
	for _, row := range x.rows {
		if s := col.At(int(row)); s != Missing {
			list[next[s]] = row
			next[s]++
		}
	}
	for s := range card {
		if rows := list[start[s]:start[s+1]]; len(rows) > 0 {
			to = append(to, cell{at: x.at*card + s, n: len(rows), rows: rows, set: c.setOf(rows)})
		}
	}
	return to
}

// setOf returns the set of some rows, or nil if a cell of so many needs none.
func (c *Counter) setOf(rows []int32) []uint64 {
	if words := c.words(); c.set.weights != nil || 2*len(rows) < listed*words {
		return nil
	}
	set := make([]uint64, c.words())
	for _, row := range rows {
		set[row/64] |= 1 << (row % 64)
	}
	return set
}

// splitSet is splitRows for a cell with a set of rows, or of all rows if it has none.
func (c *Counter) splitSet(to []cell, x *cell, v int) []cell {
	card, words := c.Card(v), c.words()
	col := c.once[v]()
	for s, set := range col.sets {
		y := cell{at: x.at*card + s, n: col.rows[s], set: set}
		if x.set != nil {
			y.set = make([]uint64, words)
			y.n = intersect(y.set, set, x.set)
		}
		if y.n == 0 {
			continue
		}
		if y.n <= listed*words {
			y.rows = listOf(y.set, y.n)
			if 2*y.n < listed*words {
				y.set = nil
			}
		}
		to = append(to, y)
	}
	return to
}

// listOf returns the n rows of a set, ascending.
func listOf(set []uint64, n int) []int32 {
	rows := make([]int32, 0, n)
	for i, w := range set {
		for ; w != 0; w &= w - 1 {
			rows = append(rows, int32(64*i+bits.TrailingZeros64(w)))
		}
	}
	return rows
}
