package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Certificate bounds the errors of the numbers of an answer. A bound is +Inf if nothing is known.
type Certificate struct {
	LogProb   float64     // of ln P, in nats
	Marginals [][]float64 // by variable of the answer and its state; nil without posteriors, and of real variables
}

// Largest returns the largest bound of a posterior, or 0 if there is none.
func (c *Certificate) Largest() float64 {
	top := 0.0
	for _, list := range c.Marginals {
		for _, x := range list {
			top = max(top, x)
		}
	}
	return top
}

// UncertifiedError reports a question with an exact answer that cannot be enclosed. Methods are
// those that compute answers which can be; nil if the model has none.
type UncertifiedError struct {
	Reason  error
	Methods []string
}

// Error gives the reason and the methods.
func (e *UncertifiedError) Error() string {
	if e.Methods == nil {
		return fmt.Sprintf("cannot certify the answer: %v", e.Reason)
	}
	return fmt.Sprintf("cannot certify the answer: %v; answers of %s can be certified", e.Reason, strings.Join(e.Methods, " or "))
}

// Unwrap returns the reason.
func (e *UncertifiedError) Unwrap() error { return e.Reason }

// Certify bounds how far the numbers of an answer are from the results of exact arithmetic on the
// numbers of the model, with its rows as [Engine.Model] has them, and of the evidence. The answer
// is one of [Engine.Marginals], of a package or of any other computation, with posteriors of the
// variables of [Engine.Vars] in that order; with no List, it is only ln P. The bounds hold for any
// numbers, underflow included.
//
// In a network with real variables they are bounds of ln P and of probabilities of states; means
// and variances are not bounded.
//
// Certify runs a program of the engine's exact method in interval arithmetic: a program of variable
// parameters, in which no product of constants was rounded while compiling. It takes some ten times
// as long as the query, and twice its memory.
//
// The error is an [UncertifiedError] if a factor or a step cannot be enclosed, and an
// [ImpossibleError] if the evidence has probability 0 in exact arithmetic.
func (e *Engine) Certify(ctx context.Context, given Given, answer *Marginals) (*Certificate, error) {
	f, err := e.resolve(given)
	if err != nil {
		return nil, err
	}
	if f.Jeffrey != nil {
		return nil, errJeffrey
	}
	for _, v := range e.vars.m.Reals() {
		if f.Soft[v] != nil {
			return nil, &UncertifiedError{Reason: fmt.Errorf("the evidence on %q is a measurement; certificates are for values and states", e.vars.m.Vars[v].Name)}
		}
	}
	for _, x := range e.vars.m.Factors {
		if !x.ListsValues() && !slices.ContainsFunc(x.Scope, e.vars.m.IsReal) {
			return nil, uncertified(fmt.Errorf("the numbers of the %s are computed from those of a %s, with rounding errors that are not bounded; "+
				"a table of them is exact by definition", e.vars.m.FactorName(x), x.Dist.Kind()))
		}
	}
	kind := ir.LogProb
	if answer.List != nil {
		kind = ir.Marginals
	}
	p, err := e.enclosing(ctx, kind)
	if err != nil {
		return nil, err
	}
	x, err := e.enclose(ctx, p, f)
	if err != nil {
		return nil, err
	}
	if x.root.Hi == 0 {
		return nil, e.impossible(ErrImpossible, f, nil)
	}
	if x.logP, err = e.relative(ctx, p, x.logP); err != nil {
		return nil, err
	}
	out := &Certificate{LogProb: x.logP.Off(answer.LogProb)}
	for i := range answer.List {
		var off []float64
		if v := e.vars.seen[i]; !e.vars.m.IsReal(v) {
			off = x.off(v, answer.List[i].P)
		}
		out.Marginals = append(out.Marginals, off)
	}
	return out, nil
}

// uncertified returns the error of an answer that cannot be enclosed for a reason.
func uncertified(reason error) error {
	out := &UncertifiedError{Reason: reason}
	for i := range compiler.Methods {
		if m := &compiler.Methods[i]; m.Answers == nil && !m.Inexact && !m.Real() {
			out.Methods = append(out.Methods, m.Name)
		}
	}
	return out
}

