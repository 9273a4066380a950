package compiled_test

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/compiled"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/program"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestMain(m *testing.M) { os.Exit(clitest.Run(m, "../../testdata/goenv")) }

// start builds a package of m for w and starts the engine that asks it.
func start(t *testing.T, m *model.Model, w *rows.Wanted, opt compiler.Options) (*compiler.Result, *compiled.Engine) {
	t.Helper()
	r, err := compiler.Compile(t.Context(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "compiled"})
	if err != nil {
		t.Fatal(err)
	}
	w.JointMethods(pkg, r.Program, rows.Observable(m))
	p, err := program.New(t.Context(), pkg, compiled.DriverSource)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	c, err := compiled.Start(t.Context(), p, rows.Variables(m))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return r, c
}

// odd is a network whose names no struct tag can hold, or that a package writes in another way.
const odd = `{"pgmc": 2, "kind": "bayes",
 "variables": [{"name": "a \"quoted\", name", "states": ["b\"", "", "c,d"]}, {"name": "posteriors", "states": ["yes", "no"]}],
 "factors": [
  {"scope": ["a \"quoted\", name"], "child": "a \"quoted\", name", "table": [0.5, 0.25, 0.25]},
  {"scope": ["a \"quoted\", name", "posteriors"], "child": "posteriors", "table": [1, 0, 0.5, 0.5, 0.25, 0.75]}]}`

// TestAnswers compares the lines of a package with those of the interpreter, in all forms of
// evidence and of exact answers.
func TestAnswers(t *testing.T) {
	m := clitest.Model(t, odd)
	want := rows.Wanted{LogP: true, Marginals: []bool{true, true}, MPE: true, MAP: []int{0}, KMPE: 3, Joint: []rows.Joint{{Vars: []int{1, 0}}}}
	few := rows.Wanted{LogP: true, Marginals: want.Marginals, Batch: true}
	r, c := start(t, m, &want, compiler.Options{Queries: append(want.Queries(rows.Variables(m)), "jeffrey", "batch")})
	lines := strings.Join([]string{
		`{"evidence":{"a \"quoted\", name":""}}`, `{"evidence":{"a \"quoted\", name":["b\"","c,d"]},"soft":{"posteriors":[0.1,1e-30]}}`, `{"evidence":{"posteriors":"no"}}`,
		`{"id":"no","evidence":{"a \"quoted\", name":"b\"","posteriors":"no"}}`, `{}`, `{"soft":{"a \"quoted\", name":[0.3,0,0.7]}}`, `{"jeffrey":{"posteriors":[0.3,0.7]}}`,
	}, "\n")
	for _, w := range []rows.Wanted{want, few, {LogP: true, Batch: true}} {
		var got, right bytes.Buffer
		for _, x := range []struct {
			engine rows.Engine
			out    *bytes.Buffer
		}{{c, &got}, {rows.NewInterpreter(r), &right}} {
			err := rows.NewServer(rows.Variables(m), w, x.engine).Serve(t.Context(), strings.NewReader(lines), x.out)
			if err == nil || !strings.HasSuffix(err.Error(), " of 7 questions have no answer; their lines say why") {
				t.Fatal(err)
			}
		}
		if got.String() != right.String() {
			t.Errorf("found\n%swant\n%s", &got, &right)
		}
	}
}

// TestReals compares answers about real variables with those of the interpreter.
func TestReals(t *testing.T) {
	m := clitest.Model(t, clitest.Tank)
	vars := rows.Variables(m)
	want := rows.Wanted{LogP: true, Marginals: []bool{true, true, true}, MPE: true, Joint: []rows.Joint{{Vars: []int{0, 2, 1}}, {Vars: []int{1, 2}}}, Mixture: []rows.Joint{{Vars: []int{2}}}}
	r, c := start(t, m, &want, compiler.Options{Queries: want.Queries(vars), Measurements: true})
	for _, line := range []string{`{}`, `{"evidence":{"y":-2.5e-7}}`, `{"evidence":{"s":"bad"},"soft":{"x":{"mean":3,"var":0.5}}}`} {
		var got, right bytes.Buffer
		for _, x := range []struct {
			engine rows.Engine
			out    *bytes.Buffer
		}{{c, &got}, {rows.NewInterpreter(r), &right}} {
			if err := rows.NewServer(vars, want, x.engine).Serve(t.Context(), strings.NewReader(line), x.out); err != nil {
				t.Fatal(err)
			}
		}
		if got.String() != right.String() {
			t.Errorf("%s: found\n%swant\n%s", line, &got, &right)
		}
	}
}

