package order

import "math/bits"

// fills knows, for vertices of a matrix, the pairs of neighbours that are not adjacent, and keeps
// this up as vertices are eliminated. In a dense graph an elimination changes the scores of most
// vertices, but joins few pairs of the neighbours of each.
type fills struct {
	w       *edgeWeights // with whole weights; nil: all weigh 1
	missing []int        // by vertex: how many ordered pairs; -1 if not known
	weight  []float64    // by vertex: the sum of their weights; nil without weights

	used  []int    // buffers of eliminate: the words of the eliminated vertex's row,
	at    []int    // by vertex: its place among the neighbours,
	added []uint64 // by place and used word: the edges that it gets,
	fresh []uint64 // the neighbours that get any,
	near  []uint64 // and the vertices next to them
}

func newFills(n int, w *edgeWeights) *fills {
	f := &fills{w: w, missing: make([]int, n), at: make([]int, n)}
	for v := range f.missing {
		f.missing[v] = -1
	}
	if w != nil {
		f.weight = make([]float64, n)
	}
	return f
}

// add adds times of the pairs of u with the vertices of a word of bits to v.
func (f *fills) add(v, times, u, word int, set uint64) {
	n := bits.OnesCount64(set)
	f.missing[v] += times * n
	switch {
	case f.w == nil:
	case f.w.classes == 1:
		f.weight[v] += float64(times*n) * f.w.of[0]
	default:
		for ; set != 0; set &= set - 1 {
			f.weight[v] += float64(times) * f.w.weight(u, word<<6+bits.TrailingZeros64(set))
		}
	}
}

// count finds the pairs of v, which has the neighbours nb; m.used are the words of nb.
func (f *fills) count(m *matrix, v int, nb []int) {
	f.missing[v] = 0
	if f.w != nil {
		f.weight[v] = 0
	}
	row := m.row(v)
	for _, u := range nb {
		r := m.row(u)
		for _, i := range m.used {
			f.add(v, 1, u, i, row[i]&^r[i]&^bit(u, i))
		}
	}
}

// bit returns the bit of u if it is in a word, and otherwise none.
func bit(u, word int) uint64 {
	if u>>6 != word {
		return 0
	}
	return 1 << (u & 63)
}

// eliminate updates the vertices around v, which has the neighbours nb. It comes before the edges
// change.
func (f *fills) eliminate(m *matrix, v int, nb []int) {
	f.used = words(f.used, nb)
	f.mark(m, v, nb)
	for _, u := range nb {
		if f.missing[u] >= 0 {
			f.neighbour(m, v, u)
		}
	}
	for i, word := range f.near {
		for word &^= m.row(v)[i] | bit(v, i); word != 0; word &= word - 1 {
			if u := i<<6 + bits.TrailingZeros64(word); f.missing[u] >= 0 {
				f.joined(m, u)
			}
		}
	}
}

// mark sets the buffers of eliminate.
func (f *fills) mark(m *matrix, v int, nb []int) {
	f.added, f.near = f.added[:0], append(f.near[:0], make([]uint64, m.words)...)
	f.fresh = append(f.fresh[:0], make([]uint64, m.words)...)
	row := m.row(v)
	for k, u := range nb {
		f.at[u] = k
		r, any := m.row(u), uint64(0)
		for _, i := range f.used {
			x := row[i] &^ r[i] &^ bit(u, i)
			f.added = append(f.added, x)
			any |= x
		}
		if any == 0 {
			continue
		}
		f.fresh[u>>6] |= 1 << (u & 63)
		for i, x := range r {
			f.near[i] |= x
		}
	}
}

// joined takes from the pairs of u those that become edges.
func (f *fills) joined(m *matrix, u int) {
	r := m.row(u)
	for _, w := range f.used {
		for set := r[w] & f.fresh[w]; set != 0; set &= set - 1 {
			a := w<<6 + bits.TrailingZeros64(set)
			for j, x := range f.edges(a) {
				if i := f.used[j]; x&r[i] != 0 {
					f.add(u, -1, a, i, x&r[i])
				}
			}
		}
	}
}

// edges returns the edges that a neighbour of the eliminated vertex gets, in the words of f.used.
func (f *fills) edges(u int) []uint64 { return f.added[f.at[u]*len(f.used):][:len(f.used)] }

// neighbour changes the pairs of u, a neighbour of v. Those of its neighbours that are v's become a
// clique; others may lack edges to the ones that are new.
func (f *fills) neighbour(m *matrix, v, u int) {
	row, r := m.row(v), m.row(u)
	outside := 0
	for i, x := range r {
		if x &^= row[i] | bit(v, i); x != 0 {
			f.add(u, -2, v, i, x)
			outside += bits.OnesCount64(x)
		}
	}
	if outside == 0 { // all of its neighbours become a clique
		f.missing[u] = 0
		if f.w != nil {
			f.weight[u] = 0
		}
		return
	}
	f.joined(m, u)
	for j, set := range f.edges(u) {
		for ; set != 0; set &= set - 1 {
			b := f.used[j]<<6 + bits.TrailingZeros64(set)
			other := m.row(b)
			for i, x := range r {
				if x &^= row[i] | bit(v, i) | other[i]; x != 0 {
					f.add(u, 2, b, i, x)
				}
			}
		}
	}
}
