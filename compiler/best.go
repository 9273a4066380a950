package compiler

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Best stands for [Auto] or, if neither of its methods fits the limits, the first other exact
// method that does, with cutset conditioning last. If none does, it is the approximate method that
// proves most about its answers.
const Best = "best"

// Decide replaces method Best in opt by a method and the queries that it answers, only by
// estimates. Other methods it leaves as they are. The choice is nil unless it is none that Auto
// would make. Compile and [Estimate] decide by themselves; it is for callers that need to know
// before.
//
// An approximate method answers one query of its own, in place of all that ask for posteriors and
// ln P, or in place of a most probable completion. If the queries ask for both, or for anything
// else, the error is the exact method's, such as a [TooLarge].
func Decide(ctx context.Context, m *model.Model, opt Options) (Options, *Choice, error) {
	if opt.MethodName() != Best {
		return opt, nil, nil
	}
	m, opt = posed(m, opt)
	settings := []string(nil)
	if n, ok := opt.Method.(named); ok {
		settings = n.settings
	}
	opt.Method = Named(Auto, settings...)
	opt.trying(Auto, 0)
	est, err := Estimate(ctx, m, opt)
	if err != nil || est.Fits() {
		return opt, nil, err
	}
	price := est.Size.Operations
	for _, x := range otherExact(m) {
		opt.trying(x.Name, price)
		if opt.Method = Named(x.Name, settings...); fitting(ctx, m, opt) {
			return opt, &Choice{Method: x.Name, Why: "since " + Auto + " fits no method into the limits, and this one fits"}, nil
		}
	}
	opt.Method = Named(Auto, settings...)
	opt.trying(slicing, price)
	if c := sliced(ctx, m, opt); c != nil && settings == nil {
		opt.Method = byTables().Sparing()
		return opt, c, nil
	}
	x := certifying(ctx, m, opt, price)
	switch {
	case ctx.Err() != nil:
		return opt, nil, ctx.Err()
	case x == nil:
		return opt, nil, est.Refused()
	}
	c := &Choice{Method: x.Name, Why: "since no exact method fits the limits", Proven: "nothing is proven of the answers"}
	if text := certificate(x, m); text != "" {
		c.Proven = "proven: " + text
	}
	opt.Method, opt.Queries = Named(x.Name, settings...), []string{x.Answers.Word}
	return opt, c, nil
}

// slicing is what [Options.Trying] is told of the clique tree's method with cutset conditioning.
const slicing = "slices of a cutset"

// trying tells which method is looked at next, and the operations of the one that did not fit.
func (o *Options) trying(method string, operations float64) {
	if o.Trying != nil {
		o.Trying(method, operations)
	}
}

// otherExact returns the exact methods for m besides the clique tree, without methods with circuits
// that would hardly be smaller.
func otherExact(m *model.Model) (list []*method.Method) {
	for i := range Methods {
		x := &Methods[i]
		switch {
		case x.Answers != nil, x.Inexact, x == byTables(), x.Real(), m.Traits()&^x.Takes != 0:
		case x.Circuits != nil && (!mayFold(m) || !slices.Contains(circuitMethods(m), x)):
		default:
			list = append(list, x)
		}
	}
	return list
}

// bestSliced is the most operations of a program over slices that method Best chooses: some seconds
// of a call, which a package cannot stop.
const bestSliced = 4e9

// sliced returns the choice of the clique tree's method with cutset conditioning, if that fits the
// limits and answers the queries of opt within bestSliced operations; else nil.
func sliced(ctx context.Context, m *model.Model, opt Options) *Choice {
	opt.Method, opt.Slices = nil, true
	est, err := Estimate(ctx, m, opt)
	if err != nil || !est.Fits() || est.Size.Slices == 0 || est.Size.Operations > bestSliced {
		return nil
	}
	why := fmt.Sprintf("since no clique tree and no circuit fits the limits, and %s operations over %s slices of a cutset do", Count(est.Size.Operations), Count(est.Size.Slices))
	return &Choice{Method: byTables().Name, Why: why}
}

// fitting reports whether the program of opt is within the limits.
func fitting(ctx context.Context, m *model.Model, opt Options) bool {
	est, err := Estimate(ctx, m, opt)
	return err == nil && est.Fits()
}

// certificate returns what x proves of its answers about m.
func certificate(x *method.Method, m *model.Model) string {
	switch {
	case x.Proves != nil && x.Proves(m):
		return "no completion is more probable"
	case x.Certifies != nil:
		return x.Certifies(m)
	}
	return ""
}

// approximated returns the kinds of approximate query that answer all of queries, and whether the
// answer is a number or a completion, which many methods bound. The default queries ask for
// posteriors.
func approximated(queries []*ir.Query, byDefault bool) (kinds []ir.QueryKind, bounded bool) {
	posteriors := []ir.QueryKind{ir.Bounded, ir.Beliefs}
	if byDefault {
		return posteriors, false
	}
	only := func(kinds ...ir.QueryKind) bool {
		return !slices.ContainsFunc(queries, func(q *ir.Query) bool { return !slices.Contains(kinds, q.Kind) })
	}
	switch {
	case only(ir.MPE):
		return []ir.QueryKind{ir.Decoding}, true
	case only(ir.LogProb):
		return posteriors, true
	case only(ir.Marginals, ir.Posterior, ir.LogProb):
		return posteriors, false
	}
	return nil, false
}

// certifying returns the approximate method for the queries of opt that fits and proves most: one
// with states that are always proven best, else one that bounds from both sides or goes on until it
// has a proof, else one that proves a bound of the answer, else the first of the suite. It is nil
// if no method answers the queries. price is for Options.Trying.
func certifying(ctx context.Context, m *model.Model, opt Options, price float64) *method.Method {
	queries, err := queriesOf(nil, m, &opt)
	if err != nil {
		return nil
	}
	kinds, bounded := approximated(queries, len(opt.Queries) == 0)
	var list []*method.Method
	for i := range Methods {
		if x := &Methods[i]; x.Answers != nil && slices.Contains(kinds, x.Answers.Kind) && m.Traits()&^x.Takes == 0 {
			list = append(list, x)
		}
	}
	rank := func(x *method.Method) int {
		switch {
		case x.Proves != nil && x.Proves(m):
			return 0
		case x.Answers.Anytime:
			return 1
		case bounded && certificate(x, m) != "":
			return 2
		}
		return 3
	}
	slices.SortStableFunc(list, func(a, b *method.Method) int { return rank(a) - rank(b) })
	for _, x := range list {
		opt.trying(x.Name, price)
		opt.Method, opt.Queries = Named(x.Name), []string{x.Answers.Word}
		if fitting(ctx, m, opt) {
			return x
		}
	}
	return nil
}
