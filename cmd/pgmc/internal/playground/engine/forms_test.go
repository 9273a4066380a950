package engine

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// open loads a file of a model that is part of pgmc.
func open(t *testing.T, e *Engine, name string) *Loaded {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(irtest.ModuleRoot(t), "testdata", "models", name))
	if err != nil {
		t.Fatal(err)
	}
	var loaded Loaded
	ask(t, e, Request{Op: "load", Name: name, Data: text}, &loaded)
	return &loaded
}

// TestUmbrella compares with Russell and Norvig, Artificial Intelligence, section 15.2: rain is .818
// after an umbrella, .883 after two, and .883 on the first day given both.
func TestUmbrella(t *testing.T) {
	e := &Engine{}
	if loaded := open(t, e, "umbrella.pgmc.json"); !loaded.Sequence || loaded.Causal || loaded.Diagram {
		t.Errorf("found %+v", loaded)
	}
	seen := map[string]string{"umbrella": "yes"}
	for _, c := range []struct {
		mode     string
		at       int
		rain     float64
		logP     float64
		best     string
		bestLogP float64
	}{
		{filterSlices, 0, .8182, math.Log(.55), "", 0},
		{filterSlices, 1, .8834, math.Log(.55 * (.9*.62727 + .2*.37273)), "", 0},
		{smoothSlices, 0, .8834, math.Log(.55 * (.9*.62727 + .2*.37273)), "", 0},
		{pathOfSlices, 0, .8834, math.Log(.55 * (.9*.62727 + .2*.37273)), "yes", math.Log(.5 * .9 * .7 * .9 * .7 * .9)},
	} {
		q := Question{Hard: seen, Sequence: &Sequence{Mode: c.mode, Length: 3, At: c.at, Var: "rain", Others: map[int]Slice{1 - c.at: {Hard: seen}}}}
		var a Answer
		ask(t, e, Request{Op: "ask", Question: q}, &a)
		irtest.Close(t, []float64{a.Marginals[0][0], a.LogP, a.MPELogP}, []float64{c.rain, c.logP, c.bestLogP}, 5e-5)
		if c.best != "" && (a.MPE[0] != c.best || !slices.Equal(a.Course.Path, []string{"yes", "yes", "yes"})) {
			t.Errorf("%s: found the path %v and %v", c.mode, a.MPE, a.Course.Path)
		}
		if len(a.Course.List) != 3 || !slices.Equal(a.Course.List[c.at], a.Marginals[0]) {
			t.Errorf("%s: found the course %v", c.mode, a.Course.List)
		}
	}
	var picture Picture
	ask(t, e, Request{Op: "picture", Question: Question{Sequence: &Sequence{Length: 9, At: 4}}}, &picture)
	for text, want := range map[string]int{"<title>rain@": 3, "<title>umbrella@5<": 1, ">slice 3<": 1, `stroke-width="2.4"`: 1, "<ellipse ": 6} {
		if got := strings.Count(picture.SVG, text); got != want {
			t.Errorf("the picture has %s %d times; want %d: %s", text, got, want, picture.SVG)
		}
	}
	if !slices.Equal(picture.Nodes, []int{-1, -1, 0, 1, -1, -1}) || !slices.Equal(picture.Edges, [][2]int{{-1, -1}, {-1, 0}, {0, 1}, {0, -1}, {-1, -1}}) {
		t.Errorf("found the nodes %v and the edges %v", picture.Nodes, picture.Edges)
	}
	var c Cost
	if ask(t, e, Request{Op: "variable", Var: "rain"}, &c); c.CPD.Heads[0] == c.Later.Heads[0] || c.Later.Heads[0] != "rain@-1" || c.Problem != "" || c.Total != 0 {
		t.Errorf("found %+v, %v, %v", c, c.CPD, c.Later)
	}
	var none Answer
	if ask(t, e, Request{Op: "ask"}, &none); none.Marginals[0][0] != .5 || none.Course != nil {
		t.Errorf("without a sequence found %+v", none)
	}
}

