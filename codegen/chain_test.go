package codegen_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/compilertest"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestChains compares the answers of packages for Gibbs sampling with the interpreter, for random
// models, every back-end, and both layouts of blocks. The random numbers are the same, and so are
// the drawn states, apart from rounding.
func TestChains(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, 4, 16) {
		mod := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 9, NoZeros: seed%3 == 0})
		opt := compiler.Options{Method: compiler.Named("gibbs", "iterations=100", "burn-in=10", "chains=2"), Seed: seed}
		if seed%4 < 2 {
			opt = opt.Trial(compilertest.Trial{Chunk: 16})
		}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string { return chainTest(name, r, seed) })
	}
	m.test()
}

// TestForests does the same for latent dependency forest models, with each sampler.
func TestForests(t *testing.T) {
	t.Parallel()
	m := newModule(t, "")
	for _, seed := range irtest.Cases(t, 3, 6) {
		mod := irtest.RandomForest(seed, 3+int(seed), 4, seed%2 == 0, []float64{0, .8}[seed%2])
		sampler := []string{"tree", "gibbs", "determinant"}[seed%3]
		opt := compiler.Options{Method: compiler.Named("", "sampler="+sampler, "iterations=60", "burn-in=5", "chains=2")}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string { return chainTest(name, r, seed) })
	}
	for _, seed := range irtest.Cases(t, 2, 4) { // one for each back-end
		mod := irtest.RandomRealForest(seed, [][]int{{2, 0}, {0, 3, 0, 2}, {0, 0}, {3, 0, 0, 4, 2}}[seed], seed%2 == 0)
		opt := compiler.Options{Method: compiler.Named("", "iterations=60", "burn-in=5", "chains=2")}
		name := fmt.Sprintf("r%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string { return chainTest(name, r, seed) })
	}
	m.check("r1", realTestText)
	doc, err := os.ReadFile(filepath.Join(m.dir, "r1", "r1.go"))
	if text := strings.ReplaceAll(string(doc), "\n// ", " "); err != nil ||
		!strings.Contains(text, "4 variables, 2 of them real, with 5 states in all.") || !strings.Contains(text, "For a real variable, Obs makes") {
		t.Errorf("%v, or the package's comment says nothing of real variables", err)
	}
	m.test()
}

// realTestText tests the types of real variables. The first variable of package r1 is real, and the
// second has states.
const realTestText = `package r1

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"
)

func TestReal(t *testing.T) {
	ev := Evidence{X0: Obs(1.5), X1: X1S1}
	text, err := json.Marshal(ev)
	var back Evidence
	if err != nil || string(text) != ` + "`" + `{"x0":1.5,"x1":"s1"}` + "`" + ` || json.Unmarshal(text, &back) != nil || back != ev {
		t.Errorf("%s, %v reads back as %v", text, err, back)
	}
	if json.Unmarshal([]byte(` + "`" + `{"x0":null}` + "`" + `), &back) != nil || back.X0 != (Real{}) || back.X0.String() != "unset" || ev.X0.String() != "1.5" {
		t.Errorf("null reads as %v, and %v", back.X0, ev.X0)
	}
	if x, ok := ev.X0.Value(); x != 1.5 || !ok {
		t.Errorf("the value is %v, %v", x, ok)
	}
	if err := json.Unmarshal([]byte(` + "`" + `{"x0":"tall"}` + "`" + `), &back); !errors.Is(err, ErrState) {
		t.Errorf("a text reads as a number: %v", err)
	}
	e, out := New(), new(Marginals)
	for _, x := range []float64{math.NaN(), math.Inf(1), 1e31} {
		if _, err := e.Gibbs(context.Background(), &Evidence{X2: Obs(x)}, nil, GibbsOptions{}, out); !errors.Is(err, ErrState) || *out != (Marginals{}) {
			t.Errorf("%v gives %v", x, err)
		}
	}
	if _, _, err := e.GibbsJoint(context.Background(), &ev, nil, GibbsOptions{}); !errors.Is(err, ErrState) {
		t.Errorf("the probability of a real value: %v", err)
	}
	if p, _, err := e.GibbsJoint(context.Background(), &Evidence{X1: X1S1}, &Evidence{X0: Obs(1.5)}, GibbsOptions{}); err != nil || !(p < 0) {
		t.Errorf("the probability of a state given a real value: %v, %v", p, err)
	}
	if _, err := e.Gibbs(context.Background(), &ev, nil, GibbsOptions{}, out); err != nil || out.X0 != (Normal{1.5, 0}) || !(out.X2.Var > 0) {
		t.Errorf("%v, %+v", err, *out)
	}
	if text, err := json.Marshal(out.X0); string(text) != ` + "`" + `{"mean":1.5,"var":0}` + "`" + ` {
		t.Errorf("an answer is %s, %v", text, err)
	}
}
`

