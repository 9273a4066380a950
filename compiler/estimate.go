package compiler

import (
	"context"
	"errors"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/compiler/pass"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Estimation is what Estimate finds.
type Estimation struct {
	method.Estimate
	Orders  []order.Result // the elimination orders that were chosen, the main one first where there is one
	Refused *TooLarge      // why Compile would refuse; nil where the estimate is within the limits
}

// Estimate says what compiling m would take, by the numbers by which Compile refuses what is too large. It needs no more
// memory than the model and the search for orders, however large the program would be.
func Estimate(ctx context.Context, m *model.Model, opt Options) (*Estimation, error) {
	opt = opt.withDefaults()
	s, err := newState(ctx, m, &opt)
	if err != nil {
		return nil, err
	}
	if err := s.modelCheck(); err != nil {
		return nil, err
	}
	est, orders, err := s.estimate(&opt, s.problem.Queries)
	if err != nil {
		return nil, err
	}
	e := &Estimation{Estimate: *est, Orders: orders}
	s.result.Orders = orders
	if opt.over(&est.Size) {
		e.Refused = s.tooLarge(est)
	}
	return e, nil
}

// errEstimated stops a method once its schedule is estimated.
var errEstimated = errors.New("estimated")

// estimate plans the model at hand for other options or queries, without numbers.
func (s *state) estimate(opt *Options, queries []*ir.Query) (*method.Estimate, []order.Result, error) {
	meth, err := FindMethod(opt.Method)
	if err != nil {
		return nil, nil, err
	}
	t := &state{opt: opt, instance: meth.New(), problem: &ir.Problem{Model: s.problem.Model, Queries: queries, Params: opt.Params}, result: &Result{}}
	var est method.Estimate
	t.ctx = &method.Context{Context: s.ctx, Order: t.order, MaxTable: opt.MaxTable, Fits: func(schedule *ir.Schedule) error {
		est = method.EstimateOf(schedule)
		return errEstimated
	}}
	pass.ProblemPrune(t.problem)
	if err := t.methodCheck(); err != nil {
		return nil, nil, err
	}
	if err := t.plan(); !errors.Is(err, errEstimated) {
		return nil, nil, err
	}
	return &est, t.result.Orders, nil
}
