package infer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Marginals returns the posteriors of all variables, and ln P of the evidence. Exact methods answer
// it, and all approximate methods but those that choose states.
func (e *Engine) Marginals(ctx context.Context, given Given) (*Marginals, error) {
	f, err := e.resolve(given)
	if err != nil {
		return nil, err
	}
	if p := e.method; p != nil {
		return e.approximate(ctx, p, f)
	}
	p, err := e.findFor(ctx, f.measures(e.vars.m), &ir.Query{Kind: ir.Marginals})
	if err != nil {
		return nil, err
	}
	m, err := e.enter(p, f)
	if err != nil {
		return nil, err
	}
	logProb := 0.0
	if f.Jeffrey != nil {
		_, logProb, err = m.Jeffrey(ctx, p.entry, f.Jeffrey)
	} else {
		err = m.RunContext(ctx, p.entry)
		logProb = f.settle(m.LogP())
	}
	if err != nil {
		return nil, e.impossible(err, f, nil)
	}
	return &Marginals{List: e.distributions(p, m), LogProb: logProb}, nil
}

// Posterior returns the posterior of one variable.
func (e *Engine) Posterior(ctx context.Context, given Given, name string) (*Distribution, error) {
	v, err := e.vars.find(name)
	if err != nil {
		return nil, err
	}
	f, err := e.resolve(given)
	if err != nil {
		return nil, err
	}
	if e.method != nil || f.Jeffrey != nil {
		all, err := e.Marginals(ctx, f)
		if err != nil {
			return nil, err
		}
		return all.Of(name), nil
	}
	p, err := e.findFor(ctx, f.measures(e.vars.m), &ir.Query{Kind: ir.Marginals}, &ir.Query{Kind: ir.Posterior, Targets: []model.VarID{v}})
	if err != nil {
		return nil, err
	}
	m, err := e.run(ctx, p, f)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(p.entry.Outs, func(id ir.SpanID) bool { return p.Spans[id].Var == v })
	d := e.distribution(v, slices.Clone(m.Posterior(i)))
	return &d, nil
}

// LogProb returns ln P of the evidence, or -Inf if it is impossible. For likelihoods it is ln of
// their expectation.
func (e *Engine) LogProb(ctx context.Context, given Given) (float64, error) {
	logp, _, err := e.logProb(ctx, given)
	return logp, err
}

// LogPartition returns ln of the sum, over all joint states that agree with the evidence, of the
// product of the factors and of likelihoods, and of its integral over real variables. That is
// LogProb plus ln of the partition function of a Markov network. Markov chains estimate none.
func (e *Engine) LogPartition(ctx context.Context, given Given) (float64, error) {
	if p := e.method; p != nil && p.entry.Query.Kind == ir.Estimates {
		return 0, ErrNoAnswer
	}
	logp, logZ, err := e.logProb(ctx, given)
	return logp + logZ, err
}

// logProb returns ln P of the evidence, and ln of the partition function that it is relative to.
func (e *Engine) logProb(ctx context.Context, given Given) (logp, logZ float64, err error) {
	f, err := e.resolve(given)
	if err != nil {
		return 0, 0, err
	}
	if p := e.method; p != nil {
		logp, err = e.approximateLogProb(ctx, p, f)
		return logp, p.LogZ, err
	}
	p, err := e.findFor(ctx, f.measures(e.vars.m), &ir.Query{Kind: ir.LogProb}, &ir.Query{Kind: ir.Marginals}, &ir.Query{Kind: ir.LogProb})
	if err != nil {
		return 0, 0, err
	}
	m, err := e.run(ctx, p, f)
	if errors.Is(err, ErrImpossible) {
		return math.Inf(-1), p.LogZ, nil
	}
	if err != nil {
		return 0, 0, err
	}
	return f.settle(m.LogP()), p.LogZ, nil
}

// MPE returns a most probable state of all variables together with the evidence. The states of an
// approximate method may not be the best; the report has a bound if the method knows one.
func (e *Engine) MPE(ctx context.Context, given Given) (*Completion, error) {
	f, err := e.resolve(given)
	if err != nil {
		return nil, err
	}
	if p := e.method; p != nil {
		return e.choose(ctx, p, f)
	}
	p, err := e.findFor(ctx, f.measures(e.vars.m), &ir.Query{Kind: ir.MPE})
	if err != nil {
		return nil, err
	}
	m, err := e.run(ctx, p, f)
	if err != nil {
		return nil, err
	}
	c := e.completion(e.vars.seen, m.Value, m.LogP())
	return &c, nil
}

