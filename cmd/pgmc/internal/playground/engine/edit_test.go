package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model/edit"
	"github.com/pgmc-go/pgmc/testdata/models"
)

// change makes a change and returns the reply.
func change(t *testing.T, e *Engine, c Edit) (out Edited) {
	t.Helper()
	ask(t, e, Request{Op: "edit", Edit: c}, &out)
	return out
}

var yesNo = []edit.NewState{{Name: "yes"}, {Name: "no"}}

// TestEdit builds a small network from nothing, changes it, and goes back.
func TestEdit(t *testing.T) {
	e := &Engine{}
	var empty Loaded
	ask(t, e, Request{Op: "new"}, &empty)
	if !empty.Causal || len(empty.Variables) != 0 {
		t.Errorf("found %+v", empty)
	}
	change(t, e, Edit{Kind: "name", Name: "small"})
	for _, name := range []string{"rain", "wet"} {
		change(t, e, Edit{Kind: "add", Name: name, States: yesNo})
	}
	got := change(t, e, Edit{Kind: "edge", Parent: "rain", Var: "wet"})
	if len(got.Effects) != 1 || got.Size != 6 {
		t.Errorf("found %+v", got)
	}
	change(t, e, Edit{Kind: "row", Var: "rain", Numbers: []float64{.25, .75}})
	change(t, e, Edit{Kind: "row", Var: "wet", Given: [][2]string{{"rain", "yes"}}, Numbers: []float64{.875, .125}})
	last := change(t, e, Edit{Kind: "row", Var: "wet", Given: [][2]string{{"rain", "no"}}, Numbers: []float64{.5, .5}})
	const want = `network small {
}
variable rain {
  type discrete [ 2 ] { yes, no };
}
variable wet {
  type discrete [ 2 ] { yes, no };
}
probability ( rain ) {
  table 0.25, 0.75;
}
probability ( wet | rain ) {
  (yes) 0.875, 0.125;
  (no) 0.5, 0.5;
}
`
	text := func() string {
		var saved Saved
		ask(t, e, Request{Op: "save", Name: "small.bif", Format: "bif"}, &saved)
		return string(saved.Files[0].Data)
	}
	if got := text(); got != want {
		t.Errorf("found %s; want %s", got, want)
	}

	// Without the edge, wet has the mean of its rows by the marginal of rain: .25·.875 + .75·.5.
	change(t, e, Edit{Kind: "unedge", Parent: "rain", Var: "wet"})
	var c CPD
	ask(t, e, Request{Op: "cpd", Var: "wet"}, &c)
	irtest.Close(t, c.Rows[0].Numbers, []float64{.59375, .40625}, 1e-15)
	change(t, e, Edit{Kind: "remove", Var: "rain"})
	change(t, e, Edit{Kind: "rename", Var: "wet", Name: "grass"})
	change(t, e, Edit{Kind: "states", Var: "grass", States: []edit.NewState{{Name: "dry", From: 1}, {Name: "damp", From: -1}, {Name: "wet", From: 0}}})
	var after Answer
	ask(t, e, Request{Op: "ask"}, &after)
	irtest.Close(t, after.Marginals[0], []float64{.40625, 0, .59375}, 1e-15)
	var done bool
	ask(t, e, Request{Op: "back", Version: last.Version}, &done)
	if got := text(); !done || got != want {
		t.Errorf("after undo: found %s; want %s", got, want)
	}
}

// TestParameters changes CPDs that are not tables.
func TestParameters(t *testing.T) {
	e := &Engine{}
	var l Loaded
	ask(t, e, Request{Op: "load", Name: "asia"}, &l)
	rows := func(name string) (c CPD) {
		ask(t, e, Request{Op: "cpd", Var: name}, &c)
		return c
	}
	change(t, e, Edit{Kind: "cpd", Var: "either", CPD: "noisy-max"})
	c := rows("either")
	if c.Kind != "noisy-max" || len(c.Rows) != 5 || c.Rows[2].Labels[0] != "tub" || c.Rows[2].Labels[1] != "no" {
		t.Errorf("found %+v", c)
	}
	change(t, e, Edit{Kind: "row", Var: "either", Given: c.Rows[1].Given, Numbers: []float64{.75, .25}})
	change(t, e, Edit{Kind: "row", Var: "either", Given: c.Rows[3].Given, Numbers: []float64{.5, .5}})
	change(t, e, Edit{Kind: "cpd", Var: "either", CPD: "table"})
	// yes is the lowest state: it holds if no cause makes it higher.
	for i, want := range []float64{.375, .75, .5, 1} {
		irtest.Close(t, rows("either").Rows[i].Numbers, []float64{want, 1 - want}, 1e-15)
	}
	for _, name := range []string{"x", "y"} {
		change(t, e, Edit{Kind: "add", Name: name, Real: true})
	}
	change(t, e, Edit{Kind: "edge", Parent: "x", Var: "y"})
	change(t, e, Edit{Kind: "edge", Parent: "smoke", Var: "y"})
	c = rows("y")
	if got := strings.Join(append(c.Heads, c.Columns...), ";"); got != "smoke;mean;× x;variance" || c.Sums || len(c.Rows) != 2 {
		t.Errorf("found %+v", c)
	}
	change(t, e, Edit{Kind: "row", Var: "y", Given: c.Rows[1].Given, Numbers: []float64{1, 2, .5}})
	var got Answer
	ask(t, e, Request{Op: "ask", Question: Question{Hard: map[string]string{"x": "3", "smoke": "no"}}}, &got)
	irtest.Close(t, got.Marginals[len(got.Marginals)-1], []float64{7, .5}, 1e-12)
}

