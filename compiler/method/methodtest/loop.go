package methodtest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Loop checks a method that iterates on the fixtures and on 300 random models, every other one of them with one parent a variable at most.
// Where it claims to be exact, its answers are those of brute force, impossible evidence included. Elsewhere they are distributions
// and finite numbers, and evidence that it calls impossible is. It gives the number of models of which it claimed to be exact.
func Loop(t *testing.T, m method.Method, options ...string) (exact int) {
	models := irtest.Fixtures()
	for seed := range uint64(300) {
		o := irtest.Options{MaxJoint: 1 << 11}
		if seed%2 == 0 {
			o.MaxParents = 1
		}
		models = append(models, irtest.RandomModel(seed, o))
	}
	for i, x := range models {
		l := newLoop(t, m, uint64(i), x, options)
		if l.claim == method.Exact {
			exact++
		}
		for k := range uint64(4) {
			e := irtest.RandomEvidence(uint64(i)*10+k, x)
			if k == 0 {
				e = brute.Evidence{}
			}
			l.evidence(e)
		}
		if t.Failed() {
			t.Fatalf("model %d: %v", i, x.Name)
		}
	}
	return exact
}

// loop is a model, compiled, and its joint distribution.
type loop struct {
	*testing.T
	claim   method.Claim
	joint   *brute.Joint
	program *ir.Program
	machine *eval.Machine
}

func newLoop(t *testing.T, m method.Method, seed uint64, x *model.Model, options []string) *loop {
	joint, err := brute.New(x)
	if err != nil {
		t.Fatal(err)
	}
	opt := compiler.Options{Method: m.Name, MethodOptions: options, Rows: model.RowsAsIs, Check: true}
	if seed%3 == 0 {
		opt.Chunk = 8 // so that blocks are many
	}
	r, err := compiler.Compile(context.Background(), x, opt)
	if err != nil {
		t.Fatalf("model %d: %v", seed, err)
	}
	return &loop{t, r.Claim, joint, r.Program, eval.New(r.Program, r.Model)}
}

// evidence runs the one query with evidence.
func (l *loop) evidence(e brute.Evidence) {
	l.machine.ClearEvidence()
	for v := range l.joint.Model.Vars {
		id := model.VarID(v)
		if s, ok := e.Hard[id]; ok {
			l.must(l.machine.Observe(id, s))
		}
		if soft, ok := e.Soft[id]; ok {
			l.must(l.machine.Likelihood(id, soft))
		}
	}
	entry := &l.program.Entries[0]
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
	if l.claim == method.Exact {
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
		l.Errorf("%+v; want a loop that settles", report)
	}
	irtest.CloseTo(l, l.machine.LogP(), want, tolerance(l.T, l.claim))
	for i, out := range entry.Outs {
		irtest.Close(l, l.machine.Posterior(i), l.joint.Posterior(l.program.Spans[out].Var, e), tolerance(l.T, l.claim))
	}
}

func (l *loop) must(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}
