package compiler

import (
	"context"
	"errors"
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
	Choice  *Choice         // of the method; nil unless it was left to Auto
	Refused *TooLarge       // the error that Compile would return; nil if the program is within the limits
}

// Estimate estimates the size of the program that Compile would make of m, by the same numbers by
// which Compile refuses a program that is too large. It runs the passes of [Pipeline] up to plan,
// where the method stops once its schedule is known. However large the program would be, Estimate
// needs only the memory of the model and of the search for orders.
func Estimate(ctx context.Context, m *model.Model, opt Options) (*Estimation, error) {
	opt = opt.withDefaults()
	opt.Dump = nil
	s, err := newState(ctx, m, &opt, Pipeline)
	if err != nil {
		return nil, err
	}
	if err := s.run(StageModel); err != nil {
		return nil, err
	}
	e, err := s.estimate(&opt, s.by, s.problem.Queries)
	if err != nil {
		return nil, err
	}
	if e.Choice == nil {
		e.Choice = s.result.Choice
	}
	if opt.over(&e.Size) {
		s.result.Orders, s.result.Claim, s.result.Choice = e.Orders, e.Claim, e.Choice
		if e.Choice != nil {
			s.by = chosen(e.Choice)
		}
		e.Refused = s.tooLarge(&e.Estimate)
	}
	return e, nil
}

// errEstimated stops a method once its schedule is estimated.
var errEstimated = errors.New("estimated")

// chosen returns the method of a choice.
func chosen(c *Choice) *resolved {
	if c.Method == byCircuits().Name {
		return &resolved{Method: byCircuits()}
	}
	return &resolved{Method: byTables()}
}

// estimate estimates the program of the model for other options, another method or other queries.
// It runs the passes of stage problem, and no pass gives tables their numbers. The method has its
// default options.
func (s *state) estimate(opt *Options, by *resolved, queries []*ir.Query) (*Estimation, error) {
	o := *opt
	o.Dump, o.Check = nil, false
	t := &state{opt: &o, by: &resolved{Method: by.Method, instance: by.New(), auto: by.auto}, passes: s.passes, estimated: &Estimation{},
		problem: &ir.Problem{Model: s.problem.Model, Queries: queries, Params: o.Params}, result: &Result{}}
	t.ctx = t.context(s.ctx)
	if err := t.run(StageProblem); err != nil {
		return nil, err
	}
	return t.estimated, nil
}

// measure completes the estimation after the method has planned and returned err.
func (s *state) measure(err error) error {
	e := s.estimated
	e.Claim, e.Orders, e.Choice = s.result.Claim, s.result.Orders, s.result.Choice
	var wide *tooWide
	if errors.As(err, &wide) {
		e.Estimate = wide.estimate(s.problem.Queries)
	} else if err != nil && !errors.Is(err, errEstimated) {
		return err
	}
	if plan := s.planned; plan != nil {
		if plan.Circuit != nil {
			size := plan.Circuit.RootSize()
			e.Circuit = &size
			e.add(method.EstimateOfCircuit(plan.Circuit))
		}
		if plan.Max != nil {
			e.add(method.EstimateOfCircuit(plan.Max))
		}
	}
	slices.SortStableFunc(e.Queries, func(a, b method.QueryEstimate) int {
		return slices.Index(s.problem.Queries, a.Query) - slices.Index(s.problem.Queries, b.Query)
	})
	return nil
}

// add adds the size of another part of a plan.
func (e *Estimation) add(part method.Estimate) {
	e.Largest = max(e.Largest, part.Largest)
	e.Entries += part.Entries
	e.Products += part.Products
	e.Steps += part.Steps
	e.Tiles += part.Tiles
	e.Work += part.Work
	e.Data += part.Data
	e.States = max(e.States, part.States)
	e.Queries = append(e.Queries, part.Queries...)
}

// maxMembers is the most variables for which a schedule is planned, each counted in every bucket
// that has it. A chain of 100,000 variables has 200,000, and takes half a GB to plan and as much
// again to compile.
const maxMembers = 1e6

// tooWide is the error of an order that is too wide to plan for.
type tooWide struct{ cost order.Cost }

// Error is for methods that wrap the error; pass plan takes out the cost.
func (e *tooWide) Error() string { return "the order is too wide" }

// estimate returns the size of the largest clique, and infinity for all that is unknown.
func (e *tooWide) estimate(queries []*ir.Query) method.Estimate {
	inf := math.Inf(1)
	est := method.Estimate{Size: method.Size{Largest: e.cost.Largest, Entries: inf, Products: inf, Steps: inf, Tiles: inf, Work: inf}}
	for _, q := range queries {
		est.Queries = append(est.Queries, method.QueryEstimate{Query: q, Size: est.Size})
	}
	return est
}
