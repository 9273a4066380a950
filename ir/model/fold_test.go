package model

import (
	"fmt"
	"reflect"
	"testing"
)

// twoSlices returns the umbrella world as a network of two slices.
func twoSlices() *Model {
	m := umbrella()
	flat := m.Unroll(2)
	flat.Tied = nil
	for i, v := range flat.Vars {
		v.Name = fmt.Sprint(m.Vars[i%2].Name, "_", []string{"0", "t"}[i/2])
	}
	return flat
}

// TestFold folds a network of two slices, and one whose next slice has no suffix.
func TestFold(t *testing.T) {
	want := umbrella()
	for _, next := range []string{"t", ""} {
		m := twoSlices()
		if next == "" {
			m.Vars[2].Name, m.Vars[3].Name = "rain", "umbrella"
		}
		got, err := m.Fold("0", next)
		if err != nil {
			t.Fatal(err)
		}
		if list := got.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("folded to %+v; want %+v", got.Transition, want.Transition)
		}
	}
}

// ExampleModel_Fold reads two slices by the ends of their names.
func ExampleModel_Fold() {
	m, err := twoSlices().Fold("0", "t")
	fmt.Println(m.Vars[0].Name, m.Transition.Before, err)
	// Output:
	// rain [0] <nil>
}

// TestFoldErrors compares messages.
func TestFoldErrors(t *testing.T) {
	for _, c := range []struct {
		change func(m *Model)
		want   string
	}{
		{func(m *Model) { m.Vars[0].Name = "rain" }, `variable "rain" ends neither in "0" nor in "t"; want each variable in one of two slices`},
		{func(m *Model) { m.Vars[2].Name = "snow_t" }, `variable "rain_0" has no twin of the same kind and states in the other slice; want one called "rain_t"`},
		{func(m *Model) { m.Vars[2].Domain = Real{} }, `variable "rain_0" has no twin of the same kind and states in the other slice; want one called "rain_t"`},
		{func(m *Model) { m.Vars[2].Name = "umbrellat" }, `the variables "umbrellat" and "umbrella_t" are both "umbrella" of one slice; want one`},
		{func(m *Model) { m.Factors[1].Scope = []VarID{2, 1} }, `the CPD of "umbrella_0" has the parent "rain_t" of the next slice; want those of slice 0 only`},
		{func(m *Model) { m.Kind = Markov }, `the model is a Markov network, or has a transition; want a Bayesian network of two slices`},
	} {
		m := twoSlices()
		c.change(m)
		if _, err := m.Fold("0", "t"); err == nil || err.Error() != c.want {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}
