package main

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// observable are the variables that are not latent.
func observable(m *model.Model) []model.VarID {
	var list []model.VarID
	for _, v := range m.Vars {
		if !v.Latent {
			list = append(list, v.ID)
		}
	}
	return list
}

// variables names the variables that are not latent.
func variables(m *model.Model) []variable {
	var list []variable
	for _, v := range observable(m) {
		list = append(list, variable{m.Vars[v].Name, m.States(v), m.IsReal(v)})
	}
	return list
}

// interpreter is the engine that answers by a program in process.
type interpreter struct {
	engine *infer.Engine
	vars   []*model.Var // by variable of the questions, which are those that are not latent
	known  *infer.Findings
	batch  bool // it answers many rows at once
}

// newInterpreter returns the engine for a compiled program.
func newInterpreter(r *compiler.Result) *interpreter {
	e := infer.Of(r, 0)
	return &interpreter{engine: e, vars: e.Vars(), known: infer.NewFindings(len(r.Model.Vars))}
}

// newBatchInterpreter returns the engine for batches of what is wanted.
func newBatchInterpreter(ctx context.Context, r *compiler.Result, want *wanted) *interpreter {
	in := newInterpreter(r)
	if want.inLanes() {
		_, ok, err := in.engine.Batch(ctx, nil, want.Marginals != nil)
		in.batch = ok && err == nil
	}
	return in
}

// batches reports whether q may be answered together with others: it may if states alone are known.
func (in *interpreter) batches(q *question, want *wanted) bool {
	return in.batch && want.inLanes() && q.plain()
}

func (in *interpreter) answerAll(qs []*question, want *wanted, as []answer, failed []bool) {
	rows := make([][]int, len(qs))
	for i, q := range qs {
		rows[i] = make([]int, len(q.hard))
		for v, s := range q.hard {
			rows[i][v] = s - 1
		}
	}
	answers, _, err := in.engine.Batch(qs[0].ctx, rows, want.Marginals != nil)
	for i := range as {
		if failed[i] = err != nil; !failed[i] {
			as[i].logP, as[i].marginals, failed[i] = answers[i].LogProb, answers[i].P, answers[i].Failed
		}
	}
}

func (in *interpreter) answer(q *question, want *wanted, a *answer) error {
	in.enter(q)
	var err error
	switch {
	case q.jeffrey != nil:
		err = in.marginals(q.ctx, a)
	case want.Kind == kindClimb || want.Kind == kindDecoding:
		err = in.choose(q.ctx, want, a)
	case want.Kind == kindEstimates:
		err = in.estimate(q.ctx, want, a)
	case want.Kind != "":
		err = in.marginals(q.ctx, a)
	default:
		err = in.exact(q.ctx, want, a)
	}
	return ownError(err)
}

// ownError translates the errors that rows tell apart.
func ownError(err error) error {
	switch {
	case errors.Is(err, infer.ErrImpossible):
		return errImpossible
	case errors.Is(err, infer.ErrSoftJoint):
		return errSoftJoint
	case errors.Is(err, infer.ErrRealJoint):
		return errRealJoint
	}
	return err
}

// enter makes what is known in q the findings of the engine.
func (in *interpreter) enter(q *question) {
	in.known.Clear()
	if q.jeffrey != nil {
		in.known.Jeffrey = make([][]float64, len(in.known.State))
	}
	for i, v := range in.vars {
		if q.hard[i] > 0 {
			in.known.State[v.ID] = q.hard[i] - 1
			in.known.Value[v.ID] = q.real[i]
		}
		in.known.Soft[v.ID] = q.soft[i]
		if q.jeffrey != nil {
			in.known.Jeffrey[v.ID] = q.jeffrey[i]
		}
	}
}

// marginals answers by the posteriors of all variables and ln P.
func (in *interpreter) marginals(ctx context.Context, a *answer) error {
	m, err := in.engine.Marginals(ctx, in.known)
	if err != nil {
		return err
	}
	a.logP, a.marginals = m.LogProb, numbersOfAll(m.List)
	a.went(m.Report)
	return nil
}

// numbersOfAll lists the numbers of distributions.
func numbersOfAll(list []infer.Distribution) [][]float64 {
	out := make([][]float64, len(list))
	for i := range list {
		out[i] = list[i].Numbers()
	}
	return out
}

// went notes how an approximate answer came about; nil is an exact one.
func (a *answer) went(r *infer.Report) {
	if r == nil {
		return
	}
	a.status, a.iterations, a.residual = r.Status, r.Iterations, r.Residual
	a.rhat, a.ess, a.logError, a.bound = r.RHat, r.ESS, r.LogError, r.Bound
}

// choose answers by states that a method chooses.
func (in *interpreter) choose(ctx context.Context, want *wanted, a *answer) error {
	c, err := in.engine.MPE(ctx, in.known)
	if err != nil {
		return err
	}
	a.went(c.Report)
	a.upper, a.gap, a.bound = c.Report.Bound, c.Report.Gap, 0
	a.mpeLogP, a.mpe = c.LogProb, indices(c)
	if want.Marginals != nil {
		a.marginals = numbersOfAll(c.MaxMarginals)
	}
	return nil
}

// indices are the states of a completion.
func indices(c *infer.Completion) []int {
	out := make([]int, len(c.States))
	for i, s := range c.States {
		out[i] = s.Index
	}
	return out
}

// estimate answers by Markov chains: the probability of the observed states, one after the other, and
// the marginals.
func (in *interpreter) estimate(ctx context.Context, want *wanted, a *answer) error {
	var report *infer.Report
	if want.LogP {
		var err error
		if a.logP, report, err = in.engine.ChainLogProb(ctx, in.known); err != nil {
			return err
		}
	}
	if want.Marginals != nil {
		m, err := in.engine.Marginals(ctx, in.known)
		if err != nil {
			return err
		}
		a.marginals, report = numbersOfAll(m.List), report.With(m.Report)
	}
	a.went(report)
	return nil
}

// exact answers all that is wanted.
func (in *interpreter) exact(ctx context.Context, want *wanted, a *answer) (err error) {
	if want.Marginals != nil {
		err = in.marginals(ctx, a)
	} else if want.LogP {
		if a.logP, err = in.engine.LogProb(ctx, in.known); err == nil && math.IsInf(a.logP, -1) {
			err = errImpossible
		}
	}
	for i := 0; err == nil && i < len(want.Joint); i++ {
		var t *infer.Table
		if t, err = in.engine.Joint(ctx, in.known, in.names(want.Joint[i].Vars)...); err == nil {
			a.joint = append(a.joint, t.P)
		}
	}
	if err == nil && want.MAP != nil {
		var c *infer.Completion
		if c, err = in.engine.MAP(ctx, in.known, in.names(want.MAP)...); err == nil {
			a.statesLogP, a.states = c.LogProb, indices(c)
		}
	}
	if err == nil && want.KMPE > 0 {
		var list []infer.Completion
		list, err = in.engine.KMPE(ctx, in.known, want.KMPE)
		for i := range list {
			a.kmpe, a.kmpeLogP = append(a.kmpe, indices(&list[i])), append(a.kmpeLogP, list[i].LogProb)
		}
	}
	if err == nil && want.MPE {
		var c *infer.Completion
		if c, err = in.engine.MPE(ctx, in.known); err == nil {
			a.mpeLogP, a.mpe = c.LogProb, indices(c)
		}
	}
	return err
}

// names are those of some variables of the questions.
func (in *interpreter) names(places []int) []string {
	list := make([]string, len(places))
	for i, at := range places {
		list[i] = in.vars[at].Name
	}
	return list
}
