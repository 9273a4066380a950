package compiler

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Estimation is the result of Estimate.
type Estimation struct {
	method.Estimate
	Claim   method.Claim
	Orders  []order.Result  // the elimination orders that were chosen, the main one first
	Circuit *ir.CircuitSize // of the circuit of P(evidence); nil if there is none
	Choice  *Choice         // of the method; nil unless it was left to Auto or Best

	tooMany error  // a circuit or a network of real variables that outgrew the limits; nil otherwise
	of      *build // finds out what would work if the program exceeds the limits; nil for policies alone, which have no program
}

// Estimate estimates the size of the program that Compile would make of m. It runs the passes of
// [Pipeline] up to plan, where the method stops once its schedule is known. However large the
// program would be, Estimate needs only the memory of the model, of the search for orders and of
// the circuits that are tried.
func Estimate(ctx context.Context, m *model.Model, opt Options) (*Estimation, error) {
	m, opt = posed(m, opt)
	if a := aboutDecisions(m, &opt); a != nil {
		return estimateDecisions(ctx, m, opt, a)
	}
	if queries := sharing(m, &opt); queries != nil {
		return nil, fmt.Errorf("found %d approximate queries; want one, since an estimate is of one program", len(queries))
	}
	opt, decided, err := Decide(ctx, m, opt)
	if err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	opt.Dump = nil
	e, err := estimate(ctx, m, &opt)
	if err != nil {
		return nil, err
	}
	switch {
	case decided != nil:
		e.Choice = decided
	case e.Choice == nil:
		e.Choice = e.of.result.Choice
	}
	return e, nil
}

// estimate estimates the program of one method.
func estimate(ctx context.Context, m *model.Model, opt *Options) (*Estimation, error) {
	b, err := newBuild(ctx, m, opt, Pipeline)
	if err != nil {
		return nil, err
	}
	if err := b.run(StageModel); err != nil {
		return nil, err
	}
	e, err := b.estimate(opt, b.by, b.problem.Queries)
	if err != nil {
		return nil, err
	}
	e.of = b
	return e, nil
}

// Fits reports whether the program is within the limits.
func (e *Estimation) Fits() bool {
	b := e.of
	return b == nil || e.tooMany == nil && !b.opt.over(&e.Size) && (b.opt.Accept == nil || b.opt.Accept(b.problem.Model, &e.Size) == nil)
}

// Refused returns the error that Compile would return for the size of the program, such as a
// *TooLarge, and nil if the program is within the limits. It takes the time to find out what would
// work instead.
func (e *Estimation) Refused() error {
	if e.tooMany != nil || e.of == nil {
		return e.tooMany
	}
	b := *e.of
	result := *b.result
	result.Orders, result.Claim, result.Choice = e.Orders, e.Claim, e.Choice
	b.result = &result
	if e.Choice != nil {
		b.by = chosen(e.Choice)
	}
	b.ctx = b.context(b.request.ctx)
	return b.refusal(&e.Estimate)
}

// errSized stops a method once state.tables holds the size of its schedule, if that is all that is
// wanted or exceeds the limits.
var errSized = errors.New("the size is known")

// chosen returns the method of a choice.
func chosen(c *Choice) *resolved {
	return &resolved{Method: &Methods[slices.IndexFunc(Methods, func(x method.Method) bool { return x.Name == c.Method })]}
}

// estimate estimates the program of the model for other options, another method or other queries.
// It runs the passes of stage problem, and no pass gives tables their numbers. The method has its
// default options unless by has an instance.
func (b *build) estimate(opt *Options, by *resolved, queries []*ir.Query) (*Estimation, error) {
	o := *opt
	o.Dump, o.Check = nil, false
	of := *by
	if of.instance == nil {
		of.instance = by.New()
	}
	request := *b.request
	request.opt = &o
	t := &build{request: &request, by: &of, estimated: &Estimation{},
		problem: &ir.Problem{Model: b.problem.Model, Queries: queries, Params: o.Params}, result: &Result{}}
	t.ctx = t.context(b.ctx)
	if err := t.run(StageProblem); err != nil {
		return nil, err
	}
	return t.estimated, nil
}

// size returns the size of the program of the plan, after planning returned err. It returns err if
// that is not about the size.
func (b *build) size(err error) (method.Estimate, error) {
	if err != nil && !errors.Is(err, errSized) {
		return method.Estimate{}, err
	}
	est := b.tables
	if plan := b.planned; plan != nil {
		for _, c := range []*ir.Circuit{plan.Circuit, plan.Max} {
			if c != nil {
				est = together(est, method.EstimateOfCircuit(c))
			}
		}
	}
	slices.SortStableFunc(est.Queries, func(x, y method.QueryEstimate) int {
		return b.place(x.Query) - b.place(y.Query)
	})
	return est, nil
}

// estimateOf completes the estimation of a plan of size est. The error is the planning's.
func (b *build) estimateOf(est method.Estimate, err error) error {
	var nodes *method.TooManyNodes
	var wide *method.TooWide
	var refused error
	if errors.As(err, &nodes) {
		refused = nodes
	} else if errors.As(err, &wide) {
		refused = wide
	} else if err != nil {
		return err
	}
	e := b.estimated
	e.Claim, e.Orders, e.Choice, e.Estimate = b.result.Claim, b.result.Orders, b.result.Choice, est
	if refused != nil {
		e.tooMany, e.Estimate = refused, unknown(1, b.problem.Queries)
	}
	if b.planned != nil && b.planned.Circuit != nil {
		size := b.planned.Circuit.RootSize()
		e.Circuit = &size
	}
	return nil
}

// together returns the size of two parts of a plan.
func together(a, b method.Estimate) method.Estimate {
	a.Largest = max(a.Largest, b.Largest)
	a.Entries += b.Entries
	a.Products += b.Products
	a.Operations += b.Operations
	a.Steps += b.Steps
	a.Tiles += b.Tiles
	a.Work += b.Work
	a.Data += b.Data
	a.States = max(a.States, b.States)
	a.Slices = max(a.Slices, b.Slices)
	a.Queries = slices.Concat(a.Queries, b.Queries)
	return a
}

// maxMembers is the most variables for which a schedule is planned, each counted in every bucket
// that has it. A chain of 100,000 variables has 200,000, and takes half a GB to plan and as much
// again to compile.
const maxMembers = 1e6

// unknown returns an estimate with a clique of size largest, and infinity for all else.
func unknown(largest float64, queries []*ir.Query) method.Estimate {
	inf := math.Inf(1)
	est := method.Estimate{Size: method.Size{Largest: largest, Entries: inf, Products: inf, Operations: inf, Steps: inf, Tiles: inf, Work: inf}}
	for _, q := range queries {
		est.Queries = append(est.Queries, method.QueryEstimate{Query: q, Size: est.Size})
	}
	return est
}
