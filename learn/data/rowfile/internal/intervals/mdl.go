package intervals

import (
	"math"
	"slices"
)

// MDL returns the bounds between the intervals of a number that a class decides. Each cut is the
// one after which the entropy of the class is least, among those between two different values. It
// is made if the gain of information exceeds the cost of describing it,
//
//	(log2(N-1) + log2(3^k-2) - (k H - k1 H1 - k2 H2)) / N
//
// where N is the weight of the rows, k the number of classes among them and H the entropy of the
// class in bits, and k1, H1, k2 and H2 belong to the two parts; then both parts are cut in turn.
// classes holds the weights of the classes for each of the values, which ascend.
//
// Source: Fayyad and Irani 1993, "Multi-interval discretization of continuous-valued attributes for
// classification learning".
func MDL(values []float64, classes [][]float64) []float64 {
	if len(values) < 2 {
		return nil
	}
	all := mixOf(classes)
	left, right := newMix(len(all.n)), all.clone()
	at, least := -1, math.Inf(1)
	var one, two *mix
	for i := range len(values) - 1 {
		left.add(classes[i], 1)
		right.add(classes[i], -1)
		if h := left.total*left.entropy() + right.total*right.entropy(); h < least-1e-12*all.total {
			at, least, one, two = i, h, left.clone(), right.clone()
		}
	}
	if at < 0 || all.total <= 1 {
		return nil
	}
	gain := all.entropy() - least/all.total
	cost := math.Log2(math.Pow(3, all.kinds())-2) - (all.kinds()*all.entropy() - one.kinds()*one.entropy() - two.kinds()*two.entropy())
	if gain <= (math.Log2(all.total-1)+cost)/all.total {
		return nil
	}
	cuts := append(MDL(values[:at+1], classes[:at+1]), between(values[at], values[at+1]))
	return append(cuts, MDL(values[at+1:], classes[at+1:])...)
}

// mix holds the weights of classes.
type mix struct {
	n     []float64
	total float64
}

func newMix(classes int) *mix { return &mix{n: make([]float64, classes)} }

// mixOf returns the sum of rows.
func mixOf(rows [][]float64) *mix {
	m := newMix(len(rows[0]))
	for _, r := range rows {
		m.add(r, 1)
	}
	return m
}

func (m *mix) clone() *mix { return &mix{slices.Clone(m.n), m.total} }

// add adds weights, times a sign.
func (m *mix) add(n []float64, sign float64) {
	for k, w := range n {
		m.n[k] += sign * w
		m.total += sign * w
	}
}

// least returns the weight below which a class is the rounding of a difference.
func (m *mix) least() float64 { return 1e-9 * m.total }

// kinds returns the number of classes that occur.
func (m *mix) kinds() (k float64) {
	for _, w := range m.n {
		if w > m.least() {
			k++
		}
	}
	return k
}

// entropy returns the entropy of the class in bits.
func (m *mix) entropy() (h float64) {
	for _, w := range m.n {
		if w > m.least() {
			h -= w / m.total * math.Log2(w/m.total)
		}
	}
	return h
}
