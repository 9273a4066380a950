package rows_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// everything returns the answers that batches have by default.
func everything() rows.Wanted {
	return rows.Wanted{LogP: true, Marginals: []bool{true, true}, MPE: true, Batch: true}
}

// interpreter compiles m for w.
func interpreter(t *testing.T, m *model.Model, w *rows.Wanted) rows.Engine {
	t.Helper()
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: w.Queries(rows.Variables(m))})
	if err != nil {
		t.Fatal(err)
	}
	return rows.NewBatchInterpreter(t.Context(), r, w)
}

// TestServe compares whole lines of answers, in the numbers of clitest.Rain by hand: P(no wet) =
// 3/8, and without rain wet is as probable as not.
func TestServe(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	marginals := rows.Wanted{LogP: true, Marginals: []bool{true, false}, Batch: true}
	for _, c := range []struct {
		name string
		want rows.Wanted
		line string
		out  string
	}{
		{"all", everything(), `{"id":"a","evidence":{"wet":"no"}}`,
			`{"id":"a","logp":-0.9808292530117262,"marginals":{"rain":{"yes":0,"no":1},"wet":{"yes":0,"no":1}},"mpe":{"rain":"no","wet":"no"},"mpe_logp":-0.9808292530117262}`},
		{"one variable", marginals, `{"id":1,"evidence":{"wet":"no"}}`, `{"id":1,"logp":-0.9808292530117262,"marginals":{"rain":{"yes":0,"no":1}}}`},
		{"likelihood", marginals, `{"soft":{"wet":[0,1]}}`, `{"logp":-0.9808292530117262,"marginals":{"rain":{"yes":0,"no":1}}}`},
		{"set", marginals, `{"evidence":{"wet":["no"]}}`, `{"logp":-0.9808292530117262,"marginals":{"rain":{"yes":0,"no":1}}}`},
		{"jeffrey", rows.Wanted{Marginals: []bool{true, false}}, `{"jeffrey":{"wet":[0,1]}}`, `{"marginals":{"rain":{"yes":0,"no":1}}}`},
		{"impossible", marginals, `{"id":7,"evidence":{"rain":"yes","wet":"no"}}`, `{"id":7,"error":"impossible evidence: rain=yes, wet=no has probability 0"}`},
		{"impossible set", marginals, `{"evidence":{"rain":["yes"],"wet":"no"}}`, `{"error":"line 1: impossible evidence: rain=yes, wet=no has probability 0"}`},
		{"contradiction", marginals, `{"evidence":{"rain":["yes"]},"soft":{"rain":[0,1]}}`, `{"error":"line 1: impossible evidence: rain=yes, a likelihood of rain has probability 0"}`},
		{"no evidence", rows.Wanted{MPE: true}, `{}`, `{"mpe":{"rain":"no","wet":"yes"},"mpe_logp":-0.9808292530117262}`},
		{"joint", rows.Wanted{Joint: []rows.Joint{{Vars: []int{1, 0}}}}, `{}`, `{"joint":[{"of":["wet","rain"],"p":{"yes":{"yes":0.25,"no":0.375},"no":{"yes":0,"no":0.375}}}]}`},
		{"best", rows.Wanted{MAP: []int{0}, KMPE: 2}, `{}`, `{"map":{"states":{"rain":"no"},"logp":-0.2876820724517809},"kmpe":[{"states":{"rain":"no","wet":"yes"},"logp":-0.9808292530117262},{"states":{"rain":"no","wet":"no"},"logp":-0.9808292530117262}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			err := rows.NewServer(rows.Variables(m), c.want, interpreter(t, m, &c.want)).Serve(t.Context(), strings.NewReader(c.line), &out)
			if failed := strings.Contains(c.out, "error"); failed != (err != nil) {
				t.Errorf("error %v", err)
			}
			if got := strings.TrimSpace(out.String()); got != c.out {
				t.Errorf("found %s\nwant  %s", got, c.out)
			}
		})
	}
}

// TestRefused compares the errors of lines that are no questions.
func TestRefused(t *testing.T) {
	const marginals = 3 // as many lines are about marginals
	m := clitest.Model(t, clitest.Rain)
	for i, c := range [][2]string{
		{`{"jeffrey":{"rain":[0.5,0.6]}}`, `the distribution of \"rain\" sums to 1.1; want 1`},
		{`{"jeffrey":{"rain":[0.5]}}`, `the distribution of \"rain\" is [0.5]; want an array of 2 numbers`},
		{`{"jeffrey":{"rain":[1,0]},"soft":{"wet":[1,2]}}`, `jeffrey goes with states that were observed, not with likelihoods or sets of states`},
		{`{"jeffrey":{"rain":[1,0]}}`, `jeffrey is answered by marginals, which are not asked for`},
		{`no`, `not JSON: invalid character 'o' in literal null (expecting 'u')`},
		{`[1]`, `found [1]; want an object`},
		{`{"evidence":{},"evidence":{}}`, `member \"evidence\" occurs twice`},
		{`{"proof":{}}`, `unknown member \"proof\"; want id, evidence, soft, jeffrey`},
		{`{"evidence":[]}`, `member \"evidence\": found []; want an object`},
		{`{"evidence":{"snow":"yes"}}`, `unknown variable \"snow\"`},
		{`{"evidence":{"rain":"maybe"}}`, `variable \"rain\" has no state \"maybe\"; want \"yes\", \"no\"`},
		{`{"evidence":{"rain":1}}`, `the evidence on \"rain\" is 1; want the name of a state, or an array of names`},
		{`{"evidence":{"rain":[]}}`, `the evidence on \"rain\" is []; want the name of a state, or an array of names`},
		{`{"evidence":{"rain":"yes","rain":"no"}}`, `variable \"rain\" is observed twice`},
		{`{"soft":{"rain":[1]}}`, `the likelihood of \"rain\" has length 1; want 2`},
		{`{"soft":{"rain":[1,-1]}}`, `the likelihood of \"rain\" is [1,-1]; want numbers of at least 0`},
		{`{"soft":{"rain":[0,0]}}`, `the likelihood of \"rain\" is all zeros`},
		{`{"soft":{"rain":"` + strings.Repeat("x", 80) + `"}}`, `the likelihood of \"rain\" is \"` + strings.Repeat("x", 59) + `...; want an array of 2 numbers`},
	} {
		want := rows.Wanted{LogP: true}
		if i < marginals {
			want.Marginals = []bool{true, true}
		}
		var out bytes.Buffer
		err := rows.NewServer(rows.Variables(m), want, nil).Serve(t.Context(), strings.NewReader("\n"+c[0]+"\n"), &out)
		if got, line := strings.TrimSpace(out.String()), `{"error":"line 2: `+c[1]+`"}`; got != line {
			t.Errorf("%s: found %s\nwant %s", c[0], got, line)
		}
		if failed := (*rows.FailedError)(nil); !errors.As(err, &failed) || failed.Error() != "1 of 1 questions have no answer; their lines say why" {
			t.Errorf("%s: error %v", c[0], err)
		}
	}
}

// together is an engine that answers several questions at once, with their number, and each other
// one with 1.
type together struct{ broken bool }

func (e *together) Answer(_ *rows.Question, _ *rows.Wanted, a *rows.Answer) error {
	a.LogP = 1
	if e.broken {
		return &rows.BrokenError{Err: errors.New("it ended")}
	}
	return nil
}

func (e *together) Batches(q *rows.Question, _ *rows.Wanted) bool { return q.Plain() }

func (e *together) AnswerAll(qs []*rows.Question, _ *rows.Wanted, as []rows.Answer, failed []bool) {
	for i, q := range qs {
		as[i].LogP, failed[i] = float64(len(qs)), q.Hard[0] == 2
	}
}

// TestTogether checks which questions are answered at once: those of states alone. One that fails
// so is answered again by itself.
func TestTogether(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	vars := rows.Variables(m)
	lines := `{"evidence":{"rain":"yes"}}` + "\n" + `{"evidence":{"rain":"no"}}` + "\n" + `{"soft":{"rain":[1,2]}}` + "\n" + `{}`
	a, out, _ := clitest.App()
	if err := rows.NewServer(vars, rows.Wanted{LogP: true}, &together{}).ServeFile(t.Context(), a, clitest.File(t, "rows.jsonl", lines), &cli.DataFlags{}, m); err != nil {
		t.Fatal(err)
	}
	if want := "{\"logp\":3}\n{\"logp\":1}\n{\"logp\":1}\n{\"logp\":3}\n"; out.String() != want {
		t.Errorf("found %s\nwant %s", out, want)
	}
	e := &together{broken: true}
	err := rows.NewServer(vars, rows.Wanted{LogP: true}, e).Serve(t.Context(), strings.NewReader(`{"soft":{"rain":[1,2]}}`+"\n{}"), out)
	if err == nil || err.Error() != "the compiled program: it ended" {
		t.Errorf("error %v of a broken engine", err)
	}
}

// TestServeFile answers the rows of a data file, with the numbers of their lines as identifiers,
// and lines of JSON from standard input.
func TestServeFile(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	want := rows.Wanted{LogP: true, Batch: true}
	for _, c := range []struct{ file, out, err string }{
		{clitest.File(t, "rows.csv", "wet,rain\nno,\n,\n"), "{\"id\":2,\"logp\":-0.9808292530117262}\n{\"id\":3,\"logp\":0}\n", ""},
		{clitest.File(t, "rows.csv", "wet,rain\nno,\nwet,\n"), "{\"id\":2,\"logp\":-0.9808292530117262}\n", "rows.csv:3:1"},
		{clitest.File(t, "rows.jsonl", `{"id":"x"}`), "{\"id\":\"x\",\"logp\":0}\n", ""},
		{cli.Standard, "{\"logp\":0}\n", ""},
		{"none.jsonl", "", "none.jsonl: no such file or directory"},
	} {
		a, out, _ := clitest.App()
		a.Stdin = strings.NewReader("{}")
		err := rows.NewServer(rows.Variables(m), want, interpreter(t, m, &want)).ServeFile(t.Context(), a, c.file, &cli.DataFlags{}, m)
		if out.String() != c.out || (c.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: found %s, error %v; want %s, %s", c.file, out, err, c.out, c.err)
		}
	}
	a, out, _ := clitest.App()
	text := strings.Repeat("{}\n", 65) // one more than are answered together
	if err := rows.NewServer(rows.Variables(m), want, &together{}).ServeFile(t.Context(), a, clitest.File(t, "rows.jsonl", text), &cli.DataFlags{}, m); err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat("{\"logp\":64}\n", 64) + "{\"logp\":1}\n"; out.String() != want {
		t.Errorf("the lines of a file are answered in other groups than of 64: %s", out)
	}
	list, err := rows.ReadFile(t.Context(), a, clitest.File(t, "rows.jsonl", "{}\n\n{\"evidence\":{\"wet\":\"no\"}}"), m)
	if err != nil || len(list) != 2 || list[1].Line != 3 || !slices.Equal(list[1].Hard, []int{0, 2}) {
		t.Errorf("read %v, error %v", list, err)
	}
	if _, err = rows.ReadFile(t.Context(), a, clitest.File(t, "rows.jsonl", "{}\n7"), m); err == nil || err.Error() != "line 2 of the evidence: found 7; want an object" {
		t.Errorf("error %v of a line that is no question", err)
	}
}

// TestReports compares the JSON of answers by methods that are not exact.
func TestReports(t *testing.T) {
	vars := rows.Variables(clitest.Model(t, clitest.Rain))
	report := infer.Report{Status: "converged", Iterations: 3, Residual: 1e-9, RHat: 1.5, ESS: 250, LogError: math.Inf(1), Bound: math.Inf(1), Gap: 0.5}
	const common = `"report":{"status":"converged","iterations":3,"residual":1e-09`
	for _, c := range []struct {
		kind ir.QueryKind
		want string
	}{
		{ir.Beliefs, common + `,"unbounded":true}`},
		{ir.Weighted, common + `,"weights":true,"ess":250,"logp_error":null}`},
		{ir.Estimates, common + `,"rhat":1.5,"ess":250,"warning":"the chains have not mixed: R-hat is 1.5, and 1.1 at most is usual; marginals may be far off whatever their standard errors; try more --iterations, or --method belief"}`},
		{ir.Decoding, common + `,"upper_bound":null,"gap":0.5,"decided":["wet"]}`},
		{ir.Climb, common + `,"search":true}`},
	} {
		a := &rows.Answer{LogP: -1, Report: report, Decided: []bool{false, true}}
		got := string(rows.JSON(vars, rows.Wanted{LogP: true, Loop: "Method", Kind: c.kind}, a))
		if want := `{"logp":-1,` + c.want + "}\n"; got != want {
			t.Errorf("%v: found %s\nwant %s", c.kind, got, want)
		}
	}
	bounds := &rows.Answer{LogP: math.Inf(-1), MostLogP: -1, Marginals: [][]float64{{0, 0}, {0.25, 0}}, Most: [][]float64{{1, 1}, {1, 0.75}}}
	got := string(rows.JSON(vars, rows.Wanted{Loop: "Bound", Kind: ir.Bounded, Marginals: []bool{false, true}}, bounds))
	if want := `{"logp":null,"most_logp":-1,"marginals":{"wet":{"yes":0.25,"no":0}},"most":{"wet":{"yes":1,"no":0.75}}}` + "\n"; got != want {
		t.Errorf("bounds: found %s\nwant %s", got, want)
	}
}

// TestQueries checks what is compiled for the answers that are wanted, and what methods refuse.
func TestQueries(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	vars := rows.Variables(m)
	for _, c := range []struct {
		want rows.Wanted
		out  string
	}{
		{everything(), "marginals mpe"},
		{rows.Wanted{LogP: true, Joint: []rows.Joint{{Vars: []int{1, 0}}}}, `logprob joint("wet", "rain")`},
		{rows.Wanted{MAP: []int{1}, KMPE: 3}, `map("wet") kmpe=3`},
	} {
		if got := strings.Join(c.want.Queries(vars), " "); got != c.out {
			t.Errorf("found %s; want %s", got, c.out)
		}
	}
	for _, c := range []struct {
		method, query, err string
		want               rows.Wanted
	}{
		{"jointree", "", "", everything()},
		{"belief", "", "method belief answers marginals and the log-probability alone; for --mpe, --joint, --map and --kmpe ", everything()},
		{"belief", "bp", "", rows.Wanted{LogP: true}},
		{"maxprod", "maxprod", "", rows.Wanted{MPE: true}},
		{"icm", "icm", "method icm searches for a most probable completion and answers --mpe alone; for anything else try --method ", rows.Wanted{KMPE: 1}},
	} {
		query, err := c.want.Iterate(c.method, m, false, false)
		if query != c.query || (c.err == "") != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("%s: query %q, error %v; want %q, %s", c.method, query, err, c.query, c.err)
		}
	}
}

// TestQuestion checks that findings are questions, and their flags give them back.
func TestQuestion(t *testing.T) {
	m := clitest.Model(t, clitest.Rain)
	known, err := infer.Resolve(m, infer.Evidence{"rain": "no", "wet": infer.Likelihood{0.5, 1}})
	if err != nil {
		t.Fatal(err)
	}
	q := rows.QuestionOf(known, m)
	if got := strings.Join(rows.FlagsOf(q, rows.Variables(m)), " "); got != "--evidence rain=no --soft wet=0.5/1" {
		t.Errorf("flags %s", got)
	}
	want := everything()
	a := &rows.Answer{}
	q.Ctx = context.Background()
	if err := interpreter(t, m, &want).Answer(q, &want, a); err != nil {
		t.Fatal(err)
	}
	if p := a.Marginals[1][1]; math.Abs(p-2./3) > 1e-15 { // 0.5 against 1, of likelihoods 0.5 and 1
		t.Errorf("P(wet = no) is %v; want 2/3", p)
	}
}
