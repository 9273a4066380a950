package em

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// coordinates turns the parameters of a model into unconstrained numbers and back.
type coordinates interface {
	Logits(m *model.Model) []float64
	FromLogits(m *model.Model, x []float64) *model.Model
	Gradient(n mle.Counts, m, first *model.Model) []float64
}

// without returns the columns of the variables, with none for those of vars.
func without(column []int, vars []model.VarID) []int {
	column = slices.Clone(column)
	for _, v := range vars {
		column[v] = -1
	}
	return column
}

// checkTargets returns an error unless the likelihood of some variables of m given the others can
// be maximised.
func checkTargets(m *model.Model, s *data.Set, column []int, targets []model.VarID) error {
	for i, v := range targets {
		name := m.Vars[v].Name
		switch {
		case slices.Contains(targets[:i], v):
			return fmt.Errorf("%q is twice among the variables of the conditional likelihood", name)
		case m.Vars[v].Given:
			return fmt.Errorf("%q is given, so that it has no conditional likelihood; want another variable", name)
		case column[v] < 0 || s.Empty(column[v]):
			return fmt.Errorf("no row has a value of %q, which has the conditional likelihood; want some", name)
		}
	}
	if len(targets) == 0 {
		return fmt.Errorf("a conditional likelihood of no variables; want at least one")
	}
	return nil
}

// discriminate makes x a search for the maximum of a conditional likelihood, with free for the rows
// without its variables. It begins at the maximum of the likelihood of all variables, with a
// pseudo-count of 1 for each number, so that none is 0.
func (x *search) discriminate(ctx context.Context, free expectation, opt *RunOptions) error {
	x.free = free
	o := opt.Options
	o.Prior, o.Mode = mle.Prior{Kind: mle.Each, Size: 1}, false
	est, err := mle.New(x.m, o)
	if err != nil {
		return err
	}
	n, _, err := x.expect(ctx, x.m)
	if err == nil {
		x.m = est.Fit(n, x.m)
	}
	return err
}

// gradient returns the derivative of the objective of e by the coordinates, except the penalties of
// RunOptions.
func (x *search) gradient(e *evaluation, first *model.Model) []float64 {
	g := x.by.Gradient(e.n, e.m, first)
	if x.free == nil {
		return g
	}
	none, _ := x.est.Zero() // the expected counts exist, so that it has no error
	less, prior := x.by.Gradient(e.free, e.m, first), x.by.Gradient(none, e.m, first)
	for i := range g {
		g[i] += prior[i] - less[i]
	}
	return g
}

// discriminate climbs to a maximum of the conditional likelihood from an evaluated model.
func (c *climb) discriminate(ctx context.Context, first evaluation) error {
	if !(math.Abs(first.objective) <= math.MaxFloat64) {
		return fmt.Errorf("rows have probability 0 under the numbers of the model to begin with, which a conditional fit cannot leave; want numbers above 0 for them")
	}
	first.point = c.x.by.Logits(first.m)
	l1, l2 := c.opt.penalties(first.point)
	first.objective -= l1 + l2
	c.take(first)
	more, err := c.lbfgs(ctx)
	c.Converged = err == nil && !more
	return err
}

// discriminative completes the result of a conditional fit. Its counts are no counts of data, to
// which rows can be added.
func (x *search) discriminative(fit *Fit, best *climb) *Fit {
	fit.conditional = true
	if w, ok := x.by.(*weights); ok {
		fit.Model, fit.params = w.network(best.point)
		return fit
	}
	fit.Model, fit.Counts, fit.params, fit.Hidden = best.m, best.n, x.est.Params(), best.LogP
	for i, f := range fit.Model.Factors {
		f.Counts = nil
		part := x.est.LogLikelihood(i, best.n, best.m) - x.est.LogLikelihood(i, best.free, best.m)
		fit.Families = append(fit.Families, part)
		fit.Hidden -= part
	}
	return fit
}
