package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// deletionExperiment is the experiment of section 5 of the paper: belief propagation against edge deletion with true posteriors (ED) and
// with iterated ones (ID), for thresholds of the largest cluster.
type deletionExperiment struct {
	*app
	networks   []string
	trials     int
	thresholds int // at most so many
	reports    []*deletionReport
	done       atomic.Int64
}

// What the paper fixes: loops end when nothing changes by more than tolerance, or after so many.
const (
	deletionTolerance = 1e-8
	deletionLoops     = 100
	leastThreshold    = 10 // log2 of a cluster
)

// wideCluster is the largest cluster of a greedy order with which the experiment still goes on: munin1 has more, and gets an order that is
// searched for.
const wideCluster = 1 << 24

// mostRedraws is how often in a row evidence may be impossible.
const mostRedraws = 10_000

func newDeletionExperiment(a *app, f *experimentFlags) *deletionExperiment {
	x := &deletionExperiment{app: a, networks: []string{"munin1", "munin2", "munin3", "munin4", "barley", "pigs"}, trials: 50, thresholds: math.MaxInt}
	if f.quick {
		x.networks, x.trials, x.thresholds = []string{"barley", "pigs"}, 2, 2
	}
	if f.networks != nil {
		x.networks = f.networks
	}
	if f.trials > 0 {
		x.trials = f.trials
	}
	return x
}

// deletionReport is a network's table.
type deletionReport struct {
	Network  string         `json:"network"`
	Cluster  float64        `json:"largest_cluster"` // log2 of joint states
	Leaves   int            `json:"leaves"`
	Trials   int            `json:"trials"`
	Redrawn  int            `json:"redrawn"` // sets of evidence that were impossible
	BP       deletionScore  `json:"bp"`
	Deleting []*deletionRow `json:"thresholds"`
}

// deletionRow is a threshold.
type deletionRow struct {
	Threshold int           `json:"threshold"`
	Edges     int           `json:"edges"`           // deleted
	Cluster   float64       `json:"largest_cluster"` // of what is left, log2
	ED        deletionScore `json:"ed"`
	ID        deletionScore `json:"id"`
}

// deletionScore is how an approximation did on all trials.
type deletionScore struct {
	Loops     float64 `json:"loops"` // the mean
	Converged int     `json:"converged"`
	Flips     float64 `json:"flips"` // the share of unobserved variables
	KL        float64 `json:"kl"`    // the mean of unobserved variables, in nats; that of variables with infinite divergence left out
	Infinite  int     `json:"infinite"`
	variables int
}

func (s *deletionScore) add(state []int, exact, approximate [][]float64, r pgmrt.Report) {
	s.Loops += float64(r.Iterations)
	if r.Status == pgmrt.Converged {
		s.Converged++
	}
	for v, p := range exact {
		if state[v] >= 0 {
			continue
		}
		s.variables++
		if flipped(p, approximate[v]) {
			s.Flips++
		}
		if kl := divergence(p, approximate[v]); math.IsInf(kl, 1) {
			s.Infinite++
		} else {
			s.KL += kl
		}
	}
}

func (s *deletionScore) mean(trials int) {
	s.Loops /= float64(trials)
	s.Flips /= float64(max(1, s.variables))
	s.KL /= float64(max(1, s.variables-s.Infinite))
}

// network runs all trials of one network.
func (x *deletionExperiment) network(ctx context.Context, name, path string) error {
	defer x.progress("experiment on "+name, x.done.Load).stop()
	m, err := x.load(ctx, path, "")
	if err != nil {
		return err
	}
	if m.Kind != model.Bayes {
		return errors.New("edge deletion is measured on Bayesian networks")
	}
	list, found := m.NormalizeRows(model.RowsNormalize)
	if found.HasErrors() {
		return found.Err()
	}
	m = list
	g := order.FromModel(m)
	best := order.Best(g, order.Options{Heuristics: []order.Heuristic{order.WeightedMinFill}, Steps: 0})
	if best.Cost.Largest > wideCluster {
		best = order.Best(g, order.Options{Steps: compiler.DefaultSteps})
	}
	d := &deletionNetwork{deletionExperiment: x, m: m, order: best.Order, r: rand.New(rand.NewPCG(x.seed, 0))}
	d.report = &deletionReport{Network: name, Trials: x.trials, Cluster: math.Log2(largestCluster(m, best.Order, nil))}
	x.reports = append(x.reports, d.report)
	return d.run(ctx)
}

// loopMachine runs the one query of a method that iterates.
type loopMachine struct {
	*eval.Machine
	program *ir.Program
}

