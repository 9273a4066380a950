package codegen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/price"
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

// fake returns a back-end with the given costs of blocks by name, and the limits of the back-end of
// the same name.
func fake(name string, costs map[string]backend.Cost) backend.Backend {
	b := backend.Backend{Name: name, Cost: func(_ *ir.Program, b *ir.Block) backend.Cost { return costs[b.Name] }}
	for _, real := range Backends {
		if real.Name == name {
			b.Auto, b.Forced = real.Auto, real.Forced
		}
	}
	return b
}

func TestChoose(t *testing.T) {
	p := &ir.Program{Blocks: []ir.Block{{Name: "small"}, {Name: "big"}, {Name: "medium"}}}
	backends := []backend.Backend{
		fake("unroll", map[string]backend.Cost{"small": {OK: true, NS: 10, Ops: 100}, "medium": {OK: true, NS: 1000, Ops: 20_000}, "big": {OK: true, NS: 5000, Ops: 24_990}}),
		fake("nest", map[string]backend.Cost{"small": {OK: true, NS: 50, Ops: 100, Text: 3 << 20}, "medium": {OK: true, NS: 3000, Ops: 40_000, Text: 3 << 20}, "big": {OK: true, NS: 5500, Ops: 90_000, Text: 3 << 20}}),
		fake("tape", map[string]backend.Cost{"small": {OK: true, NS: 90}, "medium": {OK: true, NS: 4000}, "big": {OK: true, NS: 6000}}),
	}
	tests := []struct{ name, want string }{
		{"auto", "small:unroll big:nest medium:unroll"},
		{"unroll", "small:unroll big:unroll medium:unroll"},
		{"tape", "small:tape big:tape medium:tape"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := choose(p, backends, tt.name)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i, c := range plan {
				got = append(got, fmt.Sprint(p.Blocks[i].Name, ":", c.backend.Name))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %s; want %s", s, tt.want)
			}
		})
	}
	huge := &ir.Program{Blocks: []ir.Block{{Name: "huge"}}}
	unroll := []backend.Backend{fake("unroll", map[string]backend.Cost{"huge": {OK: true, Ops: 75_001}})}
	if _, err := choose(huge, unroll, "unroll"); err == nil || !strings.Contains(err.Error(), "75000 operations") {
		t.Errorf("a block beyond the limit gives %v", err)
	}
}

// TestThin has blocks that are each faster as straight-line code alone, but slower together.
func TestThin(t *testing.T) {
	costs := func(ns float64, straight int) map[string]backend.Cost {
		m := map[string]backend.Cost{}
		for _, name := range []string{"a", "b", "c", "d"} {
			m[name] = backend.Cost{OK: true, NS: ns, Ops: max(straight, 1), Straight: straight}
		}
		return m
	}
	straight := costs(price.StraightOp(2000)*2000, 2000)
	better := straight["c"]
	better.NS /= 2 // loses most in loops
	straight["c"] = better
	backends := []backend.Backend{fake("unroll", straight), fake("nest", costs(400, 0))}
	blocks := []ir.Block{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}
	tests := []struct {
		name    string
		queries [][]int
		want    string
	}{
		{"each alone", [][]int{{0}, {1}, {2}, {3}}, "unroll unroll unroll unroll"},
		{"all together", [][]int{{0, 1, 2, 3}}, "nest nest unroll nest"},
		{"the same twice", [][]int{{0, 1, 2, 3}, {0, 1, 2, 3}}, "nest nest unroll nest"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := &ir.Program{Blocks: blocks}
			for _, q := range tt.queries {
				p.Entries = append(p.Entries, ir.Entry{Blocks: q})
			}
			plan, err := choose(p, backends, "auto")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range plan {
				got = append(got, c.backend.Name)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got %s; want %s", s, tt.want)
			}
		})
	}
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
