package draw

import "slices"

// vertex is a node, or the bend of an edge in a layer that it passes through.
type vertex struct {
	w, h     float64
	layer    int
	pos      int // index within the layer
	x, y     float64
	up, down []int // neighbours one layer above and below, one entry an edge
	bend     bool
}

func (v *vertex) point() point { return point{v.x, v.y} }

// layered is a connected graph in layers. The first vertices are the nodes.
type layered struct {
	vs            []vertex
	layers        [][]int
	chains        [][]int // by edge: its vertices from top to bottom
	top           []float64
	bottom        []float64 // by layer
	width, height float64
}

// stack assigns each vertex a layer below those of all its predecessors.
func (l *layered) stack(edges []Edge) {
	in, out := make([][]int, len(l.vs)), make([][]int, len(l.vs))
	for _, e := range edges {
		out[e.From], in[e.To] = append(out[e.From], e.To), append(in[e.To], e.From)
	}
	layer := longest(in, out)
	tighten(layer, in, out)
	first := slices.Min(layer)
	for i := range l.vs {
		l.vs[i].layer = layer[i] - first
	}
}

// divide divides edges into parts between adjacent layers, of which untangle then orders each. The
// first n vertices are the nodes; bends of an earlier division are removed.
func (l *layered) divide(n int, edges []Edge) error {
	l.vs, l.chains, l.layers = l.vs[:n], nil, nil
	for i := range l.vs {
		l.vs[i].up, l.vs[i].down = nil, nil
	}
	bends := 0
	for _, e := range edges {
		bends += l.vs[e.To].layer - l.vs[e.From].layer - 1
	}
	if bends > maxBends {
		return tooManyBends(bends)
	}
	for _, e := range edges {
		chain := []int{e.From}
		for y := l.vs[e.From].layer + 1; y < l.vs[e.To].layer; y++ {
			l.vs = append(l.vs, vertex{layer: y, bend: true})
			chain = append(chain, len(l.vs)-1)
		}
		chain = append(chain, e.To)
		l.chains = append(l.chains, chain)
		for i := 1; i < len(chain); i++ {
			a, b := chain[i-1], chain[i]
			l.vs[a].down, l.vs[b].up = append(l.vs[a].down, b), append(l.vs[b].up, a)
		}
	}
	l.untangle()
	return nil
}

// longest returns the layer of each vertex: one below the lowest of its predecessors.
func longest(in, out [][]int) []int {
	layer, waits := make([]int, len(in)), make([]int, len(in))
	var ready []int
	for v := range in {
		if waits[v] = len(in[v]); waits[v] == 0 {
			ready = append(ready, v)
		}
	}
	for k := 0; k < len(ready); k++ {
		for _, w := range out[ready[k]] {
			layer[w] = max(layer[w], layer[ready[k]]+1)
			if waits[w]--; waits[w] == 0 {
				ready = append(ready, w)
			}
		}
	}
	return layer
}

// tightenRounds bounds the sweeps of tighten. Few graphs need more than a handful.
const tightenRounds = 100

// tighten moves single vertices to shorten edges, as far as their edges allow. A vertex with at
// least as many edges down as up moves down, also if the total length stays the same, so that its
// predecessors can follow; others move up.
func tighten(layer []int, in, out [][]int) {
	order := make([]int, len(layer))
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return layer[b] - layer[a] }) // lowest first
	for range tightenRounds {
		moved := false
		for _, v := range order {
			to := layer[v]
			if len(out[v]) > 0 && len(out[v]) >= len(in[v]) {
				to = layer[out[v][0]] - 1
				for _, w := range out[v] {
					to = min(to, layer[w]-1)
				}
			} else if len(in[v]) > 0 {
				to = layer[in[v][0]] + 1
				for _, w := range in[v] {
					to = max(to, layer[w]+1)
				}
			}
			moved = moved || to != layer[v]
			layer[v] = to
		}
		if !moved {
			return
		}
	}
}
