package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

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

// TestTooLarge compares whole messages. A 30 by 30 grid has treewidth 30.
func TestTooLarge(t *testing.T) {
	tests := []struct {
		name string
		m    *model.Model
		opt  compiler.Options
		want string
	}{
		{"grid", grid(30), compiler.Options{Steps: -1, Machine: 16 << 30}, ""},
		{"grid, larger machine", grid(30), compiler.Options{Steps: -1, Machine: 1 << 50}, ""},
		{"small grid, small table", grid(8), compiler.Options{Steps: -1, MaxTable: 64}, ""},
		{"memory", irtest.Asia(), compiler.Options{MaxMem: 400, Queries: []string{"marginals", "mpe, logprob", "lung | smoke"}}, ""},
		{"bad heuristic", grid(9), compiler.Options{Steps: -1, MaxTable: 4096, Heuristics: []order.Heuristic{order.MinWeight}, Queries: []string{"logprob"}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := compiler.Compile(context.Background(), tt.m, tt.opt)
			var large *compiler.TooLarge
			if !errors.As(err, &large) {
				t.Fatalf("got %v; want a *compiler.TooLarge", err)
			}
			if err.Error() != tt.want {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}
