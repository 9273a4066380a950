package main

import (
	"context"
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// interpreter is the engine that runs a program in process.
type interpreter struct {
	model   *model.Model
	vars    []model.VarID // by variable of the questions, which are those that are not latent
	program *ir.Program
	machine *eval.Machine
	ctx     context.Context // of the question at hand, which searches look at
}

func newInterpreter(r *compiler.Result) *interpreter {
	return &interpreter{r.Model, observable(r.Model), r.Program, eval.New(r.Program, r.Model), context.Background()}
}

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

func (in *interpreter) answer(q *question, want *wanted, a *answer) error {
	if err := in.enter(q); err != nil {
		return err
	}
	if q.jeffrey != nil {
		return in.jeffrey(q, a)
	}
	switch want.Kind {
	case kindWeighted, kindClimb:
		return in.trials(q, want, a)
	case kindEstimates:
		return in.chain(q, want, a)
	case kindDecoding:
		return in.decode(q, want, a)
	case kindBeliefs:
		return in.loop(q, a)
	}
	if want.Marginals != nil {
		if err := in.run("marginals"); err != nil {
			return err
		}
		a.logP = in.machine.LogP()
		in.marginals(in.program.Entry("marginals"), a)
	} else if want.LogP {
		if err := in.run("logprob"); err != nil {
			return err
		}
		a.logP = in.machine.LogP()
	}
	in.ctx = q.ctx
	if err := in.further(want, a); err != nil {
		return err
	}
	if !want.MPE {
		return nil
	}
	if err := in.run("mpe"); err != nil {
		return err
	}
	a.mpeLogP = in.machine.LogP()
	state := in.machine.State()
	for _, v := range in.vars {
		a.mpe = append(a.mpe, int(state[v]))
	}
	return nil
}

// enter sets the evidence.
func (in *interpreter) enter(q *question) error {
	in.machine.ClearEvidence()
	for i, v := range in.vars {
		if q.hard[i] > 0 {
			if err := in.observe(q, i, v); err != nil {
				return err
			}
		}
		if q.soft[i] != nil {
			if err := in.machine.Likelihood(v, q.soft[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// observe enters what was observed of v, which is variable i of the question.
func (in *interpreter) observe(q *question, i int, v model.VarID) error {
	if in.model.IsReal(v) {
		return in.machine.ObserveReal(v, q.real[i])
	}
	return in.machine.Observe(v, q.hard[i]-1)
}

func (in *interpreter) run(query string) error { return in.runEntry(in.program.Entry(query)) }

func (in *interpreter) runEntry(e *ir.Entry) error {
	return impossibleOr(in.machine.RunContext(in.ctx, e))
}

// impossibleOr is an error, or errImpossible where it is that of an engine.
func impossibleOr(err error) error {
	if errors.Is(err, pgmrt.ErrImpossible) {
		return errImpossible
	}
	return err
}

// marginals copies the answers of e, which ran last.
func (in *interpreter) marginals(e *ir.Entry, a *answer) {
	byVar := make([][]float64, len(in.model.Vars))
	for i, id := range e.Outs {
		byVar[in.program.Spans[id].Var] = append([]float64(nil), in.machine.Posterior(i)...)
	}
	for _, v := range in.vars {
		a.marginals = append(a.marginals, byVar[v])
	}
}

// posterior is that of v, which is an output of the entry that ran; it is good until the next one runs.
func (in *interpreter) posterior(e *ir.Entry, v model.VarID) []float64 {
	i := slices.IndexFunc(e.Outs, func(id ir.SpanID) bool { return in.program.Spans[id].Var == v })
	return in.machine.Posterior(i)
}
