package model

import (
	"math"
	"strings"
	"testing"
)

// umbrella returns the umbrella world of Russell and Norvig, whose slice 0 has an umbrella too.
func umbrella() *Model {
	m := &Model{Name: "umbrella"}
	rain, umbrella := m.NewVar("rain", "yes", "no").ID, m.NewVar("umbrella", "yes", "no").ID
	sensor := &Factor{Scope: []VarID{rain, umbrella}, Child: 1, Dist: &Table{Values: []float64{.9, .1, .2, .8}}}
	m.Factors = []*Factor{{Scope: []VarID{rain}, Dist: &Table{Values: []float64{.5, .5}}}, sensor}
	m.Transition = &Transition{Before: []VarID{rain}, Factors: []*Factor{
		{Scope: []VarID{2, rain}, Child: 1, Dist: &Table{Values: []float64{.7, .3, .3, .7}}}, sensor}}
	return m
}

// TestUnroll compares the posterior of the second slice with the textbook's, 0.883 after an
// umbrella on two days: here slice 0 is the first of them.
func TestUnroll(t *testing.T) {
	m := umbrella()
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	u := m.Unroll(2)
	if list := u.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	var sum [2]float64
	for i := range 4 {
		state := []int{i / 2, 0, i % 2, 0}
		sum[state[2]] += math.Exp(u.LogDensity(state, nil))
	}
	if got := sum[0] / (sum[0] + sum[1]); math.Abs(got-.883357041251778) > 1e-12 {
		t.Errorf("P(rain@1 = yes | umbrellas) = %v; want 0.88335704", got)
	}
	if got := u.Vars[3].Name; got != "umbrella@1" {
		t.Errorf("variable 3 is %q; want umbrella@1", got)
	}
	if got := m.Unroll(4).Tied; len(got) != 2 || len(got[0]) != 3 || got[0][0] != 2 || got[0][2] != 6 {
		t.Errorf("tied groups %v; want those of rain and umbrella in slices 1 to 3", got)
	}
	if got := m.Traits(); got != Slices {
		t.Errorf("traits %b; want those of a template", got)
	}
}

// TestTransitionErrors checks the messages about transitions.
func TestTransitionErrors(t *testing.T) {
	for _, c := range []struct {
		change func(m *Model)
		want   string
	}{
		{func(m *Model) { m.Kind = Markov; m.Factors = nil }, "a Markov network has a transition"},
		{func(m *Model) { m.Transition.Before = []VarID{7} }, "keeps variable number 7; there are 2"},
		{func(m *Model) { m.Transition.Before = []VarID{0, 0} }, `keeps "rain" twice`},
		{func(m *Model) { m.Transition.Factors = m.Transition.Factors[:1] }, `in the transition, variable "umbrella" has no probability block`},
		{func(m *Model) { m.Transition.Before = nil }, "in the transition, factor names variable number 2; there are 2 variables"},
	} {
		m := umbrella()
		c.change(m)
		list := m.Check()
		err := list.Err()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}
