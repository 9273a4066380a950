package infer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/interval"
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
	if x.Root.Hi == 0 {
		return nil, e.impossible(ErrImpossible, f, nil)
	}
	if x.LogP, err = e.relative(ctx, p, x.LogP); err != nil {
		return nil, err
	}
	out := &Certificate{LogProb: x.LogP.Off(answer.LogProb)}
	for i := range answer.List {
		var off []float64
		if v := e.vars.seen[i]; !e.vars.m.IsReal(v) {
			off = x.Off(v, answer.List[i].P)
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

// enclose runs p in interval arithmetic.
func (e *Engine) enclose(ctx context.Context, p *program, f *Findings) (*interval.Answer, error) {
	x, err := interval.Enclose(ctx, e.vars.m, p.Program, p.entry, evidenceOf(f))
	var not *ir.NotEnclosed
	if errors.As(err, &not) {
		return nil, uncertified(err)
	}
	return x, err
}

// evidenceOf returns findings as package interval takes them.
func evidenceOf(f *Findings) interval.Evidence {
	return interval.Evidence{State: f.State, Value: f.Value, Soft: f.Soft}
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
	return logP.Add(all.LogP.Neg()), nil
}
