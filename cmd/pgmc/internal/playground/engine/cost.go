package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

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
	Later   *model.Listing `json:"later,omitempty"`   // of a sequence: the CPD in slices after the first
	Total   float64        `json:"total"`             // the entries of all cliques; 0 without a clique tree of tables
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
	if e.m.Transition != nil {
		step := e.m.Step()
		if f := step.CPD(v.ID); f != nil {
			out.Later = step.List(f, mostRows)
		}
	}
	cliques, err := e.cliques(ctx)
	if untaken := (*model.Untaken)(nil); errors.As(err, &untaken) { // real or given variables, or slices
		return out, nil
	}
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

// largest sorts shares, the largest first.
func largest(list []Share) {
	slices.SortStableFunc(list, func(a, b Share) int { return cmp.Compare(b.Entries, a.Entries) })
}
