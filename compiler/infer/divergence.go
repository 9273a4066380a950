package infer

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// mostDiverged is the most joint states of the variables that persist for which the error of a
// belief in clusters is bounded: the contraction compares each pair of rows of the transition.
const mostDiverged = 512

// divergence computes a Divergence. It knows the exact belief after one slice, given a belief
// before it.
type divergence struct {
	exact       *Engine
	before      []model.VarID
	size        int     // joint states of before
	clusters    [][]int // by places in before, each with what it shares with its neighbour
	shared      [][]int
	contraction float64
}

// Bound makes f, which has no slice yet, report a [Divergence] with each slice. The filter must
// have a belief in clusters. It is an error if the variables that persist have more than 512 joint
// states, if some variables are given, and if the network is not a state-observation model:
// variables that do not persist must have parents of their own slice only, and no children that
// persist.
func (f *Filter) Bound(ctx context.Context) error {
	if f.n > 0 {
		return fmt.Errorf("the filter has %d slices; want none before bounds begin", f.n)
	}
	d, err := f.e.newDivergence(ctx)
	if err != nil {
		return err
	}
	f.divergence, f.bound = d, &Divergence{Contraction: d.contraction}
	return nil
}

// Contraction returns the share of the divergence between two beliefs that each slice removes at
// least, whatever the beliefs: the least overlap of two rows of the transition between joint states
// of the variables that persist. Errors are those of [Filter.Bound].
func (e *Engine) Contraction(ctx context.Context) (float64, error) {
	f, err := e.Filter(ctx)
	if err == nil {
		err = f.Bound(ctx)
	}
	if err != nil {
		return 0, err
	}
	return f.bound.Contraction, nil
}

func (e *Engine) newDivergence(ctx context.Context) (*divergence, error) {
	p, err := e.stream(ctx, ir.Filter, ir.FilterNext)
	if err != nil {
		return nil, err
	}
	m := e.vars.m
	d := &divergence{before: m.Transition.Before}
	for _, c := range p.entry.Stream.Clusters {
		var places []int
		for _, v := range c {
			places = append(places, slices.Index(d.before, v))
		}
		d.clusters = append(d.clusters, places)
	}
	if len(d.clusters) < 2 {
		return nil, diag.Errorf("the belief is one table; want a filter with several of them by the option %v", diag.Option{Name: "clusters"})
	}
	d.shared, _ = filter.Separators(d.clusters)
	size, ok := m.TableSize(d.before)
	if d.size = size; !ok || size > mostDiverged {
		return nil, fmt.Errorf("the variables that persist have e^%.1f joint states; want at most %d", m.LogTableSize(d.before), mostDiverged)
	}
	if err := stateObservation(m); err != nil {
		return nil, err
	}
	if d.exact, err = New(ctx, m, Options{Method: filter.NewOptions(), Rows: e.opt.Rows, MaxTable: e.opt.MaxTable, MaxMem: e.opt.MaxMem}); err != nil {
		return nil, err
	}
	return d, d.contract(ctx)
}

// stateObservation refuses networks in which evidence may tell of the slice before beside what the
// variables that persist tell.
func stateObservation(m *model.Model) error {
	for _, v := range m.Vars {
		if v.Given {
			return fmt.Errorf("variable %q is given; want a transition that is the same in all slices", v.Name)
		}
	}
	persists := func(v model.VarID) bool { return int(v) >= len(m.Vars) || slices.Contains(m.Transition.Before, v) }
	for _, f := range m.Transition.Factors {
		child := f.ChildVar()
		for _, p := range f.Scope {
			switch {
			case p == child || persists(child) && persists(p):
			case persists(child):
				return fmt.Errorf("variable %q, which does not persist, is a parent of %q, which does; want a state-observation model", m.Vars[p].Name, m.Vars[child].Name)
			case int(p) >= len(m.Vars):
				return fmt.Errorf("variable %q, which does not persist, depends on the slice before; want a state-observation model", m.Vars[child].Name)
			}
		}
	}
	return nil
}

// contract sets the contraction, by running the step for each joint state before it.
func (d *divergence) contract(ctx context.Context) error {
	rows := make([][]float64, d.size)
	for i := range rows {
		one := make([]float64, d.size)
		one[i] = 1
		var err error
		if rows[i], err = d.step(ctx, 1, NewFindings(len(d.exact.vars.m.Vars)), one); err != nil {
			return err
		}
	}
	d.contraction = 1
	for i := range rows {
		for k := range i {
			overlap := 0.0
			for j, p := range rows[i] {
				overlap += min(p, rows[k][j])
			}
			d.contraction = min(d.contraction, overlap)
		}
	}
	return nil
}

// step returns the exact belief after slice t.
func (d *divergence) step(ctx context.Context, t int, found *Findings, belief []float64) ([]float64, error) {
	p, m, err := d.exact.slice(ctx, filterEntries, t, found, [][]float64{belief})
	if err != nil {
		return nil, err
	}
	return outOf(p, m)[0], nil
}

// next returns b after slice t, which changed the belief from before to after.
func (d *divergence) next(ctx context.Context, b Divergence, t int, found *Findings, before, after [][]float64) (*Divergence, error) {
	var belief []float64
	if t > 0 {
		belief = d.joint(before)
	}
	exact, err := d.step(ctx, t, found, belief)
	if err != nil {
		return nil, err
	}
	b.Projection = 0
	for i, q := range d.joint(after) {
		if p := exact[i]; p > 0 {
			b.Projection = max(b.Projection, pgmrt.Ln(p/q))
		}
	}
	b.Bound = (1-b.Contraction)*b.Bound + b.Projection
	return &b, nil
}

// joint returns the distribution over joint states of which the marginals of clusters are the
// given ones.
func (d *divergence) joint(marginals [][]float64) []float64 {
	m, state := d.exact.vars.m, make([]int, len(d.exact.vars.m.Vars))
	place := func(places []int) (at int) {
		for _, k := range places {
			at = at*m.Card(d.before[k]) + state[d.before[k]]
		}
		return at
	}
	sums := make([][]float64, len(d.clusters))
	for k, c := range d.clusters {
		var vars, shared []model.VarID
		for _, i := range c {
			vars = append(vars, d.before[i])
		}
		for _, i := range d.shared[k] {
			shared = append(shared, d.before[i])
		}
		size, _ := m.TableSize(shared) // that of fewer variables than d.size counts
		sums[k] = make([]float64, size)
		for _, p := range marginals[k] {
			sums[k][place(d.shared[k])] += p
			m.Next(vars, state)
		}
	}
	joint := make([]float64, d.size)
	for i := range joint {
		joint[i] = 1
		for k, c := range d.clusters {
			if p := marginals[k][place(c)]; p > 0 {
				joint[i] *= p / sums[k][place(d.shared[k])]
			} else {
				joint[i] = 0
			}
		}
		m.Next(d.before, state)
	}
	return joint
}
