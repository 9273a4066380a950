package infer

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Session answers questions under evidence that changes one variable at a time. It keeps the
// evidence and all messages from one question to the next, and recomputes only the messages that
// depend on a changed finding. Answers are an [Engine]'s up to rounding. A session is for one
// goroutine at a time, and does not depend on what its engine is asked meanwhile.
type Session struct {
	e     *Engine
	s     *eval.Session
	known *Findings
}

// Session returns a session without evidence. It needs an exact method; the error of an approximate
// one is [ErrNoAnswer].
func (e *Engine) Session(ctx context.Context) (*Session, error) {
	m := e.vars.m
	measures := slices.ContainsFunc(m.Reals(), func(v model.VarID) bool { return !m.Vars[v].Latent && !m.Vars[v].Given })
	p, err := e.findFor(ctx, measures, &ir.Query{Kind: ir.Session})
	if err != nil {
		return nil, err
	}
	s, err := eval.NewSession(p.Program, m)
	if err != nil {
		return nil, err
	}
	return &Session{e: e, s: s, known: NewFindings(len(m.Vars))}, nil
}

// Observe makes finding all that is known of a variable. It is a value of [Evidence] other than
// [Jeffrey]: the name of a state, [States], a [Likelihood], or [All] of these; of a real variable,
// a number, a [Measurement], or both.
func (s *Session) Observe(name string, finding any) error {
	f, err := Evidence{name: finding}.findings(s.e.vars)
	if err != nil {
		return err
	}
	if f.Jeffrey != nil {
		return &ValueError{name, finding, "a state, States or Likelihood"}
	}
	v, err := s.e.vars.find(name)
	if err != nil {
		return err
	}
	s.retract(v)
	if x, known := f.Observed(s.e.vars.m.Vars[v]); known {
		err = s.s.Set(v, x)
	}
	if err == nil && f.Soft[v] != nil {
		err = s.s.Likelihood(v, f.Soft[v])
	}
	if err != nil {
		s.retract(v)
		return err
	}
	s.known.State[v], s.known.Value[v], s.known.Soft[v] = f.State[v], f.Value[v], f.Soft[v]
	if set := f.sets[v]; set != nil {
		if s.known.sets == nil {
			s.known.sets = map[model.VarID]States{}
		}
		s.known.sets[v] = set
	}
	return nil
}

// Retract removes the evidence on a variable.
func (s *Session) Retract(name string) error {
	v, err := s.e.vars.find(name)
	if err == nil {
		s.retract(v)
	}
	return err
}

func (s *Session) retract(v model.VarID) {
	s.s.Retract(v)
	s.known.State[v], s.known.Value[v], s.known.Soft[v] = Missing, math.NaN(), nil
	delete(s.known.sets, v)
}

// Marginals returns the posteriors of all variables, and ln P of the evidence. The error is an
// [ImpossibleError] if the evidence has probability zero.
func (s *Session) Marginals() (*Marginals, error) {
	byVar, err := s.s.Marginals()
	if err != nil {
		return nil, s.e.impossible(err, s.known, nil)
	}
	logProb, err := s.s.LogProb()
	if err != nil {
		return nil, s.e.impossible(err, s.known, nil)
	}
	list := make([]Distribution, len(s.e.vars.seen))
	for i, v := range s.e.vars.seen {
		list[i] = s.e.distribution(v, slices.Clone(byVar[v]))
	}
	return &Marginals{List: list, LogProb: logProb}, nil
}

// LogProb returns ln P of the evidence; -Inf if it is impossible.
func (s *Session) LogProb() (float64, error) {
	logProb, err := s.s.LogProb()
	if err != nil && !errors.Is(err, ErrImpossible) {
		return 0, err
	}
	return logProb, nil
}
