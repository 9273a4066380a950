package eval

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Session answers queries under evidence that changes one finding at a time. It keeps all messages,
// and recomputes only the blocks that depend on a changed finding.
type Session struct {
	m     *Machine
	inc   *ir.Incremental
	dirty []bool  // by place in inc.Order
	exp   int32   // exponent of the root
	exps  []int32 // by place: the exponent that the block added to it
}

// NewSession returns a session for a program with a Session entry.
func NewSession(p *ir.Program, m *model.Model) (*Session, error) {
	e := p.Session()
	if e == nil {
		return nil, fmt.Errorf("eval: program %q has no entry for sessions", p.Name)
	}
	s := &Session{m: New(p, m), inc: p.Incremental(e)}
	s.m.entry, s.m.NoNarrowing = e, true
	s.dirty, s.exps = make([]bool, len(s.inc.Order)), make([]int32, len(s.inc.Order))
	for i := range s.dirty {
		s.dirty[i] = true
	}
	return s, nil
}

// Set is Machine.Set.
func (s *Session) Set(v model.VarID, x model.Value) error {
	s.touch(v)
	return s.m.Set(v, x)
}

// Observe observes a state of v, as Set does.
func (s *Session) Observe(v model.VarID, state int) error {
	return s.Set(v, model.Value{State: state})
}

// Likelihood is Machine.Likelihood.
func (s *Session) Likelihood(v model.VarID, l []float64) error {
	s.touch(v)
	return s.m.Likelihood(v, l)
}

// Retract is Machine.Retract.
func (s *Session) Retract(v model.VarID) {
	s.touch(v)
	s.m.Retract(v)
}

func (s *Session) touch(v model.VarID) {
	for _, r := range s.inc.Reach[v] {
		for i := r.First; i < r.End; i++ {
			s.dirty[i] = true
		}
	}
}

// LogProb returns ln P(evidence), with the errors of Machine.Run.
func (s *Session) LogProb() (float64, error) {
	err := s.run(s.inc.Root)
	return s.m.LogP(), err
}

// Marginals returns the posterior of every variable, by VarID, nil for latent ones: probabilities,
// or the mean and the variance of a real variable. Its errors are Machine.Run's. The slices are the
// session's own.
func (s *Session) Marginals() ([][]float64, error) {
	if err := s.run(len(s.inc.Order)); err != nil {
		return nil, err
	}
	out := make([][]float64, len(s.m.model.Vars))
	for i, id := range s.m.entry.Outs {
		out[s.m.program.Spans[id].Var] = s.m.Posterior(i)
	}
	return out, nil
}

// run updates the first n blocks.
func (s *Session) run(n int) error {
	return s.m.answer(s.m.entry, func() {
		for i := range n {
			if s.dirty[i] {
				s.dirty[i] = false
				s.block(i)
			}
		}
		if exp := s.m.entry.Exp; exp != ir.NoSpan {
			s.m.Ints(exp)[0] = s.exp
		}
	})
}

// block runs a block, and replaces the exponent that it had added.
func (s *Session) block(i int) {
	exp := s.m.entry.Exp
	if exp == ir.NoSpan {
		s.m.block(s.inc.Order[i])
		return
	}
	s.m.Ints(exp)[0] = 0
	s.m.block(s.inc.Order[i])
	added := s.m.Ints(exp)[0]
	s.exp += added - s.exps[i]
	s.exps[i] = added
}
