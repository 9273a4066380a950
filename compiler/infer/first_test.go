package infer_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// tied returns a random network of pairs and single variables, whose numbers are 0, 1 or 2.
func tied(r *rand.Rand) *model.Model {
	m := &model.Model{Name: "tied", Kind: model.Markov}
	for v := range 2 + r.IntN(4) {
		m.NewVar(fmt.Sprint("x", v), []string{"0", "1", "2"}[:1+r.IntN(3)]...)
	}
	for range 1 + r.IntN(6) {
		scope, n := []model.VarID(nil), 1
		for _, v := range r.Perm(len(m.Vars))[:1+r.IntN(2)] {
			scope, n = append(scope, model.VarID(v)), n*m.Card(model.VarID(v))
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(min(2, r.IntN(6)))
		}
		potential(m, values, scope...)
	}
	return m
}

// TestFirst compares the states that First and Search find with the first of the best states by
// enumeration: of all variables, and of some with the others summed out.
func TestFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 4))
	several := 0
	for range irtest.Count(t, 100, 2000) {
		m := tied(r)
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		var vars []model.VarID
		var names []string
		for v := range m.Vars {
			if r.IntN(3) > 0 {
				vars, names = append(vars, model.VarID(v)), append(names, m.Vars[v].Name)
			}
		}
		if len(vars) == 0 || r.IntN(2) == 0 {
			vars, names = nil, nil
			for v := range m.Vars {
				vars = append(vars, model.VarID(v))
			}
		}
		_, best := j.MAP(vars, brute.Evidence{})
		if best == nil {
			continue // nothing is possible
		}
		want := slices.MinFunc(best, slices.Compare[[]int])
		if len(best) > 1 {
			several++
		}
		e := engine(t, m, infer.Options{})
		for _, ask := range []func() (*infer.Completion, error){
			func() (*infer.Completion, error) { return e.First(t.Context(), nil, names...) },
			func() (*infer.Completion, error) { return e.Search(t.Context(), nil, names...) },
		} {
			got, err := ask()
			if err != nil {
				t.Fatal(err)
			}
			for i, a := range got.States {
				if a.Index != want[i] {
					t.Fatalf("%s is %d of %v; the first of the best is %v", a.Var, a.Index, got.States, want)
				}
			}
		}
	}
	if several < 30 {
		t.Errorf("%d networks have several best states; want 30", several)
	}
}

// TestFirstWide has a network whose buckets are too large for First.
func TestFirstWide(t *testing.T) {
	m := grid(24, rand.New(rand.NewPCG(1, 2)))
	if got, err := engine(t, m, infer.Options{}).First(t.Context(), nil); got != nil || err != nil {
		t.Errorf("%v, %v; want nothing", got, err)
	}
}
