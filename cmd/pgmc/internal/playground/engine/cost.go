package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Cost is the reply to "variable": the numbers of a variable, and its part in the clique tree.
type Cost struct {
	Kind    string         `json:"kind"` // of its CPD; empty if it has none
	Size    int            `json:"size"` // the number of numbers of the CPD
	CPD     *model.Listing `json:"cpd,omitempty"`
	Total   float64        `json:"total"`             // the entries of all cliques
	Entries float64        `json:"entries"`           // of the cliques that hold the variable
	Without float64        `json:"without"`           // the entries of all cliques if the variable is always observed
	Cliques []Share        `json:"cliques"`           // the largest that hold the variable
	Problem string         `json:"problem,omitempty"` // why there is no clique tree
}

// Share is a clique and its entries.
type Share struct {
	Variables []string `json:"variables"`
	Entries   float64  `json:"entries"`
}

// The most rows of a CPD and the most cliques of a reply.
const (
	mostRows    = 100
	mostCliques = 5
)

// variable returns the cost of a variable.
func (e *Engine) variable(ctx context.Context, name string) (*Cost, error) {
	v, ok := e.m.VarByName(name)
	if !ok {
		return nil, fmt.Errorf("unknown variable %q", name)
	}
	out := &Cost{Cliques: []Share{}}
	if f := e.m.CPD(v.ID); f != nil {
		out.Kind, out.Size, out.CPD = f.Dist.Kind(), f.Dist.Size(), e.m.List(f, mostRows)
	}
	cliques, err := e.cliques(ctx)
	if err != nil {
		out.Problem = err.Error()
		return out, nil
	}
	for _, c := range cliques {
		entries := 1.0
		for _, x := range c.Vars {
			entries *= float64(e.m.Card(x))
		}
		out.Total += entries
		if !slices.Contains(c.Vars, v.ID) {
			out.Without += entries
			continue
		}
		out.Without += entries / float64(e.m.Card(v.ID))
		out.Entries += entries
		out.Cliques = append(out.Cliques, Share{e.names(c.Vars), entries})
	}
	largest(out.Cliques)
	out.Cliques = out.Cliques[:min(len(out.Cliques), mostCliques)]
	return out, nil
}

// cliques returns the cliques of the tree by which the model is answered.
func (e *Engine) cliques(ctx context.Context) ([]cluster.Clique, error) {
	if e.tree != nil {
		return e.tree, nil
	}
	r, err := compiler.Compile(ctx, e.m, compiler.Options{Method: jointree.Options{}, Queries: []string{ir.LogProb.String()}})
	if err != nil {
		return nil, err
	}
	scopes := make([][]model.VarID, len(r.Model.Factors))
	for i, f := range r.Model.Factors {
		scopes[i] = f.Scope
	}
	e.tree = cluster.New(len(r.Model.Vars), scopes, r.Orders[0].Order).Cliques()
	return e.tree, nil
}

// mostDrawn is the most variables of a picture.
const mostDrawn = 300

// picture draws the structure, of a large network the part of a variable and its Markov blanket.
// Its first groups with a title are the variables, in their order.
func (e *Engine) picture(name string) (string, error) {
	graph := model.NewGraph(e.m)
	drawn := make([]model.VarID, len(e.m.Vars))
	for i := range drawn {
		drawn[i] = model.VarID(i)
	}
	if len(drawn) > mostDrawn {
		v, ok := e.m.VarByName(name)
		if !ok {
			return "", fmt.Errorf("the network has %d variables, too many for a picture; choose the name of one to see it among its neighbours", len(drawn))
		}
		drawn = append(slices.Clone(graph.Blanket(v.ID)), v.ID)
		if len(drawn) > mostDrawn {
			return "", fmt.Errorf("%q has %d neighbours; a picture has at most %d variables", name, len(drawn)-1, mostDrawn)
		}
		slices.Sort(drawn)
	}
	return e.structure(graph, drawn).SVG()
}

// structure returns the graph of the variables in drawn, which are sorted.
func (e *Engine) structure(graph *model.Graph, drawn []model.VarID) *draw.Graph {
	g := &draw.Graph{Name: e.m.Name}
	node := map[model.VarID]int{}
	for i, v := range drawn {
		node[v] = i
		g.Nodes = append(g.Nodes, draw.Node{Lines: []string{e.m.Vars[v].Name}, Note: e.m.Vars[v].Name})
	}
	if e.m.Kind == model.Markov {
		g.Kind = draw.Undirected
	}
	for i, v := range drawn {
		others := graph.Blanket(v)
		if g.Kind != draw.Undirected {
			others = graph.Parents[v]
		}
		for _, o := range others {
			if at, ok := node[o]; ok && (g.Kind != draw.Undirected || o < v) {
				g.Edges = append(g.Edges, draw.Edge{From: at, To: i})
			}
		}
	}
	return g
}
