package infer

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// approximates reports whether the method of that name is approximate: it answers one query of its
// own.
func approximates(name string) bool {
	m, err := compiler.FindMethod(name)
	return err == nil && m.Answers != nil
}

// methodFor returns the options that were given, or if there are none, the options of the only
// method that takes m.
func methodFor(m *model.Model, asked method.Options) method.Options {
	if p := compiler.Preferred(m); asked == nil && p != nil && p.Answers != nil {
		return compiler.Named(p.Name)
	}
	return asked
}

// chooses reports whether an entry answers with states that may not be best.
func chooses(e *ir.Entry) bool { return e.Query.Kind == ir.Decoding || e.Query.Kind == ir.Climb }

// approximate returns marginals by a method that iterates or samples, or estimates within the
// intervals of one that bounds.
func (e *Engine) approximate(ctx context.Context, p *program, f *Findings) (*Marginals, error) {
	if len(p.entry.Outs) == 0 && (p.entry.Query.Kind != ir.Beliefs || len(e.vars.m.Vars) > 0) {
		return nil, ErrNoAnswer
	}
	if p.entry.Query.Kind == ir.Bounded {
		x, err := e.fixedInterval(ctx, p, f)
		if err != nil {
			return nil, err
		}
		return &Marginals{List: x.Marginals, LogProb: x.LogProb, Report: &Report{Note: p.note, Status: "bounded", Converged: true}}, nil
	}
	m, r, err := e.iterate(ctx, p, f)
	if err != nil {
		return nil, err
	}
	return &Marginals{List: e.distributions(p, m), LogProb: m.LogP(), Report: r}, nil
}

// choose returns the states of a method that chooses states.
func (e *Engine) choose(ctx context.Context, p *program, f *Findings) (*Completion, error) {
	if !chooses(p.entry) {
		return nil, ErrNoAnswer
	}
	m, r, err := e.iterate(ctx, p, f)
	if err != nil {
		return nil, err
	}
	c := e.completion(e.vars.seen, m.Value, m.LogP())
	c.Report = r
	if len(p.entry.Outs) > 0 {
		c.MaxMarginals = e.distributions(p, m)
	}
	if p.entry.Loop != nil && !math.IsInf(c.LogProb, -1) {
		if decided := m.Decided(p.entry); decided != nil {
			for _, v := range e.vars.seen {
				c.Decided = append(c.Decided, decided[v] >= 0)
			}
		}
	}
	return &c, nil
}

// approximateLogProb returns the estimate of ln P of the evidence; NaN if the method has none.
func (e *Engine) approximateLogProb(ctx context.Context, p *program, f *Findings) (float64, error) {
	switch {
	case chooses(p.entry), p.entry.Query.Kind == ir.Bounded:
		return 0, ErrNoAnswer
	case p.entry.Query.Kind == ir.Estimates:
		log, _, err := e.ChainLogProb(ctx, f)
		return log, err
	}
	m, _, err := e.iterate(ctx, p, f)
	if err != nil {
		return 0, err
	}
	return m.LogP(), nil
}

// iterate enters findings, runs the entry of p, and returns a report.
func (e *Engine) iterate(ctx context.Context, p *program, f *Findings) (*eval.Machine, *Report, error) {
	m, err := e.enter(p, f)
	if err != nil {
		return nil, nil, err
	}
	r, err := iterate(ctx, p, m, e.runs)
	if err != nil {
		return nil, nil, e.impossible(err, f, r)
	}
	return m, r, nil
}

// iterate runs the entry of p on the evidence of m. With an error it returns the report so far.
func iterate(ctx context.Context, p *program, m *eval.Machine, opt RunOptions) (*Report, error) {
	switch {
	case p.entry.Query.Kind.Run() > ir.RunChain:
		r, err := m.RunTrials(ctx, p.entry, opt.trial())
		x := report(p, r.Report)
		x.ESS, x.LogError = r.ESS, r.LogError
		if chooses(p.entry) {
			x.Bound, x.Gap = math.Inf(1), math.Inf(1) // nothing is proven
		}
		return x, err
	case p.entry.Chain != nil:
		r, err := m.RunChain(ctx, p.entry, opt.chain())
		return chainReport(p, r), err
	}
	r, err := m.RunLoop(ctx, p.entry, opt.loop())
	x := report(p, r)
	if err != nil && !(p.entry.Query.By.Anytime && errors.Is(err, context.DeadlineExceeded)) {
		return x, err
	}
	if p.entry.Loop.Decode != nil {
		d := m.Decoded(p.entry, r)
		x.Status, x.Iterations, x.Residual, x.Bound, x.Gap = d.Status.String(), d.Iterations, d.Residual, d.Bound, d.Gap
		x.Strong, x.Frustrated = d.Strong, d.Status == pgmrt.DecodeNotDecodable && frustrated(ctx, p.Program, p.entry, m)
	} else {
		x.Bound, _ = m.Bound(p.entry)
		x.Improper = m.Improper(p.entry)
	}
	return x, nil
}

func report(p *program, r pgmrt.Report) *Report {
	return &Report{Note: p.note, Status: r.Status.String(), Converged: r.Status == pgmrt.Converged, Iterations: r.Iterations, Residual: r.Residual}
}

func chainReport(p *program, r pgmrt.SampleReport) *Report {
	x := report(p, r.Report)
	x.RHat, x.ESS, x.Refused, x.Rejected = r.RHat, r.ESS, r.Refused, r.Rejected
	return x
}

// ChainLogProb estimates ln P of observed states by Markov chains, as the sum of the logarithms of
// the probability of each state given those before it. The engine's method must run chains, as
// gibbs does. Errors besides errors of evidence are [ErrNoAnswer], [ErrSoftJoint] and
// [ErrRealJoint].
func (e *Engine) ChainLogProb(ctx context.Context, given Given) (logProb float64, r *Report, err error) {
	f, err := e.resolve(given)
	if err != nil {
		return 0, nil, err
	}
	p := e.method
	if p == nil || p.entry.Query.Kind != ir.Estimates {
		return 0, nil, ErrNoAnswer
	}
	m := e.machine(p)
	m.ClearEvidence()
	var all pgmrt.SampleReport
	for _, v := range e.vars.seen {
		x, known := f.Observed(e.vars.m.Vars[v])
		switch {
		case f.Soft[v] != nil:
			return 0, nil, ErrSoftJoint
		case !known:
			continue
		case e.vars.m.Card(v) == 0:
			return 0, nil, ErrRealJoint
		}
		r, err := m.RunChain(ctx, p.entry, e.runs.chain())
		if err != nil {
			return 0, nil, e.impossible(err, f, nil)
		}
		all = all.With(r)
		i := slices.IndexFunc(p.entry.Outs, func(id ir.SpanID) bool { return p.Spans[id].Var == v })
		logProb += pgmrt.Ln(m.Posterior(i)[x.State])
		if math.IsInf(logProb, -1) {
			return 0, nil, e.impossible(ErrImpossible, f, nil)
		}
		if err := m.Set(v, x); err != nil {
			return 0, nil, err
		}
	}
	return logProb, chainReport(p, all), nil
}