// TestSequenceErrors checks what questions that no sequence answers say.
func TestSequenceErrors(t *testing.T) {
	e := &Engine{}
	open(t, e, "umbrella.pgmc.json")
	for request, want := range map[string]string{
		`{"op":"ask","sequence":{"mode":"filter","length":2,"at":2}}`:                                   `{"error":"found slice 2 of 2; want one of at most 1000"}`,
		`{"op":"ask","sequence":{"mode":"filter","length":1001}}`:                                       `{"error":"found slice 0 of 1001; want one of at most 1000"}`,
		`{"op":"ask","sequence":{"mode":"filter","length":0}}`:                                          `{"error":"found slice 0 of 0; want one of at most 1000"}`,
		`{"op":"ask","sequence":{"mode":"guess","length":1}}`:                                           `{"error":"unknown mode \"guess\"; want filter, smooth or path"}`,
		`{"op":"ask","sequence":{"mode":"filter","length":2,"others":{"1":{"hard":{"rain":"maybe"}}}}}`: `{"error":"slice 1: `,
		`{"op":"ask","sequence":{"mode":"smooth","length":2,"others":{"1":{"hard":{"rain":"maybe"}}}}}`: `{"error":"slice 1: `,
		`{"op":"ask","sequence":{"mode":"filter","length":2,"others":{"1":{"soft":{"rain":[0,0]}}}}}`:   `{"error":"slice 1: `,
		`{"op":"mixture","var":"rain"}`:                                                                 `[]`,
		`{"op":"picture","sequence":{"at":5,"length":2}}`:                                               `{"error":"found slice 5 of 2; want one of at most 1000"}`,
	} {
		if got := string(e.Serve(t.Context(), []byte(request))); !strings.HasPrefix(got, want) {
			t.Errorf("%s: found %s; want %s", request, got, want)
		}
	}
}

// TestNile compares a sequence of real variables with package infer.
func TestNile(t *testing.T) {
	e := &Engine{}
	open(t, e, "nile.pgmc.json")
	m, _, err := infer.Load(filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "nile.pgmc.json"))
	if err != nil {
		t.Fatal(err)
	}
	in, err := infer.New(t.Context(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := in.Smooth(t.Context(), []infer.Given{infer.Evidence{"flow": 1120.0}, infer.Evidence{}, infer.Evidence{"flow": 963.0}})
	if err != nil {
		t.Fatal(err)
	}
	q := Question{Sequence: &Sequence{Mode: smoothSlices, Length: 3, At: 1,
		Others: map[int]Slice{0: {Hard: map[string]string{"flow": "1120"}}, 2: {Hard: map[string]string{"flow": "963"}}}}}
	var a Answer
	ask(t, e, Request{Op: "ask", Question: q}, &a)
	level := want[1].Of("level")
	if !a.Density {
		t.Error("the probability of the evidence is not called a density")
	}
	irtest.Close(t, append([]float64{a.LogP}, a.Marginals[0]...), []float64{want[0].LogProb, level.Mean, level.Variance}, 1e-12)
	var before Answer // any level is as probable as another
	if ask(t, e, Request{Op: "ask"}, &before); before.Marginals[0][1] != math.MaxFloat64 {
		t.Errorf("found the posteriors %v; want an infinite variance", before.Marginals)
	}
	var curve infer.Mixture
	if ask(t, e, Request{Op: "mixture", Var: "level"}, &curve); len(curve) != 0 {
		t.Errorf("found %v; want no density", curve)
	}
	ask(t, e, Request{Op: "mixture", Var: "level", Question: q}, &curve)
	if len(curve) != 1 || curve[0].Mean != level.Mean || curve[0].Var != level.Variance {
		t.Errorf("found %v; want the normal distribution %v", curve, level)
	}
}

// TestMixture asks the hybrid network of the gallery. The mixture has the answer's moments.
func TestMixture(t *testing.T) {
	e := &Engine{}
	loaded := open(t, e, "waste.pgmc.json")
	q := Question{Hard: map[string]string{"light": "1.5", "waste": "household"}}
	var a Answer
	ask(t, e, Request{Op: "ask", Question: q}, &a)
	var curve infer.Mixture
	ask(t, e, Request{Op: "mixture", Var: "dust", Question: q}, &curve)
	i := slices.IndexFunc(loaded.Variables, func(v Variable) bool { return v.Name == "dust" })
	if len(curve) < 2 || !a.Density {
		t.Errorf("found %v, %+v", curve, a)
	}
	irtest.Close(t, []float64{curve.Mean(), curve.Variance()}, a.Marginals[i], 1e-9)
	var c Cost
	if ask(t, e, Request{Op: "variable", Var: "dust"}, &c); c.CPD == nil || c.Later != nil || c.Problem != "" || c.Total != 0 {
		t.Errorf("found %+v, %v, %v", c, c.CPD, c.Later)
	}
}

// TestOil compares the problem of the oil wildcatter (Raiffa 1968) with its published solution, of
// utility 22.5: test, and drill unless the result is diffuse.
func TestOil(t *testing.T) {
	e := &Engine{}
	var loaded Loaded
	ask(t, e, Request{Op: "load", Name: "oil"}, &loaded)
	if !loaded.Diagram || !loaded.Variables[1].Decision || !slices.Equal(loaded.Variables[1].Parents, []string{"test", "result"}) {
		t.Errorf("found %+v", loaded)
	}
	var a Answer
	ask(t, e, Request{Op: "ask"}, &a)
	s := a.Strategy
	irtest.Close(t, []float64{s.Utility, s.Utilities[0].Mean, s.Utilities[1].Mean}, []float64{22.5, -10, 32.5}, 1e-12)
	irtest.Close(t, slices.Concat(a.Marginals...), []float64{1, 0, .59, .41, .5, .3, .2, .24, .35, .41, 0}, 1e-12)
	if s.Policies[0].Cases[0].Choice != 0 || s.Policies[1].Decision != "drill" || len(s.Policies[1].Cases) != 3 {
		t.Errorf("found %+v", s)
	}
	for _, c := range s.Policies[1].Cases {
		result := c.Given[len(c.Given)-1]
		if want := map[string]int{"closed": 0, "open": 0, "diffuse": 1}[result]; c.Choice != want {
			t.Errorf("%v: found the choice %d; want %d", c.Given, c.Choice, want)
		}
	}
	var c Cost
	if ask(t, e, Request{Op: "variable", Var: "result"}, &c); c.CPD == nil || c.Problem != "" || c.Total != 0 {
		t.Errorf("found %+v", c)
	}
	ask(t, e, Request{Op: "ask", Question: Question{Hard: map[string]string{"test": "no"}}}, &a)
	irtest.Close(t, []float64{a.Strategy.Utility}, []float64{20}, 1e-12)
	if len(a.Strategy.Policies) != 1 {
		t.Errorf("found %+v; want the policy of the open decision", a.Strategy)
	}
	var picture Picture
	if ask(t, e, Request{Op: "picture"}, &picture); !slices.Equal(picture.Nodes, []int{0, 1, 2, 3, -1, -1}) || strings.Count(picture.SVG, "<title>known</title>") != 2 || len(picture.Edges) != 7 {
		t.Errorf("found %+v", picture)
	}
	if got := string(e.Serve(t.Context(), []byte(`{"op":"ask","hard":{"result":"open"}}`))); !strings.HasPrefix(got, `{"error":`) {
		t.Errorf("found %s; want that the evidence depends on an open decision", got)
	}
}

// TestInexact checks what is said of a filter whose mean is no linear one, once.
func TestInexact(t *testing.T) {
	e := &Engine{}
	const text = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}, {"name": "y", "real": true}],
		"factors": [{"scope": ["x"], "child": "x", "gaussian": {"mean": [0], "var": [1]}}, {"scope": ["x", "y"], "child": "y", "func": {"mean": "x*x", "var": [1]}}],
		"next": {"factors": [{"scope": [["x", 1], "x"], "child": "x", "gaussian": {"mean": [0], "coef": [1], "var": [1]}}, {"scope": ["x", "y"], "child": "y", "func": {"mean": "x*x", "var": [1]}}]}}`
	var loaded Loaded
	ask(t, e, Request{Op: "load", Name: "square.pgmc.json", Data: []byte(text)}, &loaded)
	got := string(e.Serve(t.Context(), []byte(`{"op":"ask"}`)))
	if !strings.HasPrefix(got, `{"error":"the page shows this model but cannot answer about it: it answers exactly; `) || strings.Count(got, "is not linear") != 1 {
		t.Errorf("found %s", got)
	}
}

