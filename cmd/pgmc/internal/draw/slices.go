package draw

import (
	"bufio"
	"fmt"
	"math"
	"strings"
)

// Slices is a sequence of graphs over the same nodes, drawn side by side in frames, with edges from
// each to the next.
type Slices struct {
	Name    string
	Titles  []string // of the slices
	Heavy   int      // the slice with a heavy frame; negative for none
	Nodes   []Node   // of each slice; "@" and the slice's title follow their notes
	Within  [][]Edge // by slice
	Between [][]Edge // by slice but the last: from its nodes to those of the next
}

// Distances in pixels.
const (
	frameGap   = 56.0 // between frames
	titleSpace = 24.0 // above the nodes of a frame
	detour     = 26.0 // of an edge between slices around a node in its way
)

// SVG returns the picture. All slices have the same layout, of the edges of all.
func (s *Slices) SVG() (string, error) {
	g := &Graph{Name: s.Name, Nodes: s.Nodes}
	place := map[[2]int]int{} // of an edge in g
	for _, edges := range s.Within {
		for _, e := range edges {
			key := [2]int{e.From, e.To}
			if _, known := place[key]; !known {
				place[key] = len(g.Edges)
				g.Edges = append(g.Edges, e)
			}
		}
	}
	p, err := g.layout()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	b := bufio.NewWriter(&text)
	step := p.width + frameGap
	width, height := number(float64(step*float64(len(s.Titles)))-frameGap+2*margin), number(p.height+titleSpace+2*margin)
	fmt.Fprintf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"0 0 %s %s\">\n", width, height, width, height)
	fmt.Fprintf(b, "<title>%s</title>\n<rect width=\"%s\" height=\"%s\" fill=\"#ffffff\"/>\n", xmlEscape(visible(s.Name, maxLine)), width, height)
	at := func(slice int) point { return point{margin + float64(step*float64(slice)), margin + titleSpace} }
	for i := range s.Titles {
		s.frame(b, p, i, at(i))
	}
	for i, edges := range s.Between {
		for _, e := range edges {
			s.between(b, p, e, at(i), at(i+1))
		}
	}
	for i, title := range s.Titles {
		fmt.Fprintf(b, "<g transform=\"translate(%s %s)\">\n", number(at(i).x), number(at(i).y))
		one := &Graph{Nodes: append([]Node(nil), s.Nodes...)}
		paths := &picture{at: p.at, size: p.size}
		for k := range one.Nodes {
			one.Nodes[k].Note += "@" + title
		}
		for _, e := range s.Within[i] {
			one.Edges = append(one.Edges, e)
			paths.edges = append(paths.edges, p.edges[place[[2]int{e.From, e.To}]])
		}
		one.write(b, paths)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	err = b.Flush()
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

// between draws an edge from the right of a node to the left of one in the next slice. It bends
// above a node in its way.
func (s *Slices) between(b *bufio.Writer, p *picture, e Edge, left, right point) {
	from := point{left.x + p.at[e.From].x + p.size[e.From].x/2, left.y + p.at[e.From].y}
	to := point{right.x + p.at[e.To].x - p.size[e.To].x/2, right.y + p.at[e.To].y}
	up := 0.0
	for k := range p.at {
		after := k != e.From && p.at[k].x > p.at[e.From].x && math.Abs(p.at[k].y-p.at[e.From].y) < p.size[k].y
		before := k != e.To && p.at[k].x < p.at[e.To].x && math.Abs(p.at[k].y-p.at[e.To].y) < p.size[k].y
		if after || before {
			up = detour
		}
	}
	half := (to.x - from.x) / 2
	fmt.Fprintf(b, "<path d=\"M%s %sC%s %s %s %s %s %s\" fill=\"none\" stroke=%q stroke-width=\"1.2\"/>\n", number(from.x), number(from.y),
		number(from.x+half), number(from.y-2*up), number(to.x-half), number(to.y-2*up), number(to.x-headLength/2), number(to.y), edgeColour)
	fmt.Fprintf(b, "<path d=\"M%s %sv%sL%s %sz\" fill=%q/>\n", number(to.x-headLength), number(to.y-headHalf), number(2*headHalf), number(to.x), number(to.y), edgeColour)
}
