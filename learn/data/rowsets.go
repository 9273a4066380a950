package data

import "math/bits"

// rowsOf is the rows of each state of a variable.
type rowsOf struct {
	sets   [][]uint64
	rows   []int // their numbers
	misses bool  // a row misses the variable
}

// bySets counts the rows in the intersection of the sets of each joint state.
func (c *Counter) bySets(vars []int, size, words int) []float64 {
	out := make([]float64, 0, size)
	scratch := make([][]uint64, len(vars))
	for i := range scratch {
		scratch[i] = make([]uint64, words)
	}
	var walk func(depth, n int, rows []uint64)
	walk = func(depth, n int, rows []uint64) {
		v := c.once[vars[depth]]()
		for s, set := range v.sets {
			last := depth == len(vars)-1
			switch {
			case last && s == len(v.sets)-1 && !v.misses: // the rest of the rows
				out = append(out, float64(n))
			case last && rows == nil:
				out = append(out, float64(v.rows[s]))
				n -= v.rows[s]
			case last:
				both := common(rows, set)
				out = append(out, float64(both))
				n -= both
			case rows == nil:
				walk(depth+1, v.rows[s], set)
			default:
				both := intersect(scratch[depth], set, rows)
				walk(depth+1, both, scratch[depth])
			}
		}
	}
	walk(0, c.set.Len(), nil)
	return out
}

// intersect stores the intersection of two sets and returns its size.
func intersect(to, a, b []uint64) (n int) {
	to, b = to[:len(a)], b[:len(a)]
	for i, w := range a {
		w &= b[i]
		to[i] = w
		n += bits.OnesCount64(w)
	}
	return n
}

func ones(a []uint64) (n int) {
	for _, w := range a {
		n += bits.OnesCount64(w)
	}
	return n
}

func common(a, b []uint64) (n int) {
	b = b[:len(a)]
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

// RowSets returns, for each state of a variable, the set of rows that have it: row 64 i + b is bit
// b of word i.
func (s *Set) RowSets(v int) [][]uint64 {
	words := (s.rows + 63) / 64
	sets := make([][]uint64, len(s.Vars[v].States))
	for k := range sets {
		sets[k] = make([]uint64, words)
	}
	for row, x := range s.columns[v].Bytes {
		if x != MissingByte {
			sets[x][row/64] |= 1 << (row % 64)
		}
	}
	for row, x := range s.columns[v].Words {
		if x != MissingWord {
			sets[x][row/64] |= 1 << (row % 64)
		}
	}
	return sets
}