// MAP returns a most probable joint state of some variables, with all others summed out. If that
// takes a search and ctx ends it, MAP returns the best states so far, with a report that bounds
// them, and a [SearchError]. If the search has found none yet, it returns only the error.
func (e *Engine) MAP(ctx context.Context, given Given, names ...string) (*Completion, error) {
	vars, err := e.vars.all(names)
	if err != nil {
		return nil, err
	}
	p, m, err := e.ask(ctx, given, &ir.Query{Kind: ir.MAP, Targets: vars})
	var stopped *SearchError
	if err != nil && (!errors.As(err, &stopped) || math.IsInf(m.LogP(), -1)) {
		return nil, err
	}
	c := e.completion(vars, m.Value, m.LogP())
	if p.entry.Search {
		c.Report = searchReport(p, m, stopped)
	}
	return &c, err
}

// searchReport reports on the last run of m, a search. stopped is nil if it ran to its end.
func searchReport(p *program, m *eval.Machine, stopped *SearchError) *Report {
	if stopped == nil {
		r := report(p, pgmrt.Report{Status: pgmrt.Converged, Iterations: m.Steps()})
		r.Bound = m.LogP()
		return r
	}
	r := report(p, pgmrt.Report{Iterations: m.Steps()})
	r.Bound, r.Gap = stopped.Bound, stopped.Bound-m.LogP()
	return r
}

// Joint returns the posterior of several variables together. Of real ones it has the means and the
// covariances.
func (e *Engine) Joint(ctx context.Context, given Given, names ...string) (*Table, error) {
	vars, err := e.vars.all(names)
	if err != nil {
		return nil, err
	}
	_, m, err := e.ask(ctx, given, &ir.Query{Kind: ir.Joint, Targets: vars})
	if err != nil {
		return nil, err
	}
	t := &Table{P: slices.Clone(m.Posterior(0))}
	discrete, real := e.vars.m.SplitReal(vars)
	for _, v := range discrete {
		t.Vars, t.States = append(t.Vars, e.vars.m.Vars[v].Name), append(t.States, e.vars.m.States(v))
	}
	for _, v := range real {
		t.Reals = append(t.Reals, e.vars.m.Vars[v].Name)
	}
	if real != nil {
		t.moments(m.Posterior(0))
	}
	probabilities(t.P)
	return t, nil
}

// Mixture returns the exact posterior of a real variable: a mixture with a component for each
// possible joint state of the discrete variables that it depends on.
func (e *Engine) Mixture(ctx context.Context, given Given, name string) (Mixture, error) {
	v, err := e.vars.find(name)
	if err != nil {
		return nil, err
	}
	_, m, err := e.ask(ctx, given, &ir.Query{Kind: ir.Mixture, Targets: []model.VarID{v}})
	if err != nil {
		return nil, err
	}
	numbers := m.Posterior(0)
	var list Mixture
	n := len(numbers) / model.JointParts(1)
	for i, p := range numbers[:n] {
		if p > 0 {
			list = append(list, Component{P: min(1, p), Mean: numbers[n+i], Var: numbers[2*n+i]})
		}
	}
	return list, nil
}

// KMPE returns the k most probable completions of the evidence, best first, or fewer if no more
// have a positive probability. k is at most compiler.MaxCompletions. If ctx ends the search, KMPE
// returns the completions so far, which are the most probable ones, and the error of ctx.
func (e *Engine) KMPE(ctx context.Context, given Given, k int) ([]Completion, error) {
	_, m, err := e.ask(ctx, given, &ir.Query{Kind: ir.KMPE, K: k})
	if err != nil && (m == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err())) {
		return nil, err
	}
	list := make([]Completion, m.Found())
	for i := range list {
		_, logProb := m.Completion(i)
		list[i] = e.completion(e.vars.seen, m.Value, logProb)
	}
	return list, err
}

