package draw

import (
	"fmt"
	"math"
	"slices"
)

// Distances in pixels.
const (
	margin    = 12.0 // around the picture
	nodeGap   = 18.0 // between nodes of a layer
	bendGap   = 10.0 // between an edge and its neighbour in a layer
	partGap   = 36.0 // between connected components
	layerGap  = 44.0 // least distance between layers; more if edges go far sideways
	layerMost = 120.0
	sideways  = .12 // share of the longest horizontal distance of an edge between two layers
)

// maxBends bounds the bends of a layout. That many take about a second.
const maxBends = 200_000

// point is a position in the picture; y grows downwards.
type point struct{ x, y float64 }

// picture is the layout of a graph. The path of an edge within a slice has pairs of points joined by
// straight lines, with curves between the pairs.
type picture struct {
	width, height float64
	at            []point   // of each node's centre
	size          []point   // of each node
	edges         [][]point // of each edge; nil between slices
	frames        []point   // of each slice: the upper left corner
	frame         point     // the size of each frame
}

// layout returns positions for the nodes and edges of g.
func (g *Graph) layout() (*picture, error) {
	size := make([]point, len(g.Nodes))
	for i := range g.Nodes {
		size[i] = g.Nodes[i].size()
	}
	arrange := g.arrange
	if g.Slices != nil {
		arrange = g.arrangeSlices
	}
	p, err := arrange(size)
	if err != nil {
		return nil, err
	}
	for _, k := range g.Key {
		p.width = max(p.width, 2*margin+keyLine+keyGap+textWidth(k.Text))
		p.height += lineHeight
	}
	if g.Key != nil {
		p.height += keyGap
	}
	return p, nil
}