// refused checks that a change is refused with a message.
func refused(t *testing.T, e *Engine, c Edit, want string) {
	t.Helper()
	request, err := json.Marshal(Request{Op: "edit", Edit: c})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Error string }
	if err := json.Unmarshal(e.Serve(t.Context(), request), &got); err != nil || got.Error != want {
		t.Errorf("%+v: found %q, %v; want %q", c, got.Error, err, want)
	}
}

// TestRefused checks what changes that are not possible say, and that the model stays.
func TestRefused(t *testing.T) {
	e := &Engine{}
	var before, after Loaded
	ask(t, e, Request{Op: "load", Name: "asia"}, &before)
	for _, c := range []struct {
		edit Edit
		want string
	}{
		{Edit{Kind: "what", Var: "asia"}, `unknown change "what"`},
		{Edit{Kind: "add", Name: "asia", States: yesNo}, `there is a variable "asia" already; want another name`},
		{Edit{Kind: "remove", Var: "nobody"}, `unknown variable "nobody"`},
		{Edit{Kind: "edge", Parent: "dysp", Var: "either"}, `the edge dysp->either makes a cycle: either -> dysp -> either`},
		{Edit{Kind: "edge", Parent: "smoke", Var: "bronc"}, `the edge smoke->bronc is there already`},
		{Edit{Kind: "row", Var: "asia", Numbers: []float64{.5, .75}}, `in the row of "asia": the numbers sum to 1.25; want 1`},
		{Edit{Kind: "row", Var: "asia", Numbers: []float64{1}}, `found 1 of 2 numbers, one for each state of "asia"`},
		{Edit{Kind: "row", Var: "tub", Given: [][2]string{{"asia", "perhaps"}}, Numbers: []float64{1, 0}}, `variable "asia" has no state "perhaps"`},
		{Edit{Kind: "cpd", Var: "tub", CPD: "tree"}, `unknown kind "tree" of CPD; want table or noisy-max`},
		{Edit{Kind: "states", Var: "tub"}, `variable "tub" has no states; want at least one`},
	} {
		refused(t, e, c.edit, c.want)
	}
	var done bool
	ask(t, e, Request{Op: "back", Version: before.Version}, &done)
	if after = *e.describe(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("found %+v; want %+v", after, before)
	}
	if reply := string(e.Serve(t.Context(), []byte(`{"op":"back","version":7}`))); reply != `{"error":"the model of that step is gone; the page keeps the last 200"}` {
		t.Errorf("found %s", reply)
	}
}

// TestSave saves each built-in model in each format that is offered for it, and reads the files again.
func TestSave(t *testing.T) {
	entries, err := models.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range entries {
		e := &Engine{}
		text, err := models.Files.ReadFile(x.Name())
		if err != nil {
			t.Fatal(err)
		}
		var l Loaded
		ask(t, e, Request{Op: "load", Name: x.Name(), Data: text}, &l)
		var list []Saving
		ask(t, e, Request{Op: "formats"}, &list)
		if len(list) == 0 {
			t.Errorf("%s: no format holds it", x.Name())
		}
		for _, f := range list {
			var saved Saved
			ask(t, e, Request{Op: "save", Name: "m" + f.Ext, Format: f.Name}, &saved)
			if len(saved.Files) != 1 || saved.Files[0].Name != "m"+f.Ext {
				continue // further files, which only a folder keeps together
			}
			if _, diags := format.ReadFrom(compiler.Formats, "m"+f.Ext, strings.NewReader(string(saved.Files[0].Data)), format.ReadOptions{}); diags.HasErrors() {
				t.Errorf("%s as %s: %v", x.Name(), f.Name, diags.Err())
			}
		}
	}
}
