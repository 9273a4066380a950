package bench

import (
	"bytes"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func testModel(t *testing.T, name string) *model.Model {
	t.Helper()
	m, list := format.Read(compiler.Formats, filepath.Join(irtest.ModuleRoot(t), "testdata", "models", name), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestBenchCompare compares the ratios with ratios computed by hand.
func TestBenchCompare(t *testing.T) {
	allocs := 2.0
	n := &Network{
		Entries: 200,
		Times: []Time{
			{Subject: "auto", Query: "logprob", Min: 100, Ops: 1, Predicted: 125}, {Subject: "auto", Query: "marginals", Min: 250, Predicted: 200, Allocs: &allocs},
			{Subject: "auto", Query: "logprobs", Min: 30}, {Subject: "auto", Query: "logprob rows", Min: 120}, {Subject: "asm", Query: "logprobs", Min: 12},
			{Subject: "auto", Query: "batch", Min: 90}, {Subject: "auto", Query: "marginals rows", Min: 300},
			{Subject: "unroll", Query: "logprob", Min: 90, Ops: 180}, {Subject: "nest", Query: "logprob", Min: 160},
			{Subject: "tape", Query: "logprob", Min: 450, Ops: 900}, {Subject: "interpreter", Query: "logprob", Min: 1000},
			{Subject: cStraight, Level: "-O2", Query: "logprob", Min: 60, Ops: 120}, {Subject: cStraight, Query: "logprob", Min: 60, Ops: 120},
			{Subject: cNests, Query: "logprob", Min: 40}, {Subject: cStraight, Query: "marginals", Min: 500},
		},
		Builds: []BuildCost{
			{Package: "auto", Operations: 5000, Text: 60000, Seconds: 1, CodeSeconds: .1},
			{Package: "unroll", Operations: 180, Text: 2700, Seconds: 1, CodeSeconds: .0045},
		},
	}
	n.compare()
	want := Ratios{
		ToC: 2.5, AllToC: .5, Predicted: 1.25, AllPredicted: .8, UnrollToC: 1.5, NestToC: 4, TapeToUnroll: 5, InterpToAuto: 10, CNS: .5, UnrollNS: .5, NestNS: .8, TapeNS: .5,
		Marginals: 2.5, LogProbs: .25, Assembly: .1, Batch: .3, Allocs: 2, Build: 20, UnrollText: 15,
	}
	if n.Ratios != want {
		t.Errorf("got  %+v\nwant %+v", n.Ratios, want)
	}
}

// TestBenchTables checks that there is a column for each network, that rows missing for all
// networks are left out, and that numbers are aligned right.
func TestBenchTables(t *testing.T) {
	a := &Network{Model: "a.bif", Times: []Time{{Subject: "auto", Query: "logprob", Min: 5, Median: 7}, {Subject: cNests, Query: "logprob", Min: 2, Median: 3}, {Subject: "new", Query: "logprob", Min: 3, Median: 3}}}
	b := &Network{Model: "b.bif", Notes: []string{"left out"}, Times: []Time{{Subject: "auto", Query: "logprob", Min: 12345.4, Median: 20000}}}
	a.compare()
	b.compare()
	var out bytes.Buffer
	r := &Report{System: "s", CPU: "p", Go: "g", C: "c", Clock: "k", Networks: []*Network{a, b}}
	if err := r.print(&out); err != nil {
		t.Fatal(err)
	}
	want := `s, g, k, seed 0
Processor: p
C: c

nanoseconds              a              b
P(e), package  5.00 (7.00)  12345 (20000)
P(e), C nests  2.00 (3.00)              -
P(e), new      3.00 (3.00)              -

ratios of minima                 a  b
P(e), package / fastest C     2.50  -
new / fastest C               1.50  -
allocations a query, at most     0  0

b: left out

`
	if got, _, _ := strings.Cut(out.String(), "Times are"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestBenchEvidence checks that all evidence is possible, that it observes leaves and a tenth of
// the variables by turns, and that it depends on the seed alone.
func TestBenchEvidence(t *testing.T) {
	m := testModel(t, "asia.bif")
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"logprob", "marginals"}})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(seed uint64) *Evidence {
		a := &cli.App{Seed: seed}
		e, err := drawEvidence(t.Context(), a, "asia.bif", r, compiler.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e := draw(1)
	if again, other := draw(1), draw(2); !reflect.DeepEqual(e.Rows, again.Rows) || reflect.DeepEqual(e.Rows, other.Rows) {
		t.Error("rows are not what the seed determines")
	}
	if len(e.Sets) != numSets || len(e.Rows) != numRows {
		t.Fatalf("%d sets and %d rows", len(e.Sets), len(e.Rows))
	}
	machine := eval.New(r.Program, r.Model)
	for i, set := range append(slices.Clone(e.Sets), e.Rows...) {
		machine.ClearEvidence()
		var observed []string
		for v, state := range set {
			if state != nil {
				observed = append(observed, m.Vars[v].Name)
				if err := machine.Observe(model.VarID(v), int(*state)-1); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := machine.Run(r.Program.Entry("logprob")); err != nil {
			t.Errorf("set %d: %v", i, err)
		}
		if leaves := i < numSets && i%2 == 0; leaves && !slices.Equal(observed, []string{"xray", "dysp"}) || !leaves && len(observed) != 1 {
			t.Errorf("set %d observes %q", i, observed)
		}
	}
}

// TestDrawByMarginals checks the frequencies of sampled states: 1 % visited Asia, half smoke, and
// 10 % of smokers have lung cancer.
func TestDrawByMarginals(t *testing.T) {
	m := testModel(t, "asia.bif")
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"marginals"}})
	if err != nil {
		t.Fatal(err)
	}
	draw, counts := drawByMarginals(t.Context(), &cli.App{Seed: 3}, r), map[string]int{}
	const n = 2000
	for range n {
		states, err := draw()
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range m.Vars {
			if states[i] == 1 {
				counts[v.Name]++
			}
			if v.Name == "lung" && states[i] == 1 && states[i-1] == 1 {
				counts["smoke and lung"]++
			}
		}
	}
	if m.Vars[2].Name != "smoke" || m.Vars[3].Name != "lung" {
		t.Fatal("the order of variables in asia.bif has changed")
	}
	for name, p := range map[string]float64{"asia": .01, "smoke": .5, "smoke and lung": .05, "lung": .055} {
		if got := float64(counts[name]) / n; math.Abs(got-p) > 4*math.Sqrt(p*(1-p)/n) {
			t.Errorf("%s: %v of the samples; want %v", name, got, p)
		}
	}
}

func TestDrawState(t *testing.T) {
	for _, c := range []struct {
		p    []float64
		x    float64
		want int
	}{{[]float64{.25, .75}, .2, 1}, {[]float64{.25, .75}, .25, 2}, {[]float64{0, 1}, 0, 2}, {[]float64{.5, .4999, 0}, .99999, 2}} {
		if got := drawState(c.p, c.x); got != c.want {
			t.Errorf("%v at %v gives %d; want %d", c.p, c.x, got, c.want)
		}
	}
}

func TestSameAnswers(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want []float64
		same      bool
	}{
		{"rounding", []float64{-1, -1e6}, []float64{-1 - 1e-12, -1e6 - 1e-5}, true},
		{"another number", []float64{-1}, []float64{-1.00001}, false},
		{"no number", []float64{math.NaN()}, []float64{-1}, false},
		{"too few", []float64{-1}, []float64{-1, -2}, false},
	} {
		if err := sameAnswers("C", c.got, c.want); (err == nil) != c.same {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestHollow checks that files of blocks lose their bodies and that files with anything else are
// refused.
func TestHollow(t *testing.T) {
	const blocks = "// Code.\n\npackage p\n\nimport \"math\"\n\n// block0Up runs up.\nfunc (e *Engine) block0Up() {\n\te.x = math.Pi\n}\n\nfunc (e *Engine) block1Part2() {}\n"
	const want = "package p\n\nfunc (*Engine) block0Up() {}\n\nfunc (*Engine) block1Part2() {}\n"
	if got, ok := hollow(codegen.File{Name: "p_blocks.go", Data: []byte(blocks)}); !ok || string(got) != want {
		t.Errorf("got %v, %s", ok, got)
	}
	for name, text := range map[string]string{
		"p.dat": blocks, "results.go": "package p\n\nfunc (e *Engine) block0() int { return 1 }\n", "other.go": "package p\n\nfunc (e *Engine) load() {}\n",
		"variable.go": blocks + "\nvar x int\n", "empty.go": "package p\n", "broken.go": "package",
	} {
		if got, ok := hollow(codegen.File{Name: name, Data: []byte(text)}); ok {
			t.Errorf("%s becomes %s", name, got)
		}
	}
}

// TestSignatureSpec checks that the three variables with the fewest states, at least two, are
// chosen.
func TestSignatureSpec(t *testing.T) {
	m := &model.Model{}
	for i, n := range []int{3, 1, 2, 5, 2} {
		m.Vars = append(m.Vars, &model.Var{ID: model.VarID(i), Name: string(rune('a' + i)), Domain: model.Discrete{States: make([]string, n)}})
	}
	if spec, given := signatureSpec(m); spec != `"c" | "e", "a"` || !slices.Equal(given, []model.VarID{4, 0}) {
		t.Errorf("got %s, %v", spec, given)
	}
	m.Vars = m.Vars[:3]
	if spec, _ := signatureSpec(m); spec != "" {
		t.Errorf("got %s for two variables of several states", spec)
	}
}

// TestJoint checks the joint moments that gonum conditions against exact rationals, and the
// signature of a linear Gaussian network.
func TestJoint(t *testing.T) {
	for seed := range uint64(10) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoDiscrete: true, NoGivens: true, Decades: 1, MaxVars: 9})
		mean, cov := joint(m)
		want, err := brute.NewHybrid(m, brute.HybridEvidence{})
		if err != nil {
			t.Fatal(err)
		}
		for v := range m.Vars {
			x, _ := want.Moments(model.VarID(v))
			irtest.CloseTo(t, mean[v], x, 1e-12)
			for w := range v + 1 {
				irtest.CloseTo(t, cov.At(v, w), want.Cov(model.VarID(v), model.VarID(w)), 1e-12)
			}
		}
		target, given := realSignature(m)
		if len(m.Vars) > realGiven && (len(given) != realGiven || slices.Contains(given, target)) || len(m.Vars) <= realGiven && given != nil {
			t.Errorf("seed %d: signature of %d given %v, of %d variables", seed, target, given, len(m.Vars))
		}
	}
}
