package engine

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/ir/model"
)

// drawnBeside is the number of slices on each side of the present one in a picture.
const drawnBeside = 1

// slices draws the slices of a sequence around the present one, of which the picture names the
// variables. The note of each node is its variable, "@" and its slice.
func (e *Engine) slices(s *Sequence) (*Picture, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	n := len(e.m.Vars)
	if n > mostDrawn {
		return nil, fmt.Errorf("a slice has %d variables; a picture has slices of at most %d", n, mostDrawn)
	}
	from, to := max(0, s.At-drawnBeside), min(s.Length-1, s.At+drawnBeside)
	drawn := &draw.Graph{Name: e.m.Name, Heavy: s.At - from + 1}
	out := &Picture{Nodes: slices.Repeat([]int{-1}, n*(to-from+1)), Edges: [][2]int{}}
	copy(out.Nodes[n*(s.At-from):], e.seen())
	graph := model.NewGraph(e.m)
	for t := from; t <= to; t++ {
		if t == max(from, 1) {
			graph = model.NewGraph(e.m.Step())
		}
		at := n * (t - from)
		title := strconv.Itoa(t)
		drawn.Slices = append(drawn.Slices, title)
		for i, v := range e.m.Vars {
			node := draw.Node{Lines: []string{v.Name}, Note: v.Name + "@" + title}
			if v.Latent {
				node.Tone = draw.Green
			}
			drawn.Nodes = append(drawn.Nodes, node)
			for _, p := range graph.Parents[i] {
				parent := at + int(p)
				if k := int(p) - n; k >= 0 {
					parent = at - n + int(e.m.Transition.Before[k])
				}
				if parent >= 0 {
					drawn.Edges = append(drawn.Edges, draw.Edge{From: parent, To: at + i})
				}
			}
		}
	}
	for _, x := range drawn.Edges {
		out.Edges = append(out.Edges, [2]int{out.Nodes[x.From], out.Nodes[x.To]})
	}
	var err error
	out.SVG, err = drawn.SVG()
	return out, err
}
