package compiler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// besidePolicy returns the specifications of the other queries of opt, and whether a policy is
// among all of them. A policy is found here and not by a method, since no block computes it.
func besidePolicy(m *model.Model, opt *Options) (others []string, asked bool) {
	if len(opt.Queries) == 0 {
		return nil, false
	}
	queries, err := ParseQueries(opt.Queries, m)
	if err != nil {
		return nil, false // as Compile will report
	}
	for _, q := range queries {
		if q.Kind == ir.Policy {
			asked = true
		} else {
			others = append(others, Specification(m, q))
		}
	}
	return others, asked
}

// compilePolicy compiles the other queries, if there are some, and adds the policy.
func compilePolicy(ctx context.Context, m *model.Model, opt Options, others []string) (*Result, error) {
	if err := decide.Check(m); err != nil {
		return nil, fmt.Errorf("query %q: %w", ir.Policy, err)
	}
	if opt.Params == ir.Var {
		return nil, diag.Errorf("query %q: choices are computed from the numbers of the model, which may not be replaced; compile with %v", ir.Policy,
			diag.Option{Name: "params", Value: "const"})
	}
	r, err := beginPolicy(ctx, m, opt, others)
	if err != nil {
		return nil, err
	}
	e, err := policyOf(ctx, r.Model, opt.withDefaults().MaxTable)
	if err != nil {
		return nil, fmt.Errorf("query %q: %w", ir.Policy, err)
	}
	r.Program.Entries = append(r.Program.Entries, *e)
	return r, r.Program.Verify()
}

// beginPolicy returns the program of the other queries, which is empty if there are none.
func beginPolicy(ctx context.Context, m *model.Model, opt Options, others []string) (*Result, error) {
	if len(others) > 0 {
		opt.Queries = others
		return Compile(ctx, m, opt)
	}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	normal, list := m.NormalizeRows(opt.Rows)
	return &Result{Model: normal, Program: &ir.Program{Name: m.Name, State: ir.NoSpan}, Warnings: list.Warnings(), MaxMem: opt.withDefaults().MaxMem}, list.Err()
}

// policyOf solves the diagram m.
func policyOf(ctx context.Context, m *model.Model, maxTable int) (*ir.Entry, error) {
	x, err := decide.Solve(ctx, m, make([][]float64, len(m.Vars)), decide.Options{MaxTable: maxTable})
	if err != nil {
		return nil, err
	}
	if len(x.Policies) == 0 {
		return nil, errors.New("the diagram has no decisions; want some")
	}
	e := &ir.Entry{Query: &ir.Query{Name: ir.Policy.String(), Kind: ir.Policy}, Root: ir.NoSpan, Exp: ir.NoSpan}
	for i, p := range x.Policies {
		cases, ok := m.TableSize(x.Known(i))
		if !ok || cases > ir.MaxCases {
			return nil, tooManyCases(m, p.Decision, x.Known(i))
		}
		t, err := x.Table(ctx, i, cases <= ir.MaxSwitch)
		if err != nil {
			return nil, err
		}
		e.Decisions = append(e.Decisions, &ir.DecisionTable{
			Decision: t.Decision, Known: t.Known, Options: m.Card(t.Decision), Choice: t.Choice, Probability: t.Probability, Utility: t.Utility,
		})
	}
	return e, nil
}

// tooManyCases is the error of a decision with more cases than packages take.
func tooManyCases(m *model.Model, decision model.VarID, known []model.VarID) error {
	var names, states []string
	for _, v := range known {
		names, states = append(names, strconv.Quote(m.Vars[v].Name)), append(states, strconv.Itoa(m.Card(v)))
	}
	const most = 6
	if len(names) > most {
		names = append(slices.Clip(names[:most]), fmt.Sprintf("%d others", len(names)-most))
		states = append(slices.Clip(states[:most]), "...")
	}
	size := Count(math.Exp(m.LogTableSize(known)))
	if n, ok := m.TableSize(known); ok {
		size = strconv.Itoa(n)
	}
	return fmt.Errorf("the decision %q has %s cases, the states of %s (%s); want at most %d, and so a decision that knows less",
		m.Vars[decision].Name, size, strings.Join(names, ", "), strings.Join(states, " x "), ir.MaxCases)
}
