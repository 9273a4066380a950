package methodtest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Weighted compares a method that weighs samples with brute force, on models without and with random evidence. ln P has to be within four of
// its standard errors, and posteriors within five of their largest, which is an estimate for many numbers at a time; both where the report
// says that there were enough samples, of which runs it gives the number. A share of 1 in 100 runs may be off, of thousands of numbers.
func Weighted(t *testing.T, name string, models []*model.Model, options ...string) (enough int) {
	t.Helper()
	off := 0
	for i, m := range models {
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: name, MethodOptions: options, Rows: model.RowsAsIs, Check: true,
			Chunk: []int{0, 8}[i%2], Unnormalised: true})
		if err != nil {
			t.Fatal(err)
		}
		w := &weighted{T: t, joint: joint, result: r, machine: eval.New(r.Program, r.Model)}
		for k := range uint64(3) {
			e := irtest.RandomEvidence(uint64(i)*10+k, m)
			if k == 0 {
				e = brute.Evidence{}
			}
			agreed, near := w.run(uint64(i), e)
			if agreed {
				enough++
			}
			if !near {
				off++
				t.Logf("model %d, evidence %d is off", i, k)
			}
		}
	}
	if off > len(models)*3/100 {
		t.Errorf("%d of %d runs are off", off, 3*len(models))
	}
	return enough
}

// weighted is a model that is compiled for weighted samples.
type weighted struct {
	*testing.T
	joint   *brute.Joint
	result  *compiler.Result
	machine *eval.Machine
}

// run reports whether there were enough samples, and whether the answers then are near those of brute force.
func (w *weighted) run(seed uint64, e brute.Evidence) (enough, near bool) {
	w.Helper()
	Enter(w.T, w.machine, w.result.Model, e)
	entry := &w.result.Program.Entries[0]
	r, err := w.machine.RunTrials(context.Background(), entry, pgmrt.TrialOptions{Seed: seed})
	logP := w.joint.LogProb(e)
	if w.joint.Model.Kind == model.Markov {
		logP += w.joint.LogPartition() // the method is asked for what is not normalised
	}
	if impossible := math.IsInf(logP, -1); impossible || err != nil {
		if impossible != errors.Is(err, pgmrt.ErrImpossible) || !impossible && !errors.Is(err, pgmrt.ErrWeights) {
			w.Errorf("%v; ln P is %v", err, logP)
		}
		return false, true
	}
	got := w.machine.LogP()
	if math.IsNaN(got) || math.IsNaN(r.ESS) || math.IsNaN(r.LogError) || math.IsNaN(r.Residual) {
		w.Fatalf("ln P = %v, %+v", got, r)
	}
	if r.Status != pgmrt.Converged {
		return false, true
	}
	near = math.Abs(got-logP) <= 4*r.LogError+1e-11
	for o, id := range entry.Outs {
		want := w.joint.Posterior(w.result.Program.Spans[id].Var, e)
		for s, p := range w.machine.Posterior(o) {
			se := max(r.Residual, math.Sqrt(want[s]*(1-want[s])/r.ESS))
			near = near && math.Abs(p-want[s]) <= 5*se+1e-12
		}
	}
	if !near {
		w.Logf("ln P = %v; want %v; %+v", got, logP, r)
	}
	return true, near
}

// Enter sets the evidence of a machine.
func Enter(t *testing.T, machine *eval.Machine, m *model.Model, e brute.Evidence) {
	t.Helper()
	machine.ClearEvidence()
	for v := range m.Vars {
		id := model.VarID(v)
		if s, ok := e.Hard[id]; ok {
			if err := machine.Observe(id, s); err != nil {
				t.Fatal(err)
			}
		}
		if l, ok := e.Soft[id]; ok {
			if err := machine.Likelihood(id, l); err != nil {
				t.Fatal(err)
			}
		}
	}
}
