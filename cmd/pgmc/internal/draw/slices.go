package draw

import (
	"bufio"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Slices is a sequence of graphs over the same nodes, drawn side by side in frames, with edges from
// each to the next.
type Slices struct {
	Name    string
	Titles  []string // of the slices
	Heavy   int      // the slice with a heavy frame; negative for none
	Nodes   []Node   // of each slice; "@" and the title follow their notes
	Within  [][]Edge // by slice
	Between [][]Edge // by slice but the last: from its nodes to those of the next
}

// Distances in pixels.
const (
	frameGap   = 56.0 // between frames
	titleSpace = 24.0 // above the nodes of a frame
	detour     = 36.0 // how far an edge between slices bends at the top of a node
)

// SVG returns the picture. All slices have the same layout, for the edges of all. It draws nodes,
// and edges within slices, slice by slice, and edges between slices after the others.
func (s *Slices) SVG() (string, error) {
	all := &Graph{Name: s.Name, Nodes: s.Nodes}
	number := map[[2]int]int{} // of an edge in all
	for _, e := range slices.Concat(s.Within...) {
		key := [2]int{e.From, e.To}
		if _, known := number[key]; !known {
			number[key] = len(all.Edges)
			all.Edges = append(all.Edges, e)
		}
	}
	p, err := all.layout()
	if err != nil {
		return "", err
	}
	g, whole := &Graph{}, &picture{width: 2*margin - frameGap, height: p.height + titleSpace + 2*margin}
	var origin []point
	for i, title := range s.Titles {
		at := point{whole.width + frameGap - margin, margin + titleSpace}
		origin = append(origin, at)
		whole.width += p.width + frameGap
		for k, n := range s.Nodes {
			n.Note += "@" + title
			g.Nodes = append(g.Nodes, n)
			whole.at, whole.size = append(whole.at, point{p.at[k].x + at.x, p.at[k].y + at.y}), append(whole.size, p.size[k])
		}
		for _, e := range s.Within[i] {
			path := slices.Clone(p.edges[number[[2]int{e.From, e.To}]])
			for k := range path {
				path[k] = point{path[k].x + at.x, path[k].y + at.y}
			}
			g.Edges = append(g.Edges, e)
			whole.edges = append(whole.edges, path)
		}
	}
	return s.write(g, whole, p, origin)
}

// write draws the frames, the graph g at the places of whole, and the edges between slices. p is
// the layout of a slice, and origin has their upper left corners.
func (s *Slices) write(g *Graph, whole, p *picture, origin []point) (string, error) {
	var text, lines, heads strings.Builder
	for i, edges := range s.Between {
		for _, e := range edges {
			p.between(&lines, &heads, e, origin[i], origin[i+1])
		}
	}
	b := bufio.NewWriter(&text)
	width, height := number(whole.width), number(whole.height)
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"%s\" height=\"%s\" fill=\"#ffffff\"/>\n", xmlEscape(visible(s.Name, maxLine)), width, height)
	for i := range s.Titles {
		s.frame(b, p, i, origin[i])
	}
	g.write(b, whole, lines.String(), heads.String())
	b.WriteString("</svg>\n")
	err := b.Flush()
	return text.String(), err
}

// frame draws the frame and the title of a slice.
func (s *Slices) frame(b *bufio.Writer, p *picture, slice int, at point) {
	heavy := "1"
	if slice == s.Heavy {
		heavy = "2.4"
	}
	fmt.Fprintf(b, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"8\" fill=\"none\" stroke=%q stroke-width=%q/>\n",
		number(at.x), number(at.y-titleSpace), number(p.width), number(p.height+titleSpace), colours[Grey].line, heavy)
	fmt.Fprintf(b, "<text x=\"%s\" y=\"%s\" text-anchor=\"middle\" fill=%q font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%s\">slice %s</text>\n",
		number(at.x+p.width/2), number(at.y-titleSpace/2+fontSize*.35), textColour, number(fontSize), xmlEscape(visible(s.Titles[slice], maxLine)))
}

// between writes the line and the head of an edge from the right of a node to the left of one in
// the next slice. At an end with another node in its way, the line goes to the top of the node.
func (p *picture) between(lines, heads *strings.Builder, e Edge, left, right point) {
	from, to := p.end(e.From, 1, left), p.end(e.To, -1, right)
	half := (to.x - from.x) / 2
	out, in := point{from.x + half, from.y}, point{to.x - half, to.y}
	if p.blocked(e.From, 1) {
		out = point{from.x + half/2, from.y - detour}
	}
	head := fmt.Sprintf("M%s %sv%sL%s %sz", number(to.x-headLength), number(to.y-headHalf), number(2*headHalf), number(to.x), number(to.y))
	last := point{to.x - headLength/2, to.y}
	if p.blocked(e.To, -1) {
		in, last = point{to.x - half/4, to.y - detour}, point{to.x, to.y - headLength/2}
		head = fmt.Sprintf("M%s %sh%sL%s %sz", number(to.x-headHalf), number(to.y-headLength), number(2*headHalf), number(to.x), number(to.y))
	}
	fmt.Fprintf(lines, "<path d=\"M%s %sC%s %s %s %s %s %s\"/>\n", number(from.x), number(from.y), number(out.x), number(out.y), number(in.x), number(in.y), number(last.x), number(last.y))
	fmt.Fprintf(heads, "<path d=\"%s\"/>\n", head)
}

// end returns where an edge to another slice meets a node: on its right (side 1) or left (side -1),
// or if that is blocked, on its top.
func (p *picture) end(v int, side float64, origin point) point {
	at := point{origin.x + p.at[v].x, origin.y + p.at[v].y}
	if p.blocked(v, side) {
		return point{at.x, at.y - p.size[v].y/2}
	}
	return point{at.x + float64(side*p.size[v].x/2), at.y}
}

// blocked reports whether another node is on a side of node v.
func (p *picture) blocked(v int, side float64) bool {
	for k, at := range p.at {
		if k != v && math.Abs(at.y-p.at[v].y) < p.size[k].y && (at.x-p.at[v].x)*side > 0 {
			return true
		}
	}
	return false
}
