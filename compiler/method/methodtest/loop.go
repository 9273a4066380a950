package methodtest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Loop checks an iterating method on the fixtures and on random models; half of them have at most
// one parent per variable: 300 models, or in a short test 150, and 40 if the method has options. If
// it claims to be exact, its answers must be brute force's, impossible evidence included. Otherwise
// they must be distributions and finite numbers, and evidence that it calls impossible must be
// impossible. Loop returns the number of models, and for how many of them the method claims to be
// exact.
func Loop(t *testing.T, m method.Method, options ...string) (exact, models int) {
	n := irtest.Count(t, 150, 300)
	if len(options) > 0 {
		n = irtest.Count(t, 40, 300)
	}
	list := fixturesAnd(uint64(n), 1<<11)
	for i, x := range list {
		l := &loop{newSubject(t, x, compiler.Options{Method: compiler.Named(m.Name, options...)}.Trial(trial.Options{Chunk: chunk(i)}))}
		if l.result.Claim == method.Exact {
			exact++
		}
		for k := range uint64(4) {
			l.check(evidence(i, k, x))
		}
		if t.Failed() {
			t.Fatalf("model %d: %v", i, x.Name)
		}
	}
	return exact, len(list)
}

// loop is the subject of an iterating query.
type loop struct{ *subject }

// check runs the query with evidence and checks the answer.
func (l *loop) check(e brute.Evidence) {
	l.enter(e)
	entry := l.only()
	report, err := l.machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	want := l.joint.LogProb(e)
	possible := !math.IsInf(want, -1)
	switch {
	case errors.Is(err, pgmrt.ErrLikelihood):
		return
	case errors.Is(err, pgmrt.ErrImpossible):
		if possible {
			l.Errorf("evidence of ln P %v is called impossible", want)
		}
		return
	}
	l.must(err)
	if l.result.Claim == method.Exact {
		l.exact(entry, e, report, want)
		return
	}
	for i := range entry.Outs {
		sum := 0.0
		for _, p := range l.machine.Posterior(i) {
			sum += p
		}
		if !irtest.Near(sum, 1, 1e-12) {
			l.Errorf("marginal %v; want a distribution", l.machine.Posterior(i))
		}
	}
	if logp := l.machine.LogP(); math.IsNaN(logp) || math.IsInf(logp, 0) {
		l.Errorf("ln P %v; want a finite number", logp)
	}
}

func (l *loop) exact(entry *ir.Entry, e brute.Evidence, report pgmrt.Report, want float64) {
	if report.Status != pgmrt.Converged {
		l.Errorf("%+v; want convergence", report)
	}
	irtest.CloseTo(l, l.machine.LogP(), want, tolerance(l.T, l.result.Claim))
	for i, out := range entry.Outs {
		irtest.Close(l, l.machine.Posterior(i), l.joint.Posterior(l.result.Program.Spans[out].Var, e), tolerance(l.T, l.result.Claim))
	}
}
