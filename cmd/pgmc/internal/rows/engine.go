package rows

import (
	"context"
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Observable returns the variables that are not latent.
func Observable(m *model.Model) []model.VarID {
	var list []model.VarID
	for _, v := range m.Vars {
		if !v.Latent {
			list = append(list, v.ID)
		}
	}
	return list
}

// Variables describes the variables that are not latent, in the order of Observable.
func Variables(m *model.Model) []Variable {
	vars := Observable(m)
	list := make([]Variable, 0, len(vars))
	for _, v := range vars {
		cuts, _ := model.IntervalCuts(m.States(v))
		numbers, _ := model.StateNumbers(m.States(v))
		list = append(list, Variable{m.Vars[v].Name, m.States(v), m.IsReal(v), cuts, numbers})
	}
	return list
}

// interpreter is the engine that runs a program in process.
type interpreter struct {
	engine *infer.Engine
	vars   []*model.Var // the variables of questions: those that are not latent
	known  *infer.Findings
	batch  bool // it answers many questions at once
}

// NewInterpreter returns the engine for a compiled program.
func NewInterpreter(r *compiler.Result) *interpreter {
	e := infer.Of(r, 0)
	return &interpreter{engine: e, vars: e.Vars(), known: infer.NewFindings(len(r.Model.Vars))}
}

// NewBatchInterpreter returns the engine for a compiled program, prepared to answer many questions
// at once if the program and want allow it.
func NewBatchInterpreter(ctx context.Context, r *compiler.Result, want *Wanted) *interpreter {
	in := NewInterpreter(r)
	if want.InLanes() {
		_, ok, err := in.engine.Batch(ctx, nil, want.Marginals != nil)
		in.batch = ok && err == nil
	}
	return in
}

// Batches reports whether q may be answered together with others: only if its evidence is states
// alone.
func (in *interpreter) Batches(q *Question, want *Wanted) bool {
	return in.batch && want.InLanes() && q.Plain()
}

// AnswerAll implements [Batcher].
func (in *interpreter) AnswerAll(qs []*Question, want *Wanted, as []Answer, failed []bool) {
	rows := make([][]int, len(qs))
	for i, q := range qs {
		rows[i] = make([]int, len(q.Hard))
		for v, s := range q.Hard {
			rows[i][v] = s - 1
		}
	}
	answers, _, err := in.engine.Batch(qs[0].Ctx, rows, want.Marginals != nil)
	for i := range as {
		if failed[i] = err != nil; !failed[i] {
			as[i].LogP, as[i].Marginals, failed[i] = answers[i].LogProb, answers[i].P, answers[i].Failed
		}
	}
}

// Answer implements [Engine].
func (in *interpreter) Answer(q *Question, want *Wanted, a *Answer) error {
	in.enter(q)
	return ownError(in.answer(q.Ctx, want, a))
}

// answer answers the current findings.
func (in *interpreter) answer(ctx context.Context, want *Wanted, a *Answer) error {
	switch {
	case in.known.Jeffrey != nil:
		return in.marginals(ctx, a)
	case want.Kind == ir.Climb || want.Kind == ir.Decoding:
		return in.choose(ctx, want, a)
	case want.Kind == ir.Estimates:
		return in.estimate(ctx, want, a)
	case want.Loop != "":
		return in.marginals(ctx, a)
	}
	return in.exact(ctx, want, a)
}

// Interpret answers one question about the model of a compiled program in process.
func Interpret(ctx context.Context, r *compiler.Result, want *Wanted, known *infer.Findings) (*Answer, error) {
	in, a := NewInterpreter(r), &Answer{}
	in.known = known
	if known.Jeffrey != nil {
		want = want.GivenJeffrey()
	}
	err := in.answer(ctx, want, a)
	switch {
	case errors.Is(err, infer.ErrImpossible):
		return nil, Impossible(ctx, r, known)
	case err != nil:
		return nil, ownError(err)
	}
	a.Note = r.Note
	return a, a.check()
}

// Impossible returns the error of impossible evidence. It names findings that contradict each other
// if there are others, and r is exact.
func Impossible(ctx context.Context, r *compiler.Result, known *infer.Findings) error {
	out := &infer.ImpossibleError{Evidence: known.Text(r.Model)}
	part, err := infer.Of(r, 0).Conflict(ctx, known)
	if err == nil && part != nil && len(part.Known()) < len(known.Known()) {
		out.Conflict = part.Text(r.Model)
	}
	return out
}

// ownError translates errors of package infer into those of this package.
func ownError(err error) error {
	switch {
	case errors.Is(err, infer.ErrImpossible):
		return ErrImpossible
	case errors.Is(err, infer.ErrSoftJoint):
		return errSoftJoint
	case errors.Is(err, infer.ErrRealJoint):
		return errRealJoint
	}
	return err
}

// enter sets the findings to the evidence of q.
func (in *interpreter) enter(q *Question) {
	in.known.Clear()
	if q.Jeffrey != nil {
		in.known.Jeffrey = make([][]float64, len(in.known.State))
	}
	for i, v := range in.vars {
		if q.Hard[i] > 0 {
			in.known.Observe(v, model.Value{State: q.Hard[i] - 1, Real: q.Real[i]})
		}
		in.known.Soft[v.ID] = q.Soft[i]
		if q.Jeffrey != nil {
			in.known.Jeffrey[v.ID] = q.Jeffrey[i]
		}
	}
}

// marginals computes the marginals of all variables and ln P.
func (in *interpreter) marginals(ctx context.Context, a *Answer) error {
	m, err := in.engine.Marginals(ctx, in.known)
	if err != nil {
		return err
	}
	a.LogP, a.Marginals = m.LogProb, Numbers(m.List)
	a.SetReport(m.Report)
	return nil
}

// Numbers returns the numbers of each distribution.
func Numbers(list []infer.Distribution) [][]float64 {
	out := make([][]float64, len(list))
	for i := range list {
		out[i] = list[i].Numbers()
	}
	return out
}

// SetReport copies a report into the answer. A nil report means an exact answer and changes
// nothing.
func (a *Answer) SetReport(r *infer.Report) {
	if r != nil {
		a.Report = *r
		a.Note = "" // of the program, which Interpret sets
	}
}

// choose computes the states that an approximate method chooses.
func (in *interpreter) choose(ctx context.Context, want *Wanted, a *Answer) error {
	c, err := in.engine.MPE(ctx, in.known)
	if err != nil {
		return err
	}
	a.SetReport(c.Report)
	a.MpeLogP, a.Mpe, a.MpeReal, a.Decided = c.LogProb, Indices(c), values(c), c.Decided
	if want.Marginals != nil {
		a.Marginals = Numbers(c.MaxMarginals)
	}
	if want.MaxMarginals != nil {
		a.TakeMax(c.PseudoMaxMarginals())
	}
	return nil
}

// Indices returns the states of a completion by number.
func Indices(c *infer.Completion) []int {
	out := make([]int, len(c.States))
	for i, s := range c.States {
		out[i] = s.Index
	}
	return out
}

// values returns the values of a completion, which are 0 of variables with states.
func values(c *infer.Completion) []float64 {
	out := make([]float64, len(c.States))
	for i, s := range c.States {
		out[i] = s.Value
	}
	return out
}

// estimate runs Markov chains: for the probability of the observed states, one after the other, and
// for the marginals.
func (in *interpreter) estimate(ctx context.Context, want *Wanted, a *Answer) error {
	var report *infer.Report
	if want.LogP {
		var err error
		if a.LogP, report, err = in.engine.ChainLogProb(ctx, in.known); err != nil {
			return err
		}
	}
	if want.Marginals != nil {
		m, err := in.engine.Marginals(ctx, in.known)
		if err != nil {
			return err
		}
		a.Marginals, report = Numbers(m.List), report.With(m.Report)
	}
	a.SetReport(report)
	return nil
}

// exact computes all answers that are wanted, exactly.
func (in *interpreter) exact(ctx context.Context, want *Wanted, a *Answer) (err error) {
	if want.Marginals != nil {
		err = in.marginals(ctx, a)
	} else if want.LogP {
		if a.LogP, err = in.engine.LogProb(ctx, in.known); err == nil && math.IsInf(a.LogP, -1) {
			err = infer.ErrImpossible
		}
	}
	if err == nil && want.asksMax() {
		err = in.maxMarginals(ctx, want, a)
	}
	for i := 0; err == nil && i < len(want.Joint); i++ {
		var t *infer.Table
		if t, err = in.engine.Joint(ctx, in.known, in.names(want.Joint[i].Vars)...); err == nil {
			a.Joint = append(a.Joint, t.Numbers())
		}
	}
	for i := 0; err == nil && i < len(want.Mixture); i++ {
		var m infer.Mixture
		if m, err = in.engine.Mixture(ctx, in.known, in.names(want.Mixture[i].Vars)[0]); err == nil {
			var numbers []float64
			for _, c := range m {
				numbers = append(numbers, c.P, c.Mean, c.Var)
			}
			a.Mixture = append(a.Mixture, numbers)
		}
	}
	if err == nil && want.MAP != nil {
		var c *infer.Completion
		if c, err = in.engine.MAP(ctx, in.known, in.names(want.MAP)...); err == nil {
			a.StatesLogP, a.States = c.LogProb, Indices(c)
		}
	}
	if err == nil && want.KMPE > 0 {
		var list []infer.Completion
		list, err = in.engine.KMPE(ctx, in.known, want.KMPE)
		for i := range list {
			a.KMPE, a.KMPELogP = append(a.KMPE, Indices(&list[i])), append(a.KMPELogP, list[i].LogProb)
		}
	}
	if err == nil && want.MPE {
		var c *infer.Completion
		if c, err = in.engine.MPE(ctx, in.known); err == nil {
			a.MpeLogP, a.Mpe, a.MpeReal = c.LogProb, Indices(c), values(c)
		}
	}
	return err
}

// names returns the names of the variables of questions at the given indices.
func (in *interpreter) names(places []int) []string {
	list := make([]string, len(places))
	for i, at := range places {
		list[i] = in.vars[at].Name
	}
	return list
}
