package methodtest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Climbed compares a search for states with brute force, on models without and with random evidence: the value is that of the states, and none
// is better than the best there is; with more steps and from more starts it never becomes worse. It gives the number of runs that found the best,
// and of runs with possible evidence.
func Climbed(t *testing.T, name string, models []*model.Model, options ...string) (found, all int) {
	t.Helper()
	for i, m := range models {
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: name, MethodOptions: options, Rows: model.RowsAsIs, Check: true, Chunk: []int{0, 8}[i%2]})
		if err != nil {
			t.Fatal(err)
		}
		machine := eval.New(r.Program, r.Model)
		for k := range uint64(3) {
			e := irtest.RandomEvidence(uint64(i)*10+k, m)
			if k == 0 {
				e = brute.Evidence{}
			}
			Enter(t, machine, m, e)
			best, _ := joint.MPE(e)
			value, possible := climbed(t, machine, &r.Program.Entries[0], joint, e, pgmrt.TrialOptions{Seed: uint64(i)})
			if possible {
				all++
			}
			if m.Kind == model.Markov {
				best += joint.LogPartition()
			}
			if possible && value > best-1e-9*(1+math.Abs(best)) {
				found++
			}
			if value > best+1e-9*(1+math.Abs(best)) {
				t.Errorf("model %d, evidence %d: value %v; the best is %v", i, k, value, best)
			}
			if one, _ := climbed(t, machine, &r.Program.Entries[0], joint, e, pgmrt.TrialOptions{Seed: uint64(i), Chains: 1}); one > value+1e-9*(1+math.Abs(value)) {
				t.Errorf("model %d, evidence %d: one start finds %v, and several %v", i, k, one, value)
			}
		}
	}
	return found, all
}

// climbed runs a search and holds its value against its states.
func climbed(t *testing.T, machine *eval.Machine, entry *ir.Entry, joint *brute.Joint, e brute.Evidence, opt pgmrt.TrialOptions) (value float64, possible bool) {
	t.Helper()
	_, err := machine.RunTrials(context.Background(), entry, opt)
	if impossible := math.IsInf(joint.LogProb(e), -1); impossible || err != nil {
		if !impossible || !errors.Is(err, pgmrt.ErrImpossible) {
			t.Errorf("%v; evidence is impossible: %v", err, impossible)
		}
		return math.Inf(-1), false
	}
	m := joint.Model
	var vars []model.VarID
	var states []int
	for v := range m.Vars {
		vars, states = append(vars, model.VarID(v)), append(states, int(machine.State()[v]))
	}
	want := joint.LogValue(vars, states, e)
	if m.Kind == model.Markov {
		want += joint.LogPartition()
	}
	value = machine.LogP()
	if !(math.Abs(value-want) <= 1e-9*(1+math.Abs(want))) {
		t.Errorf("value %v of states of %v", value, want)
	}
	return value, true
}
