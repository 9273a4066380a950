package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ErrNoOrder is the error of [Check] if no elimination order other than the program's is within the
// limits of memory and tables, so that there is no reference.
var ErrNoOrder = errors.New("no other elimination order is within the limits")

// reference answers evidence by a computation that shares as little as possible with the program.
type reference interface {
	answer(ctx context.Context, f *infer.Findings, want *Wanted) Answer
}

// maxEnumerated is the number of joint states up to which the reference enumerates them.
const maxEnumerated = 1 << 12

// newReference returns the reference for the answers of r, and its description.
func newReference(ctx context.Context, r *compiler.Result, opt compiler.Options, want *Wanted) (reference, string, error) {
	if q := want.Approximate; q != nil {
		return interpreter{infer.Of(r, 0)}, "the interpreter, by method " + q.Method + " as well", nil
	}
	if gaussian(r.Model) {
		if x := newHybrid(r.Model); x != nil {
			return x, "enumeration of the discrete variables, with exact rationals for the real ones", nil
		}
		return interpreter{infer.Of(r, 0)}, "the interpreter, which runs the same program", nil
	}
	vars := make([]model.VarID, len(r.Model.Vars))
	for v := range vars {
		vars[v] = model.VarID(v)
	}
	if n, ok := r.Model.TableSize(vars); ok && n <= maxEnumerated {
		joint, err := brute.New(r.Model)
		return &enumeration{joint, r.Model.Observable()}, "enumeration of the joint distribution", err
	}
	if p := newPasses(r); p != nil && len(want.Joint) == 0 && !want.MaxMarginals {
		return p, "sums and maxima over the model's own circuit, in logarithms", nil
	}
	if opt.MethodName() == compiler.Auto {
		opt.Method = nil // no circuit that a clique tree can check
	}
	opt.Queries, opt.Params, opt.Rows, opt.Interpreted = []string{"marginals", "logprob", "mpe"}, ir.Const, model.RowsAsIs, true
	for _, targets := range want.Joint {
		opt.Queries = append(opt.Queries, compiler.Specification(r.Model, &ir.Query{Kind: ir.Joint, Targets: targets}))
	}
	if want.MaxMarginals {
		opt.Queries = append(opt.Queries, ir.MaxMarginals.String())
	}
	other, what, err := otherOrder(ctx, r, opt)
	if err != nil {
		return nil, "", err
	}
	opt.Order = other
	second, err := compiler.Compile(ctx, r.Model, opt)
	if err != nil {
		return nil, "", err
	}
	return interpreter{infer.Of(second, 0)}, "the interpreter, variables eliminated in another order: " + what, nil
}

// exactOf returns the reference for exact answers if r's are bounds and the clique tree is within
// the limits, and nil otherwise.
func exactOf(ctx context.Context, r *compiler.Result, opt compiler.Options, want *Wanted) reference {
	if !want.bounds() {
		return nil
	}
	opt.Method, opt.Queries, opt.Params, opt.Rows, opt.Unnormalised, opt.Interpreted = nil, []string{ir.Marginals.String()}, ir.Const, model.RowsAsIs, true, true
	exact, err := compiler.Compile(ctx, r.Model, opt)
	if err != nil {
		return nil
	}
	return interpreter{infer.Of(exact, 0)}
}

// otherOrder finds an elimination order that fits and is not r's, and describes it. It is a
// heuristic's, or if these all agree, r's with two variables exchanged.
func otherOrder(ctx context.Context, r *compiler.Result, opt compiler.Options) ([]int, string, error) {
	var used []int
	if len(r.Orders) > 0 && len(r.Orders[0].Order) == len(r.Model.Vars) {
		used = r.Orders[0].Order
	}
	opt.Order, opt.Steps = nil, -1
	for _, h := range slices.Backward(order.Heuristics) {
		opt.Heuristics = []order.Heuristic{h}
		est, err := compiler.Estimate(ctx, r.Model, opt)
		if err != nil {
			return nil, "", err
		}
		if o := est.Orders[0].Order; est.Fits() && !slices.Equal(o, used) {
			return o, h.String(), nil
		}
	}
	if used == nil {
		return nil, "", ErrNoOrder
	}
	o := slices.Clone(used)
	last := len(o) - 1
	o[0], o[last] = o[last], o[0]
	opt.Order = o
	if est, err := compiler.Estimate(ctx, r.Model, opt); err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrNoOrder, err)
	} else if !est.Fits() {
		return nil, "", ErrNoOrder
	}
	return o, "the package's, its ends exchanged", nil
}

// enumeration is the reference that enumerates the joint distribution.
type enumeration struct {
	joint *brute.Joint
	vars  []model.VarID // those that are not latent
}

func (e *enumeration) answer(_ context.Context, f *infer.Findings, want *Wanted) (a Answer) {
	ev := brute.Evidence{Hard: map[model.VarID]int{}, Soft: map[model.VarID][]float64{}}
	for _, v := range e.vars {
		if f.State[v] != infer.Missing {
			ev.Hard[v] = f.State[v]
		}
		if f.Soft[v] != nil {
			ev.Soft[v] = f.Soft[v]
		}
	}
	if a.LogProb = e.joint.LogProb(ev); math.IsInf(a.LogProb, -1) {
		return Answer{Err: infer.ErrImpossible}
	}
	if want.Marginals {
		all := e.joint.Marginals(ev)
		for _, v := range e.vars {
			a.Marginals = append(a.Marginals, all[v])
		}
	}
	if want.MaxMarginals {
		for _, v := range e.vars {
			a.MaxMarginals = append(a.MaxMarginals, e.joint.MaxMarginal([]model.VarID{v}, ev))
		}
	}
	for _, targets := range want.Joint {
		a.Joint = append(a.Joint, e.joint.JointPosterior(targets, ev))
	}
	if want.MPE {
		logProb, best := e.joint.MPE(ev)
		a.MPELogProb = logProb
		for _, v := range e.vars {
			a.MPE = append(a.MPE, best[0][v])
		}
	}
	return a
}
