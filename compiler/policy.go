package compiler

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// policyOf returns the answer of a Policy: the best policies of the diagram m.
func policyOf(ctx context.Context, m *model.Model, x *decide.Solution) (*ir.Entry, error) {
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
