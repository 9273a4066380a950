package codegen_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestChains compares what packages of Gibbs sampling answer with the interpreter: random models, every back-end, both ways of laying
// blocks out. The random numbers are the same, and so are the numbers drawn, but for what rounding may decide.
func TestChains(t *testing.T) {
	m := newModule(t, "")
	for seed := range uint64(16) {
		mod := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 9, NoZeros: seed%3 == 0})
		opt := compiler.Options{Method: "gibbs", Seed: seed, MethodOptions: []string{"iterations=100", "burn-in=10", "chains=2"}}
		if seed%4 < 2 {
			opt.Chunk = 16
		}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string { return chainTest(name, r, seed) })
	}
	m.test()
}

// TestForests does the same for latent dependency forest models, by each sampler.
func TestForests(t *testing.T) {
	m := newModule(t, "")
	for seed := range uint64(6) {
		mod := irtest.RandomForest(seed, 3+int(seed), 4, seed%2 == 0, []float64{0, .8}[seed%2])
		sampler := []string{"tree", "gibbs", "determinant"}[seed%3]
		opt := compiler.Options{MethodOptions: []string{"sampler=" + sampler, "iterations=60", "burn-in=5", "chains=2"}}
		name := fmt.Sprintf("p%d", seed)
		m.add(t, name, turn(seed), mod, opt, func(r *compiler.Result) string { return chainTest(name, r, seed) })
	}
	m.test()
}

// chainTest is a test of package name: evidence, and what the interpreter makes of it.
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
				for s := range g.Field(f).Len() {
					if a, b := g.Field(f).Index(s).Float(), w.Field(f).Index(s).Float(); math.Abs(a-b) > 1e-12 {
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
