// Package structure makes the graphs by which models are drawn.
//
// It does not draw them, see package draw, and knows no numbers of models, see package picture.
package structure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Graph returns the graph of m. Node i is variable i. A Markov network is drawn as its graph if
// all potentials are over at most two variables, and as a factor graph otherwise, with the factors
// as further nodes. Further nodes of an influence diagram are its utilities.
func Graph(m *model.Model, g *model.Graph) *draw.Graph {
	out := &draw.Graph{Name: m.Name}
	for _, x := range m.Vars {
		tone := draw.Blue
		if x.Latent {
			tone = draw.Green
		}
		note := x.Domain.String()
		if names := x.Domain.Names(); names != nil {
			note = strings.Join(names, ", ")
		}
		out.Nodes = append(out.Nodes, draw.Node{Lines: []string{x.Name}, Note: x.Name + ": " + note, Tone: tone})
	}
	if m.Kind != model.Markov {
		for child, parents := range g.Parents {
			for _, p := range parents {
				out.Edges = append(out.Edges, draw.Edge{From: int(p), To: child})
			}
		}
		if m.Diagram != nil {
			diagram(out, m)
		}
		return out
	}
	out.Kind = draw.Undirected
	if pairwise(m) {
		for x := range m.Vars {
			for _, y := range g.Blanket(model.VarID(x)) {
				if int(y) > x {
					out.Edges = append(out.Edges, draw.Edge{From: x, To: int(y)})
				}
			}
		}
		return out
	}
	for i, factor := range m.Factors {
		note := m.FactorName(factor)
		out.Nodes = append(out.Nodes, draw.Node{Lines: []string{fmt.Sprintf("f%d", i+1)}, Note: note, Shape: draw.Box, Tone: draw.Grey})
		for _, x := range factor.Scope {
			out.Edges = append(out.Edges, draw.Edge{From: int(x), To: len(out.Nodes) - 1})
		}
	}
	return out
}

// Frame divides the graph of the slices of a template, as [model.Model.Unroll] makes them, into
// frames. Its nodes have the names of the template's variables.
func Frame(out *draw.Graph, template *model.Model) {
	n := len(template.Vars)
	for i := range out.Nodes {
		if i%n == 0 {
			out.Slices = append(out.Slices, strconv.Itoa(i/n))
		}
		out.Nodes[i].Lines[0] = template.Vars[i%n].Name
	}
}

// diagram makes boxes of decisions, with edges from their known variables, and adds the utilities
// as boxes with round corners.
func diagram(out *draw.Graph, m *model.Model) {
	for _, d := range m.Diagram.Decisions {
		n := &out.Nodes[d.Var]
		n.Shape, n.Tone, n.Note = draw.Box, draw.Amber, "decision "+n.Note
		for _, v := range d.Known {
			out.Edges = append(out.Edges, draw.Edge{From: int(v), To: int(d.Var), Note: "known"})
		}
	}
	first := len(out.Nodes)
	for _, u := range m.Diagram.Utilities {
		for _, v := range u.Scope {
			out.Edges = append(out.Edges, draw.Edge{From: int(v), To: len(out.Nodes)})
		}
		for _, i := range u.Uses() {
			out.Edges = append(out.Edges, draw.Edge{From: first + i, To: len(out.Nodes)})
		}
		out.Nodes = append(out.Nodes, draw.Node{Lines: []string{u.Name}, Note: "utility " + u.Name, Shape: draw.Round, Tone: draw.Green})
	}
}

// pairwise reports whether no potential is over more than two variables.
func pairwise(m *model.Model) bool {
	return !slices.ContainsFunc(m.Factors, func(f *model.Factor) bool { return len(f.Scope) > 2 })
}
