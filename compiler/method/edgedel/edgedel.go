package edgedel

import (
	"flag"
	"fmt"
	"math"
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
	Name:  "edgedel",
	Doc:   "approximate: a clique tree of clusters within a budget, after deleting edges; what stands in for these is iterated",
	Kinds: "Bayesian, Markov", Guarantee: "exact where no edge has to go; otherwise none, and may not settle", Cost: "rounds times the clusters, within a budget",
	Answers: &ir.Approximation{
		Kind: ir.Beliefs, Word: "edgedel", GoName: "EdgeDeletion", More: []string{"EdgeDeletionBound"},
		Summary: "approximate posteriors of all variables, by a clique tree after deleting edges",
		Doc: []string{"sets out to approximate posteriors, given ev and soft, which may be nil, and LogP to an estimate of the logarithm of",
			"their probability, by a clique tree of the network without some of its edges, for which what stands is fitted to the evidence."},
		Options: method.LoopRun,
	},
	New: func() method.Instance {
		return &instance{LoopOptions: ir.LoopOptions{Iterations: 1000, Tolerance: 1e-9}, cluster: 1 << 16, parameters: bp, correction: bethe, edges: bucket}
	},
}

// What stands in for a deleted edge.
const (
	bp        = "bp"
	posterior = "posterior"
	truth     = "true"
	prior     = "prior"
)

// How ln P is corrected, with parameters bp.
const (
	bethe   = "bethe"
	general = "general"
)

// How edges are chosen.
const (
	bucket      = "bucket"
	information = "information"
	recovery    = "recovery"
)

type instance struct {
	ir.LoopOptions
	cluster    int
	parameters string
	correction string
	edges      string
	observed   string
	evidence   string
	given      string
}

// Options binds the budget, what stands in for edges, how they are chosen, and the options of all loops.
func (x *instance) Options(fs *flag.FlagSet) {
	method.LoopFlags(&x.LoopOptions, fs)
	fs.IntVar(&x.cluster, "max-cluster", x.cluster, "the most joint states of a cluster; 1 deletes all edges")
	fs.StringVar(&x.parameters, "parameters", x.parameters, "what stands in for a deleted edge: bp, posterior, true or prior")
	fs.StringVar(&x.correction, "correction", x.correction, "how ln P is corrected for deleted edges: bethe, or general, which takes larger clusters once")
	fs.StringVar(&x.edges, "edges", x.edges, "how edges are chosen: bucket, information or recovery")
	fs.StringVar(&x.observed, "observed", x.observed, "the numbers of variables that evidence always has a state of, whose edges cost nothing: 3,7")
	fs.StringVar(&x.evidence, "evidence", x.evidence, "with edges recovery, the states that edges are chosen for, by numbers: 3=1,7=0")
	fs.StringVar(&x.given, "delete", x.given, "the edges to delete in place of a choice, each a number of a variable and of a factor that has it: 3>7,2>5")
}

