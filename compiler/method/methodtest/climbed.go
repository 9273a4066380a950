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

// Climbed compares a search with brute force, on models without and with random evidence. The value
// must be the states' and must not exceed the best one, and more starts must not make it worse.
// Nearly all runs with possible evidence must find the best value.
func Climbed(t *testing.T, name string, options ...string) {
	t.Helper()
	found, all := 0, 0
	for i, m := range Joint(150, 1<<10) {
		c := &climbing{newSubject(t, m, compiler.Options{Method: compiler.Named(name, options...)}.Trial(trial.Options{Chunk: chunk(i)}))}
		for k := range uint64(3) {
			e := evidence(i, k, m)
			c.enter(e)
			best, _ := c.joint.MPE(e)
			value, possible := c.run(e, pgmrt.TrialOptions{Seed: uint64(i)})
			if possible {
				all++
			}
			if m.Kind == model.Markov {
				best += c.joint.LogPartition()
			}
			if possible && value > best-1e-9*(1+math.Abs(best)) {
				found++
			}
			if value > best+1e-9*(1+math.Abs(best)) {
				t.Errorf("model %d, evidence %d: value %v; the best is %v", i, k, value, best)
			}
			if one, _ := c.run(e, pgmrt.TrialOptions{Seed: uint64(i), Chains: 1}); one > value+1e-9*(1+math.Abs(value)) {
				t.Errorf("model %d, evidence %d: one start finds %v, and several %v", i, k, one, value)
			}
		}
	}
	if all < 300 || found < all*95/100 {
		t.Errorf("the best states were found in %d of %d runs; want nearly all", found, all)
	}
	t.Logf("the best states were found in %d of %d runs", found, all)
}

// climbing is the subject of a search for states.
type climbing struct{ *subject }

// run runs a search and compares its value with its states'.
func (c *climbing) run(e brute.Evidence, opt pgmrt.TrialOptions) (value float64, possible bool) {
	c.Helper()
	_, err := c.machine.RunTrials(context.Background(), c.only(), opt)
	if impossible := math.IsInf(c.joint.LogProb(e), -1); impossible || err != nil {
		if !impossible || !errors.Is(err, pgmrt.ErrImpossible) {
			c.Errorf("%v; evidence is impossible: %v", err, impossible)
		}
		return math.Inf(-1), false
	}
	m := c.joint.Model
	var vars []model.VarID
	var states []int
	for v := range m.Vars {
		vars, states = append(vars, model.VarID(v)), append(states, int(c.machine.State()[v]))
	}
	want := c.joint.LogValue(vars, states, e)
	if m.Kind == model.Markov {
		want += c.joint.LogPartition()
	}
	value = c.machine.LogP()
	if !(math.Abs(value-want) <= 1e-9*(1+math.Abs(want))) {
		c.Errorf("value %v of states of %v", value, want)
	}
	return value, true
}
