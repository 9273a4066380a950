package order

import (
	"math/bits"
	"slices"
)

// matrix is a row of bits for each vertex.
type matrix struct {
	words  int
	bits   []uint64
	looked int   // words that fill has looked at, and edges that it has weighed, which take longer
	used   []int // buffer of fill: the words of a row that are not zero
	fills  *fills
}

// weighing is the price of the weight of an edge, in words.
const weighing = 3

func (m *matrix) row(v int) []uint64 { return m.bits[v*m.words : (v+1)*m.words] }

func (m *matrix) work() int { return m.looked }

func (m *matrix) clone() adjacency { return &matrix{words: m.words, bits: slices.Clone(m.bits)} }

func (m *matrix) equal(a adjacency) bool {
	other, ok := a.(*matrix)
	return ok && slices.Equal(m.bits, other.bits)
}

func (m *matrix) join(a, b int) {
	m.row(a)[b>>6] |= 1 << (b & 63)
	m.row(b)[a>>6] |= 1 << (a & 63)
}

func (m *matrix) neighbours(v int, buf []int) []int {
	buf = buf[:0]
	for w, word := range m.row(v) {
		for ; word != 0; word &= word - 1 {
			buf = append(buf, w<<6+bits.TrailingZeros64(word))
		}
	}
	return buf
}

func (m *matrix) crowded(int) bool { return false }

func (m *matrix) eliminate(v int, nb []int) bool {
	row := m.row(v)
	if m.fills != nil {
		m.fills.eliminate(m, v, nb)
	}
	for _, u := range nb {
		r := m.row(u)
		for w := range r {
			r[w] |= row[w]
		}
		r[u>>6] &^= 1 << (u & 63)
		r[v>>6] &^= 1 << (v & 63)
	}
	clear(row)
	return true
}

// fill is known from before for most vertices: eliminate keeps up what it changes (type fills).
func (m *matrix) fill(v int, nb []int, w *edgeWeights) float64 {
	m.used = words(m.used, nb)
	m.looked += len(nb) * len(m.used)
	if w != nil && !w.whole {
		return m.sum(v, nb, w)
	}
	if m.fills == nil || w != m.fills.w {
		m.fills = newFills(len(m.bits)/m.words, w)
	}
	f := m.fills
	if f.missing[v] < 0 {
		f.count(m, v, nb)
	}
	if w == nil {
		return float64(f.missing[v]) / 2
	}
	m.looked += weighing * f.missing[v]
	return f.weight[v] / 2
}

// words sets buf to the words of a row that have the bits of nb, which ascends.
func words(buf, nb []int) []int {
	buf = buf[:0]
	for _, u := range nb {
		if k := len(buf); k == 0 || buf[k-1] != u>>6 {
			buf = append(buf, u>>6)
		}
	}
	return buf
}

// sum is fill with weights that have fractions, so that the sum depends on the order of its terms;
// m.used are the words of nb.
func (m *matrix) sum(v int, nb []int, w *edgeWeights) float64 {
	row, total := m.row(v), 0.0
	for _, u := range nb {
		r := m.row(u)
		for _, i := range m.used {
			missing := row[i] &^ r[i]
			if i == u>>6 {
				missing &^= 1 << (u & 63)
			}
			part := 0.0
			m.looked += weighing * bits.OnesCount64(missing)
			for ; missing != 0; missing &= missing - 1 {
				part += w.weight(u, i<<6+bits.TrailingZeros64(missing))
			}
			total += part
		}
	}
	return total / 2
}

func (m *matrix) near(vs []int, f func(v int)) {
	all := make([]uint64, m.words)
	for _, v := range vs {
		for w, word := range m.row(v) {
			all[w] |= word
		}
	}
	for w, word := range all {
		for ; word != 0; word &= word - 1 {
			f(w<<6 + bits.TrailingZeros64(word))
		}
	}
}
