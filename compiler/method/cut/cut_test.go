package cut_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/cut"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestContract checks 800 queries of random networks for both moves. Roof duality proves most of
// those with two states.
func TestContract(t *testing.T) {
	for _, option := range []string{"moves=expansion", "moves=swap"} {
		if d := methodtest.DecodePairs(t, cut.Method, option); d.Proven < 350 {
			t.Errorf("%s: %+v; want 350 proofs at least", option, d)
		}
	}
}

func TestImpossible(t *testing.T) { methodtest.Impossible(t, cut.Method) }

// TestUAI checks that one cut proves the best states of all networks that segment an image, and
// improves those of a grid with mixed signs.
func TestUAI(t *testing.T) {
	if proven, found := methodtest.UAINamed(t, cut.Method, "Segmentation"); len(proven) != 6 || len(found) != 6 {
		t.Errorf("%d are proven and %d found; want all 6: %v, %v", len(proven), len(found), proven, found)
	}
	methodtest.UAINamed(t, cut.Method, "Grids")
}

// TestKnown has the known examples. Roof duality does not move a network without preferences for a
// state, and leaves all variables of the triangle open.
func TestKnown(t *testing.T) {
	for _, k := range methodtest.Knowns {
		report, logp := k.Solve(t, cut.Method)
		want := pgmrt.DecodeConverged
		switch {
		case k.Best == 0:
			want = pgmrt.DecodeInfeasible
		case k.Loose > k.Best:
			want = pgmrt.DecodeAmbiguous
		}
		if report.Status != want || k.Best > 0 && math.Abs(report.Bound-math.Log(k.Loose)) > 1e-8 || k.Best > 0 && math.Abs(logp-math.Log(k.Best)) > 1e-9 {
			t.Errorf("%s: %+v and ln of the value %v; want %v with %v and bound %v", k.Name, report, logp, want, math.Log(k.Best), math.Log(k.Loose))
		}
	}
}

// TestBound has grids of variables with several states. The bound is near the best value, and proves
// the states of most grids.
func TestBound(t *testing.T) {
	r, proven := rand.New(rand.NewPCG(13, 6)), 0
	for i := range 20 {
		m := grid(6, 2+i%3, r)
		best, err := engine(t, m, "jointree").MPE(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine(t, m, "cut").MPE(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		of := func(c *infer.Completion) (sum float64) {
			for _, f := range m.Factors {
				state := make([]int, len(m.Vars))
				for v, a := range c.States {
					state[v] = a.Index
				}
				sum += math.Log(m.Value(f, state))
			}
			return sum
		}
		if off := got.Report.Bound - of(best); off < -1e-7 || off > .5 {
			t.Errorf("grid %d: bound %v with a gap of %v; the best value is %v", i, got.Report.Bound, got.Report.Gap, of(best))
		}
		if got.Report.Gap == 0 {
			proven++
		}
	}
	if proven < 10 {
		t.Errorf("%d grids are proven; want 10", proven)
	}
}

// TestEmpty has a network without variables, of which the empty completion has value 1.
func TestEmpty(t *testing.T) {
	got, err := engine(t, &model.Model{Name: "empty", Kind: model.Markov}, "cut").MPE(t.Context(), nil)
	if err != nil || got.LogProb != 0 || got.Report.Gap != 0 {
		t.Errorf("%+v, %v; want value 1, proven", got, err)
	}
}

func engine(t *testing.T, m *model.Model, method string) *infer.Engine {
	t.Helper()
	e, err := infer.New(t.Context(), m, infer.Options{Method: compiler.Named(method)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// grid returns a grid with preferences of each variable, in which neighbours want to be alike.
func grid(side, states int, r *rand.Rand) *model.Model {
	m := &model.Model{Name: "grid", Kind: model.Markov}
	names := []string{"0", "1", "2", "3"}[:states]
	for v := range model.VarID(side * side) {
		m.NewVar(fmt.Sprint("x", v), names...)
		own := &model.Table{}
		for range states {
			own.Values = append(own.Values, math.Exp(-3*r.Float64()))
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Child: -1, Dist: own})
		for _, w := range []model.VarID{v - 1, v - model.VarID(side)} {
			if w >= 0 && (w < v-1 || int(v)%side > 0) {
				m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{w, v}, Child: -1, Dist: &model.Pairwise{Metric: model.Linear, Weight: .5, Cap: 2}})
			}
		}
	}
	return m
}

// TestClaim checks that the method claims to be exact for one cut alone.
func TestClaim(t *testing.T) {
	for _, c := range []struct {
		states int
		weight float64
		want   method.Claim
	}{{2, 1, method.Exact}, {2, -1, method.Bound}, {3, 1, method.Bound}} {
		m := chain(c.states, &model.Pairwise{Weight: c.weight})
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("cut")})
		if err != nil || r.Claim != c.want {
			t.Errorf("%d states, weight %v: %v, %v; want %v", c.states, c.weight, r.Claim, err, c.want)
		}
	}
}

// chain returns a chain of three variables.
func chain(states int, d model.Dist) *model.Model {
	m := &model.Model{Name: "chain", Kind: model.Markov}
	var names []string
	for s := range states {
		names = append(names, fmt.Sprint(s))
	}
	for i := range 3 {
		m.NewVar(fmt.Sprint("x", i), names...)
	}
	for i := range model.VarID(2) {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{i, i + 1}, Child: -1, Dist: d})
	}
	return m
}

func TestRefuses(t *testing.T) {
	m := chain(2, &model.Pairwise{Weight: 1})
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0, 1, 2}, Child: -1, Dist: &model.Table{Values: []float64{1, 2, 3, 4, 5, 6, 7, 8}}})
	for options, want := range map[string]string{
		"":             "-: the potential over \"x0\", \"x1\", \"x2\" is over 3 variables; method cut needs factors over at most two; try method trws",
		"moves=fusion": "-: found moves \"fusion\"; want expansion or swap",
	} {
		var list []string
		if options != "" {
			list = []string{options}
		}
		_, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("cut", list...)})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v; want %s", options, err, want)
		}
	}
}

func ExampleNewOptions() {
	m := chain(2, &model.Pairwise{Weight: 1})
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{0}, Child: -1, Dist: &model.Table{Values: []float64{1, 2}}})
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Method: cut.NewOptions()})
	if err != nil {
		panic(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if err != nil {
		panic(err)
	}
	report := machine.Decoded(entry, went)
	fmt.Println(machine.State(), report.Status, report.Gap)
	// Output: [1 1 1] converged 0
}
