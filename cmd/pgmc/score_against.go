package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// againstReport is how another model rates the rows, and what a paired t-test says of the difference, the first model's less the other's.
// There is no test where a row is impossible, nor of one row.
type againstReport struct {
	Model      string   `json:"model"`
	LL         any      `json:"ll,omitempty"` // mean log-likelihood
	StdErr     any      `json:"ll_stderr,omitempty"`
	PLL        any      `json:"pll,omitempty"` // mean pseudo-log-likelihood
	PLLStdErr  any      `json:"pll_stderr,omitempty"`
	Difference *float64 `json:"difference,omitempty"` // mean, in nats a row
	DiffErr    *float64 `json:"difference_stderr,omitempty"`
	T          any      `json:"t,omitempty"` // a number, or "inf" or "-inf" where all rows differ by the same
	Freedom    float64  `json:"degrees_of_freedom,omitempty"`
	P          *float64 `json:"p,omitempty"` // two-sided
}

// scoreAgainst rates rows by two models, and compares them row by row.
func (a *app) scoreAgainst(ctx context.Context, path string, m *model.Model, opt compiler.Options, rows *data.Reader, f *scoreFlags) error {
	other, otherOpt, err := a.LoadWithOptions(ctx, f.against, &f.ModelFlags)
	if err != nil {
		return err
	}
	alone := f.pll || m.Kind == model.Dependency || other.Kind == model.Dependency
	one, two := a.newScorer(m, alone), a.newScorer(other, alone)
	one.keep, two.keep = true, true
	if err := a.ready(ctx, one, path, m, opt); err != nil {
		return err
	}
	if err := a.ready(ctx, two, f.against, other, otherOpt); err != nil {
		return err
	}
	binding, err := rows.Bind(data.VarsOf(one.model), f.policyOfUnseen())
	if err != nil {
		return err
	}
	second, err := rows.Bind(data.VarsOf(two.model), f.policyOfUnseen())
	if err != nil {
		return err
	}
	var weights []float64
	states := make([]int, len(two.vars))
	defer a.Progress("scoring "+filepath.Base(f.against), one.done.Load).Stop()
	err = eachRow(ctx, rows, binding, len(one.vars), func(rec *data.Record, first []int) error {
		if err := second.States(rec, states); err != nil {
			return err
		}
		weights = append(weights, rec.Weight)
		if err := one.row(rec, first); err != nil {
			return err
		}
		return two.row(rec, states)
	})
	if err != nil {
		return err
	}
	if err := errors.Join(one.flush(), two.flush()); err != nil {
		return err
	}
	return compareScores(a, f.against, one, two, weights)
}

// compareScores reports both scores, and their difference.
func compareScores(a *app, name string, one, two *scorer, weights []float64) error {
	r, t := one.summary(a)
	of, text := two.summary(a)
	x := &againstReport{Model: name, LL: of.LL, StdErr: of.StdErr, PLL: of.PLL, PLLStdErr: of.PLLStdErr}
	r.Against = x
	t.Add("", "")
	t.Add("against", name)
	t.Rows = append(t.Rows, text.Rows[1:]...)
	if one.ll.Impossible+two.ll.Impossible+one.pll.Impossible+two.pll.Impossible == 0 {
		x.test(one.logs, two.logs, weights, t)
	}
	if a.JSON {
		return a.PrintJSON(r)
	}
	_, err := io.WriteString(a.Stdout, t.String())
	return err
}

// test compares row by row.
func (x *againstReport) test(one, two, weights []float64, t *table.Table) {
	var diff rate.Mean
	for i, w := range weights {
		diff.Add(one[i]-two[i], w)
	}
	result, ok := diff.Test()
	if !ok {
		return
	}
	err := diff.StdErr()
	x.Difference, x.DiffErr, x.Freedom, x.P, x.T = &diff.Value, &err, result.DF, &result.PValue, result.T
	if math.IsInf(result.T, 0) {
		x.T = map[bool]string{true: "inf", false: "-inf"}[result.T > 0]
	}
	t.Add("", "")
	t.Add("mean difference", fmt.Sprintf("%v nats a row", diff.Value))
	t.Add("standard error", fmt.Sprint(err))
	t.Add("paired t-test", fmt.Sprintf("t %.4f with %g degrees of freedom, p %.4g", result.T, result.DF, result.PValue))
}
