package rate_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// TestBootstrap counts the edges of known structures: three chains A→B→C, whose class has no
// directions, and a collider A→B←C, whose class has.
func TestBootstrap(t *testing.T) {
	chain, collider := [][]int{{}, {0}, {1}}, [][]int{{}, {0, 2}, {}}
	var vars []data.Var
	for _, name := range []string{"A", "B", "C"} {
		vars = append(vars, data.Var{Name: name, States: []string{"no", "yes"}})
	}
	rows := learnertest.New(t, vars, [][]int{{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}}, nil)
	var drawn [][]int
	learn := func(_ context.Context, train *data.Set) (*model.Model, error) {
		var codes []int
		for i := range train.Len() {
			row := make([]int, 3)
			train.Row(i, row)
			codes = append(codes, 4*row[0]+2*row[1]+row[2])
		}
		drawn = append(drawn, codes)
		if len(drawn)%4 == 0 {
			return network(vars, collider), nil
		}
		return network(vars, chain), nil
	}
	got, err := rate.Bootstrap(t.Context(), rows, 4, 1, learn)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{0, 3. / 8, 0}, {5. / 8, 0, 5. / 8}, {0, 3. / 8, 0}}
	for x := range want {
		if !slices.Equal(got[x], want[x]) {
			t.Errorf("child %s: shares %v; want %v", vars[x].Name, got[x], want[x])
		}
	}
	for i, rows := range drawn {
		if len(rows) != 5 || i > 0 && slices.Equal(rows, drawn[0]) {
			t.Errorf("sample %d has the rows %v, and the first %v", i+1, rows, drawn[0])
		}
	}
	_, err = rate.Bootstrap(t.Context(), rows, 2, 1, func(context.Context, *data.Set) (*model.Model, error) {
		return &model.Model{Kind: model.Markov}, nil
	})
	if !errors.Is(err, rate.ErrNoNetwork) {
		t.Errorf("a Markov network: error %v", err)
	}
}

// network returns a network of vars with the given parents, and uniform CPDs.
func network(vars []data.Var, parents [][]int) *model.Model {
	m := &model.Model{Kind: model.Bayes}
	for _, v := range vars {
		m.NewVar(v.Name, v.States...)
	}
	for x, ps := range parents {
		f := &model.Factor{Child: len(ps)}
		for _, p := range ps {
			f.Scope = append(f.Scope, model.VarID(p))
		}
		f.Scope = append(f.Scope, model.VarID(x))
		f.Dist = &model.Table{Values: slices.Repeat([]float64{.5}, 1<<len(f.Scope))}
		m.Factors = append(m.Factors, f)
	}
	return m
}
