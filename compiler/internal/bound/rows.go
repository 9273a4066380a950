package bound

import (
	"math"
	"slices"
)

// support lists the joint states of some variables at which a table is not zero.
type support struct {
	scope  []int
	states []uint8 // by row and place in scope
	rows   int
}

// maxRowStates is the largest number of states of a variable in a support.
const maxRowStates = 1 << 8

// row returns the states of a row.
func (s *support) row(i int) []uint8 { return s.states[i*len(s.scope):][:len(s.scope)] }

// supportOf returns the support of a factor, and its logarithms there.
func supportOf(f *Factor, card []int) (*support, []float64) {
	s := &support{scope: f.Scope}
	var log []float64
	x := make([]uint8, len(f.Scope))
	for _, y := range f.Log {
		if !math.IsInf(y, -1) {
			s.states, log = append(s.states, x...), append(log, y)
		}
		for j := len(x) - 1; j >= 0; j-- {
			if x[j]++; int(x[j]) < card[f.Scope[j]] {
				break
			}
			x[j] = 0
		}
	}
	s.rows = len(log)
	return s, log
}

// chains finds rows by the states of some of their variables: rows with the same hash are linked.
type chains struct {
	head map[uint64]int32
	next []int32 // -1 after the last
}

// hash returns a hash of the states at some places of a row.
func hash(row []uint8, at []int) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, i := range at {
		h = (h ^ uint64(row[i])) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

// first returns the first row of the chain of a hash; -1 of none.
func (c *chains) first(h uint64) int32 {
	if i, ok := c.head[h]; ok {
		return i
	}
	return -1
}

// add links a new row.
func (c *chains) add(h uint64) {
	c.next = append(c.next, c.first(h))
	c.head[h] = int32(len(c.next) - 1)
}

// agree reports whether two rows have the same states, a at some places and b at others.
func agree(a []uint8, at []int, b []uint8, bt []int) bool {
	for i := range at {
		if a[at[i]] != b[bt[i]] {
			return false
		}
	}
	return true
}

// pair is a row of each of two supports.
type pair struct{ a, b int32 }

// join returns the support of a product, and the rows of its factors by row; nil if there are more
// than limit.
func (s *support) join(t *support, limit int) (*support, []pair) {
	out := &support{scope: slices.Clone(s.scope)}
	var at, bt, rest []int
	for j, v := range t.scope {
		if i := slices.Index(s.scope, v); i >= 0 {
			at, bt = append(at, i), append(bt, j)
		} else {
			rest, out.scope = append(rest, j), append(out.scope, v)
		}
	}
	c := chains{head: make(map[uint64]int32, t.rows)}
	for i := range t.rows {
		c.add(hash(t.row(i), bt))
	}
	var pairs []pair
	for i := range s.rows {
		row := s.row(i)
		for j := c.first(hash(row, at)); j >= 0; j = c.next[j] {
			if agree(row, at, t.row(int(j)), bt) {
				pairs = append(pairs, pair{int32(i), j})
			}
		}
		if len(pairs) > limit {
			return nil, nil
		}
	}
	out.rows, out.states = len(pairs), make([]uint8, 0, len(pairs)*len(out.scope))
	for _, p := range pairs {
		out.states = append(out.states, s.row(int(p.a))...)
		for _, j := range rest {
			out.states = append(out.states, t.row(int(p.b))[j])
		}
	}
	return out, pairs
}

// sumOut returns the support that is left once v is summed out, the row of it for each row of s,
// and the state of v there.
func (s *support) sumOut(v int) (out *support, group []int32, state []uint8) {
	out = &support{}
	p := slices.Index(s.scope, v)
	var at, all []int
	for i, u := range s.scope {
		if i != p {
			all, at, out.scope = append(all, len(at)), append(at, i), append(out.scope, u)
		}
	}
	c := chains{head: map[uint64]int32{}}
	for i := range s.rows {
		row := s.row(i)
		h := hash(row, at)
		j := c.first(h)
		for j >= 0 && !agree(row, at, out.row(int(j)), all) {
			j = c.next[j]
		}
		if j < 0 {
			j = int32(out.rows)
			c.add(h)
			out.rows++
			for _, k := range at {
				out.states = append(out.states, row[k])
			}
		}
		group, state = append(group, j), append(state, row[p])
	}
	return out, group, state
}
