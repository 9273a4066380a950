package clg_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// conversation is a session, and what it knows.
type conversation struct {
	*subject
	s   *eval.Session
	now brute.HybridEvidence
}

// retract removes the evidence on v.
func (c *conversation) retract(v model.VarID) {
	delete(c.now.States, v)
	delete(c.now.Reals, v)
	delete(c.now.Soft, v)
	delete(c.now.Measured, v)
	c.s.Retract(v)
}

// observe adds the observation of v in e, if there is one.
func (c *conversation) observe(v model.VarID, e brute.HybridEvidence) (err error) {
	if state, ok := e.States[v]; ok {
		c.now.States[v] = state
		err = c.s.Observe(v, state)
	}
	if x, ok := e.Reals[v]; ok {
		c.now.Reals[v] = x
		err = c.s.Set(v, model.Value{Real: x})
	}
	return err
}

// soften adds a likelihood or a measurement of v.
func (c *conversation) soften(v model.VarID, r *rand.Rand) error {
	if c.m.IsReal(v) {
		x := model.Normal{Mean: 2 * r.NormFloat64(), Var: .1 + r.ExpFloat64()}
		c.now.Measured[v] = x
		return c.s.Likelihood(v, []float64{x.Mean, x.Var})
	}
	l := make([]float64, c.m.Card(v))
	for i := range l {
		l[i] = .1 + r.Float64()
	}
	c.now.Soft[v] = l
	return c.s.Likelihood(v, l)
}

// check compares the session's answers with those of exact rationals. It reports whether the
// evidence is possible.
func (c *conversation) check(t *testing.T) (possible bool) {
	t.Helper()
	want, err := brute.NewHybrid(c.m, c.now)
	if err != nil {
		t.Fatal(err)
	}
	prior, err := brute.NewHybrid(c.m, givens(c.m, c.now))
	if err != nil {
		t.Fatal(err)
	}
	logp, err := c.s.LogProb()
	if len(want.Parts) == 0 {
		if _, other := c.s.Marginals(); !errors.Is(err, eval.ErrImpossible) || !errors.Is(other, eval.ErrImpossible) {
			t.Errorf("%v and %v; want impossible", err, other)
		}
		return false
	}
	tol := c.tolerance(want, prior)
	if err != nil || !near(logp, want.LogDensity, 1, tol) {
		t.Errorf("ln p %v, %v; want %v", logp, err, want.LogDensity)
	}
	posteriors, err := c.s.Marginals()
	if err != nil {
		t.Error(err)
		return true
	}
	for v, got := range posteriors {
		if got == nil {
			continue
		}
		for _, d := range c.posteriorDifferences(model.VarID(v), got, want, prior, tol) {
			t.Error(d)
		}
	}
	return true
}

// TestSession observes, measures and retracts one variable after another in random networks, and
// compares the answers with exact rationals. Values come from three samples, so that some evidence
// contradicts functions.
func TestSession(t *testing.T) {
	possible, impossible := 0, 0
	for _, seed := range irtest.Cases(t, 12, 150) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Decades: 3, MaxVars: 7, Zeros: .4 * float64(seed%2)})
		opt := compiler.Options{Queries: []string{"session"}, Check: true, Measurements: seed%4 > 1}
		c := &conversation{subject: compileBy(t, m, opt)}
		c.now = brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}, Soft: map[model.VarID][]float64{}, Measured: map[model.VarID]model.Normal{}}
		var err error
		if c.s, err = eval.NewSession(c.p, c.m); err != nil {
			t.Fatal(err)
		}
		var samples []brute.HybridEvidence
		for k := range uint64(3) {
			samples = append(samples, irtest.HybridEvidence(10*seed+k, c.m, 1))
		}
		for _, v := range c.m.Vars {
			if v.Given && c.observe(v.ID, samples[0]) != nil {
				t.Fatal(v.Name)
			}
		}
		r := rand.New(rand.NewPCG(seed, 17))
		for range 16 {
			v := c.m.Vars[r.IntN(len(c.m.Vars))]
			softens := !v.Given && (!c.m.IsReal(v.ID) || opt.Measurements)
			switch what := r.IntN(6); {
			case what < 2 && !v.Given:
				c.retract(v.ID)
			case what == 2 && softens:
				err = c.soften(v.ID, r)
			default:
				err = c.observe(v.ID, samples[r.IntN(8)/3])
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.check(t) {
				possible++
			} else {
				impossible++
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if impossible == 0 || possible < 4*impossible {
		t.Errorf("%d possible, %d impossible; want both, and more of the first", possible, impossible)
	}
}
