package jointree_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/jointree"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) { methodtest.Run(t, jointree.Method) }

// grid is an n by n grid of binary variables with potentials of ones.
func grid(n int) *model.Model {
	m := &model.Model{Name: "grid", Kind: model.Markov}
	for i := range n * n {
		m.NewVar(fmt.Sprint("x", i), "0", "1")
	}
	pair := func(a, b int) {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(a), model.VarID(b)}, Child: -1, Dist: &model.Table{Values: []float64{1, 1, 1, 1}}})
	}
	for i := range n {
		for k := range n {
			if k+1 < n {
				pair(i*n+k, i*n+k+1)
			}
			if i+1 < n {
				pair(i*n+k, i*n+n+k)
			}
		}
	}
	return m
}

// TestTooLarge checks that a clique beyond the limit is refused with its numbers: a 30 by 30 grid has treewidth 30.
func TestTooLarge(t *testing.T) {
	_, err := compiler.Compile(context.Background(), grid(30), compiler.Options{MaxTable: 1 << 16, Steps: -1})
	var large *jointree.TooLarge
	if !errors.As(err, &large) {
		t.Fatalf("got %v; want a *jointree.TooLarge", err)
	}
	if large.Vars < 30 || large.Entries < 1<<30 || large.Limit != 1<<16 {
		t.Errorf("got %+v; want at least 30 variables, 2^30 entries, the limit 65536", *large)
	}
	if _, err := compiler.Compile(context.Background(), grid(8), compiler.Options{MaxTable: 1 << 16, Steps: -1}); err != nil {
		t.Errorf("an 8 by 8 grid: %v", err)
	}
}
