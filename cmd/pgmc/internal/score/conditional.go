package score

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// conditional is a run with --cll or --cmll.
type conditional struct {
	*rate.Conditionals
	fractions   []float64 // of --cmll
	targets     []int     // places of the variables of --cll among the columns
	approximate bool      // the method computes posteriors alone
	done        atomic.Int64
}

// scoreConditional computes the scores of --cll and --cmll.
func scoreConditional(ctx context.Context, a *cli.App, path, dataPath string, m *model.Model, opt compiler.Options, f *Options) error {
	s := &conditional{}
	opt.Method = f.MethodFlags.Options(&opt)
	var err error
	if opt.Queries, err = s.queries(path, opt.MethodName(), f); err != nil {
		return err
	}
	if f.CLL != "" {
		if s.targets, err = targetsOf(m, f.CLL); err != nil {
			return err
		}
	}
	file, err := a.OpenData(ctx, dataPath, &f.Data, cli.Test)
	if err != nil {
		return err
	}
	defer file.Close()
	a.WarnColumns(file, data.VarsOf(m), nil)
	binding, err := file.Bind(data.VarsOf(m), f.policyOfUnseen())
	if err != nil {
		return err
	}
	binding.Only()
	defer a.Progress("scoring "+filepath.Base(dataPath), s.done.Load).Stop()
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	by := rate.NewEngine(ctx, infer.Of(r, a.Seed), binding.Values)
	s.Conditionals = rate.NewConditionals(by, s.targets, rate.Protocol{Fractions: s.fractions, Seed: a.Seed})
	if err := binding.Each(ctx, s.row); err != nil {
		return err
	}
	if s.done.Load() == 0 {
		return cli.NoRows(dataPath)
	}
	report, t := s.report()
	return a.Print(report, t.String)
}

// queries reads the flags and returns the queries that they take with a method.
func (s *conditional) queries(path, method string, f *Options) ([]string, error) {
	queries := []string{"logprob"}
	if f.CMLL != "" {
		var err error
		if s.fractions, err = rate.Fractions(f.CMLL); err != nil {
			return nil, cli.Usagef("--cmll: %w", err)
		}
		queries = append(queries, "marginals")
	}
	approximate, err := cli.PosteriorQuery(method)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	switch s.approximate = approximate != ""; {
	case s.approximate && f.CLL != "":
		return nil, fmt.Errorf("method %s computes posteriors alone, and --cll needs probabilities of rows; want --cmll, or --method %s", method, cli.ExactMethods())
	case s.approximate:
		return []string{approximate}, nil
	}
	return queries, nil
}

// targetsOf returns the places of the variables that --cll names among those that are not latent.
func targetsOf(m *model.Model, list string) (places []int, err error) {
	names, err := cli.NamesOf("--cll", list)
	if err != nil {
		return nil, err
	}
	targets, err := cli.NamedVars(m, "--cll", names)
	if err != nil {
		return nil, err
	}
	for _, v := range targets {
		places = append(places, slices.Index(rows.Observable(m), v))
	}
	return places, nil
}

// row scores a row.
func (s *conditional) row(rec *data.Record, states []int) error {
	s.done.Add(1)
	err := s.Add(rec.Pos, states, rec.Weight)
	if errors.Is(err, infer.ErrImpossible) {
		return diag.Diagnostic{Pos: rec.Pos, Msg: "states of this row that were drawn as evidence have probability 0 by this method; " +
			"want another, as --method " + jointree.Method.Name + ", or leave out the row"}
	}
	return cli.AtRow(rec.Pos, err)
}

// conditionalReport holds conditional log-likelihoods. A mean is "-inf" if a row has probability 0,
// and its error "inf".
type conditionalReport struct {
	Rows   int64            `json:"rows"`
	CLL    any              `json:"cll,omitempty"` // of the targets together, in nats a row
	StdErr any              `json:"cll_stderr,omitempty"`
	CMLL   []fractionReport `json:"cmll,omitempty"`
}

// fractionReport holds the results for one fraction of evidence, in nats for each variable that is
// not evidence.
type fractionReport struct {
	Evidence   float64 `json:"evidence"`
	CMLL       any     `json:"cmll"`
	CMLLStdErr any     `json:"cmll_stderr"`
	CLL        any     `json:"cll,omitempty"`
	CLLStdErr  any     `json:"cll_stderr,omitempty"`
}

// report returns the results, and the same as a table.
func (s *conditional) report() (*conditionalReport, *table.Table) {
	r := &conditionalReport{Rows: s.done.Load()}
	t := &table.Table{}
	t.Add("rows", fmt.Sprint(r.Rows))
	if s.targets != nil {
		r.CLL, r.StdErr = MeanOrText(&s.Joint)
		t.Add("conditional log-likelihood", Digits(r.CLL)+" nats a row")
		t.Add("standard error", Digits(r.StdErr))
	}
	for i, f := range s.fractions {
		x := fractionReport{Evidence: f}
		x.CMLL, x.CMLLStdErr = MeanOrText(&s.Conditionals.CMLL[i])
		cells := []string{fmt.Sprintf("evidence %v", f), "CMLL " + Digits(x.CMLL) + ", error " + Digits(x.CMLLStdErr)}
		if !s.approximate {
			x.CLL, x.CLLStdErr = MeanOrText(&s.Conditionals.CLL[i])
			cells = append(cells, "CLL "+Digits(x.CLL)+", error "+Digits(x.CLLStdErr))
		}
		r.CMLL = append(r.CMLL, x)
		t.Add(cells...)
	}
	return r, t
}
