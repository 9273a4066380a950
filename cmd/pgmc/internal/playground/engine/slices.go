package engine

import (
	"fmt"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/ir/model"
)

// drawnBeside is the number of slices on each side of the present one in a picture.
const drawnBeside = 1

// slicesPicture draws the slices of a sequence around one. The note of a node is its variable, "@"
// and its slice.
func (e *Engine) slicesPicture(s *Sequence) (string, error) {
	if e.m.Transition == nil || s == nil {
		return "", fmt.Errorf("the model has no slices")
	}
	if err := s.check(); err != nil {
		return "", err
	}
	if len(e.m.Vars) > mostDrawn {
		return "", fmt.Errorf("a slice has %d variables; a picture has slices of at most %d", len(e.m.Vars), mostDrawn)
	}
	from, to := max(0, s.At-drawnBeside), min(s.Length-1, s.At+drawnBeside)
	out := &draw.Slices{Name: e.m.Name, Heavy: s.At - from}
	for _, v := range e.m.Vars {
		n := draw.Node{Lines: []string{v.Name}, Note: v.Name}
		if v.Latent {
			n.Tone = draw.Green
		}
		out.Nodes = append(out.Nodes, n)
	}
	first, step := model.NewGraph(e.m), model.NewGraph(e.m.Step())
	for t := from; t <= to; t++ {
		out.Titles = append(out.Titles, strconv.Itoa(t))
		within, between := edges(first, len(e.m.Vars), nil)
		if t > 0 {
			within, between = edges(step, len(e.m.Vars), e.m.Transition.Before)
		}
		out.Within = append(out.Within, within)
		if t > from {
			out.Between = append(out.Between, between)
		}
	}
	return out.SVG()
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
