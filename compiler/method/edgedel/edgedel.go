package edgedel

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is inference after edge deletion.
var Method = method.Method{
	Name: "edgedel",
	Doc:  "approximate: a clique tree of clusters within a budget, after deleting edges; what stands in for these is iterated",
	New: func() method.Instance {
		return &instance{LoopOptions: ir.LoopOptions{Iterations: 1000, Tolerance: 1e-9}, cluster: 1 << 16, parameters: bp, edges: bucket}
	},
}

// What stands in for a deleted edge.
const (
	bp        = "bp"
	posterior = "posterior"
	truth     = "true"
	prior     = "prior"
)

// How edges are chosen.
const (
	bucket      = "bucket"
	information = "information"
)

type instance struct {
	ir.LoopOptions
	cluster    int
	parameters string
	edges      string
	observed   string
}

// Options binds the budget, what stands in for edges, how they are chosen, and the options of all loops.
func (x *instance) Options(fs *flag.FlagSet) {
	method.LoopFlags(&x.LoopOptions, fs)
	fs.IntVar(&x.cluster, "max-cluster", x.cluster, "the most joint states of a cluster; 1 deletes all edges")
	fs.StringVar(&x.parameters, "parameters", x.parameters, "what stands in for a deleted edge: bp, posterior, true or prior")
	fs.StringVar(&x.edges, "edges", x.edges, "how edges are chosen: bucket or information")
	fs.StringVar(&x.observed, "observed", x.observed, "the numbers of variables that evidence always has a state of, whose edges cost nothing: 3,7")
}

// Check refuses other queries, and models that the parameters have no meaning for.
func (x *instance) Check(p *ir.Problem) diag.List {
	list := method.CheckLoop(Method.Name, ir.EdgeDeletion, x.LoopOptions, p)
	pos := diag.Pos{File: p.Model.File}
	if x.cluster < 1 {
		list.Errorf(pos, "found max-cluster %d; want at least 1", x.cluster)
	}
	if !slices.Contains([]string{bp, posterior, truth, prior}, x.parameters) {
		list.Errorf(pos, "found parameters %q; want bp, posterior, true or prior", x.parameters)
	}
	if x.edges != bucket && x.edges != information {
		list.Errorf(pos, "found edges %q; want bucket or information", x.edges)
	}
	if _, err := x.always(p.Model); err != nil {
		list.Errorf(pos, "%v", err)
	}
	switch {
	case p.Model.Kind == model.Dependency:
		list.Errorf(pos, "method edgedel wants a Bayesian or a Markov network; a dependency network has no joint distribution; try --method meanfield")
	case p.Model.Kind == model.Markov && x.parameters != bp:
		list.Errorf(pos, "parameters %s want a Bayesian network, whose edges lead from parents to children; try parameters bp", x.parameters)
	}
	return list
}

// always are the variables that are always observed.
func (x *instance) always(m *model.Model) (vars []model.VarID, err error) {
	if x.observed == "" {
		return nil, nil
	}
	for _, word := range strings.Split(x.observed, ",") {
		v := 0
		if _, err := fmt.Sscanf(word, "%d", &v); err != nil || v < 0 || v >= len(m.Vars) {
			return nil, fmt.Errorf("found observed variable %q; want a number from 0 to %d", word, len(m.Vars)-1)
		}
		vars = append(vars, model.VarID(v))
	}
	return vars, nil
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	m := p.Model
	scopes, all := make([][]model.VarID, len(m.Factors)), make([]model.VarID, len(m.Vars))
	for n, f := range m.Factors {
		scopes[n] = f.Scope
	}
	for v := range all {
		all[v] = model.VarID(v)
	}
	order, err := c.Order(scopes, all, nil)
	if err != nil {
		return nil, method.Approximate, err
	}
	price := func(edge) float64 { return 1 }
	if x.edges == information {
		price = newMutual(m, c.MaxTable).price
	}
	observed, err := x.always(m)
	if err != nil {
		return nil, method.Approximate, err
	}
	b := newBuilder(p, x.parameters, choose(m, order, float64(x.cluster), observed, price))
	b.tree = cluster.New(len(m.Vars), b.left, order)
	if x.parameters == truth {
		b.whole = cluster.New(len(m.Vars), scopes, order)
	}
	plan := b.plan(p.Queries[0], x.LoopOptions)
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if err := b.fill(c); err != nil {
		return nil, method.Approximate, fmt.Errorf("edgedel: %w", err)
	}
	if len(b.deleted) == 0 {
		return plan, method.Exact, nil
	}
	return plan, method.Approximate, nil
}
