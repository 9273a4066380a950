package methodtest

import (
	"errors"
	"math"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// session changes one evidence into the next, finding by finding, and compares the answers on the
// way with brute force.
func (c *checked) session() {
	s, err := eval.NewSession(c.result.Program, c.result.Model)
	c.must(err)
	now := brute.Evidence{Hard: map[model.VarID]int{}, Soft: map[model.VarID][]float64{}}
	for i := range uint64(3) {
		next := irtest.RandomEvidence(c.seed*10+i, c.joint.Model)
		for v := range c.joint.Model.Vars {
			id := model.VarID(v)
			delete(now.Hard, id)
			delete(now.Soft, id)
			s.Retract(id)
			if state, ok := next.Hard[id]; ok {
				now.Hard[id] = state
				c.must(s.Observe(id, state))
			}
			if l, ok := next.Soft[id]; ok {
				now.Soft[id] = l
				c.must(s.Likelihood(id, l))
			}
			c.sessionAnswers(s, now, v%2 == 0)
		}
	}
}

// sessionAnswers compares ln P and, if all is set, the posteriors.
func (c *checked) sessionAnswers(s *eval.Session, e brute.Evidence, all bool) {
	want := c.joint.LogProb(e)
	logp, err := s.LogProb()
	if errors.Is(err, pgmrt.ErrLikelihood) {
		return // more extreme than the program allows; entry checks that
	}
	if impossible := math.IsInf(want, -1); impossible || err != nil {
		if !impossible || !errors.Is(err, pgmrt.ErrImpossible) {
			c.Errorf("session: error %v, but ln P is %v", err, want)
		}
		return
	}
	irtest.CloseTo(c, logp, want, c.tol)
	if !all {
		return
	}
	marginals, err := s.Marginals()
	c.must(err)
	for v, p := range marginals {
		if p != nil {
			irtest.Close(c, p, c.joint.Posterior(model.VarID(v), e), c.tol)
		}
	}
}
