package compiler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Choice is the decision of method [Auto] or [Best], and the reason.
type Choice struct {
	Method  string
	Why     string    // for people, as in "since ..."
	Proven  string    // for people: what an approximate method that [Best] chose proves of its answers
	Circuit *Weighing // nil if no circuit was made, or if it grew too large to pay
	Tables  *Weighing // nil if the network was not looked at
	Second  string    // for people: whether a circuit has a second plan by tables; empty if that was not considered
}

// Weighing is the work of the queries that a circuit could answer, and its predicted time in
// nanoseconds.
type Weighing struct{ Count, NS float64 }

// Bounds on the work of choosing. Below chooseProducts, a clique tree takes so little time that
// there is nothing to gain. A number is fresh if it is neither zero nor equal to an earlier one of
// its factor; above a share of chooseFresh, too little folds. A circuit that is slower than the
// tables by more than chooseSlack at its first order will not be made faster by other orders.
// Maxima and draws walk back over the numbers that they keep, and take about chooseWalk times as
// long as sums.
const (
	chooseProducts = 1000
	chooseFresh    = .9
	chooseSlack    = 1.25
	chooseWalk     = 4
)

// wideOps is the most operations of a circuit that is tried because a clique tree does not fit.
// Trying it must take little memory. A user who asks for method circuit may have more.
const wideOps = 1 << 18

// choose decides between tables and a circuit for method Auto. It also returns the plan of the
// circuit if the circuit wins, and nil otherwise.
func (b *build) choose() (*Choice, *ir.Plan, error) {
	tree := func(why string, of *Weighing) (*Choice, *ir.Plan, error) {
		return &Choice{Method: byTables().Name, Why: why, Tables: of}, nil, nil
	}
	mine := b.weighed()
	switch {
	case len(mine) == 0:
		return tree("since no query is one that a circuit answers", nil)
	case b.problem.Params == ir.Var:
		return tree("since parameters that may change fold nothing", nil)
	}
	draws, maxima := b.completions()
	est, err := b.estimate(b.opt, &resolved{Method: byTables()}, slices.Concat(mine, draws, maxima))
	if err != nil {
		return nil, nil, err
	}
	wide := b.opt.over(&est.Size) && !b.opt.trial.Second
	tables := weighTables(est, mine)
	within, why := b.circuitWithin(wide, tables, est)
	if why != "" {
		return tree(why, tables)
	}
	by, plan, orders := b.circuitPlan(mine, within, func(size ir.CircuitSize) (d, m []*ir.Query) {
		return worthWalking(draws, est, size), worthWalking(maxima, est, size)
	})
	if err := b.ctx.Err(); err != nil {
		return nil, nil, err
	}
	if by == nil {
		return tree("since a circuit would be too large to pay", tables)
	}
	ops := weighCircuit(plan.Circuit, mine)
	c := &Choice{Method: by.Name, Circuit: ops, Tables: tables}
	switch {
	case wide:
		c.Tables = nil
		c.Why = fmt.Sprintf("since %s operations fit, and a clique tree does not", Count(ops.Count))
	case ops.NS < tables.NS || b.opt.trial.Second:
		c.Why = "since " + ops.text("operations") + " beat " + tables.text("table entries")
		b.seconds, c.Second = b.secondPlans(plan.Circuit, est)
	default:
		c.Method, c.Why = byTables().Name, "since "+tables.text("table entries")+" beat "+ops.text("operations")
		return c, nil, nil
	}
	b.result.Orders = append(b.result.Orders, orders...)
	return c, plan, nil
}

// circuitPlan returns the plan of the smallest circuit that has at most the given operations, by
// the work of the queries mine, with its method and the elimination orders that it chose. The
// method is nil if no circuit is as small.
func (b *build) circuitPlan(mine []*ir.Query, within int, more method.MoreFunc) (best *method.Method, plan *ir.Plan, orders []order.Result) {
	p := &ir.Problem{Model: b.problem.Model, Queries: b.circuitQueries(), Params: b.problem.Params}
	before := len(b.result.Orders)
	for _, by := range circuitMethods(p.Model) {
		of, err := by.Circuits.Within(b.alone(), p, within, more)
		if err == nil && (plan == nil || weighCircuit(of.Circuit, mine).NS < weighCircuit(plan.Circuit, mine).NS) {
			best, plan, orders = by, of, slices.Clone(b.result.Orders[before:])
			within = of.Circuit.RootSize().Ops
		}
		b.result.Orders = b.result.Orders[:before]
	}
	return best, plan, orders
}

// circuitWithin returns the most operations of a circuit that is tried, or the reason why none is.
// wide reports whether a clique tree exceeds the limits.
func (b *build) circuitWithin(wide bool, tables *Weighing, est *Estimation) (ops int, why string) {
	fresh := freshNumbers(b.problem.Model)
	switch {
	case b.opt.trial.Second:
		return wideOps, ""
	case wide && fresh > chooseFresh:
		return 0, "since a circuit would fold nothing"
	case wide:
		return wideOps, ""
	case tables.Count < chooseProducts:
		return 0, fmt.Sprintf("since %s table entries leave nothing to gain", Count(tables.Count))
	case fresh > chooseFresh:
		return 0, fmt.Sprintf("since %.0f %% of the parameters are neither zero nor equal to others, so that little folds", 100*fresh)
	}
	return opsWithin(chooseSlack * tablesNS(sizeOf(est, ir.LogProb))), ""
}

