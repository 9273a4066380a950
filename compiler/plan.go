package compiler

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// modelCheck makes the rows of CPDs sum to one.
func (b *build) modelCheck() error {
	m, list := b.problem.Model.NormalizeRows(b.opt.Rows)
	b.result.Warnings = list.Warnings()
	b.problem.Model = m
	return list.Err()
}

// modelBalance divides extreme potentials of a Markov network by constants, for which LogZ makes
// up.
func (b *build) modelBalance() error {
	if b.problem.Params == ir.Const {
		b.problem.Model, b.divided = b.problem.Model.Balanced()
	}
	return nil
}

// methodCheck asks the method whether it takes the problem.
func (b *build) methodCheck() error {
	list := checkAnswers(b.by.Method, b.problem)
	if !list.HasErrors() {
		list = b.by.instance.Check(b.problem, By)
	}
	b.result.Warnings = append(b.result.Warnings, list.Warnings()...)
	return list.Err()
}

// methodChoose decides between tables and a circuit for method Auto.
func (b *build) methodChoose() error {
	if !b.by.auto {
		return nil
	}
	choice, plan, err := b.choose()
	if err != nil {
		return err
	}
	by := *b.by
	by.auto = false
	if plan != nil {
		by.Method = chosen(choice).Method
	}
	b.by, b.circuit, b.result.Choice = &by, plan, choice
	return nil
}

// plan lets the method plan, and decides whether the program is within the limits. If the options
// name no method and no clique tree fits, it plans a circuit, or slices if no circuit fits either.
// While estimating, it fills in the estimation.
func (b *build) plan() error {
	b.tables = method.Estimate{}
	var err error
	b.planned, b.result.Claim, err = b.planBy()
	if ended := b.ctx.Err(); ended != nil {
		return ended
	}
	est, err := b.size(err)
	if b.by.free && (err != nil || b.opt.over(&est.Size)) && b.byOtherMethod() {
		est, err = b.size(nil)
	}
	if b.by.free && err == nil && b.opt.over(&est.Size) && b.bySlices() {
		est = b.tables
	}
	if ended := b.ctx.Err(); ended != nil {
		return ended
	}
	if b.estimated != nil {
		return b.estimateOf(est, err)
	}
	if err != nil {
		return err
	}
	if err := b.refusal(&est); err != nil {
		return err
	}
	b.result.Note = b.planned.Note
	if b.planned.Circuit != nil {
		size := b.planned.Circuit.RootSize()
		b.result.Circuit = &size
	}
	return nil
}

// planBy plans by the method. If method-choose made a circuit, it plans only the queries that the
// circuit does not answer, and those with a second plan.
func (b *build) planBy() (*ir.Plan, method.Claim, error) {
	if b.circuit == nil {
		return b.by.instance.Plan(b.ctx, b.problem)
	}
	plan, others := b.circuit, append(b.unanswered(b.circuit), b.secondQueries()...)
	if len(others) == 0 {
		return plan, method.Exact, nil
	}
	if b.result.Choice.Tables == nil { // no clique tree fits
		plan, err := b.by.Circuits.Within(b.ctx, b.problem, wideOps, nil)
		return plan, method.Exact, err
	}
	rest, _, err := b.use(method.Tables, &ir.Problem{Model: b.problem.Model, Queries: others, Params: b.problem.Params})
	if err != nil {
		return plan, method.Exact, err // as method circuit does
	}
	plan.Schedule = rest.Schedule
	return plan, method.Exact, nil
}

// byOtherMethod plans a circuit for a network that is too wide for a clique tree, if a circuit
// answers all queries, or those that it leaves to tables fit. It reports whether it did.
func (b *build) byOtherMethod() bool {
	if b.by.Method != byTables() || !mayFold(b.problem.Model) {
		return false
	}
	orders, tables := len(b.result.Orders), b.tables
	for _, by := range circuitMethods(b.problem.Model) {
		b.tables = method.Estimate{}
		plan, err := by.Circuits.Within(b.ctx, b.problem, wideOps, nil)
		sized := plan != nil && errors.Is(err, errSized) && !b.opt.over(&b.tables.Size)
		if err == nil || sized {
			b.planned, b.result.Orders = plan, b.result.Orders[orders:]
			return true
		}
		b.result.Orders = b.result.Orders[:orders]
	}
	b.tables = tables
	return false
}

// mostSliced is the most operations of a program that is chosen because it saves memory: some
// minutes. A contraction tree of more than hopeless operations is not sliced: the slices together
// repeat products of the tree, so that they take more, except for the gains of annealing.
const (
	mostSliced = 2e11
	hopeless   = 1e4 * mostSliced
)

// bySlices plans by the options of the method that take time instead of memory. It reports whether
// the program then fits and does not take too long.
func (b *build) bySlices() bool {
	if !b.opt.Slices || b.by.Sparing == nil || b.more || b.tables.Operations > hopeless {
		return false
	}
	instance := b.by.Sparing()
	if list := instance.Check(b.problem, By); list.HasErrors() {
		return false
	}
	tables, orders := b.tables, len(b.result.Orders)
	plan, _, err := instance.Plan(b.ctx, b.problem)
	est, err := b.size(err)
	if b.slowly = nil; err == nil && !b.opt.over(&est.Size) && est.Slices > 0 {
		if est.Operations <= mostSliced {
			b.planned, b.result.Orders = plan, b.result.Orders[orders:]
			b.tables = est
			return true
		}
		b.slowly = &est
	}
	b.tables, b.result.Orders = tables, b.result.Orders[:orders]
	return false
}

// use plans a problem by the method with a role; see method.Context.
func (b *build) use(r method.Role, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	m := withRole(r)
	if m == nil {
		return nil, 0, diag.Errorf("this build has no %v", By(r))
	}
	for _, q := range p.Queries {
		if m.Answers != nil && q.Kind == m.Answers.Kind {
			q.Method = m.Name
		}
	}
	instance := m.New()
	list := checkAnswers(m, p)
	if !list.HasErrors() {
		list = instance.Check(p, By)
	}
	if list.HasErrors() {
		return nil, 0, list.Err()
	}
	used, more := b.used, b.more
	b.used, b.more = p.Model, more || p.More
	defer func() { b.used, b.more = used, more }()
	return instance.Plan(b.ctx, p)
}

// planPriors computes the distributions that the plan needs.
func (b *build) planPriors() error {
	for _, p := range b.planned.Priors {
		values, err := b.prior(p.Vars)
		if err != nil {
			return fmt.Errorf("%s: %w", b.by.Name, err)
		}
		p.Fill(values)
	}
	b.planned.Priors = nil
	return nil
}
