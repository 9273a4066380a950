package playground

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// serve serves a page at a free port while f runs.
func serve(t *testing.T, page Page, f func(url string)) {
	t.Helper()
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error)
	go func() { done <- page.Serve(ctx, l) }()
	f("http://" + l.Addr().String() + "/")
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// wideNetwork returns a network of n variables with up to two parents each, in BIF.
func wideNetwork(n int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("network wide {}\n")
	for i := range n {
		fmt.Fprintf(&b, "variable x%d { type discrete [ 2 ] { no, yes }; }\n", i)
	}
	for i := range n {
		if i == 0 {
			b.WriteString("probability ( x0 ) { table 0.25, 0.75; }\n")
			continue
		}
		parents := []string{fmt.Sprintf("x%d", i-1-rng.IntN(min(i, 6)))}
		if second := fmt.Sprintf("x%d", i-1-rng.IntN(min(i, 4))); rng.IntN(3) == 0 && second != parents[0] {
			parents = append(parents, second)
		}
		fmt.Fprintf(&b, "probability ( x%d | %s ) {\n", i, strings.Join(parents, ", "))
		for row := range 1 << len(parents) {
			states := []string{"no", "yes"}[row&1]
			if len(parents) == 2 {
				states += ", " + []string{"no", "yes"}[row>>1]
			}
			p := .1 + .8*rng.Float64()
			fmt.Fprintf(&b, "  (%s) %.17g, %.17g;\n", states, p, 1-p)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// seen is what the page showed.
type seen struct {
	Requests, Errors []string
	Answers          map[string]struct {
		LogP      float64
		Marginals map[string][]float64
	}
	Checked, Focus   string
	Likelihood       []float64
	Best, KeysBest   []string
	Unnamed          []string // roles of the accessibility tree
	Cost, Go         string
	First            float64                     // ms from a wide network's file to its first answer
	Clicks           []float64                   // ms
	Built, KeysBuilt struct{ Name, Text string } // files of the models that were built
}

// mostEngine is the size in bytes, after compression, below which the engine of the page stays.
const mostEngine = 4_000_000

// TestBrowser uses the page in Chromium, by mouse and by keyboard. It needs the commands node and
// chromium, and the package playwright-core where node finds it (NODE_PATH).
func TestBrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium command")
	}
	if err := exec.Command("node", "-e", "require('playwright-core')").Run(); err != nil {
		t.Skip("node finds no playwright-core; NODE_PATH may name its folder")
	}
	page, err := New(t.Context(), irtest.ModuleRoot(t), func(step string, _, _ int) { t.Log(step) })
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range page {
		if n := len(f.Data); f.Name == "pgmc.wasm" && n >= mostEngine {
			t.Errorf("%s has %d bytes after compression; want fewer than %d", f.Name, n, mostEngine)
		}
	}
	wide := filepath.Join(t.TempDir(), "wide.bif")
	if err := os.WriteFile(wide, []byte(wideNetwork(1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	var got seen
	serve(t, page, func(url string) {
		var problems bytes.Buffer
		cmd := exec.CommandContext(t.Context(), "node", "testdata/browser.js", url, chromium, wide, filepath.Join(irtest.ModuleRoot(t), "testdata", "models"))
		cmd.Stderr = &problems
		out, err := cmd.Output()
		if err == nil {
			err = json.Unmarshal(out, &got)
		}
		if err != nil {
			t.Fatalf("%v: %s%s", err, out, problems.Bytes())
		}
	})
	got.check(t)
	asia, err := models.Files.ReadFile("asia.bif")
	if err != nil {
		t.Fatal(err)
	}
	dysp := infer.Evidence{"dysp": "yes"}
	both := infer.Evidence{"dysp": "yes", "xray": "no"}
	soft := infer.Evidence{"dysp": "yes", "xray": "no", "smoke": infer.Likelihood{.2, 1}}
	keyed := infer.Evidence{"dysp": "yes", "smoke": infer.Likelihood{.03, 1}}
	undone := infer.Evidence{"dysp": "yes", "smoke": infer.Likelihood{.02, 1}}
	clicked := infer.Evidence{}
	for _, i := range []int{10, 500, 990, 250, 750, 100, 333, 666} {
		clicked[fmt.Sprintf("x%d", i)] = "yes"
	}
	for _, c := range []struct {
		name, text string
		do, given  infer.Evidence
	}{
		{"click", string(asia), nil, dysp},
		{"intervene", string(asia), infer.Evidence{"bronc": "yes"}, dysp},
		{"undo", string(asia), nil, dysp},
		{"keyboard", string(asia), nil, both},
		{"likelihood", string(asia), nil, soft},
		{"link", string(asia), nil, soft},
		{"keys: observe", string(asia), nil, dysp},
		{"keys: likelihood", string(asia), nil, keyed},
		{"keys: undo", string(asia), nil, undone},
		{"keys: intervene", string(asia), infer.Evidence{"bronc": "yes"}, undone},
		{"keys: link", string(asia), infer.Evidence{"bronc": "yes"}, undone},
		{"built by mouse", string(asia), nil, dysp},
		{"built by keys", string(asia), nil, dysp},
		{"wide", wideNetwork(1000), nil, clicked},
	} {
		got.answers(t, c.name, c.text, c.do, c.given)
	}
	for _, saved := range []struct{ Name, Text string }{got.Built, got.KeysBuilt} {
		if saved.Name != "asia.bif" {
			t.Errorf("the file is called %q", saved.Name)
		}
		got.answers(t, "built by mouse", saved.Text, nil, dysp)
		for name, s := range map[string]string{"asia": "yes", "xray": "no"} {
			given := infer.Evidence{name: s, "smoke": "no"}
			want := posteriors(t, string(asia), nil, given)
			for i, d := range posteriors(t, saved.Text, nil, given).List {
				irtest.Close(t, d.P, want.List[i].P, 1e-12)
			}
		}
	}
	t.Logf("1,000 variables: %.0f ms from the file to the first answer, %.0f ms from a click to its answer on the page", got.First, got.Clicks)
}

// check compares what the page showed beside posteriors.
func (got *seen) check(t *testing.T) {
	t.Helper()
	if len(got.Requests) > 0 || len(got.Errors) > 0 || len(got.Unnamed) > 0 {
		t.Errorf("requests %v, errors %v, elements without a name: %v", got.Requests, got.Errors, got.Unnamed)
	}
	if got.Checked != "true" || got.Focus != "no100%" || !slices.Equal(got.Likelihood, []float64{.2, 1}) {
		t.Errorf("the keyboard set %q with the focus on %q, and the likelihood %v", got.Checked, got.Focus, got.Likelihood)
	}
	if want := []string{"no", "no", "no", "no", "yes", "no", "no", "yes"}; !slices.Equal(got.Best, want) {
		t.Errorf("the most probable completion is %v; want %v", got.Best, want)
	}
	if want := []string{"no", "no", "no", "no", "yes", "no", "no", "yes"}; !slices.Equal(got.KeysBest, want) {
		t.Errorf("by keyboard, the most probable completion is %v; want %v", got.KeysBest, want)
	}
	if !strings.Contains(got.Cost, "the cliques that hold it have 28 of 40 entries") || !strings.Contains(got.Go, "Package asia answers queries") {
		t.Errorf("found %q and %q", got.Cost, got.Go)
	}
}

// answers compares the posteriors of a step with those of the model in text, after interventions.
func (got *seen) answers(t *testing.T, name, text string, do, given infer.Evidence) {
	t.Helper()
	want := posteriors(t, text, do, given)
	answer := got.Answers[name]
	irtest.Close(t, []float64{answer.LogP}, []float64{want.LogProb}, 1e-12)
	for _, d := range want.List {
		irtest.Close(t, answer.Marginals[d.Var], d.P, 1e-12)
	}
}

// posteriors returns the posteriors of the model in text, after interventions.
func posteriors(t *testing.T, text string, do, given infer.Evidence) *infer.Marginals {
	t.Helper()
	m, list := format.ReadFrom(compiler.Formats, "m.bif", strings.NewReader(text), format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	m, err := infer.Do(m, do)
	if err != nil {
		t.Fatal(err)
	}
	e, err := infer.New(t.Context(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := e.Marginals(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	return want
}
