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
	drawn := &draw.Slices{Name: e.m.Name, Heavy: s.At - from}
	for _, v := range e.m.Vars {
		node := draw.Node{Lines: []string{v.Name}, Note: v.Name}
		if v.Latent {
			node.Tone = draw.Green
		}
		drawn.Nodes = append(drawn.Nodes, node)
	}
	seen := e.seen()
	out := &Picture{Nodes: slices.Repeat([]int{-1}, n*(to-from+1))}
	copy(out.Nodes[n*(s.At-from):], seen)
	first, step := model.NewGraph(e.m), model.NewGraph(e.m.Step())
	for t := from; t <= to; t++ {
		within, between := edges(first, n, nil)
		if t > 0 {
			within, between = edges(step, n, e.m.Transition.Before)
		}
		drawn.Titles, drawn.Within = append(drawn.Titles, strconv.Itoa(t)), append(drawn.Within, within)
		if t > from {
			drawn.Between = append(drawn.Between, between)
		}
		for _, x := range within {
			at := n * (t - from)
			out.Edges = append(out.Edges, [2]int{out.Nodes[at+x.From], out.Nodes[at+x.To]})
		}
	}
	for i, between := range drawn.Between {
		for _, x := range between {
			out.Edges = append(out.Edges, [2]int{out.Nodes[n*i+x.From], out.Nodes[n*(i+1)+x.To]})
		}
	}
	var err error
	out.SVG, err = drawn.SVG()
	return out, err
}

// edges returns the edges of a slice of n variables, within it and from the one before, of which
// before has the variables with an effect.
func edges(g *model.Graph, n int, before []model.VarID) (within, between []draw.Edge) {
	for child, parents := range g.Parents[:n] {
		for _, p := range parents {
			if int(p) < n {
				within = append(within, draw.Edge{From: int(p), To: child})
			} else {
				between = append(between, draw.Edge{From: int(before[int(p)-n]), To: child})
			}
		}
	}
	return within, between
}
