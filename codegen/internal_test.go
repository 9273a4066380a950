package codegen

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestIdentifiers checks, for random lists of names that collide in many ways, that identifiers are
// valid, distinct and the same each time.
func TestIdentifiers(t *testing.T) {
	parts := []string{"A", "B", "C", "a", "b", "1", "2", "Unset", "Dist", "Values", "Engine", "_", "-", "é", "\"", "logP", "LogProb", "Empty", "Given"}
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []string {
		var list []string
		for len(list) < n {
			name := ""
			for range r.IntN(4) {
				name += parts[r.IntN(len(parts))]
			}
			if !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
		return list
	}
	for round := range 200 {
		m := &model.Model{}
		for _, v := range random(1 + r.IntN(20)) {
			m.NewVar(v, random(1+r.IntN(6))...)
		}
		opt := Options{Types: []string{TypesOwn, TypesShared}[round%2]}
		list := allIdentifiers(t, m, opt)
		if again := allIdentifiers(t, m, opt); !slices.Equal(list, again) {
			t.Fatalf("identifiers change from %q to %q", list, again)
		}
	}
}

// allIdentifiers checks the identifiers of m, and returns them.
func allIdentifiers(t *testing.T, m *model.Model, opt Options) []string {
	t.Helper()
	reserved := append([]string{"LogProb"}, everywhere...)
	ids, err := nameModel(m, opt, reserved...)
	if err != nil {
		t.Fatal(err)
	}
	decls, members, keys := slices.Clone(reserved), slices.Clone(reserved), []string{}
	for _, e := range ids.enums {
		decls = append(decls, e.id)
		for _, suffix := range enumSuffixes {
			decls = append(decls, e.id+suffix)
		}
		decls = append(decls, e.consts...)
	}
	for _, x := range ids.vars {
		members, keys = append(members, x.id), append(keys, x.json)
	}
	for _, list := range [][]string{decls, members, keys} {
		seen := map[string]bool{}
		for _, id := range list {
			if seen[id] {
				t.Fatalf("%q is given twice, in %q", id, list)
			}
			seen[id] = true
		}
	}
	for _, id := range append(decls, members...) {
		if !names.IsExported(id) {
			t.Fatalf("%q is no exported identifier", id)
		}
	}
	return slices.Concat(decls, members, keys)
}

func TestOverrideInSharedTypes(t *testing.T) {
	m := &model.Model{}
	m.NewVar("a", "yes", "no")
	m.NewVar("b", "yes", "no")
	opt := Options{Types: TypesShared, Names: map[string]string{"a.yes": "Yes"}}
	ids, err := nameModel(m, opt)
	if err != nil || ids.enums[0].consts[0] != "Yes" {
		t.Error(ids, err)
	}
	opt.Names["b.yes"] = "Ja"
	if _, err := nameModel(m, opt); err == nil {
		t.Error("two names for one state are accepted")
	}
}

// TestShownNames checks that the runtime has the names that are part of the API of some packages.
func TestShownNames(t *testing.T) {
	for _, name := range slices.Concat([]string{historiesError, particlesError, searchError}, shownNames()) {
		if _, err := pgmrt.Files(name); err != nil {
			t.Error(err)
		}
	}
}

// shownNames returns the names of the runtime that some kinds of query show.
func shownNames() (names []string) {
	for i := range answerKinds {
		names = append(names, answerKinds[i].shown...)
	}
	return names
}

func TestRepeatable(t *testing.T) {
	spans := []ir.Span{{Len: 2, Offset: 0}, {Len: 2, Offset: 2}, {Len: 2, Offset: 3}}
	copyTo := func(out, in ir.SpanID) ir.Step {
		return &ir.Contract{Axes: []ir.Axis{{Size: 2}}, Out: ir.View{Span: out, Stride: []int{1}}, In: []ir.View{{Span: in, Stride: []int{1}}}}
	}
	tests := []struct {
		name  string
		steps []ir.Step
		want  bool
	}{
		{"reads before, writes elsewhere", []ir.Step{copyTo(1, 0)}, true},
		{"reads what it wrote", []ir.Step{copyTo(1, 0), copyTo(2, 1)}, true},
		{"overwrites what it read", []ir.Step{copyTo(0, 1), copyTo(2, 0)}, false},
		{"changes in place", []ir.Step{&ir.Normalize{Span: 0}}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := &generator{p: &ir.Program{Spans: spans, Blocks: []ir.Block{{Steps: tt.steps}}}}
			if got := g.repeatable([]int{0}); got != tt.want {
				t.Errorf("got %v; want %v", got, tt.want)
			}
		})
	}
}
