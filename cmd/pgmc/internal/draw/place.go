package draw

import (
	"cmp"
	"math"
	"slices"
)

// rounds is the number of sweeps over all layers, down and up by turns.
const rounds = 160

// place assigns each vertex its x. The objective is convex and each layer has constraints of its
// own, so that placing one layer after another converges to the minimum.
func (l *layered) place() {
	for _, layer := range l.layers { // start side by side around 0
		x := 0.0
		for i, v := range layer {
			if i > 0 {
				x += l.apart(layer[i-1], v)
			}
			l.vs[v].x = x
		}
		for _, v := range layer {
			l.vs[v].x -= x / 2
		}
	}
	for round := range rounds {
		for i := range l.layers {
			y := i
			if round%2 == 1 {
				y = len(l.layers) - 1 - i
			}
			l.regress(l.layers[y])
		}
	}
	left := math.Inf(1)
	for i := range l.vs {
		left = min(left, l.vs[i].x-l.vs[i].w/2)
	}
	for i := range l.vs {
		l.vs[i].x -= left
		l.width = max(l.width, l.vs[i].x+l.vs[i].w/2)
	}
}

// apart returns the least distance between the centres of neighbours in a layer.
func (l *layered) apart(a, b int) float64 {
	gap := nodeGap
	if l.vs[a].bend || l.vs[b].bend {
		gap = bendGap
	}
	return (l.vs[a].w+l.vs[b].w)/2 + gap
}

// weight returns the weight of the edge part between two vertices in the objective. It is larger at
// bends, so that long edges become straight.
func (l *layered) weight(a, b int) float64 {
	switch {
	case l.vs[a].bend && l.vs[b].bend:
		return 8
	case l.vs[a].bend || l.vs[b].bend:
		return 2
	}
	return 1
}

// pool is a run of n vertices at their least distances: the weighted sum of their positions, and
// its weight.
type pool struct {
	sum, weight float64
	n           int
}

func (p pool) mean() float64 { return p.sum / p.weight }

// regress places the vertices of a layer, in their order and at their least distances or more, so
// that the weighted squares of the distances to their neighbours above and below are minimal. With
// the least distances subtracted, the positions must not descend: runs of vertices whose means
// descend are pooled.
func (l *layered) regress(layer []int) {
	var pools []pool
	offset := make([]float64, len(layer))
	for i, v := range layer {
		if i > 0 {
			offset[i] = offset[i-1] + l.apart(layer[i-1], v)
		}
		p := pool{n: 1}
		for _, u := range slices.Concat(l.vs[v].up, l.vs[v].down) {
			w := l.weight(u, v)
			p.sum += float64(w * (l.vs[u].x - offset[i])) // conversion prevents a fused operation: every platform draws the same
			p.weight += w
		}
		if p.weight == 0 { // a component of one vertex
			p.weight, p.sum = 1, l.vs[v].x-offset[i]
		}
		for len(pools) > 0 && pools[len(pools)-1].mean() > p.mean() {
			last := pools[len(pools)-1]
			p = pool{p.sum + last.sum, p.weight + last.weight, p.n + last.n}
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, p)
	}
	i := 0
	for _, p := range pools {
		for range p.n {
			l.vs[layer[i]].x = p.mean() + offset[i]
			i++
		}
	}
}

// depth assigns each vertex its y. Layers are further apart if edges go far sideways.
func (l *layered) depth() {
	y := 0.0
	for i, layer := range l.layers {
		high, far := 0.0, 0.0
		for _, v := range layer {
			high = max(high, l.vs[v].h)
			for _, u := range l.vs[v].up {
				far = max(far, math.Abs(l.vs[u].x-l.vs[v].x))
			}
		}
		if i > 0 {
			y += min(max(layerGap, sideways*far), layerMost)
		}
		l.top = append(l.top, y)
		for _, v := range layer {
			l.vs[v].y = y + high/2
		}
		y += high
		l.bottom = append(l.bottom, y)
	}
	l.height = y
}