// deletionNetwork is one network of the experiment.
type deletionNetwork struct {
	*deletionExperiment
	m      *model.Model
	order  []int
	r      *rand.Rand
	report *deletionReport
	leaves []model.VarID
	edges  [][]edgedel.Edge // by threshold
	after  []int            // an order of what evidence on the leaves leaves of the original network; nil until needed
	id     []*loopMachine
}

func (d *deletionNetwork) run(ctx context.Context) error {
	for v, children := range model.NewGraph(d.m).Children {
		if len(children) == 0 {
			d.leaves = append(d.leaves, model.VarID(v))
		}
	}
	d.report.Leaves = len(d.leaves)
	bp, err := d.iterating(ctx, belief.Method.Name)
	if err != nil {
		return err
	}
	if err := d.choose(ctx); err != nil {
		return err
	}
	for range d.trials {
		state, exact, err := d.draw(ctx)
		if err != nil {
			return err
		}
		got, report, err := bp.ask(ctx, state)
		if err != nil {
			return fmt.Errorf("belief propagation: %w", err)
		}
		d.report.BP.add(state, exact, got, report)
		for i, row := range d.report.Deleting {
			if err := d.trial(ctx, i, row, state, exact); err != nil {
				return err
			}
		}
		d.done.Add(1)
	}
	d.report.BP.mean(d.trials)
	for _, row := range d.report.Deleting {
		row.ED.mean(d.trials)
		row.ID.mean(d.trials)
	}
	return nil
}

// choose finds the edges for each threshold below the largest cluster, and compiles what iterates.
func (d *deletionNetwork) choose(ctx context.Context) error {
	var thresholds []int
	for t := int(math.Ceil(d.report.Cluster)) - 1; t >= leastThreshold; t-- {
		thresholds = append(thresholds, t)
	}
	if n := len(thresholds); n > d.thresholds { // spread evenly, the lowest among them
		var few []int
		for i := range d.thresholds {
			few = append(few, thresholds[(i+1)*n/d.thresholds-1])
		}
		thresholds = few
	}
	for _, t := range thresholds {
		edges := edgedel.Choose(d.m, d.order, math.Exp2(float64(t)), nil, edgedel.Price(d.m, false, d.maxTable))
		row := &deletionRow{Threshold: t, Edges: len(edges), Cluster: math.Log2(largestCluster(d.m, d.order, edges))}
		machine, err := d.iterating(ctx, edgedel.Method.Name, "parameters=posterior", "delete="+edgedel.Option(edges))
		if err != nil {
			return fmt.Errorf("threshold %d: %w", t, err)
		}
		d.report.Deleting = append(d.report.Deleting, row)
		d.edges, d.id = append(d.edges, edges), append(d.id, machine)
	}
	return nil
}

// iterating compiles the network for a method that iterates.
func (d *deletionNetwork) iterating(ctx context.Context, name string, options ...string) (*loopMachine, error) {
	options = append(options, fmt.Sprintf("iterations=%d", deletionLoops), fmt.Sprintf("tolerance=%v", deletionTolerance))
	r, err := compiler.Compile(ctx, d.m, compiler.Options{Method: name, MethodOptions: options, Order: d.order, Rows: model.RowsAsIs,
		MaxTable: d.maxTable, MaxMem: int64(d.maxMem)})
	if err != nil {
		return nil, err
	}
	return &loopMachine{eval.New(r.Program, r.Model), r.Program}, nil
}

// trial adds one set of evidence to a threshold.
func (d *deletionNetwork) trial(ctx context.Context, i int, row *deletionRow, state []int, exact [][]float64) error {
	simple, err := edgedel.Simplify(d.m, d.edges[i], func(v model.VarID) []float64 { return exact[v] }, d.maxTable)
	if err != nil {
		return err
	}
	ed, err := d.simplified(ctx, simple, state)
	if err != nil {
		return fmt.Errorf("threshold %d, true posteriors: %w", row.Threshold, err)
	}
	row.ED.add(state, exact, ed, pgmrt.Report{Status: pgmrt.Converged, Iterations: 1})
	id, report, err := d.id[i].ask(ctx, state)
	if err != nil {
		return fmt.Errorf("threshold %d, iterated: %w", row.Threshold, err)
	}
	row.ID.add(state, exact, id, report)
	return nil
}

// draw draws the leaves, each by itself from its prior, until they are possible together, and gives the exact marginals of all variables.
func (d *deletionNetwork) draw(ctx context.Context) (state []int, exact [][]float64, err error) {
	for range mostRedraws {
		state = slices.Repeat([]int{-1}, len(d.m.Vars))
		for _, v := range d.leaves {
			state[v] = d.drawPrior(v)
		}
		exact, err = d.original(ctx, state)
		if !errors.Is(err, pgmrt.ErrImpossible) {
			return state, exact, err
		}
		d.report.Redrawn++
	}
	return nil, nil, fmt.Errorf("the leaves were impossible together %d times in a row", mostRedraws)
}

