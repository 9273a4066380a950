package jointree_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

func TestContract(t *testing.T) { methodtest.Run(t, jointree.Method) }

// TestPairs checks contraction trees on random models.
func TestPairs(t *testing.T) {
	methodtest.Random(t, jointree.Method.Name, irtest.Cases(t, 20, 600), "contract=pairs")
}

// engine returns an engine that answers all marginals of a network of the collection.
func engine(t testing.TB, name, contract string) *infer.Engine {
	t.Helper()
	m, list := format.Read(compiler.Formats, filepath.Join(irtest.Shared(t), "data", name), "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	x, err := infer.New(t.Context(), m, infer.Options{Method: jointree.Options{Contract: contract}, Queries: []string{"marginals"}, MaxMem: 8 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestComponents checks a network of many variables without factors: few table operations, and ln
// Z.
func TestComponents(t *testing.T) {
	const n = 1000
	m := &model.Model{Kind: model.Markov}
	for i := range n {
		m.NewVar(fmt.Sprint("x", i), "0", "1")
	}
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Method: jointree.Options{}, Queries: []string{"logprob", "mpe"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := n * math.Ln2; math.Abs(r.Program.LogZ-want) > 1e-12*want {
		t.Errorf("ln Z is %v; want %v", r.Program.LogZ, want)
	}
	for _, name := range []string{"logprob", "mpe"} {
		steps := 0
		for _, b := range r.Program.Entry(name).Blocks {
			for _, step := range r.Program.Blocks[b].Steps {
				if _, ok := step.(*ir.Contract); ok {
					steps++
				}
			}
		}
		if steps > n+n/3 {
			t.Errorf("%s takes %d table operations; want at most 4 for 3 variables", name, steps)
		}
	}
}

// TestSlices checks cutset conditioning on random models with evidence, with tables half as large
// as they are without it.
func TestSlices(t *testing.T) {
	cut := 0
	for _, seed := range irtest.Cases(t, 60, 1000) {
		m := pairs(seed)
		opt := compiler.Options{Method: jointree.Options{Contract: jointree.Pairs}, Queries: []string{"marginals", "logprob"}, Steps: 100, Check: true, Rows: model.RowsAsIs}.Trial(trial.Options{Chunk: 8})
		whole := estimate(t, m, opt)
		opt.Method, opt.MaxTable = jointree.Options{Contract: jointree.Slices}, max(9, int(whole.Largest/2))
		if n := estimate(t, m, opt); n.Largest > float64(opt.MaxTable) {
			t.Fatalf("model %d: a product of %g joint states; want at most %d", seed, n.Largest, opt.MaxTable)
		}
		r, err := compiler.Compile(t.Context(), m, opt)
		if err != nil {
			t.Fatal(err)
		}
		text := &strings.Builder{}
		r.Program.Print(text)
		if again, err := ir.Parse(strings.NewReader(text.String())); err != nil || !slices.EqualFunc(again.Entries, r.Program.Entries,
			func(a, b ir.Entry) bool { return slices.Equal(a.Cutset, b.Cutset) }) {
			t.Fatalf("model %d: the text of the program is read as another one, error %v", seed, err)
		}
		for i := range r.Program.Entries {
			if len(r.Program.Entries[i].Cutset) > 0 {
				cut++
			}
		}
		checkSlices(t, seed, r)
		if t.Failed() {
			t.Fatalf("model %d", seed)
		}
	}
	if cut < 60 {
		t.Errorf("%d entries have a cutset; want at least 60", cut)
	}
}

// pairs returns a random Markov network of 5 to 10 variables and factors over two of them, with
// some zeros.
func pairs(seed uint64) *model.Model {
	r := rand.New(rand.NewPCG(seed, 3))
	m := &model.Model{Name: fmt.Sprint("pairs ", seed), Kind: model.Markov}
	for v := range 5 + r.IntN(6) {
		m.NewVar(fmt.Sprint("x", v), []string{"0", "1", "2"}[:1+r.IntN(3)]...)
	}
	for range 3 * len(m.Vars) {
		f := &model.Factor{Child: -1}
		for _, v := range r.Perm(len(m.Vars))[:2] {
			f.Scope = append(f.Scope, model.VarID(v))
		}
		size, _ := m.TableSize(f.Scope)
		values := make([]float64, size)
		for i := range values {
			values[i] = float64(r.IntN(12)) / 4
		}
		values[0] = 1
		f.Dist = &model.Table{Values: values}
		m.Factors = append(m.Factors, f)
	}
	return m
}

func estimate(t *testing.T, m *model.Model, opt compiler.Options) *compiler.Estimation {
	t.Helper()
	e, err := compiler.Estimate(t.Context(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// checkSlices compares the answers of r with brute force.
func checkSlices(t *testing.T, seed uint64, r *compiler.Result) {
	joint, err := brute.New(r.Model)
	if err != nil {
		t.Fatal(err)
	}
	machine := eval.New(r.Program, r.Model)
	for k := range uint64(3) {
		e := irtest.RandomEvidence(seed*10+k, r.Model)
		methodtest.Enter(t, machine, r.Model, e)
		want, marginals := joint.LogProb(e), joint.Marginals(e)
		for i := range r.Program.Entries {
			entry := &r.Program.Entries[i]
			err := machine.Run(entry)
			if errors.Is(err, pgmrt.ErrLikelihood) {
				continue
			}
			if impossible := math.IsInf(want, -1); impossible || err != nil {
				if !impossible || !errors.Is(err, eval.ErrImpossible) {
					t.Errorf("error %v; ln P is %v", err, want)
				}
				continue
			}
			irtest.CloseTo(t, machine.LogP(), want, 1e-12)
			for i, out := range entry.Outs {
				irtest.Close(t, machine.Posterior(i), marginals[r.Program.Spans[out].Var], 1e-12)
			}
		}
	}
}

// TestAuto checks on a grid that auto takes the contraction tree, which saves operations, and on a
// small one that it does not look for one.
func TestAuto(t *testing.T) {
	operations := func(side int, contract string) float64 {
		return estimate(t, grid(side), compiler.Options{Method: jointree.Options{Contract: contract}, Queries: []string{"marginals"}}).Operations
	}
	buckets, pairs, auto := operations(15, jointree.Buckets), operations(15, jointree.Pairs), operations(15, jointree.Auto)
	if pairs > .8*buckets || auto != pairs {
		t.Errorf("%g operations in buckets, %g in pairs, %g by auto; want at most .8 of them in pairs, and so by auto", buckets, pairs, auto)
	}
	if buckets, auto := operations(4, jointree.Buckets), operations(4, jointree.Auto); buckets != auto {
		t.Errorf("small grid: %g operations in buckets, %g by auto; want the same", buckets, auto)
	}
}

// TestLasting checks that a contraction tree is looked for sooner if the program runs often, but
// not for small networks and sessions.
func TestLasting(t *testing.T) {
	operations := func(side int, lasting bool, queries ...string) float64 {
		return estimate(t, grid(side), compiler.Options{Lasting: lasting, Queries: queries}).Operations
	}
	if once, lasting := operations(8, false, "marginals"), operations(8, true, "marginals"); lasting > .8*once {
		t.Errorf("%g operations, %g if the program runs often; want at most .8 of them", once, lasting)
	}
	if once, lasting := operations(3, false, "marginals"), operations(3, true, "marginals"); once != lasting {
		t.Errorf("small grid: %g operations, %g if the program runs often; want the same", once, lasting)
	}
	if once, lasting := operations(8, false, "marginals", "session"), operations(8, true, "marginals", "session"); once != lasting {
		t.Errorf("session: %g operations, %g if the program runs often; want the same", once, lasting)
	}
}

// grid returns a Markov network of pairs of neighbours in a square.
func grid(side int) *model.Model {
	m := &model.Model{Name: "grid", Kind: model.Markov}
	for v := range side * side {
		m.NewVar(fmt.Sprintf("x%d", v), "0", "1")
		for _, u := range []int{v - 1, v - side} {
			if u >= 0 && (u == v-side || v%side > 0) {
				m.Factors = append(m.Factors, &model.Factor{Child: -1, Scope: []model.VarID{model.VarID(u), model.VarID(v)}, Dist: &model.Table{Values: []float64{3, 1, 1, 2}}})
			}
		}
	}
	return m
}

// TestWide compares both ways of multiplying on networks of the collection.
func TestWide(t *testing.T) {
	irtest.SkipUnlessLong(t)
	for _, name := range []string{"bif/water.bif.gz", "uai2014/pr-mar/Grids_11.uai.gz", "uai2014/pr-mar/linkage_22.uai.gz", "uai2014/pr-mar/Promedus_14.uai.gz"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, err := engine(t, name, jointree.Buckets).Marginals(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := engine(t, name, jointree.Pairs).Marginals(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			irtest.CloseTo(t, got.LogProb, want.LogProb, 1e-12)
			for i := range want.List {
				irtest.Close(t, got.List[i].P, want.List[i].P, 1e-12)
			}
		})
	}
}

// BenchmarkPairs measures all marginals by buckets and by contraction trees.
func BenchmarkPairs(b *testing.B) {
	for _, name := range []string{"bif/water.bif.gz", "bif/diabetes.bif.gz", "bif/barley.bif.gz", "bif/munin2.bif.gz", "uai2014/pr-mar/Grids_11.uai.gz",
		"uai2014/pr-mar/linkage_16.uai.gz", "uai2014/pr-mar/linkage_22.uai.gz", "uai2014/pr-mar/linkage_24.uai.gz", "uai2014/pr-mar/Promedus_14.uai.gz",
		"uai2014/pr-mar/Promedus_19.uai.gz", "uai2014/pr-mar/Segmentation_11.uai.gz", "uai2014/pr-mar/DBN_11.uai.gz"} {
		for _, way := range []string{jointree.Buckets, jointree.Pairs} {
			b.Run(filepath.Base(name)+"/"+way, func(b *testing.B) {
				x := engine(b, name, way)
				for b.Loop() {
					if _, err := x.Marginals(b.Context(), nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestLongChain plans a chain that is too long for the sets of variables of a contraction tree.
func TestLongChain(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	values := make([]float64, 64)
	for i := range values {
		values[i] = 1 + float64(i%7)
	}
	for v := range model.VarID(20_000) {
		m.NewVar(fmt.Sprint("v", v), "a", "b", "c", "d", "e", "f", "g", "h")
		if v > 0 {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v - 1, v}, Child: -1, Dist: &model.Table{Values: values}})
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	estimate(t, m, compiler.Options{Method: jointree.NewOptions(), Queries: []string{"marginals"}})
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 400 {
		t.Errorf("%d MiB were allocated; want at most 400", n)
	}
}