// alone returns the context of a method that leaves queries that it does not answer to pass plan.
func (b *build) alone() *method.Context {
	c := *b.ctx
	c.Use = func(r method.Role, p *ir.Problem) (*ir.Plan, method.Claim, error) {
		if r != method.Tables {
			return b.use(r, p)
		}
		return &ir.Plan{Schedule: &ir.Schedule{Model: b.problem.Model, Params: b.problem.Params}}, method.Exact, nil
	}
	return &c
}

// circuitQueries returns the queries that a circuit answers.
func (b *build) circuitQueries() []*ir.Query {
	var list []*ir.Query
	for _, q := range b.problem.Queries {
		if byCircuits().Circuits.Answers(q.Kind) {
			list = append(list, q)
		}
	}
	return list
}

// completions returns the queries that circuits answer by walking down from a root. This pays if
// the circuit is much smaller than the tables.
func (b *build) completions() (draws, maxima []*ir.Query) {
	for _, q := range b.problem.Queries {
		switch q.Kind {
		case ir.Sample:
			draws = append(draws, q)
		case ir.MPE:
			maxima = append(maxima, q)
		}
	}
	return draws, maxima
}

// worthWalking keeps the queries with tables that take at least chooseWalk times the work of the
// circuit.
func worthWalking(queries []*ir.Query, est *Estimation, size ir.CircuitSize) []*ir.Query {
	return slices.DeleteFunc(slices.Clone(queries), func(q *ir.Query) bool {
		return sizeOf(est, q.Kind).Products < chooseWalk*float64(size.Ops)
	})
}

// unanswered returns the queries that have no entry in the circuits of a plan.
func (b *build) unanswered(plan *ir.Plan) (list []*ir.Query) {
	has := map[*ir.Query]bool{}
	for _, c := range []*ir.Circuit{plan.Circuit, plan.Max} {
		if c == nil {
			continue
		}
		for _, e := range c.Entries {
			has[e.Query] = true
		}
	}
	for _, q := range b.problem.Queries {
		if !has[q] {
			list = append(list, q)
		}
	}
	return list
}

// weighed returns the queries by which the methods are compared: ln P(evidence), and all posteriors
// or else the first one, if any of these is asked for.
func (b *build) weighed() []*ir.Query {
	mine := b.circuitQueries()
	if len(mine) == 0 {
		return nil
	}
	list := []*ir.Query{{Name: ir.LogProb.String(), Kind: ir.LogProb}}
	for _, kind := range []ir.QueryKind{ir.Marginals, ir.Sets, ir.Jeffrey, ir.Posterior} {
		if i := slices.IndexFunc(mine, func(q *ir.Query) bool { return q.Kind == kind }); i >= 0 {
			return append(list, mine[i])
		}
	}
	return list
}

// sizeOf returns the size of the first query of a kind, or zero if there is none.
func sizeOf(est *Estimation, kind ir.QueryKind) *method.Size {
	for i := range est.Queries {
		if est.Queries[i].Query.Kind == kind {
			return &est.Queries[i].Size
		}
	}
	return &method.Size{}
}

func weighTables(est *Estimation, queries []*ir.Query) *Weighing {
	w := &Weighing{}
	for _, q := range queries {
		size := sizeOf(est, q.Kind)
		w.Count += size.Products
		w.NS += tablesNS(size)
	}
	return w
}

// weighCircuit weighs the same queries by a circuit. Every other query includes ln P(evidence).
func weighCircuit(c *ir.Circuit, queries []*ir.Query) *Weighing {
	w := &Weighing{}
	for _, q := range queries {
		size := c.RootSize()
		if i := slices.IndexFunc(c.Entries, func(e ir.CircuitEntry) bool { return e.Query.Kind == q.Kind }); i >= 0 && q.Kind != ir.LogProb {
			one := *c
			one.Entries = c.Entries[i : i+1]
			size = one.Size()
		}
		ops := float64(size.Ops)
		w.Count += ops
		w.NS += circuitNS(ops)
	}
	return w
}

// text writes the work, the time of one unit and the time of all, as in "1200 operations at .14 ns
// (170 ns)".
func (w *Weighing) text(what string) string {
	each := strings.TrimPrefix(strconv.FormatFloat(w.NS/w.Count, 'f', 2, 64), "0")
	return fmt.Sprintf("%s %s at %s ns (%s)", Count(w.Count), what, each, Nanoseconds(w.NS))
}

// Nanoseconds formats a time with two digits and its unit.
func Nanoseconds(ns float64) string {
	unit := "ns"
	for _, u := range []string{"us", "ms", "s"} {
		if ns < 1000 {
			break
		}
		ns, unit = ns/1000, u
	}
	if ns < 10 {
		return fmt.Sprintf("%.1f %s", ns, unit)
	}
	return fmt.Sprintf("%.0f %s", ns, unit)
}

// freshNumbers returns the share of the model's numbers that are neither zero nor equal to an
// earlier one of their factor. It returns 0 if a factor is not a table, because such a factor has
// structure of its own.
func freshNumbers(m *model.Model) float64 {
	all, fresh := 0, 0
	for _, f := range m.Factors {
		values, ok := f.Table()
		if !ok {
			return 0
		}
		seen := map[float64]bool{0: true}
		for _, x := range values {
			if !seen[x] {
				seen[x] = true
				fresh++
			}
		}
		all += len(values)
	}
	return float64(fresh) / float64(max(1, all))
}

// mayFold reports whether a circuit can be much smaller than the tables.
func mayFold(m *model.Model) bool { return freshNumbers(m) <= chooseFresh }