// drawPrior draws v by itself: its ancestors are drawn first, and forgotten.
func (d *deletionNetwork) drawPrior(v model.VarID) int {
	drawn := slices.Repeat([]int{-1}, len(d.m.Vars))
	cpd := make([]*model.Factor, len(d.m.Vars))
	for _, f := range d.m.Factors {
		cpd[f.ChildVar()] = f
	}
	for stack := []model.VarID{v}; len(stack) > 0; {
		u := stack[len(stack)-1]
		ready := true
		for _, p := range cpd[u].Parents() {
			if drawn[p] < 0 {
				stack, ready = append(stack, p), false
			}
		}
		if !ready {
			continue
		}
		stack = stack[:len(stack)-1]
		if drawn[u] < 0 {
			x := d.r.Float64()
			for s := range d.m.Card(u) {
				drawn[u] = s
				p := d.m.Value(cpd[u], drawn)
				if x -= p; x < 0 && p > 0 {
					break
				}
			}
		}
	}
	return drawn[v]
}

// original gives the exact marginals of all variables. Munin1 wants a good order for that, which is sought once, since the evidence is
// always on the same variables.
func (d *deletionNetwork) original(ctx context.Context, state []int) ([][]float64, error) {
	left, err := d.m.Condition(state, d.maxTable)
	if err != nil {
		return nil, err
	}
	if d.after == nil {
		d.after = order.Best(order.FromModel(left), order.Options{Steps: compiler.DefaultSteps}).Order
	}
	return d.exactly(ctx, left, compiler.Options{Order: d.after})
}

// simplified gives the exact marginals of all variables of a network that lost edges, by a greedy order or that of the original network.
func (d *deletionNetwork) simplified(ctx context.Context, m *model.Model, state []int) ([][]float64, error) {
	left, err := m.Condition(state, d.maxTable)
	if err != nil {
		return nil, err
	}
	g := order.FromModel(left)
	best := order.Best(g, order.Options{Heuristics: []order.Heuristic{order.WeightedMinFill}})
	if g.CostOf(d.after).Entries < best.Cost.Entries {
		best.Order = d.after
	}
	return d.exactly(ctx, left, compiler.Options{Order: best.Order})
}

// exactly gives the marginals of what evidence left of a network, by a clique tree.
func (d *deletionNetwork) exactly(ctx context.Context, left *model.Model, opt compiler.Options) ([][]float64, error) {
	opt.Method, opt.Queries, opt.Unnormalised = jointree.Method.Name, []string{ir.Marginals.String()}, true
	opt.MaxTable, opt.MaxMem = d.maxTable, int64(d.maxMem)
	r, err := compiler.Compile(ctx, left, opt)
	if err != nil {
		return nil, err
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	if err := machine.RunContext(ctx, entry); err != nil {
		return nil, err
	}
	return byVariable(machine, r.Program, entry, len(left.Vars)), nil
}

// ask answers where some variables have known states; a negative one is unknown.
func (l *loopMachine) ask(ctx context.Context, state []int) ([][]float64, pgmrt.Report, error) {
	l.ClearEvidence()
	for v, s := range state {
		if s >= 0 {
			if err := l.Observe(model.VarID(v), s); err != nil {
				return nil, pgmrt.Report{}, err
			}
		}
	}
	entry := &l.program.Entries[0]
	report, err := l.RunLoop(ctx, entry, pgmrt.LoopOptions{})
	if err != nil {
		return nil, report, err
	}
	return byVariable(l.Machine, l.program, entry, len(state)), report, nil
}

// byVariable copies the posteriors of an entry that ran.
func byVariable(machine *eval.Machine, p *ir.Program, entry *ir.Entry, n int) [][]float64 {
	out := make([][]float64, n)
	for i, id := range entry.Outs {
		out[p.Spans[id].Var] = slices.Clone(machine.Posterior(i))
	}
	return out
}

// largestCluster is the joint states of the largest cluster of an order, after some edges are deleted.
func largestCluster(m *model.Model, order []int, edges []edgedel.Edge) float64 {
	gone := map[edgedel.Edge]bool{}
	for _, e := range edges {
		gone[e] = true
	}
	scopes := make([][]model.VarID, len(m.Factors))
	for n, f := range m.Factors {
		scopes[n] = slices.DeleteFunc(slices.Clone(f.Scope), func(v model.VarID) bool { return gone[edgedel.Edge{Factor: n, Parent: v}] })
	}
	tree := cluster.New(len(m.Vars), scopes, order)
	largest := 0.0
	for i := range tree.Buckets {
		largest = max(largest, math.Exp(m.LogTableSize(tree.Scope(i))))
	}
	return largest
}
