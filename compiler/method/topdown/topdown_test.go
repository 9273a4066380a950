package topdown_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/circuit"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/compiler/method/topdown"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) { methodtest.Run(t, topdown.Method) }

// TestZeros checks random models most of whose numbers are zeros and ones.
func TestZeros(t *testing.T) {
	for i := range uint64(irtest.Count(t, 40, 500)) {
		methodtest.Check(t, topdown.Method.Name, 3*i+1, sparse(i)) // not 3*i, for which parameters are variable
		if t.Failed() {
			t.Fatalf("model %d", i)
		}
	}
}

// sparse returns a Markov network of 3 to 10 variables. One joint state is possible.
func sparse(seed uint64) *model.Model {
	r := rand.New(rand.NewPCG(seed, 19))
	m := &model.Model{Name: fmt.Sprintf("sparse %d", seed), Kind: model.Markov}
	var alive []int
	for v := range 3 + r.IntN(8) {
		states := []string{"0", "1", "2", "3"}[:1+r.IntN(4)]
		m.NewVar(fmt.Sprintf("x%d", v), states...)
		alive = append(alive, r.IntN(len(states)))
	}
	zeros := .3 + .5*r.Float64()
	for range len(m.Vars) + r.IntN(2*len(m.Vars)) {
		f := &model.Factor{Child: -1}
		for _, v := range r.Perm(len(m.Vars))[:1+r.IntN(3)] {
			f.Scope = append(f.Scope, model.VarID(v))
		}
		size, _ := m.TableSize(f.Scope)
		values := make([]float64, size)
		for i := range values {
			if r.Float64() > zeros {
				values[i] = []float64{1, 1, 1, .25, .3, 2}[r.IntN(6)]
			}
		}
		at := 0
		for _, v := range f.Scope {
			at = at*m.Card(v) + alive[v]
		}
		values[at] = 1
		f.Dist = &model.Table{Values: values}
		m.Factors = append(m.Factors, f)
	}
	return m
}

// read returns a network of the collection.
func read(t *testing.T, name string) *model.Model {
	t.Helper()
	m, list := format.Read(compiler.Formats, filepath.Join(irtest.Shared(t), "data", name), "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	return m
}

// TestElimination compares answers with those of method circuit, with evidence that some leaves
// have their last states.
func TestElimination(t *testing.T) {
	for _, name := range []string{"asia", "cancer", "sachs", "child", "alarm", "win95pts", "hailfinder", "insurance", "water", "hepar2"} {
		t.Run(name, func(t *testing.T) {
			if name == "insurance" || name == "water" || name == "hepar2" {
				irtest.SkipUnlessLong(t)
			}
			m := read(t, "bif/"+name+".bif.gz")
			a, b := engine(t, m, circuit.NewOptions()), engine(t, m, topdown.NewOptions())
			e := infer.Evidence{}
			for i := range 4 {
				compare(t, a, b, e)
				v := m.Vars[len(m.Vars)-1-i]
				states := m.States(v.ID)
				e[v.Name] = states[len(states)-1]
			}
		})
	}
}

// engine returns an engine that answers by a method.
func engine(t *testing.T, m *model.Model, by method.Options, queries ...string) *infer.Engine {
	t.Helper()
	x, err := infer.New(t.Context(), m, infer.Options{Method: by, Queries: queries, MaxMem: 8 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// compare compares ln P, posteriors and the values of best completions.
func compare(t *testing.T, a, b *infer.Engine, e infer.Evidence) {
	t.Helper()
	ctx := t.Context()
	want, errWant := a.Marginals(ctx, e)
	got, err := b.Marginals(ctx, e)
	if err != nil || errWant != nil {
		if err == nil || errWant == nil || err.Error() != errWant.Error() {
			t.Errorf("error %v; want %v", err, errWant)
		}
		return
	}
	irtest.CloseTo(t, got.LogProb, want.LogProb, 1e-11) // sums of many terms in another order
	for i := range want.List {
		irtest.Close(t, got.List[i].P, want.List[i].P, 1e-11)
	}
	best, err := a.MPE(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	found, err := b.MPE(ctx, e)
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, found.LogProb, best.LogProb, 1e-11)
}

// TestPublished compares partition functions with the answers of the UAI 2014 competition: the
// base-10 logarithm of the number of solutions of formulas that no clique tree fits.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		name  string
		log10 float64
		long  bool
	}{{"2bitcomp_5", 15.9929982198, false}, {"log-2", 10.5096693962, true}, {"logistics.a", 14.5774564994, true}, {"rb", 371.731437632, true},
		{"log-4", 28.3696148969, true}, {"rc", 393.88713065, true}} {
		t.Run(c.name, func(t *testing.T) {
			if c.long {
				irtest.SkipUnlessLong(t)
			}
			m := read(t, "uai2014/pr-mar/"+c.name+".cnf.uai.gz")
			irtest.CloseTo(t, weight(t, m, topdown.NewOptions())/math.Ln10, c.log10, 1e-11)
		})
	}
}

// TestLimits checks that each limit ends the search with an error that says what to raise, and that
// a search can be canceled.
func TestLimits(t *testing.T) {
	m := read(t, "uai2014/pr-mar/2bitcomp_5.cnf.uai.gz")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		opt  compiler.Options
		want string
	}{
		{"steps", t.Context(), compiler.Options{Method: topdown.Options{Steps: 10_000}},
			"the search for a decision circuit took more than 10000 steps; raise search-steps, or use method jointree"},
		{"memory", t.Context(), compiler.Options{Method: topdown.NewOptions(), MaxMem: 1 << 20},
			"the decision circuit outgrew its share of max-mem 1048576 bytes; raise max-mem, or use method jointree"},
		{"context", canceled, compiler.Options{Method: topdown.NewOptions()}, "context canceled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.opt.Queries = []string{"logprob"}
			_, err := compiler.Compile(c.ctx, m, c.opt)
			if err == nil || err.Error() != c.want {
				t.Errorf("error %v; want %s", err, c.want)
			}
		})
	}
}