// TestApproximate checks the parts of answers by methods that are not exact. On a tree, belief
// propagation converges to the exact posteriors, and max-product proves its states.
func TestApproximate(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	vars := rows.Variables(m)
	for _, x := range []struct {
		method string
		want   rows.Wanted
		check  func(a *rows.Answer) bool
	}{
		{"belief", rows.Wanted{LogP: true, Marginals: []bool{true, true}}, func(a *rows.Answer) bool {
			return a.Status == "converged" && a.Iterations > 0 && near(a.LogP, math.Log(0.625)) && near(a.Marginals[0][0], 0.4)
		}},
		{"maxprod", rows.Wanted{MPE: true}, func(a *rows.Answer) bool {
			return a.Mpe[0] == 1 && a.Mpe[1] == 0 && near(a.MpeLogP, math.Log(0.375)) && a.Gap == 0 && a.Status == "converged"
		}},
		{"bound", rows.Wanted{LogP: true, Marginals: []bool{true, true}}, func(a *rows.Answer) bool {
			return a.LogP <= math.Log(0.625)+1e-9 && a.MostLogP >= math.Log(0.625)-1e-9 && a.Marginals[0][0] <= 0.4+1e-9 && a.Most[0][0] >= 0.4-1e-9
		}},
		{"gibbs", rows.Wanted{LogP: true, Marginals: []bool{true, true}}, func(a *rows.Answer) bool {
			return a.ESS > 100 && math.Abs(a.Marginals[0][0]-0.4) < 0.1 && math.Abs(a.LogP-math.Log(0.625)) < 0.1
		}},
	} {
		t.Run(x.method, func(t *testing.T) {
			t.Parallel()
			query, err := x.want.Iterate(x.method, m, true, false)
			if err != nil && x.want.MPE {
				query, err = x.want.Iterate(x.method, m, false, false)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, c := start(t, m, &x.want, compiler.Options{Method: compiler.Named(x.method), Queries: []string{query}})
			q := rows.NewQuestion(len(vars))
			q.Hard[1] = 1
			ask := func(q *rows.Question) (a *rows.Answer, err error) {
				if failed := rows.NewServer(vars, x.want, c).Ask(t.Context(), []*rows.Question{q}, func(got *rows.Answer, bad error) { a, err = got, bad }); failed != nil {
					t.Fatal(failed)
				}
				return a, err
			}
			if a, err := ask(&q); err != nil || !x.check(a) {
				t.Errorf("found %+v, error %v", a, err)
			}
			if q.Soft[0] = []float64{1, 2}; x.want.Kind == ir.Estimates {
				if _, err := ask(&q); err == nil || !strings.HasPrefix(err.Error(), "method gibbs estimates the log-probability of states;") {
					t.Errorf("error %v of a likelihood", err)
				}
			}
		})
	}
}

// infinite is a package whose posterior has an infinite variance.
const infinite = `package compiled

import "errors"

var ErrImpossible = errors.New("impossible")

type Evidence struct { X float64 "json:\"x,omitzero\"" }
type Normal struct { Mean float64 "json:\"mean\""; Var float64 "json:\"var\"" }
type Soft struct{}
type Marginals struct { X Normal "json:\"x\""; LogP float64 "json:\"logP\"" }
type Variable struct { Name string; States []string }
type Engine struct{}

func New() *Engine { return &Engine{} }
func Variables() []Variable { return []Variable{{Name: "x"}} }
func (*Marginals) ByName(string) ([]float64, error) { return nil, nil }

func (*Engine) Marginals(ev *Evidence, soft *Soft, out *Marginals) error {
	big := 1e308
	*out = Marginals{Normal{ev.X/3, 10*big}, -10*big}
	return nil
}
`

// TestInfinite checks that infinite numbers, which JSON does not have, reach an answer, and that
// others keep all of their bits.
func TestInfinite(t *testing.T) {
	pkg := &codegen.Package{Files: []codegen.File{{Name: "compiled.go", Data: []byte(infinite)}}}
	p, err := program.New(t.Context(), pkg, compiled.DriverSource)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	vars := []rows.Variable{{Name: "x", Real: true}}
	c, err := compiled.Start(t.Context(), p, vars)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	q := rows.NewQuestion(1)
	q.Hard[0], q.Real[0] = 1, 1
	a := &rows.Answer{}
	if err := c.Answer(&q, &rows.Wanted{Marginals: []bool{true}}, a); err != nil || !math.IsInf(a.LogP, -1) || a.Marginals[0][0] != 1./3 || !math.IsInf(a.Marginals[0][1], 1) {
		t.Errorf("found %+v, error %v", a, err)
	}
	q.Soft[0] = []float64{1, 2}
	if err := c.Answer(&q, &rows.Wanted{Marginals: []bool{true}}, a); err == nil || err.Error() != `variable "x": likelihood is of a real variable, of which the program takes no measurements` {
		t.Errorf("error %v of a measurement", err)
	}
}

func near(x, y float64) bool { return math.Abs(x-y) < 1e-9 }

// TestBroken checks the error of an engine whose program has ended.
func TestBroken(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	want := rows.Wanted{LogP: true}
	_, c := start(t, m, &want, compiler.Options{Queries: []string{"logprob"}})
	c.Close()
	err := rows.NewServer(rows.Variables(m), want, c).Serve(t.Context(), strings.NewReader("{}"), &bytes.Buffer{})
	if err == nil || !strings.HasPrefix(err.Error(), "the compiled program: ") {
		t.Errorf("error %v", err)
	}
}

// umbrella is the hidden Markov model of Russell and Norvig, Artificial Intelligence, chapter 15,
// with an even prior.
const umbrella = `{"pgmc": 2, "kind": "bayes",
 "variables": [{"name": "rain", "states": ["yes", "no"]}, {"name": "umbrella", "states": ["yes", "no"]}],
 "factors": [
  {"scope": ["rain"], "child": "rain", "table": [0.5, 0.5]},
  {"scope": ["rain", "umbrella"], "child": "umbrella", "table": [0.9, 0.1, 0.2, 0.8]}],
 "next": {"factors": [
  {"scope": [["rain", 1], "rain"], "child": "rain", "table": [0.7, 0.3, 0.3, 0.7]},
  {"scope": ["rain", "umbrella"], "child": "umbrella", "table": [0.9, 0.1, 0.2, 0.8]}]}}`

// TestSequence compares answers about two days with umbrellas with the numbers of the book: 0.818
// and 0.883 by the filter, and 0.883 for the first day by smoothing.
func TestSequence(t *testing.T) {
	m := clitest.Model(t, umbrella)
	_, c := start(t, m, &rows.Wanted{}, compiler.Options{Queries: []string{"filter", "smooth", "viterbi"}})
	day := rows.NewQuestion(2)
	day.Hard[1] = 1
	a, err := c.Sequence([]*rows.Question{&day, &day})
	if err != nil || a.Err != nil || len(a.Filtered) != 2 || len(a.Smoothed) != 2 || len(a.Path) != 2 {
		t.Fatalf("found %+v, error %v", a, err)
	}
	for _, x := range []struct{ got, want float64 }{{a.Filtered[0][0][0], 0.818}, {a.Filtered[1][0][0], 0.883}, {a.Smoothed[0][0][0], 0.883}, {a.Path[1][0], 0}, {a.LogProb[0], math.Log(0.55)}} {
		if math.Abs(x.got-x.want) > 5e-4 {
			t.Errorf("found %v; want %v", x.got, x.want)
		}
	}
	if want := math.Log(0.5 * 0.9 * 0.7 * 0.9); !near(a.PathLogProb, want) {
		t.Errorf("the path has %v; want %v", a.PathLogProb, want)
	}
}
