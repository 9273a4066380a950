package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// conditionalScorer rates rows by what the model says of a part of them given the rest.
type conditionalScorer struct {
	by       *rate.Engine
	loop     bool  // the method is approximate, and knows posteriors alone
	targets  []int // places of the variables of --cll among the columns
	protocol rate.Protocol
	done     atomic.Int64
	joint    rate.Tally   // of --cll
	cmll     []rate.Tally // of --cmll, by fraction
	cll      []rate.Tally
}

// scoreConditional does what --cll and --cmll ask for.
func (a *app) scoreConditional(ctx context.Context, path, dataPath string, m *model.Model, opt compiler.Options, f *scoreFlags) error {
	s := &conditionalScorer{protocol: rate.Protocol{Seed: a.Seed}}
	opt.Queries, opt.Method = []string{"logprob"}, f.MethodFlags.Options(&opt)
	if f.cmll != "" {
		var err error
		if s.protocol.Fractions, err = rate.Fractions(f.cmll); err != nil {
			return cli.Usagef("--cmll: %w", err)
		}
		opt.Queries = append(opt.Queries, "marginals")
		s.cmll, s.cll = make([]rate.Tally, len(s.protocol.Fractions)), make([]rate.Tally, len(s.protocol.Fractions))
	}
	loop, err := cli.PosteriorQuery(opt.MethodName())
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch s.loop = loop != ""; {
	case s.loop && f.cll != "":
		return fmt.Errorf("method %s knows posteriors alone, and --cll takes probabilities of rows; want --cmll, or --method jointree or circuit", opt.MethodName())
	case s.loop:
		opt.Queries = []string{loop}
	}
	if f.cll != "" {
		names, err := cli.NamesOf("--cll", f.cll)
		if err != nil {
			return err
		}
		targets, err := cli.NamedVars(m, "--cll", names)
		if err != nil {
			return err
		}
		for _, v := range targets {
			s.targets = append(s.targets, slices.Index(rows.Observable(m), v))
		}
	}
	file, err := a.OpenData(ctx, dataPath, &f.data)
	if err != nil {
		return err
	}
	defer file.Close()
	binding, err := file.Bind(data.VarsOf(m), f.policyOfUnseen())
	if err != nil {
		return err
	}
	defer a.Progress("scoring "+filepath.Base(dataPath), s.done.Load).Stop()
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	s.by = rate.NewEngine(ctx, infer.Of(r, a.Seed), binding.Values)
	if err := eachRow(ctx, file, binding, len(rows.Observable(m)), s.row); err != nil {
		return err
	}
	return s.report(a)
}

// row rates a row.
func (s *conditionalScorer) row(rec *data.Record, states []int) error {
	s.done.Add(1)
	if s.targets != nil {
		evidence := slices.Repeat([]bool{true}, len(states))
		for _, i := range s.targets {
			evidence[i] = false
		}
		whole, err := s.by.LogProb(states)
		if err != nil {
			return err
		}
		log, err := rate.Conditional(s.by, states, evidence, whole)
		if err != nil {
			return err
		}
		s.joint.Add(rec.Pos, log, rec.Weight)
	}
	err := s.protocol.Row(s.by, states, func(i int, cmll, cll float64) {
		s.cmll[i].Add(rec.Pos, cmll, rec.Weight)
		s.cll[i].Add(rec.Pos, cll, rec.Weight)
	})
	if errors.Is(err, infer.ErrImpossible) {
		return diag.Diagnostic{Pos: rec.Pos, Msg: "states of this row that were drawn as evidence have probability 0 by this method; want another, as --method jointree, or leave out the row"}
	}
	return cli.AtRow(rec.Pos, err)
}

// conditionalReport is what pgmc score --cll or --cmll finds; a mean is "-inf" where a row has probability 0, and its error "inf".
type conditionalReport struct {
	Rows   int64            `json:"rows"`
	CLL    any              `json:"cll,omitempty"` // mean conditional log-likelihood of the targets together, in nats a row
	StdErr any              `json:"cll_stderr,omitempty"`
	CMLL   []fractionReport `json:"cmll,omitempty"`
}

// fractionReport is what one fraction of evidence gave, in nats for each variable that is asked about.
type fractionReport struct {
	Evidence   float64 `json:"evidence"`
	CMLL       any     `json:"cmll"`
	CMLLStdErr any     `json:"cmll_stderr"`
	CLL        any     `json:"cll,omitempty"`
	CLLStdErr  any     `json:"cll_stderr,omitempty"`
}

func (s *conditionalScorer) report(a *app) error {
	r := conditionalReport{Rows: s.done.Load()}
	t := &table.Table{}
	t.Add("rows", fmt.Sprint(r.Rows))
	if s.targets != nil {
		r.CLL, r.StdErr = meanOrText(&s.joint)
		t.Add("conditional log-likelihood", fmt.Sprintf("%v nats a row", r.CLL))
		t.Add("standard error", fmt.Sprint(r.StdErr))
	}
	for i, f := range s.protocol.Fractions {
		x := fractionReport{Evidence: f}
		x.CMLL, x.CMLLStdErr = meanOrText(&s.cmll[i])
		cells := []string{fmt.Sprintf("evidence %v", f), fmt.Sprintf("CMLL %v, error %v", x.CMLL, x.CMLLStdErr)}
		if !s.loop {
			x.CLL, x.CLLStdErr = meanOrText(&s.cll[i])
			cells = append(cells, fmt.Sprintf("CLL %v, error %v", x.CLL, x.CLLStdErr))
		}
		r.CMLL = append(r.CMLL, x)
		t.Add(cells...)
	}
	if a.JSON {
		return a.PrintJSON(r)
	}
	_, err := io.WriteString(a.Stdout, t.String())
	return err
}
