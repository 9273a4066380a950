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
		{"grid", grid(30), compiler.Options{Steps: -1},
			"exact inference needs a clique of 1.8e13 joint states (width 43, order min-weight) and 194 TiB of memory; limits: --max-table 134217728, " +
				"--max-mem 2 GiB. Neither higher limits nor fewer queries would do, only a much better --order"},
		{"table", grid(8), compiler.Options{Steps: -1, MaxTable: 64},
			"exact inference needs a clique of 2048 joint states (width 10, order min-weight) and 48 KiB of memory; limits: --max-table 64, " +
				"--max-mem 2 GiB. What would work: --max-table 2048"},
		{"memory", irtest.Asia(), compiler.Options{MaxMem: 400, Queries: []string{"marginals", "mpe, logprob", "lung | smoke"}},
			"exact inference needs a clique of 8 joint states (width 2, order min-fill) and 840 B of memory; limits: --max-table 134217728, " +
				"--max-mem 400 B. What would work: --max-mem 1KiB; --query 'lung | smoke' alone, which needs 88 B; signatures that need less of " +
				"the network, such as --query 'dysp | either', which needs 336 B"},
		{"small machine", grid(8), compiler.Options{Steps: -1, MaxMem: 30 << 10, Machine: 50 << 10},
			"exact inference needs a clique of 2048 joint states (width 10, order min-weight) and 48 KiB of memory; limits: --max-table 134217728, " +
				"--max-mem 30 KiB. What would work: --query logprob alone, which needs 18 KiB; --query x0 alone, which needs 20 KiB"},
		{"heuristic", grid(9), compiler.Options{Steps: -1, MaxMem: 50 << 10, Heuristics: []order.Heuristic{order.MinWeight}, Queries: []string{"logprob"}},
			"exact inference needs a clique of 8192 joint states (width 12, order min-weight) and 56 KiB of memory; limits: --max-table 134217728, " +
				"--max-mem 50 KiB. What would work: --max-mem 62KiB; --order auto, which needs 46 KiB"},
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

// TestAdvice takes the advice of the messages above.
func TestAdvice(t *testing.T) {
	tests := []struct {
		name string
		m    *model.Model
		opt  compiler.Options
	}{
		{"table", grid(8), compiler.Options{Steps: -1, MaxTable: 2048}},
		{"memory", irtest.Asia(), compiler.Options{MaxMem: 1 << 10, Queries: []string{"marginals", "mpe, logprob", "lung | smoke"}}},
		{"memory, one query", irtest.Asia(), compiler.Options{MaxMem: 400, Queries: []string{"lung | smoke"}}},
		{"memory, a signature", irtest.Asia(), compiler.Options{MaxMem: 400, Queries: []string{"dysp | either"}}},
		{"small machine", grid(8), compiler.Options{Steps: -1, MaxMem: 30 << 10, Queries: []string{"logprob"}}},
		{"small machine, a posterior", grid(8), compiler.Options{Steps: -1, MaxMem: 30 << 10, Queries: []string{"x0"}}},
		{"heuristic", grid(9), compiler.Options{Steps: -1, MaxMem: 50 << 10, Queries: []string{"logprob"}}},
		{"heuristic, more memory", grid(9), compiler.Options{Steps: -1, MaxMem: 62 << 10, Heuristics: []order.Heuristic{order.MinWeight}, Queries: []string{"logprob"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := compiler.Compile(context.Background(), tt.m, tt.opt); err != nil {
				t.Error(err)
			}
		})
	}
}
