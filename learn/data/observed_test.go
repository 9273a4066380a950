package data_test

import (
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Observability variables follow all others, also of sets with real ones, and the set that they are
// added to stays as it is.
func TestWithObserved(t *testing.T) {
	s, err := data.NewReal([]data.Var{{Name: "x", Real: true}, {Name: "y", States: []string{"a", "b"}}}, [][]float64{{1.5, 0}, {math.NaN(), 1}, {2, math.NaN()}}, []float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.WithObserved([]int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Vars) != 2 || len(o.Vars) != 4 || o.Vars[2].Name != "y_observed" || o.Vars[3].Name != "x_observed" || o.Weight(2) != 3 {
		t.Fatalf("got the variables %v from %v", o.Vars, s.Vars)
	}
	for row, want := range [][4]int{{0, 0, 1, 1}, {data.Missing, 1, 1, 0}, {0, data.Missing, 0, 1}} {
		got := make([]int, 4)
		if o.Row(row, got); [4]int(got) != want {
			t.Errorf("row %d is %v; want %v", row, got, want)
		}
	}
	if o.Real(0)[2] != 2 || o.Real(3) != nil {
		t.Error("the values of real variables are not theirs")
	}
	if _, err := o.WithObserved([]int{0}); err == nil || err.Error() != `there is a variable "x_observed" already, which "x" would have; want another name` {
		t.Errorf("got %v", err)
	}
}

// Add a variable that says which tosses are known.
func ExampleSet_WithObserved() {
	tosses, err := data.New([]data.Var{{Name: "toss", States: []string{"heads", "tails"}}}, [][]int{{0}, {data.Missing}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	tosses, err = tosses.WithObserved([]int{0})
	if err != nil {
		log.Fatal(err)
	}
	column := tosses.Column(1)
	fmt.Println(tosses.Vars[1].Name, tosses.Vars[1].States[column.At(0)], tosses.Vars[1].States[column.At(1)])
	// Output:
	// toss_observed yes no
}
