package codegen_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSameBits checks that packages answer batches with the same bits by assembly, by the runtime's
// kernels in assembly, and by those in Go.
func TestSameBits(t *testing.T) {
	sameBits(t, []bitsCase{{"auto", []string{"-tags", "purego"}, false}, {"auto", nil, false}, {codegen.Assembly, nil, false}})
}

// TestNestsSameBits is TestSameBits for batches that run as loop nests.
func TestNestsSameBits(t *testing.T) {
	sameBits(t, []bitsCase{{"auto", []string{"-tags", "purego"}, true}, {"auto", nil, true}})
}

// bitsCase is a way to write and build packages.
type bitsCase struct {
	backend string
	flags   []string
	nests   bool
}

func sameBits(t *testing.T, cases []bitsCase) {
	models := irtest.Cases(t, 5, 30)
	var want []rows
	for _, c := range cases {
		h := newHarness(t)
		for _, i := range models {
			m := irtest.RandomModel(7000+i, irtest.Options{MaxJoint: 1 << 10})
			opt := compiler.Options{Rows: model.RowsAsIs, Steps: 100}
			if i%3 == 2 && !c.nests {
				opt.Method = compiler.Named("circuit")
			}
			emit := codegen.Options{Backend: c.backend, Runtime: codegen.RuntimeImport, Types: codegen.TypesShared}
			emit = codegen.WithLanes(emit)
			if c.nests {
				emit = codegen.WithNests(emit)
			}
			h.add(m, opt, emit)
		}
		h.build(c.flags...)
		for i, m := range h.models {
			got := h.ask(asQuestion(i, m, irtest.RandomEvidence(models[i], m))).Rows
			if len(want) < len(models) {
				want = append(want, got)
			} else if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want[i]); g != w {
				t.Errorf("%s %v, model %d:\ngot  %s\nwant %s", c.backend, c.flags, models[i], g, w)
			}
		}
	}
}

// TestAssemblyFiles checks that a package with assembly also has the lane code for other
// processors, and does not have files that it does not use.
func TestAssemblyFiles(t *testing.T) {
	r := compiled(t, irtest.Asia(), "logprob", "marginals")
	pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "asia", Backend: codegen.Assembly})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range pkg.Files {
		files[f.Name] = string(f.Data)
	}
	for name, want := range map[string]string{
		"asia_amd64.s":  "TEXT ·laneLogProbsPart1(SB), NOSPLIT, $0-16\n",
		"asia_amd64.go": "\n//go:build go1.24 && amd64 && !purego\n\npackage asia\n",
		"asia_other.go": "\n//go:build go1.24 && (!amd64 || purego)\n\npackage asia\n",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s lacks %q:\n%.600s", name, want, files[name])
		}
	}
	if own := "func rtWideLanes() bool"; !strings.Contains(files["asia_amd64.go"], own) {
		t.Errorf("the runtime's part for the processor is missing: %q", own)
	}
	if len(files) > 7 {
		t.Errorf("the package has %d files", len(files))
	}
}

// TestAssemblyRefused checks the errors for packages that cannot be written in assembly. They
// suggest what works.
func TestAssemblyRefused(t *testing.T) {
	mpe := compiled(t, irtest.Asia(), "mpe")
	large := compiled(t, grid(11), "logprob")
	wide := compiled(t, grid(16), "logprob")
	for _, c := range []struct {
		name string
		r    *compiler.Result
		want string
	}{
		{"too many operations", large, "codegen: back-end asm would write 205745 operations for LogProbs, and writes at most 75000; try backend auto, or leave logprob out of query"},
		{"too large for lanes", wide, "codegen: back-end asm can't write LogProbs: its program is too large for lanes; try backend auto"},
		{"no batch", mpe, "codegen: back-end asm writes batches, and the package has none; add query logprob or query marginals"},
	} {
		_, err := codegen.Emit(c.r.Model, c.r.Program, codegen.Options{Package: "p", Backend: codegen.Assembly})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: error %v; want %s", c.name, err, c.want)
		}
	}
}

// grid returns a square of n by n binary variables. Each variable has a potential of its own values
// with each of its neighbours to the right and below.
func grid(n int) *model.Model {
	m := &model.Model{Name: "grid", Kind: model.Markov}
	r := rand.New(rand.NewPCG(1, 1))
	for i := range n * n {
		m.NewVar(fmt.Sprint("x", i), "0", "1")
	}
	for i := range n * n {
		for _, next := range []int{1, n} {
			if i+next < n*n && (next == n || (i+1)%n != 0) {
				values := []float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()}
				m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(i), model.VarID(i + next)}, Child: -1, Dist: &model.Table{Values: values}})
			}
		}
	}
	return m
}

// compiled compiles a model for some queries.
func compiled(t *testing.T, m *model.Model, queries ...string) *compiler.Result {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: queries})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
