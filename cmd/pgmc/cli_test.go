package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// asia returns the path of a small model.
func asia(t *testing.T) string {
	return filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "asia.bif")
}

// pgmc runs a command in this process and returns its exit code and output.
func pgmc(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, diag bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &diag)
	return code, out.String(), diag.String()
}

func TestExitCodes(t *testing.T) {
	model := asia(t)
	for _, c := range []struct {
		code int
		args []string
	}{
		{cli.ExitDone, []string{"version"}},
		{cli.ExitDone, []string{"query", model}},
		{cli.ExitInput, []string{"query", "missing.bif"}},
		{cli.ExitInput, []string{"query", model, "--evidence", "nobody=yes"}},
		{cli.ExitInput, []string{"query", model, "--evidence", "either=no,tub=yes"}},
		{cli.ExitInput, []string{"show", "program", model, "--timeout", "1ns"}},
		{cli.ExitInput, []string{"stats", model, "--query", "nobody"}},
		{cli.ExitInput, []string{"query", model, "--method", "jointree", "--max-table", "2"}},
		{cli.ExitDone, []string{"query", model, "--max-table", "2"}}, // a circuit has no tables
		{cli.ExitDone, []string{"stats", model, "--max-table", "2"}},
		{cli.ExitInput, []string{"compile", model, "--check", "-o", filepath.Join(t.TempDir(), "none")}},
		{cli.ExitUsage, []string{"nonsense"}},
		{cli.ExitUsage, []string{"query"}},
		{cli.ExitUsage, []string{"query", model, "--nonsense"}},
		{cli.ExitUsage, []string{"query", model, "--order", "min-magic"}},
		{cli.ExitUsage, []string{"query", model, "--evidence", "smoke"}},
		{cli.ExitUsage, []string{"query", model, "--timeout", "-1s"}},
		{cli.ExitUsage, []string{"query", model, "--cpu", "-1"}},
		{cli.ExitUsage, []string{"compile", model, "--pkg", "type"}},
		{cli.ExitUsage, []string{"compile", model, "--dump", "nonsense"}},
		{cli.ExitUsage, []string{"show", "program", model, "--json"}},
		{cli.ExitUsage, []string{"show", "program", model, "--svg"}},
		{cli.ExitUsage, []string{"show", "model", model, "--svg", "--dot"}},
		{cli.ExitUsage, []string{"show", "model", model, "--svg", "--var", "smoke"}},
		{cli.ExitUsage, []string{"show", "tree", model, "--dsep", "smoke, xray"}},
		{cli.ExitUsage, []string{"show", "model", model, "--dsep", "smoke"}},
		{cli.ExitUsage, []string{"show", "circuit", model, "--query", "marginals"}},
		{cli.ExitInput, []string{"show", "model", model, "--var", "nobody"}},
		{cli.ExitInput, []string{"show", "model", model, "--dsep", "smoke, nobody"}},
		{cli.ExitInput, []string{"show", "circuit", model, "--svg", "--max-nodes", "9"}},
	} {
		if code, _, stderr := pgmc("", c.args...); code != c.code || (code == cli.ExitDone) != (stderr == "") {
			t.Errorf("pgmc %s: exit code %d; want %d\n%s", strings.Join(c.args, " "), code, c.code, stderr)
		}
	}
}

func TestJSONMembers(t *testing.T) {
	model, dir := asia(t), filepath.Join(t.TempDir(), "asia")
	for _, c := range []struct {
		args []string
		want string // members of the value, or of the first of a list
	}{
		{[]string{"version"}, "codegen go version"},
		{[]string{"show", "methods"}, "cost doc guarantee kinds name"},
		{[]string{"show", "formats"}, "doc extensions name"},
		{[]string{"show", "passes"}, "in name number out required why"},
		{[]string{"show", "model", model}, "kind name variables"},
		{[]string{"show", "model", model, "--dsep", "asia, smoke | xray"}, "kind name separations"},
		{[]string{"show", "tree", model}, "cliques entries name width"},
		{[]string{"show", "circuit", model}, "depth edges gates name of"},
		{[]string{"stats", model}, "blocks cliques method model orders peak_bytes program queries refused"},
		{[]string{"query", model}, "logp marginals"},
		{[]string{"query", model, "--mpe"}, "mpe mpe_logp"},
		{[]string{"compile", model, "-o", dir}, "backends batches data_bytes dir engine_bytes files method package peak_bytes"},
		{[]string{"compile", model, "-o", dir, "--check"}, "extra missing stale"},
	} {
		code, out, stderr := pgmc("", append(c.args, "--json", "--quiet")...)
		text := []byte(out)
		var list []json.RawMessage
		if json.Unmarshal(text, &list) == nil && len(list) > 0 {
			text = list[0]
		}
		var object map[string]any
		if err := json.Unmarshal(text, &object); err != nil || code != cli.ExitDone || stderr != "" {
			t.Errorf("%v: exit code %d, %v\n%s%s", c.args, code, err, stderr, out)
			continue
		}
		var got []string
		for name := range object {
			got = append(got, name)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%v has the members %v; want %s", c.args, got, c.want)
		}
	}
}

