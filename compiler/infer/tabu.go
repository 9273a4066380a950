package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/localsearch"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TabuMAP searches for a probable joint state of some variables, with all others summed out, by
// tabu search: from some start, a move makes the best change of one variable that is not tabu, even
// for the worse. One pass up and down a clique tree of any order has the probabilities of all
// changes, so that it takes models for which [Engine.MAP], which eliminates the others first, is
// too wide. The first start has the most probable state of each variable by itself, others are
// drawn from the posterior. A start ends with opt.Iterations moves, or once many moves found
// nothing better. No single change makes the answer better, if the report says that the search
// converged; other states may be better. A nil opt is the default.
//
// Source: Koller and Friedman, section 13.7; Park and Darwiche 2004, Complexity results and
// approximation strategies for MAP explanations.
func (e *Engine) TabuMAP(ctx context.Context, given Given, opt *localsearch.TabuOptions, names ...string) (*Completion, error) {
	if opt == nil {
		opt = localsearch.NewTabuOptions()
	}
	if err := options.Check(opt); err != nil {
		return nil, err
	}
	vars, err := e.vars.all(names)
	if err == nil && len(vars) == 0 {
		err = errors.New("tabu search wants the names of one or more variables")
	}
	if err != nil {
		return nil, err
	}
	f, err := e.resolve(given)
	if err != nil {
		return nil, err
	}
	t, err := e.newTabuMAP(ctx, f, vars)
	if err != nil {
		return nil, err
	}
	starts, err := e.tabuStarts(ctx, f, vars, opt)
	if err != nil {
		return nil, err
	}
	if t.tenure = opt.Tenure; t.tenure == 0 {
		t.tenure = min(longTenure, 1+len(vars)/tenureShare)
	}
	var none error // why a start has no value
	for _, y := range starts {
		switch err := t.climb(ctx, y, opt.Iterations); {
		case errors.Is(err, ErrImpossible), errors.Is(err, pgmrt.ErrUnderflow):
			none = err
		case err != nil:
			return nil, err
		}
	}
	if t.best == nil {
		return nil, e.impossible(none, f, nil)
	}
	c := e.completion(vars, func(v model.VarID) model.Value { return model.Value{State: t.best[slices.Index(vars, v)]} }, t.value)
	status := pgmrt.Converged
	if t.open {
		status = pgmrt.NotConverged
	}
	c.Report = report(t.p, pgmrt.Report{Status: status, Iterations: t.passes})
	c.Report.Bound, c.Report.Gap = math.Inf(1), math.Inf(1)
	return &c, nil
}

// The default tenure is method tabu's. A start ends after tabuPatience moves for each variable, and
// one more, that found nothing better.
const (
	tenureShare  = 4
	longTenure   = 100
	tabuPatience = 4
)

// tabuMAP is a search under way.
type tabuMAP struct {
	e      *Engine
	p      *program
	m      *eval.Machine
	f      *Findings
	vars   []model.VarID
	outs   []int // by variable: the output of the entry with the values of its states
	tenure int
	until  [][]int // by variable and state: the move before which it is not taken again
	passes int
	best   []int // the best states so far; nil without any
	value  float64
	open   bool // the best states were found by the last move of a start
}

// newTabuMAP returns a search for states of vars. It compiles the pass.
func (e *Engine) newTabuMAP(ctx context.Context, f *Findings, vars []model.VarID) (*tabuMAP, error) {
	if f.Jeffrey != nil {
		return nil, errJeffrey
	}
	p, err := e.stepOf(ctx, &ir.Query{Kind: ir.MAP, Targets: vars})
	if err != nil {
		return nil, err
	}
	t := &tabuMAP{e: e, p: p, f: f, vars: vars, value: math.Inf(-1)}
	for _, v := range vars {
		t.outs = append(t.outs, slices.IndexFunc(p.entry.Outs, func(id ir.SpanID) bool { return p.Spans[id].Var == v }))
		t.until = append(t.until, make([]int, e.vars.m.Card(v)))
	}
	t.m, err = e.enter(p, f)
	return t, err
}

// stepOf returns the program of a step of a search that answers q.
func (p *programs) stepOf(ctx context.Context, q *ir.Query) (*program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.method != nil {
		return nil, ErrNoAnswer
	}
	spec := compiler.Specification(p.vars.m, q)
	if x := p.byQuery[spec+" step"]; x != nil {
		return x, nil
	}
	opt := p.opt
	opt.Queries, opt.MAPSteps, opt.Interpreted = []string{spec}, true, true
	r, err := compiler.Compile(ctx, p.vars.m, opt)
	if err != nil {
		return nil, err
	}
	p.warnings = append(p.warnings, r.Warnings...)
	x := &program{r.Program, &r.Program.Entries[0], r.Note}
	p.byQuery[spec+" step"] = x
	return x, nil
}

