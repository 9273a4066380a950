package main

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// bruteStates is the number of joint states up to which the reference enumerates them.
const bruteStates = 1 << 12

// enumeration is the engine that enumerates the joint distribution.
type enumeration struct {
	joint *brute.Joint
	vars  []model.VarID // by variable of the questions
}

func (e *enumeration) Answer(q *rows.Question, want *rows.Wanted, a *rows.Answer) error {
	ev := brute.Evidence{Hard: map[model.VarID]int{}, Soft: map[model.VarID][]float64{}}
	for i, v := range e.vars {
		if q.Hard[i] > 0 {
			ev.Hard[v] = q.Hard[i] - 1
		}
		if q.Soft[i] != nil {
			ev.Soft[v] = q.Soft[i]
		}
	}
	if a.LogP = e.joint.LogProb(ev); math.IsInf(a.LogP, -1) {
		return rows.ErrImpossible
	}
	if want.Marginals != nil {
		all := e.joint.Marginals(ev)
		for _, v := range e.vars {
			a.Marginals = append(a.Marginals, all[v])
		}
	}
	for _, j := range want.Joint {
		var targets []model.VarID
		for _, i := range j.Vars {
			targets = append(targets, e.vars[i])
		}
		a.Joint = append(a.Joint, e.joint.JointPosterior(targets, ev))
	}
	if want.MPE {
		logp, best := e.joint.MPE(ev)
		a.MpeLogP = logp
		for _, v := range e.vars {
			a.Mpe = append(a.Mpe, best[0][v])
		}
	}
	return nil
}

// referee is an engine that shares as little as possible with the package that is verified, and what it is.
type referee struct {
	engine rows.Engine
	what   string
}

// newReferee makes the referee for a model and what is wanted of it: enumeration where that is quick; passes over the circuit that it is;
// otherwise elimination in an order other than theirs, by the interpreter.
func (a *app) newReferee(ctx context.Context, path string, r *compiler.Result, opt compiler.Options, want *rows.Wanted) (*referee, error) {
	vars := make([]model.VarID, len(r.Model.Vars))
	for v := range vars {
		vars[v] = model.VarID(v)
	}
	if n, ok := r.Model.TableSize(vars); ok && n <= bruteStates {
		joint, err := brute.New(r.Model)
		if err != nil {
			return nil, err
		}
		return &referee{&enumeration{joint, rows.Observable(r.Model)}, "enumeration of the joint distribution"}, nil
	}
	if p := newPasses(r); p != nil && len(want.Joint) == 0 {
		return &referee{p, "sums and maxima over the model's own circuit, in logarithms"}, nil
	}
	if opt.MethodName() == compiler.Auto {
		opt.Method = nil // no circuit that a clique tree can check
	}
	opt.Queries, opt.Params, opt.Rows = []string{"marginals", "logprob", "mpe"}, ir.Const, model.RowsAsIs
	for i := range want.Joint {
		opt.Queries = append(opt.Queries, rows.JointQuery(&want.Joint[i], rows.Variables(r.Model)))
	}
	other, what, err := a.otherOrder(ctx, path, r, opt)
	if err != nil {
		return nil, err
	}
	opt.Order = other
	second, err := a.Compile(ctx, path, r.Model, opt, nil)
	if err != nil {
		return nil, err
	}
	return &referee{rows.NewInterpreter(second), "the interpreter, variables eliminated in another order: " + what}, nil
}

// otherOrder finds an order that fits and is not that of r: a heuristic's, or where they all agree, r's own with two variables
// exchanged.
func (a *app) otherOrder(ctx context.Context, path string, r *compiler.Result, opt compiler.Options) ([]int, string, error) {
	var used []int
	if len(r.Orders) > 0 && len(r.Orders[0].Order) == len(r.Model.Vars) {
		used = r.Orders[0].Order
	}
	opt.Order, opt.Steps = nil, -1
	for i := len(order.Heuristics) - 1; i >= 0; i-- {
		opt.Heuristics = order.Heuristics[i : i+1]
		est, err := a.Estimate(ctx, path, r.Model, opt)
		if err != nil {
			return nil, "", err
		}
		if o := est.Orders[0].Order; est.Refused == nil && !slices.Equal(o, used) {
			return o, order.Heuristics[i].String(), nil
		}
	}
	if used == nil {
		return nil, "", errors.New("no elimination order is within the limits; raise --max-mem or --max-table")
	}
	o := slices.Clone(used)
	last := len(o) - 1
	o[0], o[last] = o[last], o[0]
	opt.Order = o
	if est, err := a.Estimate(ctx, path, r.Model, opt); err != nil || est.Refused != nil {
		return nil, "", errors.Join(err, errors.New("no other elimination order is within the limits; raise --max-mem or --max-table"))
	}
	return o, "the package's, its ends exchanged", nil
}
