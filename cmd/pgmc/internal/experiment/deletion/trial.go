package deletion

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Trial holds the results of one set of evidence.
type Trial struct {
	redrawn int // number of impossible sets drawn before
	bp      Score
	ed, id  []Score // by threshold
}

// all runs the trials in parallel and reports the means. Each trial has its own seed, so that
// results do not depend on the number of workers.
func (d *Network) all(ctx context.Context) error {
	trials := make([]Trial, d.trials)
	err := experiment.Parallel(ctx, d.trials, d.workers(), func() func(context.Context, int) error {
		w := newWorker(d)
		return func(ctx context.Context, n int) error {
			defer d.Done.Add(1)
			return w.trial(ctx, n, &trials[n])
		}
	})
	if err != nil {
		return err
	}
	for _, t := range trials {
		d.report.Redrawn += t.redrawn
		d.report.BP.join(&t.bp)
		for i, row := range d.report.Deleting {
			row.ED.join(&t.ed[i])
			row.ID.join(&t.id[i])
		}
	}
	d.report.BP.mean(d.trials)
	for _, row := range d.report.Deleting {
		row.ED.mean(d.trials)
		row.ID.mean(d.trials)
	}
	return nil
}

// workers returns the number of trials that run at once: one a core, if --max-mem is enough for
// that many programs.
func (d *Network) workers() int {
	bytes := int64(0)
	for _, r := range append(d.id[:len(d.id):len(d.id)], d.bp) {
		if r != nil {
			bytes += 8 * int64(r.Program.Work)
		}
	}
	return max(1, min(runtime.GOMAXPROCS(0), d.trials, int(int64(d.MaxMem)/max(1, bytes))))
}

// Worker runs trials one after another.
type Worker struct {
	*Network
	bp *infer.Engine
	id []*infer.Engine // by threshold; nil if the edges equal those of the threshold before
}

func newWorker(d *Network) *Worker {
	w := &Worker{Network: d, bp: infer.Of(d.bp, 0), id: make([]*infer.Engine, len(d.id))}
	for i, r := range d.id {
		if r != nil {
			w.id[i] = infer.Of(r, 0)
		}
	}
	return w
}

// trial draws one set of evidence and answers with all methods.
func (w *Worker) trial(ctx context.Context, n int, t *Trial) error {
	state, exact, err := w.draw(ctx, rand.New(rand.NewPCG(w.Seed, uint64(n))), t)
	if err != nil {
		return err
	}
	got, report, err := ask(ctx, w.bp, state)
	if err != nil {
		return fmt.Errorf("belief propagation: %w", err)
	}
	t.bp.add(state, exact, got, report)
	t.ed, t.id = make([]Score, len(w.edges)), make([]Score, len(w.edges))
	for i := range w.edges {
		if w.id[i] == nil {
			t.ed[i], t.id[i] = t.ed[i-1], t.id[i-1]
			continue
		}
		if err := w.threshold(ctx, i, t, state, exact); err != nil {
			return fmt.Errorf("threshold %d, %w", w.report.Deleting[i].Threshold, err)
		}
	}
	return nil
}

// threshold answers without the deleted edges of a threshold.
func (w *Worker) threshold(ctx context.Context, i int, t *Trial, state []int, exact [][]float64) error {
	simple, err := edgedel.Simplify(w.m, w.edges[i], func(v model.VarID) []float64 { return exact[v] }, w.MaxTable)
	if err != nil {
		return err
	}
	ed, err := w.simplified(ctx, simple, state)
	if err != nil {
		return fmt.Errorf("true posteriors: %w", err)
	}
	t.ed[i].add(state, exact, ed, &infer.Report{Converged: true, Iterations: 1})
	id, report, err := ask(ctx, w.id[i], state)
	if err != nil {
		return fmt.Errorf("iterated: %w", err)
	}
	t.id[i].add(state, exact, id, report)
	return nil
}

// draw draws each leaf from its prior, until the leaves are jointly possible, and returns the exact
// marginals of all variables.
func (w *Worker) draw(ctx context.Context, r *rand.Rand, t *Trial) (state []int, exact [][]float64, err error) {
	for range mostRedraws {
		state = slices.Repeat([]int{-1}, len(w.m.Vars))
		for _, v := range w.leaves {
			state[v] = w.drawPrior(r, v)
		}
		exact, err = w.original(ctx, state)
		if !errors.Is(err, infer.ErrImpossible) {
			return state, exact, err
		}
		t.redrawn++
	}
	return nil, nil, fmt.Errorf("the leaves were impossible together %d times in a row", mostRedraws)
}

// drawPrior draws v from its prior: it samples the ancestors first and drops their states.
func (w *Worker) drawPrior(r *rand.Rand, v model.VarID) int {
	drawn := slices.Repeat([]int{-1}, len(w.m.Vars))
	cpd := make([]*model.Factor, len(w.m.Vars))
	for _, f := range w.m.Factors {
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
			x := r.Float64()
			for s := range w.m.Card(u) {
				drawn[u] = s
				p := w.m.Value(cpd[u], drawn)
				if x -= p; x < 0 && p > 0 {
					break
				}
			}
		}
	}
	return drawn[v]
}

// original returns the exact marginals of all variables.
func (w *Worker) original(ctx context.Context, state []int) ([][]float64, error) {
	left, err := w.m.Condition(state, w.MaxTable)
	if err != nil {
		return nil, err
	}
	return w.exactly(ctx, left, compiler.Options{Order: w.after})
}

// simplified returns the exact marginals of all variables of a network with deleted edges, by a
// greedy order or that of the original network.
func (w *Worker) simplified(ctx context.Context, m *model.Model, state []int) ([][]float64, error) {
	left, err := m.Condition(state, w.MaxTable)
	if err != nil {
		return nil, err
	}
	g := order.FromModel(left)
	best := order.Best(g, order.Options{Heuristics: []order.Heuristic{order.WeightedMinFill}})
	if g.CostOf(w.after).Entries < best.Cost.Entries {
		best.Order = w.after
	}
	return w.exactly(ctx, left, compiler.Options{Order: best.Order})
}

// exactly returns the marginals of a conditioned network by a clique tree.
func (w *Worker) exactly(ctx context.Context, left *model.Model, opt compiler.Options) ([][]float64, error) {
	opt.Method, opt.Queries, opt.Unnormalised = jointree.Options{}, []string{ir.Marginals.String()}, true
	opt.MaxTable, opt.MaxMem = w.MaxTable, int64(w.MaxMem)
	r, err := compiler.Compile(ctx, left, opt)
	if err != nil {
		return nil, err
	}
	p, _, err := ask(ctx, infer.Of(r, 0), nil)
	return p, err
}

// ask returns the marginals of all variables given the states of some; a negative state is unknown.
// The report is nil for an exact method. No variable may be latent.
func ask(ctx context.Context, e *infer.Engine, state []int) ([][]float64, *infer.Report, error) {
	known := infer.NewFindings(len(e.Model().Vars))
	copy(known.State, state)
	m, err := e.Marginals(ctx, known)
	if err != nil {
		return nil, nil, err
	}
	p := make([][]float64, len(m.List))
	for v := range p {
		p[v] = m.List[v].P
	}
	return p, m.Report, nil
}
