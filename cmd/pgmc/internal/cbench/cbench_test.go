package cbench_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cbench"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/process"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// cc returns the C compiler, or skips the test without one.
func cc(t *testing.T) *cbench.Compiler {
	t.Helper()
	c, err := cbench.FindCompiler(t.Context())
	if err != nil {
		t.Skip("without a C compiler: ", err)
	}
	return c
}

func compile(t *testing.T, path string, opt compiler.Options) *compiler.Result {
	t.Helper()
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	opt.Queries = []string{"logprob", "marginals"}
	r, err := compiler.Compile(t.Context(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAnswers compares the answers of C programs with those of the interpreter, with half of the
// variables observed, with one, and with none.
func TestAnswers(t *testing.T) {
	compiler := cc(t)
	asia := filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "asia.bif")
	checkAnswers(t, compiler, asia, "")
	checkAnswers(t, compiler, asia, "circuit")
	shared := irtest.Shared(t)
	for _, name := range []string{"alarm", "sachs"} {
		path := filepath.Join(shared, "data", "bif", name+".bif.gz")
		checkAnswers(t, compiler, path, "")
		checkAnswers(t, compiler, path, "circuit")
	}
}

func checkAnswers(t *testing.T, cc *cbench.Compiler, path, method string) {
	r := compile(t, path, compiler.Options{Method: compiler.Named(method)})
	for _, query := range []ir.QueryKind{ir.LogProb, ir.Marginals} {
		checkQuery(t, cc, r, r.Program.Entry(query.String()), filepath.Base(path)+"/"+method)
	}
}

func checkQuery(t *testing.T, cc *cbench.Compiler, r *compiler.Result, e *ir.Entry, name string) {
	sets := evidence(r.Model)
	straight, err := cbench.Straight(r.Program, e, r.Model)
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]*cbench.Program{"straight": straight}
	nests, err := cbench.Nests(r.Program, e, r.Model)
	switch {
	case err == nil:
		programs["nests"] = nests
	case !strings.HasSuffix(name, "circuit") || !errors.Is(err, cbench.ErrNoLoops):
		t.Fatal(err)
	}
	for form, p := range programs {
		t.Run(name+" "+form+" "+e.Query.Name, func(t *testing.T) {
			for i, got := range run(t, cc, p, sets) {
				want := interpret(t, r, e, sets[i])
				if len(got) != len(want) || len(got) != 1+p.Outs {
					t.Fatalf("set %d: %d numbers; want %d", i, len(got), len(want))
				}
				if math.IsInf(want[0], -1) { // posteriors are not defined
					got, want = got[:1], want[:1]
				}
				for k := range want {
					if !(got[k] == want[k] || math.Abs(got[k]-want[k]) <= 1e-12*max(1, math.Abs(want[k]))) {
						t.Errorf("set %d: number %d is %v; want %v", i, k, got[k], want[k])
					}
				}
			}
		})
	}
}

// evidence returns random sets of observations, states counted from 1.
func evidence(m *model.Model) [][]int {
	rng := rand.New(rand.NewPCG(1, 2))
	sets := make([][]int, 20)
	for i := range sets {
		sets[i] = make([]int, len(m.Vars))
		for v := range m.Vars {
			if share := []float64{.5, 1 / float64(len(m.Vars)), 0}[i%3]; rng.Float64() < share {
				sets[i][v] = 1 + rng.IntN(m.Card(model.VarID(v)))
			}
		}
	}
	return sets
}

// run returns the answers of a C program by set, and checks that its sample is a positive time.
func run(t *testing.T, cc *cbench.Compiler, p *cbench.Program, sets [][]int) [][]float64 {
	t.Helper()
	var rows [][]string
	for _, set := range sets {
		var row []string
		for _, state := range set {
			row = append(row, strconv.Itoa(state))
		}
		rows = append(rows, row)
	}
	return runWith(t, cc, p, len(sets), rows)
}

// runWith is run for n sets whose numbers are those of all rows.
func runWith(t *testing.T, cc *cbench.Compiler, p *cbench.Program, n int, rows [][]string) [][]float64 {
	t.Helper()
	command, err := cc.Build(t.Context(), t.TempDir(), "try", "-O2", p, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	s, err := process.Start(t.Context(), command, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	input := []string{fmt.Sprint(n)}
	for _, row := range rows {
		input = append(input, row...)
	}
	if err := s.Send(strings.Join(input, " ")); err != nil {
		t.Fatal(err)
	}
	numbers := func() (list []float64) {
		line, err := s.Line()
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range strings.Fields(line) {
			x, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, x)
		}
		return list
	}
	got := make([][]float64, n)
	for i := range got {
		got[i] = numbers()
	}
	if err := s.Send("sample"); err != nil {
		t.Fatal(err)
	}
	if ns := numbers(); len(ns) != 1 || !(ns[0] > 0) {
		t.Errorf("a query takes %v ns", ns)
	}
	return got
}

// interpret returns ln P and the numbers of the results by the interpreter.
func interpret(t *testing.T, r *compiler.Result, e *ir.Entry, set []int) []float64 {
	t.Helper()
	machine := eval.New(r.Program, r.Model)
	for v, state := range set {
		if state > 0 {
			if err := machine.Observe(model.VarID(v), state-1); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := machine.Run(e); err != nil && !errors.Is(err, eval.ErrImpossible) {
		t.Fatal(err)
	}
	list := []float64{machine.LogP()}
	for i := range e.Outs {
		list = append(list, machine.Posterior(i)...)
	}
	return list
}

// chain returns a chain of n variables in which each variable has the state of the one before with
// probability 1 - 1e-9. If the states alternate, ln P is far below the range of a float64 without
// rescaling.
func chain(n int) *model.Model {
	m := &model.Model{Name: "chain", Kind: model.Bayes}
	for i := range n {
		v := model.VarID(i)
		m.Vars = append(m.Vars, &model.Var{ID: v, Name: fmt.Sprint("x", i), Domain: model.Discrete{States: []string{"a", "b"}}})
		if i == 0 {
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.5, .5}}})
			continue
		}
		rows := []float64{1 - 1e-9, 1e-9, 1e-9, 1 - 1e-9}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v - 1, v}, Child: 1, Dist: &model.Table{Values: rows}})
	}
	return m
}