// chainTest returns a check of package name: evidence, and the interpreter's answers to it.
func chainTest(name string, r *compiler.Result, seed uint64) string {
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	var cases strings.Builder
	for k := range uint64(3) {
		evidence := enter(machine, r.Model, 10*seed+k)
		report, err := machine.RunChain(context.Background(), entry, pgmrt.ChainOptions{})
		if errors.Is(err, pgmrt.ErrLikelihood) {
			continue
		}
		var want []string
		if err == nil {
			want = posteriors(machine, r)
		}
		fmt.Fprintf(&cases, "{%s, Marginals{%s}, %d, %v, %v},\n", evidence, strings.Join(want, ", "), report.Iterations, report.ESS, err == nil)
	}
	return strings.NewReplacer("PACKAGE", name, "CASES", cases.String()).Replace(chainTestText)
}

const chainTestText = `package PACKAGE

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
)

func TestChain(t *testing.T) {
	e := New()
	for i, c := range []struct {
		ev         Evidence
		soft       Soft
		want       Marginals
		iterations int
		ess        float64
		possible   bool
	}{
		CASES
	} {
		for range 2 {
			var got Marginals
			report, err := e.Gibbs(context.Background(), &c.ev, &c.soft, GibbsOptions{}, &got)
			if (err == nil) != c.possible || err != nil && !errors.Is(err, ErrImpossible) {
				t.Fatalf("case %d: %v; want possible %v", i, err, c.possible)
			}
			if err != nil {
				continue
			}
			if report.Iterations != c.iterations || math.Abs(report.ESS-c.ess) > 1e-6*c.ess {
				t.Errorf("case %d: %+v; want %d iterations, of %v that count", i, report, c.iterations, c.ess)
			}
			g, w := reflect.ValueOf(got), reflect.ValueOf(c.want)
			for f := range g.NumField() {
				at, n := reflect.Value.Index, 2
				if g.Field(f).Kind() == reflect.Struct { // of a real variable
					at = reflect.Value.Field
				} else {
					n = g.Field(f).Len()
				}
				for s := range n {
					if a, b := at(g.Field(f), s).Float(), at(w.Field(f), s).Float(); math.Abs(a-b) > 1e-12*max(1, math.Abs(b)) {
						t.Errorf("case %d: %v; want %v", i, a, b)
					}
				}
			}
		}
		ctx, got := context.Background(), new(Marginals)
		if n := testing.AllocsPerRun(2, func() { e.Gibbs(ctx, &c.ev, &c.soft, GibbsOptions{Iterations: 20}, got) }); n != 0 && c.possible {
			t.Errorf("case %d: %v allocations", i, n)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Gibbs(ctx, nil, nil, GibbsOptions{}, new(Marginals)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done gives %v", err)
	}
	if _, err := e.Gibbs(context.Background(), nil, nil, GibbsOptions{Chains: -1}, new(Marginals)); !errors.Is(err, ErrChain) {
		t.Errorf("less than no chain gives %v", err)
	}
	if p, _, err := e.GibbsJoint(context.Background(), &Evidence{}, nil, GibbsOptions{}); p != 0 || err != nil {
		t.Errorf("nothing is probable by %v, %v", p, err)
	}
}
`