// paths returns, for each edge, the straight lines across its layers as pairs of points. The edge
// is curved between them.
func (l *layered) paths(shapes []Shape) [][]point {
	out := make([][]point, len(l.chains))
	from, to := l.ports()
	for i, chain := range l.chains {
		for k, v := range chain {
			x, layer := l.vs[v].x, l.vs[v].layer
			top, bottom := l.top[layer], l.bottom[layer]
			lean := 0.0
			switch {
			case k == 0:
				x += from[i]
				top = l.vs[v].y + outline(shapes[v], point{l.vs[v].w, l.vs[v].h}, from[i])
			case k == len(chain)-1:
				x += to[i]
				bottom = l.vs[v].y - outline(shapes[v], point{l.vs[v].w, l.vs[v].h}, to[i])
			default:
				lean = l.lean(chain[k-1], v, chain[k+1])
			}
			out[i] = append(out[i], point{x - lean, top}, point{x + lean, bottom})
		}
	}
	return out
}

// clearance is the least distance of an edge from its neighbours in a layer.
const clearance = 3.0

// lean returns how far to the right an edge moves in each half of the layer of bend v. The slope is
// that of the steeper of the straight lines from the vertex above and to the vertex below, so that
// the edge does not overshoot. The result is 0 if the two lines lead to different sides, and
// smaller if the edge would come too close to a neighbour of the bend.
func (l *layered) lean(above, v, below int) float64 {
	b := &l.vs[v]
	half := (l.bottom[b.layer] - l.top[b.layer]) / 2
	before, after := slope(l.vs[above].point(), b.point()), slope(b.point(), l.vs[below].point())
	if before*after <= 0 {
		return 0
	}
	lean := float64(half * math.Copysign(min(math.Abs(before), math.Abs(after)), before))
	room := math.Inf(1)
	for _, pos := range []int{b.pos - 1, b.pos + 1} {
		if pos < 0 || pos >= len(l.layers[b.layer]) {
			continue
		}
		u := &l.vs[l.layers[b.layer][pos]]
		space := math.Abs(u.x-b.x) - u.w/2 - clearance
		if u.bend {
			space /= 2 // the neighbour may lean towards this one
		}
		room = min(room, max(0, space))
	}
	return max(-room, min(lean, room))
}

// outline returns the distance of the outline of a node above and below its centre, dx to the side
// of the centre.
func outline(shape Shape, size point, dx float64) float64 {
	half := size.y / 2
	if shape == Box || shape == Round {
		return half
	}
	r := dx / (size.x / 2)
	return half * math.Sqrt(max(0, 1-r*r))
}

// Edges meet the outline of a vertex at most portGap apart, and within portShare of its width.
const (
	portGap   = 11.0
	portShare = .5
)

// ports returns, for each edge, the horizontal distance from the centre at which it leaves its
// first vertex and meets its last.
func (l *layered) ports() (from, to []float64) {
	from, to = make([]float64, len(l.chains)), make([]float64, len(l.chains))
	leaves, meets := make([][]int, len(l.vs)), make([][]int, len(l.vs))
	for i, chain := range l.chains {
		leaves[chain[0]] = append(leaves[chain[0]], i)
		last := chain[len(chain)-1]
		meets[last] = append(meets[last], i)
	}
	for v := range l.vs {
		l.spread(v, leaves[v], from, func(chain []int) int { return chain[1] })
		l.spread(v, meets[v], to, func(chain []int) int { return chain[len(chain)-2] })
	}
	return from, to
}

// spread distributes edges over a side of vertex v, in the order of the vertices at their other
// ends.
func (l *layered) spread(v int, edges []int, port []float64, other func(chain []int) int) {
	if len(edges) < 2 {
		return
	}
	slices.SortStableFunc(edges, func(a, b int) int {
		return cmp.Compare(l.vs[other(l.chains[a])].x, l.vs[other(l.chains[b])].x)
	})
	gap := min(portGap, portShare*l.vs[v].w/float64(len(edges)-1))
	for i, e := range edges {
		port[e] = gap * (float64(i) - float64(len(edges)-1)/2)
	}
}