// tabuStarts returns the states from which the search starts.
func (e *Engine) tabuStarts(ctx context.Context, f *Findings, vars []model.VarID, opt *localsearch.TabuOptions) ([][]int, error) {
	all, err := e.Marginals(ctx, f)
	if err != nil {
		return nil, err
	}
	first := make([]int, len(vars))
	for i, v := range vars {
		p := all.Of(e.vars.m.Vars[v].Name).P
		if p == nil {
			return nil, fmt.Errorf("variable %q is real-valued; tabu search is over states", e.vars.m.Vars[v].Name)
		}
		first[i] = slices.Index(p, slices.Max(p))
	}
	p, err := e.findFor(ctx, f.measures(e.vars.m), &ir.Query{Kind: ir.Sample})
	if err != nil {
		return nil, err
	}
	m, err := e.enter(p, f)
	if err != nil {
		return nil, err
	}
	m.Rand = pgmrt.NewRand(opt.Seed)
	list := [][]int{first}
	for range opt.Chains { // at least one, since the first states may be impossible together
		if err := m.RunContext(ctx, p.entry); err != nil {
			return nil, e.impossible(err, f, nil)
		}
		y := make([]int, len(vars))
		for i, v := range vars {
			y[i] = m.Value(v).State
		}
		list = append(list, y)
	}
	return list, nil
}

// pass computes the value of states y, and of all changes of one of them.
func (t *tabuMAP) pass(y []int) (float64, error) {
	t.passes++
	for i, v := range t.vars {
		if err := t.m.Set(v, model.Value{State: y[i]}); err != nil {
			return 0, err
		}
	}
	if err := t.m.RunStep(t.p.entry); err != nil {
		return math.Inf(-1), err
	}
	return t.m.LogP(), nil
}

// climb searches from states y, which it changes.
func (t *tabuMAP) climb(ctx context.Context, y []int, moves int) error {
	for i := range t.until {
		clear(t.until[i])
	}
	value, err := t.pass(y)
	if err != nil {
		return err
	}
	local, idle := value, 0
	t.keep(y, value, moves == 0)
	for move := 1; move <= moves && idle <= tabuPatience*(1+len(t.vars)); move++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		i, k := t.next(y, move, t.value-value)
		if i < 0 {
			break
		}
		before := y[i]
		y[i] = k
		if value, err = t.pass(y); errors.Is(err, pgmrt.ErrUnderflow) { // too improbable to compare
			t.until[i][k], y[i] = moves+1, before
			value, err = t.pass(y)
		} else {
			t.until[i][before] = move + t.tenure
		}
		if err != nil {
			return err
		}
		if idle++; value > local+tabuTie {
			local, idle = value, 0
		}
		t.keep(y, value, move == moves)
	}
	return nil
}

// tabuTie is the difference of logarithms that counts as rounding.
const tabuTie = 1e-10

// keep keeps states if they are better than the best.
func (t *tabuMAP) keep(y []int, value float64, last bool) {
	if t.best == nil || value > t.value+tabuTie {
		t.best, t.value, t.open = slices.Clone(y), value, last
	}
}

// next returns the change that raises the value most, or lowers it least, after a pass on states y.
// A state that is tabu has to exceed the best value, which is aspire above the present one. Of
// equally good changes it is the first, beginning with another variable each time. It returns -1
// without a possible change.
func (t *tabuMAP) next(y []int, move int, aspire float64) (variable, state int) {
	variable, most := -1, math.Inf(-1)
	for n := range t.vars {
		i := (n + move) % len(t.vars)
		v := t.vars[i]
		if _, known := t.f.Observed(t.e.vars.m.Vars[v]); known {
			continue
		}
		numbers, weight := t.m.Posterior(t.outs[i]), func(k int) float64 { return 1 }
		if soft := t.f.Soft[v]; soft != nil {
			weight = func(k int) float64 { return soft[k] }
		}
		now := pgmrt.Ln(numbers[y[i]]) + pgmrt.Ln(weight(y[i]))
		for k, x := range numbers {
			gain := pgmrt.Ln(x) + pgmrt.Ln(weight(k)) - now
			if k != y[i] && gain > most+tabuTie && !math.IsInf(gain, -1) && (t.until[i][k] <= move || gain > aspire+tabuTie) {
				variable, state, most = i, k, gain
			}
		}
	}
	return variable, state
}
