package model_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// TestRearrange compares tables over other orders of their variables, and over more of them, and
// the places that match some states, with the values at each joint state.
func TestRearrange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		m := &model.Model{Kind: model.Markov}
		for _, name := range []string{"a", "b", "c", "d"} {
			m.NewVar(name, []string{"0", "1", "2", "3"}[:1+r.IntN(4)]...)
		}
		to := m.IDs()
		r.Shuffle(len(to), func(i, j int) { to[i], to[j] = to[j], to[i] })
		from := slices.Clone(to[:r.IntN(len(to)+1)])
		r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		n, _ := m.TableSize(from)
		values := make([]float64, n)
		for i := range values {
			values[i] = r.Float64()
		}
		f := &model.Factor{Scope: from, Child: -1, Dist: &model.Table{Values: values}}
		got, state := m.Rearrange(values, from, to), make([]int, len(m.Vars))
		want := slices.Repeat([]int{-1}, len(m.Vars))
		for v := range want {
			if r.IntN(2) == 0 {
				want[v] = r.IntN(m.Card(model.VarID(v)))
			}
		}
		var matching []int
		for i := range got {
			if got[i] != m.Value(f, state) {
				t.Fatalf("from %v to %v: got %v at %v; want %v", from, to, got[i], state, m.Value(f, state))
			}
			if !slices.ContainsFunc(to, func(v model.VarID) bool { return want[v] >= 0 && want[v] != state[v] }) {
				matching = append(matching, i)
			}
			m.Next(to, state)
		}
		places := m.Matching(to, want)
		slices.Sort(places)
		if n, _ := m.TableSize(to); len(got) != n || !slices.Equal(places, matching) {
			t.Fatalf("got %d numbers, and the places %v of %v; want %d and %v", len(got), places, want, n, matching)
		}
	}
}
