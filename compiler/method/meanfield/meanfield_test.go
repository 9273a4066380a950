package meanfield_test

import (
	"context"
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

func TestContract(t *testing.T) { methodtest.Loop(t, meanfield.Method) }

func TestLibDAI(t *testing.T) { methodtest.LibDAI(t, meanfield.Method, "MF_NAIVE_UNI") }

// TestBoundNeverFalls checks that the bound never falls; that is, the divergence from the
// approximation to the posterior never increases. If no number is zero, the bound must not exceed
// ln P.
func TestBoundNeverFalls(t *testing.T) {
	for seed := range uint64(200) {
		m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 10, NoZeros: seed%2 == 0})
		joint, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		machine, entry := compiled(t, m)
		e := irtest.EvidenceOn(seed, m, .3, .3)
		methodtest.Enter(t, machine, m, e)
		last := math.Inf(-1)
		for n := 1; n < 12; n++ {
			opt := pgmrt.LoopOptions{Iterations: n, Tolerance: -1, Damping: []float64{0, 0, .4}[seed%3]}
			if _, err := machine.RunLoop(context.Background(), entry, opt); errors.Is(err, pgmrt.ErrImpossible) {
				break
			} else if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			bound := machine.LogP()
			if bound < last-1e-9*max(1, math.Abs(last)) {
				t.Errorf("seed %d: a bound of %v after %d rounds, and of %v before", seed, bound, n, last)
			}
			last = bound
		}
		if want := joint.LogProb(e); m.Kind == model.Bayes && last > want+1e-9 {
			t.Errorf("seed %d: a bound of %v, and ln P is %v", seed, last, want)
		}
	}
}

func compiled(t *testing.T, m *model.Model) (*eval.Machine, *ir.Entry) {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("meanfield"), Rows: model.RowsAsIs, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	return eval.New(r.Program, r.Model), &r.Program.Entries[0]
}

// pair returns a dependency network of two variables: a prefers the state of b, and b that of a or,
// with contrary, the other one.
func pair(contrary bool) *model.Model {
	m := &model.Model{Name: "pair", Kind: model.Dependency}
	m.NewVar("a", "no", "yes")
	m.NewVar("b", "no", "yes")
	same, other := []float64{1, 0, 0, 1}, []float64{1, 0, 0, 1}
	if contrary {
		other = []float64{0, 1, 1, 0}
	}
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{1, 0}, Child: 1, Dist: &model.Table{Values: same}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Table{Values: other}},
	}
	return m
}

// TestContradiction checks that inconsistent CPDs keep mean field from converging, unless it starts
// at a fixed point: the example of Lowd and Shamaei 2011, in which a is b, and b is not a. If b is
// a, it converges in one iteration.
func TestContradiction(t *testing.T) {
	for _, c := range []struct {
		name     string
		contrary bool
		soft     []float64
		status   pgmrt.Status
		a        float64
	}{
		{"at the fixed point", true, []float64{1, 1}, pgmrt.Converged, .5},
		{"contrary", true, []float64{.4, .6}, pgmrt.NotConverged, -1},
		{"consistent", false, []float64{.4, .6}, pgmrt.Converged, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			machine, entry := compiled(t, pair(c.contrary))
			if err := machine.Likelihood(1, c.soft); err != nil {
				t.Fatal(err)
			}
			report, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{Iterations: 501})
			if err != nil || report.Status != c.status {
				t.Fatalf("%+v, %v; want %v", report, err, c.status)
			}
			got := machine.Posterior(0)
			if c.a >= 0 && !irtest.Near(got[1], c.a, 1e-12) {
				t.Errorf("q(a) = %v; want %v", got, c.a)
			}
			if c.status == pgmrt.NotConverged && report.Residual < .99 {
				t.Errorf("residual %v; want the whole way to and fro", report.Residual)
			}
		})
	}
}

