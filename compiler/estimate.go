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
	Choice  *Choice         // of the method; nil unless it was left to Auto or Best
	Refused error           // the error that Compile would return for its size, such as a *TooLarge; nil if the program is within the limits
}

// Estimate estimates the size of the program that Compile would make of m. It runs the passes of
// [Pipeline] up to plan, where the method stops once its schedule is known. Pass plan decides which
// programs are too large, for Compile too. However large the program would be, Estimate needs only
// the memory of the model, of the search for orders and of the circuits that are tried.
func Estimate(ctx context.Context, m *model.Model, opt Options) (*Estimation, error) {
	opt, decided, err := Decide(ctx, m, opt)
	if err != nil {
		return nil, err
	}
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
	if decided != nil {
		e.Choice = decided
		return e, nil
	}
	if e.Choice == nil {
		e.Choice = s.result.Choice
	}
	if e.Refused == nil {
		s.result.Orders, s.result.Claim, s.result.Choice = e.Orders, e.Claim, e.Choice
		if e.Choice != nil {
			s.by = chosen(e.Choice)
		}
		e.Refused = s.refusal(&e.Estimate)
	}
	return e, nil
}

// EstimateOrders estimates the size of the program that Compile would make of m by the order of
// each single one of the given heuristics, without restarts. Refused is nil unless a circuit grew
// too large, since what would work instead is known from Estimate.
func EstimateOrders(ctx context.Context, m *model.Model, opt Options, heuristics []order.Heuristic) ([]*Estimation, error) {
	opt = opt.withDefaults()
	opt.Dump = nil
	s, err := newState(ctx, m, &opt, Pipeline)
	if err != nil {
		return nil, err
	}
	if err := s.run(StageModel); err != nil {
		return nil, err
	}
	var list []*Estimation
	for _, h := range heuristics {
		one := opt
		one.Heuristics, one.Order, one.Steps = []order.Heuristic{h}, nil, -1
		e, err := s.estimate(&one, s.by, s.problem.Queries)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// EstimateSize estimates the size of the program that Compile would make of m, as Estimate does,
// except for a refusal: Refused is nil unless a circuit grew too large.
func EstimateSize(ctx context.Context, m *model.Model, opt Options) (*Estimation, error) {
	opt = opt.withDefaults()
	opt.Dump = nil
	s, err := newState(ctx, m, &opt, Pipeline)
	if err != nil {
		return nil, err
	}
	if err := s.run(StageModel); err != nil {
		return nil, err
	}
	return s.estimate(&opt, s.by, s.problem.Queries)
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
func (s *state) estimate(opt *Options, by *resolved, queries []*ir.Query) (*Estimation, error) {
	o := *opt
	o.Dump, o.Check = nil, false
	of := *by
	if of.instance == nil {
		of.instance = by.New()
	}
	t := &state{opt: &o, by: &of, passes: s.passes, searches: s.searches, memo: s.memo, estimated: &Estimation{},
		problem: &ir.Problem{Model: s.problem.Model, Queries: queries, Params: o.Params}, result: &Result{}}
	t.ctx = t.context(s.ctx)
	if err := t.run(StageProblem); err != nil {
		return nil, err
	}
	return t.estimated, nil
}

// size returns the size of the program of the plan, after planning returned err. It returns err if
// that is not about the size.
func (s *state) size(err error) (method.Estimate, error) {
	if err != nil && !errors.Is(err, errSized) {
		return method.Estimate{}, err
	}
	est := s.tables
	if plan := s.planned; plan != nil {
		for _, c := range []*ir.Circuit{plan.Circuit, plan.Max} {
			if c != nil {
				est = together(est, method.EstimateOfCircuit(c))
			}
		}
	}
	slices.SortStableFunc(est.Queries, func(a, b method.QueryEstimate) int {
		return s.place(a.Query) - s.place(b.Query)
	})
	return est, nil
}

// estimateOf completes the estimation of a plan of size est. The error is the planning's.
func (s *state) estimateOf(est method.Estimate, err error) error {
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
	e := s.estimated
	e.Claim, e.Orders, e.Choice, e.Estimate = s.result.Claim, s.result.Orders, s.result.Choice, est
	if refused != nil {
		e.Refused, e.Estimate = refused, unknown(1, s.problem.Queries)
	}
	if s.planned != nil && s.planned.Circuit != nil {
		size := s.planned.Circuit.RootSize()
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
