package contents_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/contents"
)

// sampled returns a sample that was shown rows.
func sampled(rows [][]string) *contents.Sample {
	s := contents.NewSample(len(rows[0]))
	values := make([]map[string]*contents.Value, len(rows[0]))
	for c := range values {
		values[c] = map[string]*contents.Value{}
	}
	for _, row := range rows {
		place := s.Row()
		for c, text := range row {
			if text == "" {
				continue
			}
			if values[c][text] == nil {
				values[c][text] = &contents.Value{}
			}
			if place != nil {
				s.Put(place, c, text, values[c][text])
			}
		}
	}
	return s
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// TestDescribe compares with figures of Python: statistics.mean, stdev, and quantiles by the method
// "inclusive".
func TestDescribe(t *testing.T) {
	d, n := contents.Describe(map[string]*contents.Value{"1": {Rows: 2}, "1.0": {Rows: 1}, "2.5": {Rows: 3}, "-4": {Rows: 1}, "10": {Rows: 2}})
	if n != 4 || !near(d.Mean, 26.5/9) || !near(d.Deviation, 4.4682522061515035) || d.Quartiles != [3]float64{1, 2.5, 2.5} {
		t.Errorf("%d different numbers, %+v", n, d)
	}
	rows := 0
	for _, b := range d.Histogram {
		rows += b.Rows
	}
	if rows != 9 || d.Histogram[0].From != -4 || d.Histogram[len(d.Histogram)-1].To != 10 || len(d.Histogram) != 10 {
		t.Errorf("histogram %v", d.Histogram)
	}
	whole, _ := contents.Describe(map[string]*contents.Value{"0": {Rows: 5}, "1": {Rows: 2}, "12": {Rows: 1}})
	if want := []contents.Bin{{0, 2, 7}, {2, 4, 0}, {4, 6, 0}, {6, 8, 0}, {8, 10, 0}, {10, 12, 0}, {12, 14, 1}}; !slices.Equal(whole.Histogram, want) {
		t.Errorf("histogram of whole numbers %v; want %v", whole.Histogram, want)
	}
	if one, n := contents.Describe(map[string]*contents.Value{"7": {Rows: 1}}); n != 1 || one.Deviation != 0 || one.Quartiles != [3]float64{7, 7, 7} {
		t.Errorf("of one number %+v", one)
	}
	for range 20 { // in the orders of a map
		zero, n := contents.Describe(map[string]*contents.Value{"0": {Rows: 1}, "-0": {Rows: 2}, "-0.0": {Rows: 1}})
		if n != 1 || slices.ContainsFunc(zero.Quartiles[:], math.Signbit) || math.Signbit(zero.Histogram[0].From) {
			t.Fatalf("of 0 and -0 %d numbers, %+v", n, zero)
		}
	}
	if none, n := contents.Describe(nil); none != nil || n != 0 {
		t.Errorf("of none %+v", none)
	}
}

// TestPairs has a column that copies another, numbers that follow a third with noise, a column that
// is independent, and missing values.
func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var rows [][]string
	for i := range 2000 {
		a, x := rng.IntN(3), rng.NormFloat64()
		row := []string{fmt.Sprint("s", a), fmt.Sprint("t", a), fmt.Sprint(x), fmt.Sprint(2*x + rng.NormFloat64()), fmt.Sprint("u", rng.IntN(2))}
		if i%10 == 0 {
			row[1] = ""
		}
		rows = append(rows, row)
	}
	columns := []contents.Column{{"a", contents.States, false}, {"copy", contents.States, false}, {"x", contents.Grouped, true}, {"y", contents.Grouped, true}, {"noise", contents.Common, false}}
	d := sampled(rows).Pairs(columns)
	if d.Rows != 2000 || d.Columns != 5 || len(d.Pairs) != 2 {
		t.Fatalf("%+v", d)
	}
	if p := d.Pairs[0]; p.A != "a" || p.B != "copy" || p.Share < .99 || p.Information > math.Log(3) || p.Correlation != nil {
		t.Errorf("first %+v", p)
	}
	// The correlation of x and 2x plus noise is 2/sqrt(5), .894.
	if p := d.Pairs[1]; p.A != "x" || p.B != "y" || math.Abs(*p.Correlation-.894) > .02 {
		t.Errorf("second %+v, correlation %v", p, *p.Correlation)
	}
	if d := sampled(rows[:1]).Pairs(columns); d != nil {
		t.Errorf("of one row %+v", d)
	}
	columns[0].Kind, columns[1].Kind, columns[2].Kind, columns[3].Kind = contents.Skipped, contents.Skipped, contents.Skipped, contents.Skipped
	if d := sampled(rows).Pairs(columns); d != nil {
		t.Errorf("of one column %+v", d)
	}
}

// TestSample checks that rows at all places of a long file are kept about as often.
func TestSample(t *testing.T) {
	const n = 200_000
	s, values := contents.NewSample(1), make([]*contents.Value, n)
	for i := range values {
		values[i] = &contents.Value{Rows: 1}
		if place := s.Row(); place != nil {
			s.Put(place, 0, fmt.Sprint(i), values[i])
		}
	}
	d := s.Describe(0)
	// The mean of 20,000 rows has a standard deviation of 408, a quartile one of 612.
	if d.Sampled != 20_000 || math.Abs(d.Mean-n/2) > 2000 || math.Abs(d.Quartiles[0]-n/4) > 3000 || math.Abs(d.Quartiles[2]-3*n/4) > 3000 {
		t.Errorf("%+v", d)
	}
	for _, b := range d.Histogram {
		if math.Abs(float64(b.Rows)-2000) > 5*45 {
			t.Errorf("%d rows from %v to %v; want about 2000", b.Rows, b.From, b.To)
		}
	}
}
