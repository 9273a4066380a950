package decide_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

// complete returns a diagram in which something has each field that a diagram and its parts have.
// The last two variables are in no part of it.
func complete(t *testing.T) *model.Model {
	m := &model.Model{Kind: model.Bayes, Name: "complete", File: "complete"}
	at := func(line int) diag.Pos { return diag.Pos{File: "complete", Line: line, Col: 1} }
	var ids []model.VarID
	for i, name := range []string{"seen", "test", "result", "drill", "other", "free"} {
		v := m.NewVar(name, "y", "n")
		v.Given, v.Pos = name == "test" || name == "drill", at(i+1)
		ids = append(ids, v.ID)
	}
	cpd := func(values []float64, scope ...model.VarID) {
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: values}, Pos: at(10)})
	}
	cpd([]float64{.5, .5}, ids[0])
	cpd([]float64{.3, .7, .4, .6}, ids[1], ids[2])
	cpd([]float64{.2, .8}, ids[4])
	cpd([]float64{.2, .8}, ids[5])
	m.Diagram = &model.Diagram{
		Decisions: []*model.Decision{{Var: ids[1], Known: []model.VarID{ids[0]}, Once: true, Pos: at(11)}, {Var: ids[3], Known: []model.VarID{ids[1]}, Pos: at(12)}},
		Utilities: []*model.Utility{{Name: "price", Criterion: "money", Scope: []model.VarID{ids[1]}, Values: []float64{-1, 0}, Pos: at(13)}, {Name: "twice", Pos: at(14)}},
		Criteria:  []*model.Criterion{{Name: "money", Unit: "EUR", Scale: 2, Cost: 3, Effect: 4, Discount: .5, Pos: at(15)}},
		Asymmetry: &model.Asymmetry{
			Restrictions: []*model.Restriction{{Parent: ids[1], Child: ids[2], Allowed: []bool{true, true, false, false}, Pos: at(16)}},
			Reveals:      []*model.Reveal{{By: ids[1], States: []int{1}, Var: ids[2], Pos: at(17)}},
			Observed:     []model.VarID{ids[0]},
			Pos:          at(18),
		},
		Horizon: 3,
	}
	nodes, err := model.ParseFunc("2*price", m.Diagram.FunctionNames())
	if err != nil {
		t.Fatal(err)
	}
	m.Diagram.Utilities[1].Function = &model.Func{Nodes: nodes}
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	return m
}

// fill marks the fields of the structs within v that have values, and the fields that exist.
func fill(v reflect.Value, filled, exist map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), filled, exist)
		}
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), filled, exist)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Pos]() || v.Type() == reflect.TypeFor[model.Func]() {
			return
		}
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			exist[name] = true
			filled[name] = filled[name] || !v.Field(i).IsZero()
			fill(v.Field(i), filled, exist)
		}
	}
}

