package compiler

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
)

// modelCheck makes the rows of CPDs sum to one.
func (s *state) modelCheck() error {
	m, list := s.problem.Model.NormalizeRows(s.opt.Rows)
	s.result.Warnings = list.Warnings()
	s.problem.Model = m
	return list.Err()
}

// modelBalance divides extreme potentials of a Markov network by constants, for which LogZ makes
// up.
func (s *state) modelBalance() error {
	if s.problem.Params == ir.Const {
		s.problem.Model, s.divided = s.problem.Model.Balanced()
	}
	return nil
}

// methodCheck asks the method whether it takes the problem.
func (s *state) methodCheck() error {
	list := checkAnswers(s.by.Method, s.problem)
	if !list.HasErrors() {
		list = s.by.instance.Check(s.problem)
	}
	s.result.Warnings = append(s.result.Warnings, list.Warnings()...)
	return list.Err()
}

// methodChoose decides between tables and a circuit for method Auto.
func (s *state) methodChoose() error {
	if !s.by.auto {
		return nil
	}
	choice, plan, err := s.choose()
	if err != nil {
		return err
	}
	by := *s.by
	by.auto = false
	if plan != nil {
		by.Method = chosen(choice).Method
	}
	s.by, s.circuit, s.result.Choice = &by, plan, choice
	return nil
}

// plan lets the method plan, and decides whether the program is within the limits. If the options
// name no method and no clique tree fits, it plans a circuit, or slices if no circuit fits either.
// While estimating, it fills in the estimation.
func (s *state) plan() error {
	s.tables = method.Estimate{}
	var err error
	s.planned, s.result.Claim, err = s.planBy()
	if ended := s.ctx.Err(); ended != nil {
		return ended
	}
	est, err := s.size(err)
	if s.by.free && (err != nil || s.opt.over(&est.Size)) && s.byOtherMethod() {
		est, err = s.size(nil)
	}
	if s.by.free && err == nil && s.opt.over(&est.Size) && s.bySlices() {
		est = s.tables
	}
	if ended := s.ctx.Err(); ended != nil {
		return ended
	}
	if s.estimated != nil {
		return s.estimateOf(est, err)
	}
	if err != nil {
		return err
	}
	if err := s.refusal(&est); err != nil {
		return err
	}
	s.result.Note = s.planned.Note
	if s.planned.Circuit != nil {
		size := s.planned.Circuit.RootSize()
		s.result.Circuit = &size
	}
	return nil
}

// planBy plans by the method. If method-choose made a circuit, it plans only the queries that the
// circuit does not answer, and those with a second plan.
func (s *state) planBy() (*ir.Plan, method.Claim, error) {
	if s.circuit == nil {
		return s.by.instance.Plan(s.ctx, s.problem)
	}
	plan, others := s.circuit, append(s.unanswered(s.circuit), s.secondQueries()...)
	if len(others) == 0 {
		return plan, method.Exact, nil
	}
	if s.result.Choice.Tables == nil { // no clique tree fits
		plan, err := s.by.Circuits.Within(s.ctx, s.problem, wideOps, nil)
		return plan, method.Exact, err
	}
	rest, _, err := s.use(byTables().Name, &ir.Problem{Model: s.problem.Model, Queries: others, Params: s.problem.Params})
	if err != nil {
		return plan, method.Exact, err // as method circuit does
	}
	plan.Schedule = rest.Schedule
	return plan, method.Exact, nil
}

// byOtherMethod plans a circuit for a network that is too wide for a clique tree, if a circuit
// answers all queries, or those that it leaves to tables fit. It reports whether it did.
func (s *state) byOtherMethod() bool {
	if s.by.Method != byTables() || !mayFold(s.problem.Model) {
		return false
	}
	orders, tables := len(s.result.Orders), s.tables
	for _, by := range circuitMethods(s.problem.Model) {
		s.tables = method.Estimate{}
		plan, err := by.Circuits.Within(s.ctx, s.problem, wideOps, nil)
		sized := plan != nil && errors.Is(err, errSized) && !s.opt.over(&s.tables.Size)
		if err == nil || sized {
			s.planned, s.result.Orders = plan, s.result.Orders[orders:]
			return true
		}
		s.result.Orders = s.result.Orders[:orders]
	}
	s.tables = tables
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
func (s *state) bySlices() bool {
	if !s.opt.Slices || s.by.Sparing == nil || s.more || s.tables.Operations > hopeless {
		return false
	}
	instance := s.by.Sparing()
	if list := instance.Check(s.problem); list.HasErrors() {
		return false
	}
	tables, orders := s.tables, len(s.result.Orders)
	plan, _, err := instance.Plan(s.ctx, s.problem)
	est, err := s.size(err)
	if s.slowly = nil; err == nil && !s.opt.over(&est.Size) && est.Slices > 0 {
		if est.Operations <= mostSliced {
			s.planned, s.result.Orders = plan, s.result.Orders[orders:]
			s.tables = est
			return true
		}
		s.slowly = &est
	}
	s.tables, s.result.Orders = tables, s.result.Orders[:orders]
	return false
}

// use plans a problem by the method with the given name; see method.Context.
func (s *state) use(name string, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	m, err := FindMethod(name)
	if err != nil {
		return nil, 0, err
	}
	instance := m.New()
	list := checkAnswers(&m, p)
	if !list.HasErrors() {
		list = instance.Check(p)
	}
	if list.HasErrors() {
		return nil, 0, list.Err()
	}
	used, more := s.used, s.more
	s.used, s.more = p.Model, more || p.More
	defer func() { s.used, s.more = used, more }()
	return instance.Plan(s.ctx, p)
}

// planPriors computes the distributions that the plan needs.
func (s *state) planPriors() error {
	for _, p := range s.planned.Priors {
		values, err := s.prior(p.Vars)
		if err != nil {
			return fmt.Errorf("%s: %w", s.by.Name, err)
		}
		p.Fill(values)
	}
	s.planned.Priors = nil
	return nil
}
