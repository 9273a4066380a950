package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The conditioned model has the unnormalised values of the model at the evidence, and does not
// mention observed variables.
func TestCondition(t *testing.T) {
	for seed := range uint64(300) {
		m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 8})
		state := make([]int, len(m.Vars))
		var free []model.VarID
		for v := range state {
			state[v] = -1
			if s := int(seed+uint64(v)) % 3; s < m.Card(model.VarID(v)) && (seed+uint64(v*v))%2 == 0 {
				state[v] = s
			} else {
				free = append(free, model.VarID(v))
			}
		}
		c, err := m.Condition(state, 1<<8)
		if err != nil {
			t.Fatal(err)
		}
		if list := c.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		for _, f := range c.Factors {
			if slices.ContainsFunc(f.Scope, func(v model.VarID) bool { return state[v] >= 0 }) {
				t.Fatalf("seed %d: %s", seed, c.FactorName(f))
			}
		}
		left, full := make([]int, len(m.Vars)), make([]int, len(m.Vars)) // an observed variable has state 0 alone
		for v, s := range state {
			full[v] = max(0, s)
		}
		for more := true; more; {
			irtest.CloseTo(t, product(c, left), product(m, full), 1e-12)
			m.Next(free, full)
			more = c.Next(free, left)
		}
	}
}

func product(m *model.Model, state []int) float64 {
	x := 1.0
	for _, f := range m.Factors {
		x *= m.Value(f, state)
	}
	return x
}

// The partition function of a conditioned Bayesian network is P(e).
func TestConditionEvidence(t *testing.T) {
	m := irtest.Sprinkler()
	wet, ok := m.VarByName("wet_grass")
	if !ok {
		t.Fatal("no wet_grass")
	}
	state := []int{-1, -1, -1, -1}
	state[wet.ID] = 0
	c, err := m.Condition(state, 8)
	if err != nil {
		t.Fatal(err)
	}
	full, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	left, err := brute.New(c)
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, left.LogPartition(), full.LogProb(brute.Evidence{Hard: map[model.VarID]int{wet.ID: 0}}), 1e-14)
}

func TestConditionLimit(t *testing.T) {
	m, f := family(&model.Deterministic{States: make([]int32, 6)}, "abc")
	f.Pos = at(4, 2)
	m.Factors = []*model.Factor{f}
	_, err := m.Condition([]int{0, -1, -1}, 8)
	if err == nil || !strings.HasPrefix(err.Error(), `m.bif:4:2: the table of what the evidence leaves of the CPD of "c" would have e^2.2 entries`) {
		t.Errorf("got %v", err)
	}
	if _, err := m.Condition([]int{0, -1, -1}, 9); err != nil {
		t.Error(err)
	}
}
