package compiler_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestSharedProgram compares each of several approximate queries of a program with the same query
// of a program of its own, on random models: they have the same bits, except ln P of Markov
// networks, in which the estimates of ln Z are subtracted in two steps.
func TestSharedProgram(t *testing.T) {
	words := []string{"bp", "trws", "meanfield", "maxprod"}
	for _, seed := range irtest.Cases(t, 10, 100) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 6})
		if len(m.Vars) == 0 {
			continue
		}
		r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: words})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := r.Program.Verify(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all := eval.New(r.Program, r.Model)
		for i, word := range words {
			one, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{word}})
			if err != nil {
				t.Fatal(err)
			}
			alone, opt := eval.New(one.Program, one.Model), pgmrt.LoopOptions{Iterations: 20}
			want, wantErr := alone.RunLoop(t.Context(), &one.Program.Entries[0], opt)
			got, err := all.RunLoop(t.Context(), &r.Program.Entries[i], opt)
			if got != want || (err == nil) != (wantErr == nil) {
				t.Fatalf("seed %d, %s: %v, %v; want %v, %v", seed, word, got, err, want, wantErr)
			}
			if err != nil {
				continue
			}
			if x, y := all.LogP(), alone.LogP(); x != y && !(math.Abs(x-y) <= 1e-12*max(1, math.Abs(y))) {
				t.Errorf("seed %d, %s: ln P %v; want %v", seed, word, x, y)
			}
			for k := range one.Program.Entries[0].Outs {
				for s, x := range alone.Posterior(k) {
					if all.Posterior(k)[s] != x {
						t.Errorf("seed %d, %s: answer %d is %v; want %v", seed, word, k, all.Posterior(k), alone.Posterior(k))
					}
				}
			}
		}
	}
}

// TestSharedSettings checks that the method of each query takes the settings that it has, whichever
// query is the first, and that a setting of no method is refused.
func TestSharedSettings(t *testing.T) {
	m := irtest.RandomModel(4, irtest.Options{Kinds: []model.Kind{model.Markov}, MaxVars: 6, TablesOnly: true})
	for _, words := range [][]string{{"trws", "bp"}, {"bp", "trws"}} {
		r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: words, Method: compiler.Named("", "iterations=7", "damping=0.25")})
		if err != nil {
			t.Fatal(err)
		}
		for i, word := range words {
			damping := map[string]float64{"bp": .25}[word]
			if l := r.Program.Entries[i].Loop; l.Iterations != 7 || l.Damping != damping {
				t.Errorf("%v, %s: %d iterations, damping %v; want 7 and %v", words, word, l.Iterations, l.Damping, damping)
			}
		}
		_, err = compiler.Compile(t.Context(), m, compiler.Options{Queries: words, Method: compiler.Named("", "particles=3")})
		if err == nil || !strings.Contains(err.Error(), "particles") {
			t.Errorf("%v: error %v; want particles refused", words, err)
		}
	}
}

func TestSharedProgramErrors(t *testing.T) {
	for queries, want := range map[string]string{
		"bp,mpe":                     "query bp cannot share a package with mpe; ",
		"bp,gibbs":                   "query bp cannot share a package with gibbs; ",
		"trws,mplp,maxmarginals,mpe": "query trws cannot share a package with mplp; ",
	} {
		_, err := compiler.Compile(t.Context(), irtest.RandomModel(3, irtest.Options{MaxVars: 4}), compiler.Options{Queries: strings.Split(queries, ",")})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v; want %s", queries, err, want)
		}
	}
}