// TestLibra compares with Libra's round robin. Libra stops as soon as no variable has changed by
// more than 0.001 for as many updates as there are variables, which is within an iteration: the
// first variables are those of the 22nd iteration, the others of the 21st. Multiplied over 294
// variables and many iterations, the order of updates affects every digit.
func TestLibra(t *testing.T) {
	c := methodtest.LibraCase{Model: "mn/msweb-cl.mn.gz", Log: "mn/test5.log"}
	last := c.Run(t, meanfield.Method, pgmrt.LoopOptions{Iterations: 22, Tolerance: -1})[0]
	before := c.Run(t, meanfield.Method, pgmrt.LoopOptions{Iterations: 21, Tolerance: -1})[0]
	want := c.Want(t)[0]
	as := func(q [][]float64, v int) bool {
		return math.Abs(q[v][0]-want[v][0]) <= 1e-11 && math.Abs(q[v][1]-want[v][1]) <= 1e-11
	}
	stopped := 0
	for stopped < len(want) && as(last, stopped) {
		stopped++
	}
	for v := stopped; v < len(want); v++ {
		if !as(before, v) {
			t.Errorf("variable %d: %v; want %v, or %v in the round before", v, last[v], want[v], before[v])
		}
	}
	if stopped < 10 || stopped == len(want) {
		t.Errorf("%d of %d variables are as the last round leaves them", stopped, len(want))
	}
}

func TestQueue(t *testing.T) { methodtest.Loop(t, meanfield.Method, "schedule=queue") }

func TestLibDAIQueue(t *testing.T) {
	methodtest.LibDAI(t, meanfield.Method, "MF_NAIVE_UNI", "schedule=queue")
}

// TestLibraQueue compares with Libra's queue, which is that of the paper: all variables are queued
// at first, and one that has changed by more than 0.001 appends its neighbours. The order alone
// decides which of several optima it reaches and where it stops.
func TestLibraQueue(t *testing.T) {
	c := methodtest.LibraCase{Model: "acopt/msweb-cl.xmod.gz", Log: "manual/test17.log"}
	got, want := c.Run(t, meanfield.Method, pgmrt.LoopOptions{Iterations: 50, Tolerance: .001}, "schedule=queue")[0], c.Want(t)[0]
	for v := range want {
		for s, w := range want[v] {
			if math.Abs(got[v][s]-w) > 1e-11 {
				t.Errorf("variable %d: %v; want %v", v, got[v], want[v])
			}
		}
	}
}

func TestRandomStart(t *testing.T) { methodtest.Loop(t, meanfield.Method, "start=random", "seed=3") }

// TestRandomStartBreaksSymmetry has two spins of potential exp(4 [a = b]), with a saddle point at
// which both are one half and the bound is 2 ln 2 + 4/2. The other fixed points satisfy m = tanh(2
// m) for the mean m of a spin of -1 and 1: m = 0.957504 or -0.957504. There q = (1 + m)/2 has the
// entropy H = 0.102857, and the bound is 2 H + 4 (q² + (1-q)²) = 2 H + 2 (1 + m²). ln Z is ln(2 e^4
// + 2) = 4.711.
func TestRandomStartBreaksSymmetry(t *testing.T) {
	m := &model.Model{Name: "spins", Kind: model.Markov}
	m.NewVar("a", "-", "+")
	m.NewVar("b", "-", "+")
	same := math.Exp(4)
	m.Factors = []*model.Factor{{Scope: []model.VarID{0, 1}, Child: -1, Dist: &model.Table{Values: []float64{same, 1, 1, same}}}}
	run := func(options ...string) (mean, bound float64) {
		made, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("meanfield", options...), Check: true})
		if err != nil {
			t.Fatal(err)
		}
		machine := eval.New(made.Program, made.Model)
		if r, err := machine.RunLoop(context.Background(), &made.Program.Entries[0], pgmrt.LoopOptions{}); err != nil || r.Status != pgmrt.Converged {
			t.Fatalf("%+v, %v", r, err)
		}
		q := machine.Posterior(0)
		return q[1] - q[0], machine.LogP() + made.Program.LogZ
	}
	mean, saddle := run()
	if mean != 0 || !irtest.Near(saddle, 2*math.Ln2+2, 1e-12) {
		t.Errorf("from the likelihood: mean %v, bound %v; want 0 and %v", mean, saddle, 2*math.Ln2+2)
	}
	signs := map[bool]int{}
	for seed := range 20 {
		mean, bound := run("start=random", "seed="+strconv.Itoa(seed))
		q := (1 + mean) / 2
		want := -2*(q*math.Log(q)+(1-q)*math.Log(1-q)) + 2*(1+mean*mean)
		if !irtest.Near(math.Abs(mean), .957504, 1e-6) || !irtest.Near(bound, want, 1e-12) || bound < saddle {
			t.Errorf("seed %d: mean %v, bound %v; want ±0.957504 and %v", seed, mean, bound, want)
		}
		signs[mean > 0]++
	}
	if signs[true] == 0 || signs[false] == 0 {
		t.Errorf("%d of 20 seeds come to the positive optimum; want some at each", signs[true])
	}
}
