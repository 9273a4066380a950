package belief_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// spinGlass returns a grid of n times n spins, whose fields and couplings are normal with the given
// standard deviation.
func spinGlass(n int, coupling float64, seed uint64) *model.Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &model.Model{Name: "spin glass", Kind: model.Markov}
	for i := range n * n {
		m.NewVar(fmt.Sprintf("x%d", i), "down", "up")
	}
	potential := func(scope []model.VarID, values ...float64) {
		for i, x := range values {
			values[i] = math.Exp(x)
		}
		m.Factors = append(m.Factors, &model.Factor{Child: -1, Scope: scope, Dist: &model.Table{Values: values}})
	}
	for i := range n * n {
		h := r.NormFloat64() * .1
		potential([]model.VarID{model.VarID(i)}, -h, h)
		for _, next := range []int{i + 1, i + n} {
			if next == i+1 && next%n == 0 || next >= n*n {
				continue
			}
			j := r.NormFloat64() * coupling
			potential([]model.VarID{model.VarID(i), model.VarID(next)}, j, -j, -j, j)
		}
	}
	return m
}

// settle runs a schedule and returns the report and the marginals.
func settle(t *testing.T, m *model.Model, options ...string) (r pgmrt.Report, marginals [][]float64) {
	t.Helper()
	c, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("belief", options...), Unnormalised: true})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(c.Program, c.Model), &c.Program.Entries[0]
	if r, err = machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{Iterations: 300}); err != nil {
		t.Fatal(err)
	}
	for i := range entry.Outs {
		marginals = append(marginals, machine.Posterior(i))
	}
	return r, marginals
}

// TestSchedules compares the schedules on grids with strong couplings. On 20 grids flooding
// converges on 3 within 300 iterations, sequential on 11 and residual on 18; the test uses half of
// them.
func TestSchedules(t *testing.T) {
	settled := map[string]int{}
	for seed := range uint64(10) {
		m := spinGlass(9, .9, seed)
		for _, schedule := range []string{"flooding", "sequential", "residual"} {
			if r, _ := settle(t, m, "schedule="+schedule); r.Status == pgmrt.Converged {
				settled[schedule]++
			}
		}
	}
	if f, s, r := settled["flooding"], settled["sequential"], settled["residual"]; f >= s || s >= r || r < 8 {
		t.Errorf("flooding converges on %d grids, sequential on %d, residual on %d", f, s, r)
	}
}

// TestSameFixedPoint checks that all schedules reach the same fixed point, which is unique for weak
// couplings.
func TestSameFixedPoint(t *testing.T) {
	m := spinGlass(6, .3, 1)
	_, want := settle(t, m)
	for _, options := range [][]string{{"schedule=flooding"}, {"schedule=residual"}, {"schedule=residual", "damping=0.5"}} {
		r, got := settle(t, m, options...)
		if r.Status != pgmrt.Converged {
			t.Errorf("%v: %+v", options, r)
		}
		for v, p := range got {
			irtest.Close(t, p, want[v], 1e-7)
		}
	}
}