// TestCopies checks that operations on a model keep all fields of its diagram but those that they
// are about. A field that complete does not fill is an error, so that new ones are added there.
func TestCopies(t *testing.T) {
	m := complete(t)
	filled, exist := map[string]bool{}, map[string]bool{}
	fill(reflect.ValueOf(m.Diagram), filled, exist)
	for name := range exist {
		if !filled[name] {
			t.Errorf("the diagram of the test has no %s; want a value in one of its parts", name)
		}
	}
	id := func(name string) model.VarID { v, _ := m.VarByName(name); return v.ID }
	edited := func(out *model.Model, _ []edit.Effect, err error) *model.Model {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	same := func(*model.Diagram) {}
	normal, _ := m.NormalizeRows(0)
	drilled := &model.Factor{Scope: []model.VarID{id("drill")}, Dist: &model.Table{Values: []float64{1, 0}}}
	for _, c := range []struct {
		name string
		out  *model.Model
		want func(d *model.Diagram) // makes what is wanted of a copy of the diagram
	}{
		{"normal rows", normal, same},
		{"do", m.Do(map[model.VarID]model.Value{id("other"): {State: 1}}), same},
		{"rename", edited(edit.Rename(m, id("seen"), "heard")), same},
		{"describe", edited(edit.Describe(m, id("seen"), "what is seen")), same},
		{"add", edited(edit.Add(m, model.Var{Name: "new", Domain: model.Discrete{States: []string{"a", "b"}}})), same},
		{"remove", edited(edit.Remove(m, id("free"), nil, 100)), func(d *model.Diagram) { d.Utilities[1].Scope = []model.VarID{} }},
		{"edge", edited(edit.AddEdge(m, id("other"), id("free"), 100)), same},
		{"row", edited(edit.SetRow(m, id("other"), nil, []float64{.4, .6})), same},
		{"states", edited(edit.SetStates(m, id("other"), []edit.NewState{{Name: "a", From: 0}, {Name: "b", From: 1}, {Name: "c", From: -1}}, 100)), same},
		{"edge to a decision", edited(edit.AddEdge(m, id("other"), id("drill"), 100)),
			func(d *model.Diagram) { d.Decisions[1].Known = []model.VarID{id("test"), id("other")} }},
		{"no edge to a decision", edited(edit.RemoveEdge(m, id("test"), id("drill"), nil, 100)),
			func(d *model.Diagram) { d.Decisions[1].Known = []model.VarID{} }},
		{"utility", edited(edit.SetUtility(m, 0, []edit.State{{Var: id("test"), State: 0}}, -5)),
			func(d *model.Diagram) { d.Utilities[0].Values = []float64{-5, 0} }},
		{"utilities", edited(edit.ReplaceUtility(m, 0, []float64{-5, 1})), func(d *model.Diagram) { d.Utilities[0].Values = []float64{-5, 1} }},
		{"follow", m.Follow(drilled), func(d *model.Diagram) { d.Decisions = d.Decisions[:1] }},
		{"json", written(t, m), func(d *model.Diagram) { withoutPlaces(reflect.ValueOf(d)) }},
	} {
		want := complete(t).Diagram
		c.want(want)
		if c.name == "json" {
			withoutPlaces(reflect.ValueOf(c.out.Diagram))
		}
		if got := c.out.Diagram; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the diagram is\n%s\nwant\n%s", c.name, describe(got), describe(want))
		}
		if now := m.Diagram; !reflect.DeepEqual(now, complete(t).Diagram) {
			t.Fatalf("%s changed the diagram of its argument", c.name)
		}
	}
}

// written returns what a file in pgmc's own format says of m.
func written(t *testing.T, m *model.Model) *model.Model {
	t.Helper()
	f, err := format.Find(compiler.Formats, "a.pgmc.json", "")
	if err != nil {
		t.Fatal(err)
	}
	out, err := format.Encode(compiler.Formats, f, "a.pgmc.json", m)
	if err != nil {
		t.Fatal(err)
	}
	x, list := format.ReadSource(f, &format.Source{Name: "a.pgmc.json", Data: out.Files[0].Data.Bytes()}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return x
}

// withoutPlaces clears positions in files.
func withoutPlaces(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil():
		withoutPlaces(v.Elem())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			withoutPlaces(v.Index(i))
		}
	case v.Type() == reflect.TypeFor[diag.Pos]():
		v.SetZero()
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			withoutPlaces(v.Field(i))
		}
	}
}

// describe writes the parts of a diagram, which has pointers to them.
func describe(d *model.Diagram) (text string) {
	for _, list := range []any{d.Decisions, d.Utilities, d.Criteria} {
		for v := reflect.ValueOf(list); v.Len() > 0; v = v.Slice(1, v.Len()) {
			text += sprint(v.Index(0).Elem().Interface())
		}
	}
	if a := d.Asymmetry; a != nil {
		text += sprint(a.Observed)
		for _, r := range a.Restrictions {
			text += sprint(*r)
		}
		for _, r := range a.Reveals {
			text += sprint(*r)
		}
	}
	return text
}

func sprint(x any) string { return fmt.Sprintf("%+v\n", x) }
