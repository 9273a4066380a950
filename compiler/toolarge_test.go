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

// grid returns an n by n grid of binary variables with potentials of ones.
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

// equal returns the circuit that is 1 if n binary variables are all in the same state: x0=0 x1=0
// ... + x0=1 x1=1 ...
func equal(n int) *model.Model {
	m := &model.Model{Name: "equal", Kind: model.Markov}
	f := &model.Factor{Child: -1}
	d := &model.Circuit{}
	for range n {
		f.Scope = append(f.Scope, m.NewVar("x"+fmt.Sprint(len(f.Scope)), "0", "1").ID)
	}
	var sum []int32
	for s := range int32(2) {
		var product []int32
		for axis := range n {
			product = append(product, int32(len(d.Nodes)))
			d.Nodes = append(d.Nodes, model.CircuitNode{Op: model.CircuitIndicator, Axis: axis, State: s})
		}
		sum = append(sum, int32(len(d.Nodes)))
		d.Nodes = append(d.Nodes, model.CircuitNode{Op: model.CircuitProduct, Args: product})
	}
	d.Nodes = append(d.Nodes, model.CircuitNode{Op: model.CircuitSum, Args: sum})
	f.Dist = d
	m.Factors = []*model.Factor{f}
	return m
}

// TestTooLarge compares whole messages. A 30 by 30 grid has treewidth 30. As a table, a circuit of
// 40 variables has 2^40 numbers.
func TestTooLarge(t *testing.T) {
	tests := []struct {
		name string
		m    *model.Model
		opt  compiler.Options
		want string
	}{
		{"grid", frustrated(30), compiler.Options{Steps: -1},
			"exact inference needs a clique of 1.8e13 joint states (width 43, order min-weight) and 194 TiB of memory; limits: max-table 134217728, " +
				"max-mem 2 GiB. Neither higher limits nor fewer queries would do, only a much better order. Approximate answers: marginals by method belief, which needs 249 KiB; a probable completion by method maxprod, which needs 223 KiB"},
		{"table", grid(8), compiler.Options{Steps: -1, MaxTable: 64, Method: compiler.Named("jointree")},
			"exact inference needs a clique of 2048 joint states (width 10, order min-weight) and 48 KiB of memory; limits: max-table 64, " +
				"max-mem 2 GiB. What would work: max-table 2048. Approximate answers: marginals by method belief, which needs 16 KiB; a probable completion by method maxprod, which needs 15 KiB"},
		{"memory", irtest.Asia(), compiler.Options{MaxMem: 400, Queries: []string{"marginals", "mpe, logprob", "lung | smoke"}},
			"exact inference needs a clique of 8 joint states (width 2, order min-fill) and 840 B of memory; limits: max-table 134217728, " +
				"max-mem 400 B. What would work: max-mem 1KiB; query \"lung | smoke\" alone, which needs 88 B; signatures that need less of " +
				"the network, such as query \"dysp | either\", which needs 336 B"},
		{"small machine", grid(8), compiler.Options{Steps: -1, MaxMem: 30 << 10, Machine: 50 << 10},
			"exact inference needs a clique of 2048 joint states (width 10, order min-weight) and 48 KiB of memory; limits: max-table 134217728, " +
				"max-mem 30 KiB. What would work: query logprob alone, which needs 18 KiB; query x0 alone, which needs 20 KiB. Approximate answers: marginals by method belief, which needs 16 KiB; a probable completion by method maxprod, which needs 15 KiB"},
		{"heuristic", grid(9), compiler.Options{Steps: -1, MaxMem: 50 << 10, Heuristics: []order.Heuristic{order.MinWeight}, Queries: []string{"logprob"}},
			"exact inference needs a clique of 8192 joint states (width 12, order min-weight) and 56 KiB of memory; limits: max-table 134217728, " +
				"max-mem 50 KiB. What would work: max-mem 62KiB; order auto, which needs 46 KiB. Approximate answers: marginals by method belief, which needs 21 KiB"},
		{"circuit", equal(40), compiler.Options{Steps: -1, Method: compiler.Named("jointree")},
			"exact inference needs a clique of 1.1e12 joint states (width 39, order min-fill) and 16 TiB of memory; limits: max-table 134217728, " +
				"max-mem 2 GiB. What would work: method circuit, which needs 8.2 KiB"},
		{"no circuit fits", equal(40), compiler.Options{Steps: -1, Method: compiler.Named("jointree"), MaxMem: 100},
			"exact inference needs a clique of 1.1e12 joint states (width 39, order min-fill) and 16 TiB of memory; limits: max-table 134217728, " +
				"max-mem 100 B. Neither higher limits nor fewer queries would do, only a much better order"},
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

// TestAdvice follows the advice of the messages above.
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
		{"circuit", equal(40), compiler.Options{Steps: -1, Method: compiler.Named("circuit")}},
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
