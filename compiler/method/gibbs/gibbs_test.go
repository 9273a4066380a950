package gibbs_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// compiled returns a machine for the only query of m.
func compiled(t *testing.T, m *model.Model, chunk int) (*eval.Machine, *ir.Program) {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("gibbs"), Rows: model.RowsAsIs, Check: true}.Trial(trial.Options{Chunk: chunk}))
	if err != nil {
		t.Fatal(err)
	}
	return eval.New(r.Program, r.Model), r.Program
}

// TestAgainstBruteForce compares posteriors with brute force, if the report says that the chains
// agree and have moved. They must be within 5 standard errors of the worst probability. Impossible
// evidence must be reported, and no other.
func TestAgainstBruteForce(t *testing.T) {
	agreed := 0
	models := irtest.Fixtures()
	for seed := range uint64(200) {
		models = append(models, irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 10, NoZeros: seed%2 == 0}))
	}
	for i, m := range models {
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		machine, program := compiled(t, m, []int{0, 8}[i%2])
		entry := &program.Entries[0]
		for k := range uint64(3) {
			e := irtest.RandomEvidence(uint64(i)*10+k, m)
			if k == 0 {
				e = brute.Evidence{}
			}
			methodtest.Enter(t, machine, m, e)
			r, err := machine.RunChain(context.Background(), entry, pgmrt.ChainOptions{Seed: uint64(i)})
			if impossible := math.IsInf(joint.LogProb(e), -1); impossible || err != nil {
				if !impossible || !errors.Is(err, pgmrt.ErrImpossible) {
					t.Errorf("model %d: %v; evidence is impossible: %v", i, err, impossible)
				}
				continue
			}
			if r.Status != pgmrt.Converged {
				continue
			}
			agreed++
			for o, id := range entry.Outs {
				want := joint.Posterior(program.Spans[id].Var, e)
				for s, p := range machine.Posterior(o) {
					if se := max(r.Residual, math.Sqrt(want[s]*(1-want[s])/4000)); math.Abs(p-want[s]) > 5*se+1e-12 {
						t.Errorf("model %d, evidence %d: P(%v=%d) = %v; want %v within 5 times %v (%+v)", i, k, m.Vars[program.Spans[id].Var].Name, s, p, want[s], se, r)
					}
				}
			}
		}
	}
	if agreed < 500 {
		t.Errorf("chains agreed in %d runs; want most of 630 or so", agreed)
	}
}
