package particle

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/switching"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// checkPosterior adds an error if the posterior of a slice is not a mixture of normal
// distributions.
func checkPosterior(list *diag.List, m *model.Model) {
	for _, v := range m.Reals() {
		if m.Period(v) != 0 {
			list.Errorf(diag.Pos{File: m.File}, "proposal posterior draws from the exact posterior of a slice, and %q is circular; want bootstrap, or ekf or ukf", m.Vars[v].Name)
			return
		}
	}
	for _, f := range slices.Concat(m.Factors, m.Transition.Factors) {
		name := m.Vars[f.ChildVar()].Name
		if _, ok := f.Dist.(*model.Func); ok {
			list.Errorf(diag.Pos{File: m.File}, "proposal posterior draws from the exact posterior of a slice, and the mean of %q is an expression; want bootstrap, or ekf or ukf", name)
			return
		}
		if _, ok := f.Dist.(*model.Softmax); ok {
			list.Errorf(diag.Pos{File: m.File}, "proposal posterior draws from the exact posterior of a slice, and the states of %q depend on real variables; want bootstrap", name)
			return
		}
	}
}

// planPosterior returns a schedule with entries that draw one particle given the evidence on its
// slice. Smoothing weighs particles by the CPDs of a slice, and has an entry for that.
func planPosterior(c *method.Context, p *ir.Problem, how *ir.Histories) (*ir.Plan, error) {
	s, err := switching.PlanParticles(c, p, how, func(name string) *ir.Query { return entryQuery(p, name) })
	if err != nil {
		return nil, fmt.Errorf("particle: the posterior of a slice: %w", err)
	}
	if slices.ContainsFunc(p.Queries, func(q *ir.Query) bool { return q.Kind == ir.Smooth }) {
		if err := planSlice(c, s, hideBefore(p.Model), p, ir.SmoothNext, how); err != nil {
			return nil, fmt.Errorf("particle: %w", err)
		}
	}
	return &ir.Plan{Schedule: s}, c.Fits(s)
}