// batchRows are rows of a batch, each with a part of its answer.
var batchRows = []struct{ row, want string }{
	{`{"id":1,"evidence":{"smoke":"yes"}}` + strings.Repeat(" ", 1<<21), `{"id":1,"logp":-0.69314718`},
	{"{\"id\":1.50}\r", `{"id":1.50,"logp":`},
	{`{"id":true}`, `{"id":true,"logp":`},
	{`{"id":{"a":[1, 2]}}`, `{"id":{"a":[1, 2]},"logp":`},
	{`{"id":"x<"}`, `{"id":"x<","logp":`},
	{`{"id":null}`, `{"id":null,"logp":`},
	{`{"bogus":1}`, `unknown member \"bogus\"; want id, evidence, soft`},
	{`{"id":1,"id":2}`, `member \"id\" occurs twice`},
	{`{"evidence":{},"evidence":{}}`, `member \"evidence\" occurs twice`},
	{`{"evidence":{"smoke":"yes","smoke":"no"}}`, `\"smoke\" is observed twice`},
	{`{"soft":{"smoke":[1,1],"smoke":[1,1]}}`, `\"smoke\" has two likelihoods`},
	{`{"evidence":{"nobody":"yes"}}`, `unknown variable \"nobody\"`},
	{`{"evidence":{"smoke":"perhaps"}}`, `has no state \"perhaps\"; want \"yes\", \"no\"`},
	{`{"evidence":{"smoke":1}}`, `is 1; want the name of a state`},
	{`{"evidence":null}`, `found null; want an object`},
	{`{"soft":{"smoke":[1]}}`, `has length 1; want 2`},
	{`{"soft":{"smoke":[1,-1]}}`, `want numbers of at least 0`},
	{`{"soft":{"smoke":["NaN",1]}}`, `want an array of 2 numbers`},
	{`{"soft":{"smoke":[NaN,1]}}`, `not JSON`},
	{`{"soft":{"smoke":[1e999,1]}}`, `want an array of 2 numbers`},
	{`{"soft":{"smoke":[0,0]}}`, `is all zeros`},
	{`{"evidence":{"tub":"yes","either":"no"}}`, `impossible evidence: tub=yes, either=no`},
	{`{"evidence":{"smoke":"yes"},"soft":{"smoke":[0,1]}}`, `impossible evidence: smoke=yes, a likelihood of smoke`},
	{`{"evidence":{"smoke":"yes"},"soft":{"smoke":[0.5,1]}}`, `{"logp":-1.38629436`},
	{`[1]`, `found [1]; want an object`},
	{`{}{}`, `not JSON`},
	{"\x00\xff", `not JSON`},
	{`{"id":"last"}`, `{"id":"last","logp":`},
}

// TestBatch checks the answers to rows, and that the tape and nest back-ends give the interpreter's
// bytes. Unrolled code multiplies by reciprocals, so that the last digits of its marginals may
// differ.
func TestBatch(t *testing.T) {
	var in strings.Builder
	for _, c := range batchRows {
		in.WriteString("\n  \n" + c.row + "\n")
	}
	input := strings.TrimSuffix(in.String(), "\n")
	args := []string{"query", asia(t), "--batch", "-", "--all", "--logp", "--mpe"}
	code, out, stderr := pgmc(input, args...)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if code != cli.ExitInput || !strings.HasSuffix(stderr, "their lines say why\n") || len(lines) != len(batchRows) {
		t.Fatalf("exit code %d, %d lines; want %d\n%s", code, len(lines), len(batchRows), stderr)
	}
	for i, c := range batchRows {
		if !json.Valid([]byte(lines[i])) || !strings.Contains(lines[i], c.want) {
			t.Errorf("row %.60s gives %s; want %s", c.row, lines[i], c.want)
		}
	}
	for _, backend := range []string{"tape", "nest"} {
		if code, compiled, stderr := pgmc(input, append(args, "--engine", "compiled", "--backend", backend)...); code != cli.ExitInput || compiled != out {
			t.Errorf("%s: exit code %d, and other answers than the interpreter's\n%s", backend, code, stderr)
		}
	}
}

func TestNoGo(t *testing.T) {
	t.Setenv("PATH", "")
	code, out, stderr := pgmc("", "query", asia(t), "--engine", "compiled")
	if code != cli.ExitInput || out != "" || stderr != "pgmc: --engine compiled needs the go command, which is not in PATH; use --engine interp\n" {
		t.Errorf("exit code %d\n%s%s", code, stderr, out)
	}
	code, out, stderr = pgmc("", "bench", asia(t))
	if code != cli.ExitInput || out != "" || stderr != "pgmc: bench builds packages, which needs the go command; it is not in PATH\n" {
		t.Errorf("exit code %d\n%s%s", code, stderr, out)
	}
}

func TestAwait(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	release := make(chan struct{})
	defer close(release)
	_, err := cli.Await(ctx, func() (int, error) { <-release; return 1, nil })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v; want that of the deadline", err)
	}
	_, err = cli.Await(context.Background(), func() (int, error) { panic("no such span") })
	var internal *cli.InternalError
	if !errors.As(err, &internal) || internal.Stack == "" {
		t.Errorf("the error is %v; want an internal error with a stack", err)
	}
	if got, err := cli.Await(context.Background(), func() (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Errorf("got %d, %v; want 7", got, err)
	}
}
