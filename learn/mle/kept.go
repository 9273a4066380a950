package mle

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// keeps reports whether a number of a CPD is 0 and stays so without data.
func (e *Estimator) keeps(c *cpd, at int) bool {
	return e.opt.KeepZeros && c.f.Dist.(model.Fitted).Numbers()[at] == 0
}

// zeros returns how many numbers of a row stay 0 without data.
func (e *Estimator) zeros(c *cpd, r int) (n int) {
	if e.opt.KeepZeros {
		c.row(r, func(_, at int) {
			if e.keeps(c, at) {
				n++
			}
		})
	}
	return n
}

// adjust adds the extra pseudo-counts of a group to the prior's, and removes the pseudo-counts of
// numbers that stay 0.
func (e *Estimator) adjust(g *group, pseudo []float64) {
	for _, i := range g.factors {
		if e.opt.Extra == nil {
			break
		}
		for at, x := range e.opt.Extra[i] {
			pseudo[at] += x
		}
	}
	for at := range pseudo {
		if e.keeps(g.cpd, at) {
			pseudo[at] = 0
		}
	}
}

// checkKept returns an error unless the variables of FixedMean have Gaussian CPDs or diffuse
// priors, the variables of NormalGamma have Gaussian CPDs, and the extra pseudo-counts belong to
// tables.
func (e *Estimator) checkKept() error {
	for _, g := range e.sets {
		for _, i := range g.factors[1:] {
			if v, u := e.m.Factors[i].ChildVar(), g.f.ChildVar(); e.opt.NormalGamma[v] != e.opt.NormalGamma[u] {
				return fmt.Errorf("the CPDs of %q and %q are tied and have different priors; want one", e.m.Vars[u].Name, e.m.Vars[v].Name)
			}
		}
	}
	for i, f := range e.m.Factors {
		name := e.m.Vars[max(f.ChildVar(), 0)].Name
		if _, own := e.opt.NormalGamma[f.ChildVar()]; own && e.reals[i] == nil {
			return fmt.Errorf("the CPD of %q is not Gaussian, so that it has no normal-gamma prior", name)
		}
		if slices.Contains(e.opt.FixedMean, f.ChildVar()) && e.reals[i] == nil && !e.none[i] {
			return fmt.Errorf("the CPD of %q is not Gaussian; only of those can the variance be fitted alone", name)
		}
		if e.soft[i] && slices.Contains(e.opt.Fixed, f.ChildVar()) {
			return fmt.Errorf("the CPD of %q is a softmax, which can't be fixed", name)
		}
		if _, table := f.Table(); e.opt.Extra != nil && e.opt.Extra[i] != nil && (!table || len(e.opt.Extra[i]) != e.cpds[i].n) {
			return fmt.Errorf("the CPD of %q is no table of %d numbers, for which there are pseudo-counts", name, len(e.opt.Extra[i]))
		}
	}
	return nil
}

// fixedMean reports whether only the variances of a group are fitted.
func (e *Estimator) fixedMean(g *realGroup) bool {
	return slices.ContainsFunc(g.factors, func(i int) bool { return slices.Contains(e.opt.FixedMean, e.m.Factors[i].ChildVar()) })
}

// fitVariances returns the CPD of a group with the means and the coefficients of was. rows are the
// moments of its rows and pseudo-rows, and more is added to their weights. A row without any keeps
// its variance.
func fitVariances(was *model.Gaussian, rows []data.Moment, more, least float64) *model.Gaussian {
	d := *was
	d.Var = slices.Clone(was.Var)
	for r := range rows {
		if x := &rows[r]; x.Weight > 0 {
			mean, coef, _ := was.Row(r)
			squares, _ := residual(x, mean, coef)
			d.Var[r] = known(math.Max(squares/(x.Weight+more), least))
		}
	}
	return &d
}