// Values returns an endless sequence of independent rows from the distribution given the evidence.
// A row has a state or a value for each variable of [Engine.Vars], and is valid until the next one.
// The sequence ends with the first error. The seed of the options determines the rows. Without
// evidence, samples of a Bayesian network are drawn from its CPDs, parents before children.
func (e *Engine) Values(ctx context.Context, given Given) iter.Seq2[[]model.Value, error] {
	return func(yield func([]model.Value, error) bool) {
		if f := e.byCPDs(given); f != nil {
			f.each(ctx, yield)
			return
		}
		p, m, err := e.ask(ctx, given, &ir.Query{Kind: ir.Sample})
		row := make([]model.Value, len(e.vars.seen))
		for ; ; err = m.RunContext(ctx, p.entry) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for i, v := range e.vars.seen {
				row[i] = m.Value(v)
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// byCPDs returns a source of rows from the CPDs; nil if given or the model does not allow that.
func (e *Engine) byCPDs(given Given) *forward {
	found, err := e.resolve(given)
	if err != nil || found.Jeffrey != nil || !e.proper() || e.vars.m.Transition != nil || onlyGivens(e.vars.m, found) != nil {
		return nil
	}
	if e.rand == nil {
		e.rand = randOf(e.opt.Seed, e.block)
	}
	f, _ := newForward(e.vars.m, []Given{found}, e.rand) // has no error, as has been checked
	return f
}

// Draw draws n rows of [Engine.Values].
func (e *Engine) Draw(ctx context.Context, given Given, n int) ([][]model.Value, error) {
	return firstRows(e.Values(ctx, given), n)
}

// firstRows returns the first n rows of an endless sequence.
func firstRows[T any](all iter.Seq2[[]T, error], n int) ([][]T, error) {
	rows := make([][]T, 0, max(n, 0))
	if n <= 0 {
		return rows, nil
	}
	for row, err := range all {
		if err != nil {
			return nil, err
		}
		if rows = append(rows, slices.Clone(row)); len(rows) == n {
			break
		}
	}
	return rows, nil
}

// Samples is [Engine.Values] for models without real variables. A row has a state for each variable
// of [Engine.Vars].
func (e *Engine) Samples(ctx context.Context, given Given) iter.Seq2[[]int, error] {
	return func(yield func([]int, error) bool) {
		row := make([]int, len(e.vars.seen))
		for _, v := range e.vars.seen {
			if e.vars.m.IsReal(v) {
				yield(nil, fmt.Errorf("variable %q is real-valued, and rows hold states alone; want Values", e.vars.m.Vars[v].Name))
				return
			}
		}
		for values, err := range e.Values(ctx, given) {
			if err != nil {
				yield(nil, err)
				return
			}
			for i, x := range values {
				row[i] = x.State
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Sample draws n rows of [Engine.Samples].
func (e *Engine) Sample(ctx context.Context, given Given, n int) ([][]int, error) {
	return firstRows(e.Samples(ctx, given), n)
}

// resolve returns the findings of given; nil is no evidence.
func (e *Engine) resolve(given Given) (*Findings, error) {
	if given == nil {
		e.row.Clear()
		return e.row, nil
	}
	return given.findings(e.vars)
}

// ask runs a query of an exact method.
func (e *Engine) ask(ctx context.Context, given Given, q *ir.Query) (*program, *eval.Machine, error) {
	f, err := e.resolve(given)
	if err != nil {
		return nil, nil, err
	}
	p, err := e.findFor(ctx, f.measures(e.vars.m), q)
	if err != nil {
		return nil, nil, err
	}
	m, err := e.run(ctx, p, f)
	return p, m, err
}

// run enters findings and runs the entry of p.
func (e *Engine) run(ctx context.Context, p *program, f *Findings) (*eval.Machine, error) {
	if f.Jeffrey != nil {
		return nil, errJeffrey
	}
	m, err := e.enter(p, f)
	if err != nil {
		return nil, err
	}
	return m, e.impossible(m.RunContext(ctx, p.entry), f, nil)
}

// enter returns the machine for p, with f as its evidence.
func (e *Engine) enter(p *program, f *Findings) (*eval.Machine, error) {
	m := e.machine(p)
	m.ClearEvidence()
	for _, v := range e.vars.seen {
		if err := enterOne(m, e.vars.m, v, f); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func enterOne(m *eval.Machine, of *model.Model, v model.VarID, f *Findings) (err error) {
	if x, known := f.Observed(of.Vars[v]); known {
		err = m.Set(v, x)
	}
	if err == nil && f.Soft[v] != nil {
		err = m.Likelihood(v, f.Soft[v])
	}
	return err
}

// impossible returns err, or if it is ErrImpossible an error that names the evidence. r is the
// report of an approximate method.
func (e *Engine) impossible(err error, f *Findings, r *Report) error {
	if errors.Is(err, ErrImpossible) {
		return &ImpossibleError{Evidence: f.Text(e.vars.m), Report: r}
	}
	return err
}
