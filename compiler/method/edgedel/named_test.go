package edgedel_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestNames deletes edges by the names of their variables and by numbers, with the same answers.
func TestNames(t *testing.T) {
	networks(t, 30, irtest.Options{}, func(seed uint64, m *model.Model, e brute.Evidence) {
		var names []string
		edges := oneEach(m, seed, 3)
		for _, d := range edges {
			names = append(names, m.Vars[d.Parent].Name+"->"+m.Vars[m.Factors[d.Factor].ChildVar()].Name)
		}
		if edges == nil {
			return
		}
		got := query(t, m, e, "edgedel", "parameters=true", "delete="+strings.Join(names, ","))
		if want := query(t, m, e, "edgedel", "parameters=true", "delete="+edgedel.Option(edges)); !reflect.DeepEqual(got, want) {
			t.Errorf("by names %v: %+v; by numbers %+v", names, got, want)
		}
	})
}

// TestNamesOfMarkov deletes a variable from each potential that it shares with another, and nothing
// from the others.
func TestNamesOfMarkov(t *testing.T) {
	deleted := 0
	for seed := range uint64(8) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Markov}, TablesOnly: true, MaxVars: 6, MaxStates: 3})
		for a, from := range m.Vars {
			for b, to := range m.Vars {
				var numbers []string
				for n, f := range m.Factors {
					if a != b && slices.Contains(f.Scope, from.ID) && slices.Contains(f.Scope, to.ID) {
						numbers = append(numbers, fmt.Sprintf("%d>%d", a, n))
					}
				}
				name := from.Name + "->" + to.Name
				if numbers == nil {
					_, err := compiler.Compile(context.Background(), m, compiler.Options{Method: compiler.Named("edgedel", "delete="+name)})
					if want := "edge " + name + " to delete: there is none, "; err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("seed %d: error %v; want %s", seed, err, want)
					}
					continue
				}
				deleted++
				got := query(t, m, brute.Evidence{}, "edgedel", "iterations=20", "delete="+name)
				if want := query(t, m, brute.Evidence{}, "edgedel", "iterations=20", "delete="+strings.Join(numbers, ",")); !reflect.DeepEqual(got, want) {
					t.Errorf("seed %d: by name %s: %+v; by numbers %v: %+v", seed, name, got, numbers, want)
				}
			}
		}
	}
	if deleted < 20 {
		t.Errorf("deleted %d edges", deleted)
	}
}
