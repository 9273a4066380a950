package pgmrt

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
)

// arrows names the network a -> b and c -> d.
var arrows = Names{
	Package: "arrows",
	Enums:   []Enum{{Name: "State", What: `variable "a"`, States: []string{"no", "yes"}}},
	Vars:    []NamedVar{{"a", 0}, {"b", 0}, {"c", 0}, {"d", 0}},
}

// arrowFamilies are P(a), P(b | a), P(c) and P(d | c), as Begin reads them. The probabilities are
// uniform, but b is a if a is yes, and d is c in nine of ten cases.
var (
	arrowFamilies = []int32{
		1, 0, 0, 2, 0, 0,
		2, 0, 1, 0, 4, 0, 0, 1, 2,
		1, 2, 0, 2, 0, 0,
		2, 2, 3, 0, 4, 3, 4, 4, 3,
	}
	arrowNumbers = []float64{0.5, 0, 1, 0.9, 0.1}
)

// TestPosteriorsElsewhere asks for c given d. A row whose other values are impossible, are no
// states, or are missing where a CPD has a 0, is not looked up, and neither is one without d.
func TestPosteriorsElsewhere(t *testing.T) {
	a, b, d := []uint8{2, 2, 1, 0, 3, 0, 2}, []uint8{2, 1, 1, 1, 1, 9, 2}, []uint8{2, 2, 1, 1, 1, 1, 0}
	for _, c := range []struct {
		name    string
		columns [4]any
		want    []int // the rows that the function answers
	}{
		{"all", [4]any{&a, &b, new([]uint8), &d}, []int{1, 3, 4, 5, 6}},
		{"no a", [4]any{new([]uint8), &b, new([]uint8), &d}, []int{0, 1, 2, 3, 4, 5, 6}},
		{"no d", [4]any{&a, &b, new([]uint8), new([]uint8)}, []int{0, 1, 2, 3, 4, 5, 6}},
	} {
		var x Columns
		x.Begin(&arrows, arrowFamilies, arrowNumbers)
		if err := x.Set(len(a), func(v int) any { return c.columns[v] }); err != nil {
			t.Fatal(err)
		}
		out := [][]float64{make([]float64, len(a)), make([]float64, len(a))}
		var bad RowErrors
		var got []int
		x.Posteriors(2, out, &bad, func(rows []int) { got = append(got, rows...) })
		if err := bad.Err(&arrows); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: rows %d go elsewhere, and the error is %v; want %d", c.name, got, err, c.want)
		}
		if c.name == "all" && (math.Abs(out[1][0]-0.9) > 1e-15 || math.Abs(out[1][2]-0.1) > 1e-15) {
			t.Errorf("P(c = yes) is %g; want 0.9 in row 0, 0.1 in row 2", out[1])
		}
	}
}

// TestColumnLogProbs adds the logarithms of two complete rows. The second is impossible.
func TestColumnLogProbs(t *testing.T) {
	var x Columns
	x.Begin(&arrows, arrowFamilies, arrowNumbers)
	columns := [4][]uint8{{2, 2}, {2, 1}, {1, 1}, {2, 2}}
	if err := x.Set(2, func(v int) any { return &columns[v] }); err != nil {
		t.Fatal(err)
	}
	out := make([]float64, 2)
	var bad RowErrors
	x.LogProbs(out, &bad, func(rows []int) { t.Errorf("rows %d are complete and go elsewhere", rows) })
	if err := bad.Err(&arrows); text(err) != "arrows: row 1: the evidence is impossible" || !errors.Is(err, ErrImpossible) {
		t.Errorf("found %v", err)
	}
	if math.Abs(out[0]-math.Log(0.025)) > 1e-15 || !math.IsInf(out[1], -1) {
		t.Errorf("found %g; want %g and -Inf", out, math.Log(0.025))
	}
}

// TestColumnDensities compares ln P of real rows whose means are differences of terms that are much
// larger than deviations with their exact values.
func TestColumnDensities(t *testing.T) {
	line := Names{Package: "line", Vars: []NamedVar{{"x", -1}, {"y", -1}}}
	numbers := []float64{3e5, 1e12, -7e5, 1234567.25, 1e-6} // x ~ N(3e5, 1e12), y ~ N(-7e5 + 1234567.25 x, 1e-6)
	code := []int32{0, 1, 0, 2, 0, 1, 0, 2, 0, 1, 3, 2, 3, 4}
	xs, ys := []float64{1e6 + 0.1, -3.3e5}, make([]float64, 2)
	want, out := make([]float64, 2), make([]float64, 2)
	difference := func(i int) float64 { // y less its mean, exactly, and then rounded
		mean := new(big.Rat).Mul(new(big.Rat).SetFloat64(numbers[3]), new(big.Rat).SetFloat64(xs[i]))
		mean.Add(mean, new(big.Rat).SetFloat64(numbers[2]))
		d, _ := mean.Sub(new(big.Rat).SetFloat64(ys[i]), mean).Float64()
		return d
	}
	for i, x := range xs {
		ys[i] = numbers[2] + float64(numbers[3]*x)
		d, e := difference(i), x-numbers[0]
		want[i] = -e*e/2e12 - math.Log(2*math.Pi*1e12)/2 - d*d/2e-6 - math.Log(2*math.Pi*1e-6)/2
	}
	var c Columns
	c.Begin(&line, code, numbers)
	columns := []any{&xs, &ys}
	if err := c.Set(2, func(v int) any { return columns[v] }); err != nil {
		t.Fatal(err)
	}
	var bad RowErrors
	c.LogProbs(out, &bad, func(rows []int) { t.Errorf("rows %d go elsewhere", rows) })
	for i := range out {
		if !(math.Abs(out[i]-want[i]) <= 1e-12*math.Max(1, math.Abs(want[i]))) {
			t.Errorf("ln P of row %d is %v; want %v", i, out[i], want[i])
		}
	}
}
