package pgmrt

import (
	"math"
	"slices"
	"testing"
)

// three names variables of two, three and two states.
var three = Names{
	Package: "three",
	Enums:   []Enum{{What: "two", States: []string{"a", "b"}}, {What: "three", States: []string{"x", "y", "z"}}},
	Vars:    []NamedVar{{"A", 0}, {"B", 1}, {"C", 0}},
}

func TestCheckStates(t *testing.T) {
	cards := []uint16{2, 3, 2}
	if err := CheckStates(&three, cards, []uint16{2, 3, 0}); err != nil {
		t.Error(err)
	}
	const want = `three: variable "B" has no state 4 (states: [x y z])`
	if err := CheckStates(&three, cards, []uint16{2, 4, 3}); text(err) != want {
		t.Errorf("%v; want %s", err, want)
	}
}

func TestEnterStates(t *testing.T) {
	s := []float64{9, 9, 9, 9, 9, 9, 9, 9, 9}
	EnterStates(s, []InputSpan{{-1, 0, 2}, {0, 2, 2}, {1, 4, 3}, {2, -1, 2}}, []uint16{2, 0, 1})
	if want := []float64{1, 1, 0, 1, 1, 1, 1, 9, 9}; !slices.Equal(s, want) {
		t.Errorf("%v; want %v", s, want)
	}
}

// TestEnterLikelihoods enters a likelihood of B in two places, of which one counts, and checks C,
// which has no place.
func TestEnterLikelihoods(t *testing.T) {
	inputs := []InputSpan{{1, 0, 3}, {1, 3, 3}, {2, -1, 2}}
	soft := [][]float64{{4, 2, 0}, {1, 2}}
	s, spread := []float64{1, 0, 1, 1, 1, 1}, 0.5
	scale, err := EnterLikelihoods(&three, s, inputs, &spread, 1, soft...)
	if want := []float64{1, 0, 0, 1, .5, 0}; err != nil || !slices.Equal(s, want) || scale != Ln(4) || spread != 1.5 {
		t.Errorf("%v, %v, %v, %v; want %v, %v", s, scale, spread, err, want, Ln(4))
	}
	if again, err := EnterLikelihoods(&three, s, inputs, nil, 1, soft...); err != nil || again != scale {
		t.Errorf("%v, %v without a spread", again, err)
	}
	for name, soft := range map[string][][]float64{"B": {{1, -1, 1}, {1, 1}}, "C": {{1, 1, 1}, {1, math.NaN()}}} {
		want := `three: variable "` + name + `": likelihood holds a number that is negative, infinite or NaN`
		if _, err := EnterLikelihoods(&three, s, inputs, &spread, 1, soft...); text(err) != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