// enclosing returns the program that answers a query of that kind in interval arithmetic.
func (p *programs) enclosing(ctx context.Context, kind ir.QueryKind) (*program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if x := p.enclosed[kind]; x != nil {
		return x, nil
	}
	opt := p.opt
	if p.method != nil {
		opt.Method = nil
	}
	opt.Queries, opt.Params = []string{kind.String()}, ir.Var
	opt.Unnormalised, opt.IgnoreUnderflow, opt.Interpreted = true, true, true
	opt.MaxMem = p.maxMem() / 2 // an enclosure is two numbers
	r, err := compiler.Compile(ctx, p.vars.m, opt)
	if err != nil {
		return nil, err
	}
	x := &program{r.Program, r.Program.Entry(kind.String()), r.Note}
	p.enclosed[kind] = x
	return x, nil
}

// enclosedAnswer holds enclosures of the numbers of an exact answer.
type enclosedAnswer struct {
	root ir.Enclosure // P(evidence), up to a power of two
	logP ir.Enclosure
	of   map[model.VarID][]ir.Enclosure
}

// off returns bounds of the errors of p, the posterior of v.
func (x *enclosedAnswer) off(v model.VarID, p []float64) []float64 {
	out := make([]float64, len(p))
	for i := range p {
		out[i] = x.of[v][i].Off(p[i])
	}
	return out
}

// enclose runs p in interval arithmetic.
func (e *Engine) enclose(ctx context.Context, p *program, f *Findings) (*enclosedAnswer, error) {
	entered, power := map[model.VarID]bool{}, 0
	input := func(s *ir.Span) []ir.Enclosure {
		if e.vars.m.IsReal(s.Var) {
			return valueOf(f.Value[s.Var])
		}
		l, k := likelihoodOf(e.vars.m, s.Var, f)
		if !entered[s.Var] {
			entered[s.Var] = true
			power += k
		}
		return l
	}
	m, err := ir.Enclose(p.Program, p.entry.Blocks, input, p.entry.Answers(), func() bool { return ctx.Err() == nil })
	var not *ir.NotEnclosed
	switch {
	case errors.As(err, &not):
		return nil, uncertified(err)
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	x := &enclosedAnswer{root: m.Span(p.entry.Root)[0], of: map[model.VarID][]ir.Enclosure{}}
	if p.entry.Exp != ir.NoSpan {
		power += int(m.Ints(p.entry.Exp)[0])
	}
	scale := ir.Ln2.Mul(ir.Exactly(math.Abs(float64(power))))
	if power < 0 {
		scale = scale.Neg()
	}
	x.logP = x.root.Log().Add(scale)
	for _, id := range p.entry.Logs {
		x.logP = x.logP.Add(m.Span(id)[0])
	}
	x.logP = x.logP.Add(densities(f))
	for _, id := range p.entry.Outs {
		x.of[p.Spans[id].Var] = m.Span(id)
	}
	return x, nil
}

// valueOf returns the evidence on a real variable: whether it is observed, and its value.
func valueOf(x float64) []ir.Enclosure {
	if math.IsNaN(x) {
		return make([]ir.Enclosure, model.RealWidth)
	}
	return []ir.Enclosure{ir.Exactly(1), ir.Exactly(x)}
}

// densities encloses what programs leave out of ln P of observed values: each density has the term
// -½ ln 2π, in place of which they hold the nearest float64.
func densities(f *Findings) ir.Enclosure {
	n := 0.0
	for _, x := range f.Value {
		if !math.IsNaN(x) {
			n++
		}
	}
	return ir.Enclosure{Lo: -n * 0x1p-53, Hi: n * 0x1p-53}
}

// relative returns ln P of evidence, given ln of the product of all factors: in a Markov network,
// less ln Z.
func (e *Engine) relative(ctx context.Context, p *program, logP ir.Enclosure) (ir.Enclosure, error) {
	if e.vars.m.Kind != model.Markov {
		return logP, nil
	}
	all, err := e.enclose(ctx, p, NewFindings(len(e.vars.m.Vars)))
	if err != nil {
		return logP, err
	}
	return logP.Add(all.logP.Neg()), nil
}

// likelihoodOf returns the likelihood of v divided by a power of two, and the power.
func likelihoodOf(m *model.Model, v model.VarID, f *Findings) (l []ir.Enclosure, power int) {
	soft := f.Soft[v]
	top := 0.0
	for _, x := range soft {
		top = max(top, x)
	}
	if top > 0 {
		power = math.Ilogb(top)
	}
	l = make([]ir.Enclosure, m.Card(v))
	for i := range l {
		l[i] = ir.Exactly(1)
		switch {
		case f.State[v] != Missing && f.State[v] != i:
			l[i] = ir.Exactly(0)
		case top > 0:
			l[i] = ir.Exactly(soft[i]).Power(-power)
		}
	}
	return l, power
}
