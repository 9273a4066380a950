package compiler

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// Bounds of a second plan. A program of at most price.VectorProducts products has no loops that
// evidence narrows. Tables with over secondTimes times the work at which they begin to win seldom
// win. Tables of more than secondSteps steps make packages too slow to compile: munin3, of 5,544
// steps, takes 17 s of CPU time and 12 MB of source with the second plan.
const (
	secondTimes = 4
	secondSteps = 10_000
)

// secondPlans returns the queries of a circuit that get a second plan by tables, for evidence that
// leaves few joint states, and what was decided, for people. est has the size of the tables.
func (b *build) secondPlans(c *ir.Circuit, est *Estimation) (list []pass.Second, decision string) {
	var tables method.Size // of the largest query
	for _, q := range b.problem.Queries {
		if q.Kind != ir.Marginals && q.Kind != ir.LogProb {
			continue
		}
		size := sizeOf(est, q.Kind)
		if size.Steps > tables.Steps {
			tables = *size
		}
		most := math.Floor(price.SecondCircuit.Of(weighCircuit(c, []*ir.Query{q}).Count) / price.SecondTables)
		if b.opt.trial.Second {
			most = math.Floor(size.Products / 2)
		}
		if size.Products <= secondTimes*most {
			second := *q
			second.Name += " by tables"
			list = append(list, pass.Second{Of: q, Query: &second, Most: most})
		}
	}
	both := together(est.Estimate, method.Estimate{Size: method.SizeOfCircuit(c)})
	switch {
	case b.opt.trial.Second:
		return list, ""
	case tables.Products <= price.VectorProducts || len(list) == 0:
		return nil, ""
	case tables.Steps > secondSteps:
		return nil, fmt.Sprintf("without a second plan for much evidence, since %s steps on tables are more than %d", Count(tables.Steps), secondSteps)
	case b.opt.over(&both.Size):
		return nil, "without a second plan for much evidence, since the limits hold one alone"
	}
	return list, "with a second plan by tables for much evidence"
}

// secondQueries returns the queries of the second plans.
func (b *build) secondQueries() (list []*ir.Query) {
	for _, x := range b.seconds {
		list = append(list, x.Query)
	}
	return list
}

// place returns the place of q among the queries of the problem. Those of second plans come last.
func (b *build) place(q *ir.Query) int {
	if i := slices.Index(b.problem.Queries, q); i >= 0 {
		return i
	}
	return len(b.problem.Queries)
}

// instead lets second plans run in place of circuits.
func (b *build) instead() error {
	pass.ProgramInstead(b.program, b.seconds)
	return nil
}