// arrange returns positions for the nodes, which have these sizes, and for the edges.
func (g *Graph) arrange(size []point) (*picture, error) {
	p := &picture{at: make([]point, len(g.Nodes)), size: size, edges: make([][]point, len(g.Edges))}
	var parts []*part
	for _, nodes := range g.components() {
		part, err := g.part(p, nodes)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	p.pack(parts)
	return p, nil
}

// size returns the width and height of a node.
func (n *Node) size() point {
	w := 0.0
	for _, line := range n.Lines {
		w = max(w, textWidth(visible(line, maxLine)))
	}
	h := lineHeight * float64(max(1, len(n.Lines)))
	switch n.Shape {
	case Circle:
		side := max(w, h) + 8
		return point{side, side}
	case Oval: // the corners of the line lie within the ellipse
		return point{math.Ceil(max(w+28, 44)), h + 14}
	}
	if n.Bars != nil {
		bars := n.barsSize()
		w, h = max(w, bars.x), h+bars.y
	}
	return point{math.Ceil(max(w+16, 28)), h + 10}
}

// components returns the connected components of g, each ascending, in the order of their first
// nodes.
func (g *Graph) components() [][]int {
	next := make([][]int, len(g.Nodes))
	for _, e := range g.Edges {
		next[e.From], next[e.To] = append(next[e.From], e.To), append(next[e.To], e.From)
	}
	var out [][]int
	seen := make([]bool, len(g.Nodes))
	for i := range g.Nodes {
		if seen[i] {
			continue
		}
		nodes := []int{i}
		seen[i] = true
		for k := 0; k < len(nodes); k++ {
			for _, j := range next[nodes[k]] {
				if !seen[j] {
					seen[j] = true
					nodes = append(nodes, j)
				}
			}
		}
		slices.Sort(nodes)
		out = append(out, nodes)
	}
	return out
}

// part is the layout of a connected component, with its origin at the upper left.
type part struct {
	nodes, edges  []int
	width, height float64
}

// part lays out one component and writes its positions to p.
func (g *Graph) part(p *picture, nodes []int) (*part, error) {
	number := make(map[int]int, len(nodes))
	for i, n := range nodes {
		number[n] = i
	}
	out := &part{nodes: nodes}
	var edges []Edge
	for i, e := range g.Edges {
		if from, ok := number[e.From]; ok {
			out.edges = append(out.edges, i)
			edges = append(edges, Edge{From: from, To: number[e.To]})
		}
	}
	turned := make([]bool, len(edges))
	if g.Kind == Undirected {
		edges = direct(len(nodes), edges)
	} else {
		turned = breakCycles(len(nodes), edges)
	}
	l := &layered{}
	for _, n := range nodes {
		l.vs = append(l.vs, vertex{w: p.size[n].x, h: p.size[n].y})
	}
	l.stack(edges)
	if err := l.divide(len(nodes), edges); err != nil {
		return nil, err
	}
	if l.fold() {
		if err := l.divide(len(nodes), edges); err != nil {
			return nil, err
		}
	}
	l.place()
	shapes := make([]Shape, len(nodes))
	for i, n := range nodes {
		shapes[i] = g.Nodes[n].Shape
	}
	l.depth()
	for i, n := range nodes {
		p.at[n] = point{l.vs[i].x, l.vs[i].y}
	}
	for i, path := range l.paths(shapes) {
		if turned[i] {
			slices.Reverse(path)
		}
		p.edges[out.edges[i]] = path
	}
	out.width, out.height = l.width, l.height
	return out, nil
}

// breakCycles reverses the edges that close a cycle in a depth-first search and reports which.
func breakCycles(n int, edges []Edge) []bool {
	out := make([][]int, n) // by vertex: its edges
	for i, e := range edges {
		out[e.From] = append(out[e.From], i)
	}
	turned := make([]bool, len(edges))
	next, open, seen := make([]int, n), make([]bool, n), make([]bool, n)
	for root := range n {
		if seen[root] {
			continue
		}
		seen[root], open[root] = true, true
		for stack := []int{root}; len(stack) > 0; {
			v := stack[len(stack)-1]
			if next[v] == len(out[v]) {
				open[v] = false
				stack = stack[:len(stack)-1]
				continue
			}
			i := out[v][next[v]]
			next[v]++
			switch to := edges[i].To; {
			case open[to]:
				turned[i] = true
			case !seen[to]:
				seen[to], open[to] = true, true
				stack = append(stack, to)
			}
		}
	}
	for i, e := range edges {
		if turned[i] {
			edges[i] = Edge{From: e.To, To: e.From}
		}
	}
	return turned
}

// direct directs the edges of a connected undirected graph away from its first vertex, in
// breadth-first order.
func direct(n int, edges []Edge) []Edge {
	next := make([][]int, n)
	for _, e := range edges {
		next[e.From], next[e.To] = append(next[e.From], e.To), append(next[e.To], e.From)
	}
	place := make([]int, n)
	queue := []int{0}
	place[0] = 1
	for k := 0; k < len(queue); k++ {
		for _, v := range next[queue[k]] {
			if place[v] == 0 {
				queue = append(queue, v)
				place[v] = len(queue)
			}
		}
	}
	out := slices.Clone(edges)
	for i, e := range out {
		if place[e.From] > place[e.To] {
			out[i] = Edge{From: e.To, To: e.From}
		}
	}
	return out
}

// pack places the components in rows, so that the picture is a little wider than high.
func (p *picture) pack(parts []*part) {
	area, widest := 0.0, 0.0
	for _, q := range parts {
		area += float64((q.width + partGap) * (q.height + partGap))
		widest = max(widest, q.width)
	}
	limit := max(widest, math.Sqrt(area)*1.3)
	x, y, row := 0.0, 0.0, 0.0
	for _, q := range parts {
		if x > 0 && x+q.width > limit {
			x, y, row = 0, y+row+partGap, 0
		}
		p.move(q, point{margin + x, margin + y})
		p.width, p.height = max(p.width, 2*margin+x+q.width), max(p.height, 2*margin+y+q.height)
		x += q.width + partGap
		row = max(row, q.height)
	}
	p.width, p.height = max(p.width, 2*margin), max(p.height, 2*margin)
}

// move moves the origin of a component to a point.
func (p *picture) move(q *part, to point) {
	for _, n := range q.nodes {
		p.at[n].x += to.x
		p.at[n].y += to.y
	}
	for _, e := range q.edges {
		for i := range p.edges[e] {
			p.edges[e][i].x += to.x
			p.edges[e][i].y += to.y
		}
	}
}

// tooManyBends returns the error for a picture that would be too large.
func tooManyBends(n int) error {
	return fmt.Errorf("the edges of the drawing would need %d bends; want at most %d; write DOT and let Graphviz draw it", n, maxBends)
}
