package deletion

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Experiment repeats section 5 of the paper: belief propagation against edge deletion with true
// posteriors (ED) and with iterated ones (ID), for thresholds of the largest cluster.
type Experiment struct {
	experiment.Run
	trials     int
	thresholds int // largest number of thresholds
	reports    []*Report
}

// The settings of the paper: loops end when nothing changes by more than the tolerance, or after
// deletionLoops iterations.
const (
	deletionTolerance = 1e-8
	deletionLoops     = 100
	leastThreshold    = 10 // log2 of a cluster
)

// wideCluster is the largest cluster, in joint states, for which a greedy order is used. Munin1
// exceeds it and gets an order by search.
const wideCluster = 1 << 24

// mostRedraws is how often in succession drawn evidence may be impossible.
const mostRedraws = 10_000

// Run runs the experiment and writes its tables.
func Run(ctx context.Context, a *cli.App, f *experiment.Options) error {
	if err := experiment.AtLeastOne("trials", f.Trials); err != nil {
		return err
	}
	x := &Experiment{Run: experiment.Run{App: a, Flags: f}, trials: experiment.Pick(f, 2, 10, 50), thresholds: experiment.Pick(f, 2, math.MaxInt, math.MaxInt)}
	if f.Trials > 0 {
		x.trials = f.Trials
	}
	all := []string{"munin1", "munin2", "munin3", "munin4", "barley", "pigs"}
	return x.Do(ctx, &experiment.Plan{Name: "edge-deletion", Kind: "network", Instances: experiment.Pick(f, all[4:], all, all), Measure: x.network, Report: x.report})
}

// Report holds the results on a network.
type Report struct {
	Network  string  `json:"network"`
	Cluster  float64 `json:"largest_cluster"` // log2 of joint states
	Leaves   int     `json:"leaves"`
	Trials   int     `json:"trials"`
	Redrawn  int     `json:"redrawn"` // number of impossible sets of evidence
	BP       Score   `json:"bp"`
	Deleting []*Row  `json:"thresholds"`
}

// Row holds the results at a threshold.
type Row struct {
	Threshold int     `json:"threshold"`
	Edges     int     `json:"edges"`           // deleted
	Cluster   float64 `json:"largest_cluster"` // after deletion, log2
	ED        Score   `json:"ed"`
	ID        Score   `json:"id"`
}

// Score measures an approximation over all trials.
type Score struct {
	Loops     float64 `json:"loops"` // the mean
	Converged int     `json:"converged"`
	Flips     float64 `json:"flips"` // the share of unobserved variables
	KL        float64 `json:"kl"`    // mean over unobserved variables, in nats, without those of infinite divergence
	Infinite  int     `json:"infinite"`
	variables int
}

func (s *Score) add(state []int, exact, approximate [][]float64, r *infer.Report) {
	s.Loops += float64(r.Iterations)
	if r.Converged {
		s.Converged++
	}
	for v, p := range exact {
		if state[v] >= 0 {
			continue
		}
		s.variables++
		if rate.Flipped(p, approximate[v]) {
			s.Flips++
		}
		if kl := rate.Divergence(p, approximate[v]); math.IsInf(kl, 1) {
			s.Infinite++
		} else {
			s.KL += kl
		}
	}
}

// join adds the sums of another score.
func (s *Score) join(t *Score) {
	*s = Score{s.Loops + t.Loops, s.Converged + t.Converged, s.Flips + t.Flips, s.KL + t.KL, s.Infinite + t.Infinite, s.variables + t.variables}
}

// mean turns the sums into means.
func (s *Score) mean(trials int) {
	s.Loops /= float64(trials)
	s.Flips /= float64(max(1, s.variables))
	s.KL /= float64(max(1, s.variables-s.Infinite))
}

