package edgedel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is inference after edge deletion.
var Method = method.Method{
	Name:  "edgedel",
	Doc:   "approximate: a clique tree of clusters within a budget, after deleting edges, which are replaced by iteration",
	Kinds: "Bayesian, Markov", Guarantee: "exact if no edge is deleted; otherwise none, and it may not converge", Cost: "iterations times the clusters, within a budget",
	Answers: &ir.Approximation{
		Kind: ir.Beliefs, Word: "edgedel", GoName: "EdgeDeletion",
		Summary: "approximate posteriors of all variables, by a clique tree after deleting edges",
		Doc: []string{"sets out to approximate posteriors given ev and soft, which may be nil, from a clique tree of the network without some of its",
			"edges. The factors that replace these edges are fitted to the evidence. LogP is an estimate of the natural logarithm of their probability."},
		Options: method.RunOptions[Options](),
	},
	New: func() method.Instance { return NewOptions() },
}

// The distributions that replace deleted edges.
const (
	bp        = "bp"
	posterior = "posterior"
	truth     = "true"
	prior     = "prior"
	byClique  = "cliques"
)

// general is a correction of ln P, with parameters bp.
const general = "general"

// The ways to choose edges other than bucket.
const (
	information = "information"
	recovery    = "recovery"
)

// Options are the options of the method.
type Options struct {
	Iterations int     `opt:"iterations" default:"1000" help:"largest number of iterations" range:"[1,inf)" run:"Iterations"`
	Tolerance  float64 `opt:"tolerance" default:"1e-9" help:"largest change of a number at convergence" range:"[0,inf)" run:"Tolerance; negative: never"`
	Damping    float64 `opt:"damping" help:"weight of the old value in an update, at least 0 and below 1" range:"[0,1)" run:"Damping: weight of the old value in an update, below 1; negative: none"`
	MaxCluster int     `opt:"max-cluster" default:"65536" help:"largest number of joint states of a cluster; 1 deletes all edges" range:"[1,inf)"`
	Parameters string  `opt:"parameters" default:"bp" help:"distribution that replaces a deleted edge: bp, posterior, true or prior; or cliques, which deletes edges of the triangulated graph" range:"bp|posterior|true|prior|cliques"`
	Correction string  `opt:"correction" default:"bethe" help:"correction of ln P for deleted edges: bethe, or general, which takes larger clusters once" range:"bethe|general"`
	Edges      string  `opt:"edges" default:"bucket" help:"how to choose edges: bucket, information or recovery" range:"bucket|information|recovery"`
	Observed   string  `opt:"observed,numbered" help:"numbers of variables that are always observed, whose edges cost nothing: 3,7"`
	Evidence   string  `opt:"evidence,numbered" help:"with edges recovery: states for which edges are chosen, by numbers: 3=1,7=0"`
	Delete     string  `opt:"delete" help:"edges to delete instead of a choice: A->B,C->D, from A into the CPD of B, in Markov networks into the factors of both; 3>7 is variable 3 in factor 7, counted from 0; with parameters cliques A--B" value:"edges"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "edgedel".
func (Options) MethodName() string { return Method.Name }

// Check refuses other queries, invalid options, and models for which the parameters are undefined.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	list := loop.Check(x, p, by)
	pos := diag.Pos{File: p.Model.File}
	if x.Correction == general && x.Parameters != bp {
		list.Errorf(pos, "correction general needs parameters bp; parameters %s have no messages along deleted edges", x.Parameters)
	}
	if x.Edges == recovery && x.Parameters != bp {
		list.Errorf(pos, "edges recovery needs parameters bp, whose messages rank the edges; found %s", x.Parameters)
	}
	if _, err := x.states(p.Model); err != nil {
		list.Errorf(pos, "%v", err)
	}
	if _, err := x.always(p.Model); err != nil {
		list.Errorf(pos, "%v", err)
	}
	if x.Edges != "bucket" && x.Parameters == byClique {
		list.Errorf(pos, "parameters cliques choose edges by their divergence, and take no option edges; found %s", x.Edges)
	}
	if _, err := x.edgesGiven(p.Model); err != nil && x.Parameters != byClique {
		list.Errorf(pos, "%v", err)
	}
	if p.Model.Kind == model.Markov && x.Parameters != bp && x.Parameters != byClique {
		list.Errorf(pos, "parameters %s need a Bayesian network, whose edges lead from parents to children; try parameters bp or cliques", x.Parameters)
	}
	return list
}

// Observe sets the variables that are always observed, and with recovery their states.
func (x *Options) Observe(states []int) {
	var vars, findings []string
	for v, s := range states {
		if s >= 0 {
			vars = append(vars, strconv.Itoa(v))
			findings = append(findings, fmt.Sprintf("%d=%d", v, s))
		}
	}
	x.Observed = strings.Join(vars, ",")
	if x.Edges == recovery {
		x.Evidence = strings.Join(findings, ",")
	}
}

// always returns the variables that are always observed.
func (x *Options) always(m *model.Model) (vars []model.VarID, err error) {
	if x.Observed == "" {
		return nil, nil
	}
	for _, word := range strings.Split(x.Observed, ",") {
		v := 0
		if _, err := fmt.Sscanf(word, "%d", &v); err != nil || v < 0 || v >= len(m.Vars) {
			return nil, fmt.Errorf("found observed variable %q; want a number from 0 to %d", word, len(m.Vars)-1)
		}
		vars = append(vars, model.VarID(v))
	}
	return vars, nil
}

// states returns the states of option evidence, by variable.
func (x *Options) states(m *model.Model) (map[model.VarID]int, error) {
	out := map[model.VarID]int{}
	if x.Evidence == "" {
		return out, nil
	}
	for _, word := range strings.Split(x.Evidence, ",") {
		v, s := 0, 0
		if _, err := fmt.Sscanf(word, "%d=%d", &v, &s); err != nil || v < 0 || v >= len(m.Vars) || s < 0 || s >= m.Card(model.VarID(v)) {
			return nil, fmt.Errorf("found evidence %q to choose edges for; want the numbers of a variable and of its state, as in 3=1", word)
		}
		out[model.VarID(v)] = s
	}
	return out, nil
}

// deletions returns the edges to delete, given an elimination order of the whole network, an order
// of the simplified network, and the number of restored edges.
func (x *Options) deletions(c *method.Context, m *model.Model, order []int) (deleted []Edge, by []int, back int, err error) {
	if x.Delete != "" {
		deleted, err = x.edgesGiven(m)
		return deleted, order, 0, err
	}
	observed, err := x.always(m)
	if err != nil {
		return nil, nil, 0, err
	}
	if x.Parameters == prior { // its distributions are without evidence
		observed = nil
	}
	if x.Edges == recovery {
		evidence, err := x.states(m)
		if err != nil {
			return nil, nil, 0, err
		}
		return recovered(c, m, float64(x.MaxCluster), observed, evidence, c.MaxTable)
	}
	return Choose(m, order, float64(x.MaxCluster), observed, Price(m, x.Edges == information, c.MaxTable)), order, 0, nil
}

// Price returns the price of deleting an edge: 1, or, with information, the mutual information of
// the parent and the child. It makes no table of more than limit numbers.
func Price(m *model.Model, information bool, limit int) func(Edge) float64 {
	if information {
		return newMutual(m, limit).price
	}
	return func(Edge) float64 { return 1 }
}

// Plan returns the schedule of the one query.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
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
	if x.Parameters == byClique {
		return x.planCliques(c, p, order)
	}
	deleted, by, back, err := x.deletions(c, m, order)
	if err != nil {
		return nil, method.Approximate, err
	}
	b := newBuilder(p, x.Parameters, deleted)
	if b.observed, err = x.always(m); err != nil {
		return nil, method.Approximate, err
	}
	b.tree = cluster.New(len(m.Vars), b.left, by)
	if x.Parameters == truth {
		b.whole = cluster.New(len(m.Vars), scopes, order)
	}
	b.correction = x.Correction
	plan := b.plan(p.Queries[0], options.Part[ir.LoopOptions](x), by)
	plan.Note = b.note(back, x.Edges == recovery)
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if plan.Priors, err = b.fill(c); err != nil {
		return nil, method.Approximate, fmt.Errorf("edgedel: %w", err)
	}
	if len(b.deleted) == 0 {
		return plan, method.Exact, nil
	}
	return plan, method.Approximate, nil
}

// planCliques returns the schedule of the one query with edges deleted from the triangulated graph,
// given an elimination order of the network.
func (x *Options) planCliques(c *method.Context, p *ir.Problem, order []int) (*ir.Plan, method.Claim, error) {
	k, err := newCliques(c, p.Model, order)
	if err == nil && x.Delete != "" {
		var words []string
		if words, err = x.words(); err == nil {
			err = k.named(words)
		}
	} else if err == nil {
		err = k.choose(c, float64(x.MaxCluster))
	}
	if err != nil {
		return nil, method.Approximate, fmt.Errorf("edgedel: %w", err)
	}
	b := newBuilder(p, x.Parameters, nil)
	b.factors, order = k.network()
	b.left = nil
	for _, f := range b.factors {
		b.left = append(b.left, f.Scope)
	}
	b.lost = make([][]int, len(b.factors))
	b.tree = cluster.New(len(p.Model.Vars), b.left, order)
	plan := b.plan(p.Queries[0], options.Part[ir.LoopOptions](x), order)
	plan.Note = fmt.Sprintf("%d of %d edges of the triangulated graph deleted; the largest cluster has %.0f joint states; divergence without evidence %.6g nats",
		k.deleted, k.edges, b.largest(), k.divergence)
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if _, err := b.fill(c); err != nil {
		return nil, method.Approximate, fmt.Errorf("edgedel: %w", err)
	}
	if k.deleted == 0 {
		return plan, method.Exact, nil
	}
	return plan, method.Approximate, nil
}

// largest returns the number of joint states of the largest cluster.
func (b *builder) largest() (states float64) {
	for i := range b.tree.Buckets {
		states = max(states, math.Exp(b.Model.LogTableSize(b.tree.Scope(i))))
	}
	return states
}

// note returns the report on the deleted edges.
func (b *builder) note(back int, recovery bool) string {
	all := 0
	for _, f := range b.Model.Factors {
		all += max(0, len(f.Scope)-1)
	}
	text := fmt.Sprintf("%d of %d edges deleted", len(b.deleted), all)
	if recovery {
		text += fmt.Sprintf(", %d recovered", back)
	}
	return text + fmt.Sprintf("; the largest cluster has %.0f joint states", b.largest())
}