// Check refuses other queries, and models that the parameters have no meaning for.
func (x *instance) Check(p *ir.Problem) diag.List {
	list := method.CheckLoop(Method.Name, Method.Answers.Word, x.LoopOptions, p)
	pos := diag.Pos{File: p.Model.File}
	if x.cluster < 1 {
		list.Errorf(pos, "found max-cluster %d; want at least 1", x.cluster)
	}
	if !slices.Contains([]string{bp, posterior, truth, prior}, x.parameters) {
		list.Errorf(pos, "found parameters %q; want bp, posterior, true or prior", x.parameters)
	}
	switch {
	case x.correction != bethe && x.correction != general:
		list.Errorf(pos, "found correction %q; want bethe or general", x.correction)
	case x.correction == general && x.parameters != bp:
		list.Errorf(pos, "correction general wants parameters bp; parameters %s have no messages along deleted edges", x.parameters)
	}
	if !slices.Contains([]string{bucket, information, recovery}, x.edges) {
		list.Errorf(pos, "found edges %q; want bucket, information or recovery", x.edges)
	}
	if x.edges == recovery && x.parameters != bp {
		list.Errorf(pos, "edges recovery wants parameters bp, by whose messages edges are ranked; found %s", x.parameters)
	}
	if _, err := x.states(p.Model); err != nil {
		list.Errorf(pos, "%v", err)
	}
	if _, err := x.always(p.Model); err != nil {
		list.Errorf(pos, "%v", err)
	}
	if _, err := x.edgesGiven(p.Model); err != nil {
		list.Errorf(pos, "%v", err)
	}
	if p.Model.Kind == model.Markov && x.parameters != bp {
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

// states are those of option evidence.
func (x *instance) states(m *model.Model) (map[model.VarID]int, error) {
	out := map[model.VarID]int{}
	if x.evidence == "" {
		return out, nil
	}
	for _, word := range strings.Split(x.evidence, ",") {
		v, s := 0, 0
		if _, err := fmt.Sscanf(word, "%d=%d", &v, &s); err != nil || v < 0 || v >= len(m.Vars) || s < 0 || s >= m.Card(model.VarID(v)) {
			return nil, fmt.Errorf("found evidence %q to choose edges for; want the numbers of a variable and of its state, as in 3=1", word)
		}
		out[model.VarID(v)] = s
	}
	return out, nil
}

// edgesGiven are the edges that option delete asks for.
func (x *instance) edgesGiven(m *model.Model) (edges []Edge, err error) {
	if x.given == "" {
		return nil, nil
	}
	c := chooser{m: m}
	for _, f := range m.Factors {
		c.scope = append(c.scope, slices.Clone(f.Scope))
	}
	for _, word := range strings.Split(x.given, ",") {
		var e Edge
		if _, err := fmt.Sscanf(word, "%d>%d", &e.Parent, &e.Factor); err != nil || e.Factor < 0 || e.Factor >= len(m.Factors) || !c.deletable(e.Factor, e.Parent) {
			return nil, fmt.Errorf("found edge %q to delete; want the numbers of a variable and of a factor that has it, and not as its child or alone, as in 3>7", word)
		}
		c.delete(e)
	}
	sortEdges(c.deleted)
	return c.deleted, nil
}

// Option is the value of option delete that asks for edges.
func Option(edges []Edge) string {
	words := make([]string, len(edges))
	for i, e := range edges {
		words[i] = fmt.Sprintf("%d>%d", e.Parent, e.Factor)
	}
	return strings.Join(words, ",")
}

// deletions are the edges that go, given an order of the whole network, the order of what is left, and how many edges came back.
func (x *instance) deletions(c *method.Context, m *model.Model, order []int) (deleted []Edge, by []int, back int, err error) {
	if x.given != "" {
		deleted, err = x.edgesGiven(m)
		return deleted, order, 0, err
	}
	observed, err := x.always(m)
	if err != nil {
		return nil, nil, 0, err
	}
	if x.parameters == prior { // which knows no evidence
		observed = nil
	}
	if x.edges == recovery {
		evidence, err := x.states(m)
		if err != nil {
			return nil, nil, 0, err
		}
		return recovered(c, m, float64(x.cluster), observed, evidence, c.MaxTable)
	}
	return Choose(m, order, float64(x.cluster), observed, Price(m, x.edges == information, c.MaxTable)), order, 0, nil
}

// Price is what deleting an edge costs: the same for each, or with information what the parent tells of the child. No table of a factor
// with more than limit numbers is made for that.
func Price(m *model.Model, information bool, limit int) func(Edge) float64 {
	if information {
		return newMutual(m, limit).price
	}
	return func(Edge) float64 { return 1 }
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
	deleted, by, back, err := x.deletions(c, m, order)
	if err != nil {
		return nil, method.Approximate, err
	}
	b := newBuilder(p, x.parameters, deleted)
	if b.observed, err = x.always(m); err != nil {
		return nil, method.Approximate, err
	}
	b.tree = cluster.New(len(m.Vars), b.left, by)
	if x.parameters == truth {
		b.whole = cluster.New(len(m.Vars), scopes, order)
	}
	b.correction = x.correction
	plan := b.plan(p.Queries[0], x.LoopOptions, by)
	plan.Note = b.note(back, x.edges == recovery)
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

// note says what was deleted.
func (b *builder) note(back int, recovery bool) string {
	all, largest := 0, 0.0
	for _, f := range b.Model.Factors {
		all += max(0, len(f.Scope)-1)
	}
	for i := range b.tree.Buckets {
		largest = max(largest, b.Model.LogTableSize(b.tree.Scope(i)))
	}
	text := fmt.Sprintf("%d of %d edges deleted", len(b.deleted), all)
	if recovery {
		text += fmt.Sprintf(", %d recovered", back)
	}
	return text + fmt.Sprintf("; the largest cluster has %.0f joint states", math.Exp(largest))
}
