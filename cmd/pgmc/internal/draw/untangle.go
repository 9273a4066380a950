package draw

import (
	"cmp"
	"slices"
)

// sweeps is the number of sweeps that improve the order of layers, down and up by turns.
const sweeps = 24

// untangle orders each layer so that few edges cross.
func (l *layered) untangle() {
	l.begin()
	best, fewest := l.order(), l.crossings()
	for round := 0; round < sweeps && fewest > 0; round++ {
		if round%2 == 0 {
			for y := 1; y < len(l.layers); y++ {
				l.sort(y, func(v *vertex) []int { return v.up })
			}
		} else {
			for y := len(l.layers) - 2; y >= 0; y-- {
				l.sort(y, func(v *vertex) []int { return v.down })
			}
		}
		l.exchange()
		if n := l.crossings(); n < fewest {
			best, fewest = l.order(), n
		}
	}
	for _, layer := range best {
		l.set(layer)
	}
	l.layers = best
}

// begin orders the layers as a depth-first search from the top meets their vertices.
func (l *layered) begin() {
	var visit []int
	for i := len(l.vs) - 1; i >= 0; i-- {
		if len(l.vs[i].up) == 0 {
			visit = append(visit, i)
		}
	}
	seen := make([]bool, len(l.vs))
	for len(visit) > 0 {
		v := visit[len(visit)-1]
		visit = visit[:len(visit)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		for l.vs[v].layer >= len(l.layers) {
			l.layers = append(l.layers, nil)
		}
		l.layers[l.vs[v].layer] = append(l.layers[l.vs[v].layer], v)
		for i := len(l.vs[v].down) - 1; i >= 0; i-- {
			visit = append(visit, l.vs[v].down[i])
		}
		visit = append(visit, l.vs[v].up...)
	}
	for _, layer := range l.layers {
		l.set(layer)
	}
}

// set records the positions of the vertices of a layer.
func (l *layered) set(layer []int) {
	for pos, v := range layer {
		l.vs[v].pos = pos
	}
}

func (l *layered) order() [][]int {
	out := make([][]int, len(l.layers))
	for y, layer := range l.layers {
		out[y] = slices.Clone(layer)
	}
	return out
}

// sort orders a layer by the mean position of its vertices' neighbours. Vertices without neighbours
// keep their positions.
func (l *layered) sort(y int, neighbours func(*vertex) []int) {
	layer := l.layers[y]
	type keyed struct {
		v   int
		key float64
	}
	var keys []keyed
	for _, v := range layer {
		if near := neighbours(&l.vs[v]); len(near) > 0 {
			sum := 0
			for _, u := range near {
				sum += l.vs[u].pos
			}
			keys = append(keys, keyed{v, float64(sum) / float64(len(near))})
		}
	}
	slices.SortStableFunc(keys, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	for i, k := 0, 0; i < len(layer); i++ {
		if len(neighbours(&l.vs[layer[i]])) > 0 {
			layer[i] = keys[k].v
			k++
		}
	}
	l.set(layer)
}

// exchangeRounds bounds the passes of exchange in one sweep.
const exchangeRounds = 4

// exchange swaps neighbours in a layer if fewer of their edges cross afterwards.
func (l *layered) exchange() {
	for range exchangeRounds {
		better := false
		for _, layer := range l.layers {
			for i := 1; i < len(layer); i++ {
				a, b := &l.vs[layer[i-1]], &l.vs[layer[i]]
				if l.between(a.up, b.up)+l.between(a.down, b.down) > l.between(b.up, a.up)+l.between(b.down, a.down) {
					layer[i-1], layer[i] = layer[i], layer[i-1]
					a.pos, b.pos = b.pos, a.pos
					better = true
				}
			}
		}
		if !better {
			return
		}
	}
}

// between counts the crossings between the edges of two adjacent vertices: left and right hold the
// other ends of the edges of the left and the right vertex.
func (l *layered) between(left, right []int) int {
	if len(left) == 0 || len(right) == 0 {
		return 0
	}
	if len(left) == 1 && len(right) == 1 {
		if l.vs[left[0]].pos > l.vs[right[0]].pos {
			return 1
		}
		return 0
	}
	a, b := l.positions(left), l.positions(right)
	n, k := 0, 0
	for _, x := range a {
		for k < len(b) && b[k] < x {
			k++
		}
		n += k
	}
	return n
}

// positions returns the positions of vertices, ascending.
func (l *layered) positions(vs []int) []int {
	out := make([]int, len(vs))
	for i, v := range vs {
		out[i] = l.vs[v].pos
	}
	slices.Sort(out)
	return out
}

// crossings counts all pairs of edge parts that cross.
func (l *layered) crossings() int {
	n := 0
	for y := 1; y < len(l.layers); y++ {
		var ends []int // positions in layer y, in the order of the ends in the layer above
		for _, v := range l.layers[y-1] {
			ends = append(ends, l.positions(l.vs[v].down)...)
		}
		n += inversions(ends, len(l.layers[y]))
	}
	return n
}

// inversions counts the pairs of a larger number before a smaller one. All numbers are below limit.
// A Fenwick tree counts the numbers so far.
func inversions(list []int, limit int) int {
	tree := make([]int, limit+1)
	n := 0
	for i, x := range list {
		notAbove := 0
		for k := x + 1; k > 0; k -= k & -k {
			notAbove += tree[k]
		}
		n += i - notAbove
		for k := x + 1; k <= limit; k += k & -k {
			tree[k]++
		}
	}
	return n
}
