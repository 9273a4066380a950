package compiler_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestPipeline checks the table of passes: names, reasons, stages that meet, and the pairs of
// Before.
func TestPipeline(t *testing.T) {
	place := map[string]int{}
	for i, p := range compiler.Pipeline {
		if _, twice := place[p.Name]; twice || p.Why == "" {
			t.Errorf("pass %q is twice in the pipeline, or has no reason", p.Name)
		}
		place[p.Name] = i
		if i > 0 && compiler.Pipeline[i-1].Out != p.In && p.In != compiler.StageProblem {
			t.Errorf("pass %q takes a %s after a %s", p.Name, p.In, compiler.Pipeline[i-1].Out)
		}
	}
	for _, pair := range compiler.Before {
		a, okA := place[pair[0]]
		b, okB := place[pair[1]]
		if !okA || !okB || a >= b {
			t.Errorf("%q must stand before %q", pair[0], pair[1])
		}
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// TestDump checks that every pass is dumped in order, and that two runs write the same bytes.
func TestDump(t *testing.T) {
	var dumps [2]bytes.Buffer
	for i := range dumps {
		opt := compiler.Options{Dump: func(n int, pass string) io.WriteCloser {
			fmt.Fprintf(&dumps[i], "== %d %s\n", n, pass)
			return nopCloser{&dumps[i]}
		}}
		if _, err := compiler.Compile(context.Background(), irtest.Asia(), opt); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(dumps[0].Bytes(), dumps[1].Bytes()) {
		t.Error("two runs dump different bytes")
	}
	for i, p := range compiler.Pipeline {
		if !strings.Contains(dumps[0].String(), fmt.Sprintf("== %d %s\n", i+1, p.Name)) {
			t.Errorf("pass %q is not dumped", p.Name)
		}
	}
}

func TestRefusals(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := compiler.Compile(ctx, irtest.Asia(), compiler.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	var large *compiler.TooLarge
	_, err := compiler.Compile(context.Background(), irtest.Asia(), compiler.Options{MaxMem: 100})
	if !errors.As(err, &large) || large.MaxMem != 100 || large.Need.Bytes() <= 100 {
		t.Errorf("100 bytes: %v", err)
	}
	broken := irtest.Asia()
	broken.Factors = broken.Factors[1:]
	if _, err := compiler.Compile(context.Background(), broken, compiler.Options{}); err == nil || !strings.Contains(err.Error(), "no probability block") {
		t.Errorf("a missing CPD: %v", err)
	}
}

func TestParseQueries(t *testing.T) {
	m := &model.Model{}
	for _, name := range []string{"A", "b c", "mpe", "D"} {
		m.NewVar(name, "0", "1")
	}
	m.NewVar("H", "0", "1").Latent = true
	m.Vars[3].Given, m.Diagram = true, &model.Diagram{Decisions: []*model.Decision{{Var: 3}}}
	tests := []struct{ spec, want string }{
		{"marginals", "marginals"},
		{"mpe, logprob,sample", "mpe; logprob; sample"},
		{"batch", "marginals; logprob"},
		{"A", `posterior "A"`},
		{`"mpe"`, `posterior "mpe"`},
		{"posteriors", `posterior "A"; posterior "b c"; posterior "mpe"; posterior "D"`},
		{`A | "b c", D`, `signature "A" | "b c" "D"`},
		{`A|D`, `signature "A" | "D"`},
		{"", "a name is missing"},
		{"A |", "a name is missing"},
		{"A, D | mpe", "a signature has one target before the bar, not 2"},
		{"A | D, D", `variable "D" occurs twice`},
		{"A | A", `variable "A" occurs twice`},
		{"nobody", `"nobody" is neither a kind of query nor a variable`},
		{"joint", "joint is no query by itself; want variables, as in joint(A, B)"},
		{"mixture", "mixture is no query by itself; want a real variable, as in mixture(X)"},
		{"kmpe", "kmpe is no query by itself; want a number, as in kmpe=5"},
		{"H", `variable "H" is latent; it can be neither asked for nor observed`},
		{`"A`, `a quoted name does not end: "A`},
		{"A D", `found "D"; want names separated by commas`},
		{`joint(A, "b c"), map(D)`, `joint "A" "b c"; map "D"`},
		{"kmpe=5, kmpe=5", "kmpe=5"},
		{"gradient,sensitivity,jeffrey,sets,session", "gradient; sensitivity; jeffrey; sets; session"},
		{`A | do(D), "b c"`, `signature "A" | do "D" "b c"`},
		{`A | do("b c", D)`, `signature "A" | do "b c" do "D"`},
		{"kmpe=0", "found kmpe=0; want a number from 1 to 1000"},
		{"kmpe=many", "found kmpe=many; want a number from 1 to 1000"},
		{"kmpe=", "a number is missing after kmpe="},
		{"kmpe=2, kmpe=3", "found both kmpe=2 and kmpe=3; a package has one number of completions"},
		{"mpe=3", `only kmpe takes a number, as in kmpe=5, and not "mpe"`},
		{"joint(A, A)", `variable "A" occurs twice`},
		{"joint()", "a name is missing"},
		{"joint(A", "the parenthesis after joint is not closed"},
		{"joint(do(A))", "found do(...) inside joint(...); want names of variables"},
		{"max(A)", "found max(...); want joint(...), maxmarginals(...), mixture(...), best(...), information(...) or map(...)"},
		{"policy, best, best(D), follow", `policy; best "D"; follow`},
		{"best(A)", "best(...) is of one decision of an influence diagram"},
		{"best(D, A)", "best(...) is of one decision of an influence diagram"},
		{"best()", "a name is missing"},
		{"A | joint(D)", "found joint(...) after the bar; want names of variables and do(...)"},
		{"joint(A) | D", "found joint(...) before the bar; want the name of a variable"},
		{"A | do(A)", `variable "A" occurs twice`},
	}
	for _, tt := range tests {
		queries, err := compiler.ParseQueries([]string{tt.spec}, m)
		got := ""
		for i, q := range queries {
			if i > 0 {
				got += "; "
			}
			got += q.Name
		}
		if err != nil {
			got = strings.TrimPrefix(err.Error(), fmt.Sprintf("query %q: ", tt.spec))
		}
		if got != tt.want {
			t.Errorf("%q: got %s; want %s", tt.spec, got, tt.want)
		}
		for _, q := range queries {
			again, err := compiler.ParseQueries([]string{compiler.Specification(m, q)}, m)
			if err != nil || len(again) != 1 || again[0].Name != q.Name {
				t.Errorf("%q: the query %s is written as %s, which reads as %v, %v", tt.spec, q.Name, compiler.Specification(m, q), again, err)
			}
		}
	}
}

// TestPruned checks which factors a signature keeps. In asia, dyspnoea and the x-ray are barren for
// tuberculosis given the visit. The factors that the evidence on smoking separates are dropped if
// they hold no zero.
func TestPruned(t *testing.T) {
	m := irtest.Asia()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{m.Vars[1].Name + " | " + m.Vars[0].Name}})
	if err != nil {
		t.Fatal(err)
	}
	q := r.Program.Entries[0].Query
	var kept []string
	for _, f := range q.Factors {
		kept = append(kept, m.FactorName(m.Factors[f]))
	}
	want := []string{fmt.Sprintf("CPD of %q", m.Vars[1].Name)}
	if q.Kind != ir.Signature || !slices.Equal(kept, want) {
		t.Errorf("kept %q; want %q", kept, want)
	}
	if b := r.Program.Blocks; len(b) != 1 || b[0].Name != "lookup" {
		t.Errorf("got %d blocks; want one lookup", len(b))
	}
}
