package api

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/ir/model"
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
		types := []string{TypesOwn, TypesShared}[round%2]
		list := allIdentifiers(t, m, types)
		if again := allIdentifiers(t, m, types); !slices.Equal(list, again) {
			t.Fatalf("identifiers change from %q to %q", list, again)
		}
	}
}

// allIdentifiers checks the identifiers of m, and returns them.
func allIdentifiers(t *testing.T, m *model.Model, types string) []string {
	t.Helper()
	reserved := append([]string{"LogProb"}, Everywhere...)
	ids, err := nameModel(m, types, nil, reserved...)
	if err != nil {
		t.Fatal(err)
	}
	decls, members, keys := slices.Clone(reserved), slices.Clone(reserved), []string{}
	for _, e := range ids.Enums {
		decls = append(decls, e.ID)
		for _, suffix := range enumSuffixes {
			decls = append(decls, e.ID+suffix)
		}
		decls = append(decls, e.consts...)
	}
	for _, x := range ids.vars {
		members, keys = append(members, x.ID), append(keys, x.JSON)
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
	chosen := map[string]string{"a.yes": "Yes"}
	ids, err := nameModel(m, TypesShared, chosen)
	if err != nil || ids.Enums[0].consts[0] != "Yes" {
		t.Error(ids, err)
	}
	chosen["b.yes"] = "Ja"
	if _, err := nameModel(m, TypesShared, chosen); err == nil {
		t.Error("two names for one state are accepted")
	}
}