// network runs all trials of one network.
func (x *Experiment) network(ctx context.Context, name string) error {
	m, err := x.Load(ctx, x.Flags.Network(name), "")
	if err != nil {
		return err
	}
	if m.Kind != model.Bayes {
		return errors.New("edge deletion is measured on Bayesian networks")
	}
	m, found := m.NormalizeRows(model.RowsNormalize)
	if found.HasErrors() {
		return found.Err()
	}
	g := order.FromModel(m)
	best := order.Best(g, order.Options{Heuristics: []order.Heuristic{order.WeightedMinFill}, Steps: 0})
	if best.Cost.Largest > wideCluster {
		best = order.Best(g, order.Options{Steps: compiler.DefaultSteps})
	}
	d := &Network{Experiment: x, m: m, order: best.Order}
	d.report = &Report{Network: name, Trials: x.trials, Cluster: math.Log2(largestCluster(m, best.Order, nil))}
	x.reports = append(x.reports, d.report)
	return d.run(ctx)
}

// Network is one network of the experiment.
type Network struct {
	*Experiment
	m      *model.Model
	order  []int
	report *Report
	leaves []model.VarID
	after  []int            // an order for the original network given evidence on the leaves
	edges  [][]edgedel.Edge // by threshold
	bp     *compiler.Result
	id     []*compiler.Result // by threshold; nil if the edges equal those of the threshold before
}

func (d *Network) run(ctx context.Context) error {
	for v, children := range model.NewGraph(d.m).Children {
		if len(children) == 0 {
			d.leaves = append(d.leaves, model.VarID(v))
		}
	}
	d.report.Leaves = len(d.leaves)
	var err error
	// Flooding, as was usual then: with sequential schedules loops converge sooner, and more often,
	// than the paper reports.
	if d.bp, err = d.iterating(ctx, belief.Method.Name, "schedule=flooding"); err != nil {
		return err
	}
	if err := d.choose(ctx); err != nil {
		return err
	}
	if err := d.reduce(); err != nil {
		return err
	}
	return d.all(ctx)
}

// reduce finds an order for the original network given evidence on the leaves. One order serves all
// trials, since it does not depend on the observed states. Munin1 needs a good order for its exact
// answers.
func (d *Network) reduce() error {
	state := slices.Repeat([]int{-1}, len(d.m.Vars))
	for _, v := range d.leaves {
		state[v] = 0
	}
	left, err := d.m.Condition(state, d.MaxTable)
	if err != nil {
		return err
	}
	d.after = order.Best(order.FromModel(left), order.Options{Steps: compiler.DefaultSteps}).Order
	return nil
}

// choose finds the edges to delete for each threshold below the largest cluster, and compiles the
// iterative methods.
func (d *Network) choose(ctx context.Context) error {
	var thresholds []int
	for t := int(math.Ceil(d.report.Cluster)) - 1; t >= leastThreshold; t-- {
		thresholds = append(thresholds, t)
	}
	if n := len(thresholds); n > d.thresholds { // evenly spaced, with the lowest
		var few []int
		for i := range d.thresholds {
			few = append(few, thresholds[(i+1)*n/d.thresholds-1])
		}
		thresholds = few
	}
	for _, t := range thresholds {
		edges := edgedel.Choose(d.m, d.order, math.Exp2(float64(t)), nil, edgedel.Price(d.m, false, d.MaxTable))
		row := &Row{Threshold: t, Edges: len(edges), Cluster: math.Log2(largestCluster(d.m, d.order, edges))}
		var program *compiler.Result
		if n := len(d.edges); n == 0 || !slices.Equal(edges, d.edges[n-1]) {
			var err error
			if program, err = d.iterating(ctx, edgedel.Method.Name, "parameters=posterior", "delete="+edgedel.Option(edges)); err != nil {
				return fmt.Errorf("threshold %d: %w", t, err)
			}
		}
		d.report.Deleting = append(d.report.Deleting, row)
		d.edges, d.id = append(d.edges, edges), append(d.id, program)
	}
	return nil
}

// iterating compiles the network for an iterative method.
func (d *Network) iterating(ctx context.Context, name string, options ...string) (*compiler.Result, error) {
	options = append(options, fmt.Sprintf("iterations=%d", deletionLoops), fmt.Sprintf("tolerance=%v", deletionTolerance))
	return compiler.Compile(ctx, d.m, compiler.Options{Method: compiler.Named(name, options...), Order: d.order, Rows: model.RowsAsIs,
		MaxTable: d.MaxTable, MaxMem: int64(d.MaxMem)})
}

// largestCluster returns the number of joint states of the largest cluster of an order, after the
// deletion of edges.
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