// TestRescaled checks that both forms rescale as the program does: states that alternate along the
// chain have ln P = ln .5 + 59 ln 1e-9, P about 10^-531.
func TestRescaled(t *testing.T) {
	compilerC := cc(t)
	m := chain(60)
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"logprob"}})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Program.Entry("logprob")
	if e.Exp == ir.NoSpan {
		t.Fatal("the program does not rescale")
	}
	set := make([]int, 60)
	for i := range set {
		set[i] = 1 + i%2
	}
	want := math.Log(.5) + 59*math.Log(1e-9)
	for name, form := range map[string]func(*ir.Program, *ir.Entry, *model.Model) (*cbench.Program, error){"straight": cbench.Straight, "nests": cbench.Nests} {
		p, err := form(r.Program, e, r.Model)
		if err != nil {
			t.Fatal(err)
		}
		if got := run(t, compilerC, p, [][]int{set})[0][0]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: ln P is %v; want %v", name, got, want)
		}
	}
}

// TestOps checks the count of operations: straight code for a single variable has two products and
// a sum.
func TestOps(t *testing.T) {
	m := chain(1)
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"logprob"}})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Program.Entry("logprob")
	for name, form := range map[string]func(*ir.Program, *ir.Entry, *model.Model) (*cbench.Program, error){"straight": cbench.Straight, "nests": cbench.Nests} {
		p, err := form(r.Program, e, r.Model)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"straight": 3, "nests": 4}[name]; p.Ops != want { // a loop adds its first product to zero
			t.Errorf("%s: %d operations; want %d\n%s", name, p.Ops, want, p.Text)
		}
	}
}

// TestTooLong checks that a compiler is stopped at its time limit and with its context.
func TestTooLong(t *testing.T) {
	compilerC := cc(t)
	r := compile(t, filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "asia.bif"), compiler.Options{})
	p, err := cbench.Straight(r.Program, r.Program.Entry("logprob"), r.Model)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compilerC.Build(t.Context(), t.TempDir(), "try", "-O3", p, time.Nanosecond); !errors.Is(err, cbench.ErrTooLong) {
		t.Errorf("got %v; want %v", err, cbench.ErrTooLong)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := compilerC.Build(ctx, t.TempDir(), "try", "-O3", p, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v; want %v", err, context.Canceled)
	}
}
