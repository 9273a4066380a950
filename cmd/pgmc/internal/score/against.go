package score

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// againstReport holds the scores of another model, and a paired t-test of the difference, the first
// model's score less the other's. There is no test if a row is impossible, nor of a single row.
type againstReport struct {
	Model      string   `json:"model"`
	LL         any      `json:"ll,omitempty"` // mean log-likelihood
	StdErr     any      `json:"ll_stderr,omitempty"`
	PLL        any      `json:"pll,omitempty"` // mean pseudo-log-likelihood
	PLLStdErr  any      `json:"pll_stderr,omitempty"`
	Difference *float64 `json:"difference,omitempty"` // mean, in nats a row
	DiffErr    *float64 `json:"difference_stderr,omitempty"`
	T          any      `json:"t,omitempty"` // a number, or "inf" or "-inf" if all rows differ by the same
	Freedom    float64  `json:"degrees_of_freedom,omitempty"`
	P          *float64 `json:"p,omitempty"` // two-sided
}

// pair is two models that score the same rows.
type pair struct {
	one, two *rate.Scorer
	weights  []float64 // of the rows
}

// scoreAgainst scores rows by two models and compares the scores row by row.
func scoreAgainst(ctx context.Context, a *cli.App, path string, m *model.Model, opt compiler.Options, rows *rowfile.Reader, f *Options) error {
	other, otherOpt, err := a.LoadWithOptions(ctx, f.Against, &f.ModelFlags)
	if err != nil {
		return err
	}
	if otherOpt, err = integrated(a, other, otherOpt, f); err != nil {
		return err
	}
	how := rate.ScorerOptions{Measure: f.measure(m), Keep: true}
	if m.Kind == model.Dependency || other.Kind == model.Dependency {
		how.Measure = rate.PLL
	}
	p := &pair{}
	if p.one, err = newScorer(a, path, m, opt, how); err != nil {
		return err
	}
	if p.two, err = newScorer(a, f.Against, other, otherOpt, how); err != nil {
		return err
	}
	defer a.Progress("scoring "+filepath.Base(f.Against), p.one.Len).Stop()
	a.WarnColumns(rows, data.VarsOf(p.one.Model()), nil)
	if err := p.score(ctx, rows, f.policyOfUnseen()); err != nil {
		return err
	}
	if p.one.Len() == 0 {
		return cli.NoRows(rows.Name())
	}
	r, t := p.report(a, f.Against)
	return a.Print(r, t.String)
}

// score adds all rows to both scorers.
func (p *pair) score(ctx context.Context, rows *rowfile.Reader, unseen rowfile.Unseen) error {
	binding, err := rows.Bind(data.VarsOf(p.one.Model()), unseen)
	if err != nil {
		return err
	}
	second, err := rows.Bind(data.VarsOf(p.two.Model()), unseen)
	if err != nil {
		return err
	}
	var others []string
	for _, x := range data.VarsOf(p.two.Model()) {
		others = append(others, x.Name)
	}
	binding.Only(others...)
	states := make([]int, len(second.Column))
	err = binding.Each(ctx, func(rec *data.Record, first []int) error {
		if err := second.States(rec, states); rows.Skip(err) {
			return nil
		} else if err != nil {
			return err
		}
		p.weights = append(p.weights, rec.Weight)
		if err := p.one.Add(ctx, rec.Pos, first, binding.Values, rec.Weight); err != nil {
			return err
		}
		return p.two.Add(ctx, rec.Pos, states, second.Values, rec.Weight)
	})
	if err != nil {
		return err
	}
	return errors.Join(p.one.Flush(ctx), p.two.Flush(ctx))
}

// report returns both scores and the test of their difference. name is the name of the second
// model.
func (p *pair) report(a *cli.App, name string) (*scoreReport, *table.Table) {
	r, t := summary(a, p.one)
	of, text := summary(a, p.two)
	x := &againstReport{Model: name, LL: of.LL, StdErr: of.StdErr, PLL: of.PLL, PLLStdErr: of.PLLStdErr}
	r.Against = x
	t.Add("", "")
	t.Add("against", name)
	t.Rows = append(t.Rows, text.Rows[1:]...)
	if p.impossible() == 0 {
		x.test(p.one.Logs(), p.two.Logs(), p.weights, t)
	}
	return r, t
}

// impossible returns the number of scores that are minus infinity.
func (p *pair) impossible() (n int) {
	for _, s := range []*rate.Scorer{p.one, p.two} {
		ll, _ := s.LL()
		pll, _ := s.PLL()
		n += ll.Impossible + pll.Impossible
	}
	return n
}

// test tests whether the mean difference of two lists of scores is zero, and adds the result to t.
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
	t.Add("mean difference", Digits(diff.Value)+" nats a row")
	t.Add("standard error", Digits(err))
	t.Add("paired t-test", fmt.Sprintf("t %.4f with %g degrees of freedom, p %.4g", result.T, result.DF, result.PValue))
}
