package solve

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// asked is a task for one sample of evidence, with the engine that answers it.
type asked struct {
	Task
	engine *infer.Engine
	m      *model.Model      // the model without evidence, whose observed variables have all states
	known  *infer.Findings   // the evidence that is not part of the engine's model
	states []int             // the sample
	hidden []string          // MMAP: the variables that are not observed
	by     *ir.Approximation // the query of an approximate method; nil for an exact method
}

// answer answers a task.
func (x *asked) answer(ctx context.Context) (*Answer, error) {
	switch {
	case x.Name == MAR || x.Name == PR && x.by != nil:
		return x.marginals(ctx)
	case x.Name == MPE:
		return x.completion(ctx)
	case len(x.hidden) > 0:
		return x.some(ctx)
	}
	logProb, err := x.engine.LogProb(ctx, x.known)
	if err == nil && x.Name == MMAP && math.IsInf(logProb, -1) {
		err = infer.ErrImpossible
	}
	s := x.valued(logProb, nil)
	if x.Name == MMAP {
		s.Query, s.Steps = x.Query, 1
		x.choose(s, x.Query, nil)
	}
	return s, err
}

// valued returns an answer with a value, given as its natural logarithm, and the method's proof of
// it. An exact method has no report.
func (x *asked) valued(logProb float64, r *infer.Report) *Answer {
	s := &Answer{Log10: logProb / math.Ln10, Report: reply.TaskReport(r, x.by)}
	s.Lower, s.Upper = s.Log10, s.Log10
	if x.by == nil {
		return s
	}
	s.Lower, s.Upper = math.Inf(-1), math.Inf(1)
	if x.by.Kind == ir.Decoding && s.Report.Upper != nil {
		s.Upper = max(*s.Report.Upper, s.Log10)
		if s.Report.Weakness() == "" {
			s.Upper = s.Log10 // they differ by rounding
		}
	}
	return s
}

// marginals answers MAR, or PR by an approximate method.
func (x *asked) marginals(ctx context.Context) (*Answer, error) {
	m, err := x.engine.Marginals(ctx, x.known)
	var impossible *infer.ImpossibleError
	if x.Name == PR && errors.As(err, &impossible) {
		return x.valued(math.Inf(-1), impossible.Report), nil
	}
	if err != nil {
		return nil, err
	}
	s := x.valued(m.LogProb, m.Report)
	if x.Name == PR {
		return s, nil
	}
	for v, d := range m.List {
		s.Marginals = append(s.Marginals, x.observed(v, d.P))
	}
	return s, nil
}

// observed returns p, or the distribution of variable v if v is observed.
func (x *asked) observed(v int, p []float64) []float64 {
	if k := x.states[v]; k >= 0 {
		p = make([]float64, x.m.Card(model.VarID(v)))
		p[k] = 1
	}
	return p
}

// wanted returns the variables with states that answer MPE or MMAP.
func (x *asked) wanted() []model.VarID {
	if x.Name == MMAP {
		return x.Query
	}
	all := make([]model.VarID, len(x.states))
	for v := range all {
		all[v] = model.VarID(v)
	}
	return all
}

// completion answers MPE.
func (x *asked) completion(ctx context.Context) (*Answer, error) {
	c, err := x.engine.MPE(ctx, x.known)
	if err != nil {
		return nil, err
	}
	if x.by != nil && x.by.Kind == ir.Decoding && math.IsInf(c.LogProb, -1) {
		return nil, fmt.Errorf("method %s found no states of positive value, which does not prove that there are none; try --method %s", x.by.Word, cli.ExactMethods())
	}
	s := x.valued(c.LogProb, c.Report)
	x.choose(s, x.wanted(), c)
	return s, nil
}

// first makes the states of s, which are most probable, the first of those in the order of the
// file, if that takes little work.
func (x *asked) first(ctx context.Context, s *Answer) {
	if !(x.Name == MPE || x.Name == MMAP && len(x.hidden) > 0) {
		return
	}
	c, err := x.engine.First(ctx, x.known, x.hidden...)
	if c == nil || err != nil {
		return // the states are as probable
	}
	s.States = nil
	x.choose(s, x.wanted(), c)
}

// choose sets the states of vars to the answer's: the observed ones, and the others from c, which
// may be nil if all are observed.
func (x *asked) choose(s *Answer, vars []model.VarID, c *infer.Completion) {
	chosen := map[string]int{}
	if c != nil {
		for _, a := range c.States {
			chosen[a.Var] = a.Index
		}
	}
	for _, v := range vars {
		k := x.states[v]
		if k < 0 {
			k = chosen[x.m.Vars[v].Name]
		}
		s.States = append(s.States, k)
	}
}

// some answers MMAP, if a variable of it is not observed.
func (x *asked) some(ctx context.Context) (*Answer, error) {
	c, err := x.engine.MAP(ctx, x.known, x.hidden...)
	var ended *infer.SearchError
	switch errors.As(err, &ended); {
	case c == nil && ended != nil:
		return nil, ended.Cause // the search found nothing
	case c == nil:
		return nil, err
	}
	s := x.valued(c.LogProb, nil)
	s.Steps = 1
	if ended != nil {
		s.Upper, s.open = ended.Bound/math.Ln10, err.Error()
	}
	if c.Report != nil {
		s.Steps = c.Report.Iterations
	}
	s.Query = x.Query
	x.choose(s, x.Query, c)
	return s, nil
}
