package draw

import (
	"bufio"
	"fmt"
	"math"
	"slices"
)

// Distances in pixels.
const (
	frameGap   = 56.0 // between frames
	titleSpace = 24.0 // of a title, above the nodes and lanes of a frame
	laneLow    = 8.0  // least distance of a lane from the nodes below and above
	laneRange  = 28.0 // between the lanes above a row
	laneBend   = 14.0 // of the bend between a lane and a node
)

// laneShare is how far from the centre of a node an edge to a lane is, as a share of its width.
const laneShare = .3

// arrangeSlices returns positions for the nodes, which have at least these sizes, and for the edges
// of a sequence. All slices have the same layout, for the edges within any of them.
func (g *Graph) arrangeSlices(size []point) (*picture, error) {
	n := len(g.Nodes) / len(g.Slices)
	most := slices.Clone(size[:n])
	for i, s := range size {
		most[i%n] = point{max(most[i%n].x, s.x), max(most[i%n].y, s.y)}
	}
	one := &Graph{Nodes: g.Nodes[:n]}
	number := map[[2]int]int{} // of an edge in one
	for _, e := range g.Edges {
		key := [2]int{e.From % n, e.To % n}
		if _, known := number[key]; !known && e.From/n == e.To/n {
			number[key] = len(one.Edges)
			one.Edges = append(one.Edges, Edge{From: key[0], To: key[1]})
		}
	}
	p, err := one.arrange(most)
	if err != nil {
		return nil, err
	}
	above := titleSpace
	for _, e := range g.Edges {
		if e.From/n != e.To/n {
			_, leaves := one.lane(p, e.From%n, n, 1)
			_, enters := one.lane(p, e.To%n, n, -1)
			above = max(above, titleSpace-leaves, titleSpace-enters)
		}
	}
	out := &picture{frame: point{p.width, p.height + above}, edges: make([][]point, len(g.Edges))}
	for i := range g.Slices {
		corner := point{margin + float64(float64(i)*(out.frame.x+frameGap)), margin}
		out.frames = append(out.frames, corner)
		out.at = append(out.at, shift(p.at, point{corner.x, corner.y + above})...)
		out.size = append(out.size, most...)
	}
	last := out.frames[len(out.frames)-1]
	out.width, out.height = last.x+out.frame.x+margin, last.y+out.frame.y+margin
	for i, e := range g.Edges {
		if slice := e.From / n; slice == e.To/n {
			out.edges[i] = shift(p.edges[number[[2]int{e.From % n, e.To % n}]], point{out.frames[slice].x, margin + above})
		}
	}
	return out, nil
}

// shift returns points of the layout of a slice with its origin at a point.
func shift(list []point, to point) []point {
	out := slices.Clone(list)
	for i := range out {
		out[i] = point{out[i].x + to.x, out[i].y + to.y}
	}
	return out
}

// writeFrames draws the frames and the titles of slices.
func (g *Graph) writeFrames(b *bufio.Writer, p *picture) {
	for i, at := range p.frames {
		heavy := "1"
		if i == g.Heavy-1 {
			heavy = "2.4"
		}
		fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"8\" fill=\"none\" stroke=%q stroke-width=%q/>\n",
			number(at.x), number(at.y), number(p.frame.x), number(p.frame.y), colours[Grey].line, heavy)
		fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" text-anchor=\"middle\" fill=%q font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%s\">%s</text>\n",
			number(at.x+p.frame.x/2), number(at.y+titleSpace/2+fontSize*.35), textColour, number(fontSize), xmlEscape(g.title(i)))
	}
}

// title returns the text above a slice.
func (g *Graph) title(slice int) string { return "slice " + visible(g.Slices[slice], maxLine) }

// between returns the paths of the line and of the head of an edge to the next slice. Within
// frames the line is horizontal, and bends at a node that it meets from above.
func (g *Graph) between(p *picture, e *Edge) (line, head string) {
	n, covered := len(g.Nodes)/len(g.Slices), float64(e.head()*headLength/2)
	from, out := g.lane(p, e.From, n, 1)
	to, in := g.lane(p, e.To, n, -1)
	line = fmt.Sprintf("M%s %s", number(from.x), number(from.y))
	if out != from.y {
		line += fmt.Sprintf("C%[1]s %[2]s %[1]s %[2]s %[3]s %[2]s", number(from.x), number(out), number(from.x+laneBend))
	}
	left, right := p.frames[e.From/n].x+p.frame.x, p.frames[e.To/n].x
	middle := number((left + right) / 2)
	line += fmt.Sprintf("L%s %sC%s %s %s %s %s %s", number(left), number(out), middle, number(out), middle, number(in), number(right), number(in))
	if in == to.y {
		return line + fmt.Sprintf("L%s %s", number(to.x-covered), number(in)), headTo(to, point{1, 0}, e.head())
	}
	line += fmt.Sprintf("L%[1]s %[2]sC%[3]s %[2]s %[3]s %[2]s %[3]s %[4]s", number(to.x-laneBend), number(in), number(to.x), number(to.y-covered))
	return line, headTo(to, point{0, 1}, e.head())
}

// lane returns where an edge to another slice of n nodes meets node v, and the y at which it
// crosses the frame: the middle of the node's right (side 1) or left (side -1). If nodes of its row
// are in the way, the edge meets its top, and crosses above the row; the more of them, the higher.
func (g *Graph) lane(p *picture, v, n int, side float64) (point, float64) {
	at, size := p.at[v], p.size[v]
	first := v - v%n
	beside := func(k int) bool { return float64(side*(p.at[k].x-at.x)) > 0 }
	row, blocks := 1, 0
	for k := first; k < first+n; k++ {
		if k != v && math.Abs(p.at[k].y-at.y) < p.size[k].y {
			row++
			if beside(k) {
				blocks++
			}
		}
	}
	if blocks == 0 {
		return point{at.x + float64(side*size.x/2), at.y}, at.y
	}
	y := at.y - size.y/2 - laneLow - float64(laneRange*float64(blocks)/float64(row))
	for k := first; k < first+n; k++ {
		if high := p.size[k].y/2 + laneLow; beside(k) && math.Abs(p.at[k].y-y) < high {
			y, k = p.at[k].y-high, first-1 // above this one, and look again
		}
	}
	dx := float64(side * laneShare * size.x)
	return point{at.x + dx, at.y - outline(g.Nodes[v].Shape, size, dx)}, y
}
