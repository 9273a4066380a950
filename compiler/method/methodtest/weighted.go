package methodtest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Weighted compares a method of weighted samples with brute force, on models without and with
// random evidence. If the report says that the samples suffice, ln P must be within four of its
// standard errors, and posteriors within five times their largest standard error, since there are
// many of them. One run in 100 may fail, since thousands of numbers are compared. Weighted returns
// the number of runs with enough samples.
func Weighted(t *testing.T, name string, models []*model.Model, options ...string) (enough int) {
	t.Helper()
	off := 0
	for i, m := range models {
		opt := compiler.Options{Method: compiler.Named(name, options...), Unnormalised: true}.Trial(trial.Options{Chunk: chunk(i)})
		w := &weighted{newSubject(t, m, opt)}
		for k := range uint64(3) {
			agreed, near := w.run(uint64(i), evidence(i, k, m))
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

// weighted is the subject of a method of weighted samples.
type weighted struct{ *subject }

// run reports whether there were enough samples, and if so whether the answers are near brute
// force's.
func (w *weighted) run(seed uint64, e brute.Evidence) (enough, near bool) {
	w.Helper()
	w.enter(e)
	entry := w.only()
	r, err := w.machine.RunTrials(context.Background(), entry, pgmrt.TrialOptions{Seed: seed})
	logP := w.joint.LogProb(e)
	if w.joint.Model.Kind == model.Markov {
		logP += w.joint.LogPartition() // the method returns the unnormalized value
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
