package engine

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// ask sends a request and decodes the reply.
func ask(t *testing.T, e *Engine, request any, reply any) {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	got := e.Serve(t.Context(), text)
	if strings.HasPrefix(string(got), `{"error":`) {
		t.Fatalf("%s: %s", text, got)
	}
	if err := json.Unmarshal(got, reply); err != nil {
		t.Fatalf("%s: %v: %s", text, err, got)
	}
}

// TestAsk compares answers with those of package infer, after each other in one engine.
func TestAsk(t *testing.T) {
	text, err := models.Files.ReadFile("asia.bif")
	if err != nil {
		t.Fatal(err)
	}
	m, list := format.ReadFrom(compiler.Formats, "asia.bif", bytes.NewReader(text), format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	e := &Engine{}
	var loaded Loaded
	ask(t, e, Request{Op: "load", Name: "asia"}, &loaded)
	if loaded.Name != "asia" || len(loaded.Variables) != 8 || !loaded.Causal || !slices.Equal(loaded.Variables[5].Parents, []string{"tub", "lung"}) {
		t.Errorf("found %+v", loaded)
	}
	for _, q := range []Question{
		{},
		{Hard: map[string]string{"dysp": "yes"}, MPE: true},
		{Hard: map[string]string{"dysp": "yes"}, Soft: map[string][]float64{"xray": {.2, 1}, "dysp": {1, .5}}},
		{Do: map[string]string{"bronc": "no"}, Hard: map[string]string{"dysp": "yes"}, MPE: true},
		{Do: map[string]string{"bronc": "yes", "lung": "no"}},
		{Do: map[string]string{"bronc": "yes", "tub": "no"}},
		{Do: map[string]string{"bronc": "yes", "xray": "no"}},
		{Do: map[string]string{"asia": "yes"}},
		{Hard: map[string]string{"dysp": "no"}},
	} {
		compare(t, e, m, q)
	}
}

// compare compares the answer to a question about m, which e has loaded.
func compare(t *testing.T, e *Engine, m *model.Model, q Question) {
	t.Helper()
	set, given := infer.Evidence{}, infer.Evidence{}
	for name, s := range q.Do {
		set[name] = s
	}
	for name, s := range q.Hard {
		given[name] = s
	}
	for name, l := range q.Soft {
		given[name] = infer.Likelihood(l)
		if s, ok := q.Hard[name]; ok {
			given[name] = infer.All{s, infer.Likelihood(l)}
		}
	}
	after, err := infer.Do(m, set)
	if err != nil {
		t.Fatal(err)
	}
	in, err := infer.New(t.Context(), after, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := in.Marginals(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	var got Answer
	ask(t, e, Request{Op: "ask", Question: q}, &got)
	irtest.Close(t, []float64{got.LogP}, []float64{want.LogProb}, 1e-12)
	for v := range want.List {
		irtest.Close(t, got.Marginals[v], want.List[v].P, 1e-12)
	}
	if !q.MPE {
		return
	}
	best, err := in.MPE(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	for v, s := range best.States {
		if got.MPE[v] != s.State {
			t.Errorf("%+v: found %v; want %v", q, got.MPE, best.States)
			break
		}
	}
}

// TestReal asks a model with real variables, from a compressed file: y = 1 + 2x has mean 1 + 2·3
// and variance .5 if x = 3.
func TestReal(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}, {"name": "y", "real": true}],
		"factors": [{"scope": ["x"], "child": "x", "gaussian": {"mean": [0], "var": [1]}},
		{"scope": ["x", "y"], "child": "y", "gaussian": {"mean": [1], "coef": [2], "var": [0.5]}}]}`)
	w.Close()
	e := &Engine{}
	var loaded Loaded
	ask(t, e, Request{Op: "load", Name: "two.json.gz", Data: packed.Bytes()}, &loaded)
	if loaded.Name != "two" || loaded.Variables[0].States != nil {
		t.Errorf("found %+v", loaded)
	}
	var got Answer
	ask(t, e, Request{Op: "ask", Question: Question{Hard: map[string]string{"x": "3"}}}, &got)
	irtest.Close(t, got.Marginals[1], []float64{7, .5}, 1e-12)
}

// TestVariable checks what a variable of asia costs: it has five cliques of 8 entries at most.
func TestVariable(t *testing.T) {
	e := &Engine{}
	var loaded Loaded
	ask(t, e, Request{Op: "load", Name: "asia"}, &loaded)
	var c Cost
	ask(t, e, Request{Op: "variable", Var: "either"}, &c)
	if c.Kind != "table" || c.Size != 8 || len(c.CPD.Rows) != 4 || c.Total != 40 || c.Entries != 28 || c.Without != 26 || len(c.Cliques) != 4 || c.Cliques[0].Entries != 8 {
		t.Errorf("found %+v", c)
	}
	var picture Picture
	ask(t, e, Request{Op: "picture"}, &picture)
	if !strings.HasPrefix(picture.SVG, "<svg ") || strings.Count(picture.SVG, "<g><title>") != 8 || len(picture.Nodes) != 8 || len(picture.Edges) != 8 || picture.Edges[0] != [2]int{0, 1} {
		t.Errorf("found %+v", picture)
	}
}

// TestNeighbours checks the pictures of a network that is too large for one: a chain.
func TestNeighbours(t *testing.T) {
	var chain strings.Builder
	chain.WriteString("network unknown {}\n")
	for i := range mostDrawn + 1 {
		fmt.Fprintf(&chain, "variable x%d { type discrete [ 2 ] { no, yes }; }\n", i)
		if i == 0 {
			chain.WriteString("probability ( x0 ) { table 0.25, 0.75; }\n")
			continue
		}
		fmt.Fprintf(&chain, "probability ( x%d | x%d ) { table 0.25, 0.5, 0.75, 0.5; }\n", i, i-1)
	}
	e := &Engine{}
	var loaded Loaded
	ask(t, e, Request{Op: "load", Name: "chain.bif", Data: []byte(chain.String())}, &loaded)
	if loaded.Name != "chain" {
		t.Errorf("the network is called %q; want the name of the file", loaded.Name)
	}
	var picture Picture
	ask(t, e, Request{Op: "picture", Var: "x7"}, &picture)
	for name, want := range map[string]bool{"x6": true, "x7": true, "x8": true, "x5": false, "x9": false} {
		if strings.Contains(picture.SVG, "<title>"+name+"</title>") != want {
			t.Errorf("the picture has %s is %v; want %v: %+v", name, !want, want, picture)
		}
	}
	reply := string(e.Serve(t.Context(), []byte(`{"op":"picture"}`)))
	want := `{"error":"the network has 2001 variables, too many for a picture; choose the name of one to see it among its neighbours"}`
	if reply != want {
		t.Errorf("found %s; want %s", reply, want)
	}
}

// TestErrors checks what requests that cannot be answered say, and that the engine goes on.
func TestErrors(t *testing.T) {
	e := &Engine{}
	for _, c := range []struct{ request, want string }{
		{`{`, `{"error":"unexpected end of JSON input"}`},
		{`{"op":"ask"}`, `{"error":"no model is open"}`},
		{`{"op":"load","name":"nosuch"}`, `{"error":"no model that is part of pgmc has the name \"nosuch\""}`},
		{`{"op":"load","name":"x.bif","data":"eA=="}`, `{"error":"x.bif:1:1: `},
		{`{"op":"load","name":"x.what","data":"eA=="}`, `{"error":"x.what: cannot tell the format from the name`},
		{`{"op":"load","name":"asia"}`, `{"version":1,"name":"asia"`},
		{`{"op":"what"}`, `{"error":"unknown request \"what\""}`},
		{`{"op":"go"}`, `{"error":"unknown request \"go\""}`},
		{`{"op":"variable","var":"nobody"}`, `{"error":"unknown variable \"nobody\""}`},
		{`{"op":"ask","hard":{"smoke":"maybe"}}`, `{"error":"variable \"smoke\" has no state \"maybe\"`},
		{`{"op":"ask","hard":{"tub":"yes","either":"no"}}`, `{"error":"impossible evidence: tub=yes, either=no has probability 0","conflict":["tub","either"]}`},
		{`{"op":"ask","hard":{"tub":"yes","either":"no","xray":"yes"}}`, `{"error":"impossible evidence: tub=yes, either=no, xray=yes has probability 0, and so has tub=yes, either=no alone; leave out one of these","conflict":["tub","either"]}`},
		{`{"op":"ask","do":{"nobody":"yes"}}`, `{"error":"unknown variable \"nobody\"`},
		{`{"op":"ask","soft":{"smoke":[1]}}`, `{"error":"the likelihood of \"smoke\" has length 1; want 2`},
		{`{"op":"ask"}`, `{"logp":0,`},
		{`{"op":"models"}`, `["alarm","asia","cancer","chain","fever","hospital","hydro","nile","oil","sprinkler","student","umbrella","waste","weather"]`},
	} {
		if got := string(e.Serve(t.Context(), []byte(c.request))); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: found %s; want %s", c.request, got, c.want)
		}
	}
}