// TestGiven checks that given variables start at their first state, or the number 0.
func TestGiven(t *testing.T) {
	e := &Engine{}
	const text = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "u", "states": ["a", "b"], "given": true}, {"name": "x", "real": true, "given": true},
		{"name": "y", "states": ["a", "b"]}, {"name": "z", "real": true}],
		"factors": [{"scope": ["u", "y"], "child": "y", "table": [0.1, 0.9, 0.7, 0.3]}, {"scope": ["x", "z"], "child": "z", "gaussian": {"mean": [1], "coef": [2], "var": [4]}}]}`
	var loaded Loaded
	ask(t, e, Request{Op: "load", Name: "g.pgmc.json", Data: []byte(text)}, &loaded)
	var a Answer
	ask(t, e, Request{Op: "ask"}, &a)
	irtest.Close(t, slices.Concat(a.Marginals...), []float64{1, 0, 0, 0, .1, .9, 1, 4}, 1e-12)
	ask(t, e, Request{Op: "ask", Question: Question{Hard: map[string]string{"u": "b", "x": "3"}}}, &a)
	irtest.Close(t, slices.Concat(a.Marginals...), []float64{0, 1, 3, 0, .7, .3, 7, 4}, 1e-12)
	if a.Density {
		t.Error("a given value makes the probability a density")
	}
}
