package order

import (
	"math"
	"slices"
)

// mostClasses is the largest number of different numbers of states for which weights are stored.
const mostClasses = 256

// edgeWeights holds the weights of edges: the product of the states of both ends. It stores one for
// each pair of classes, since computing one takes longer than all else in a search.
type edgeWeights struct {
	logCard []float64
	class   []uint8   // by vertex: vertices of one class have the same number of states; nil if there are too many classes
	of      []float64 // by classes of the ends
	classes int
	whole   bool // the weights are whole numbers, and few enough for sums without rounding
}

// mostWeight bounds whole weights: sums over all pairs of denseVertices stay below 2^53.
const mostWeight = 1 << 28

func newEdgeWeights(logCard []float64) *edgeWeights {
	p := &edgeWeights{logCard: logCard}
	list := slices.Compact(slices.Sorted(slices.Values(logCard)))
	if len(list) > mostClasses {
		return p
	}
	p.class, p.classes, p.whole = make([]uint8, len(logCard)), len(list), true
	for v, x := range logCard {
		i, _ := slices.BinarySearch(list, x)
		p.class[v] = uint8(i)
	}
	for _, a := range list {
		for _, b := range list {
			x := math.Exp(a + b)
			p.of = append(p.of, x)
			p.whole = p.whole && x == math.Trunc(x) && x <= mostWeight
		}
	}
	return p
}

// weight returns the weight of the edge between a and b.
func (p *edgeWeights) weight(a, b int) float64 {
	if p.class == nil {
		return math.Exp(p.logCard[a] + p.logCard[b])
	}
	return p.of[int(p.class[a])*p.classes+int(p.class[b])]
}
