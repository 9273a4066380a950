package intervals

import "testing"

// The decisions were computed by hand from the formula: with 8 rows in two pure halves the gain is
// 1 bit and the cost (log2 7 + log2 7 - 2)/8 = .45; with a b a b the best gain is .311 and the cost
// 1.06; with 36 rows in three parts .252 and .225, and with 18 of them .252 and .392.
func TestMDL(t *testing.T) {
	for _, c := range []struct {
		name, classes string
		want          []float64
	}{
		{"two halves", "aaaabbbb", []float64{4.5}},
		{"no order", "abababab", nil},
		{"one class", "aaaaaaaa", nil},
		{"three parts", "aaaaaaaaaaaabbbbbbbbbbbbaaaaaaaaaaaa", []float64{12.5, 24.5}},
		{"three short parts", "aaaaaabbbbbbaaaaaa", nil},
		{"three classes", "aaaabbbbcccc", []float64{4.5, 8.5}},
		{"four rows", "abab", nil},
		{"one row", "a", nil},
	} {
		var values []float64
		var classes [][]float64
		for i, k := range c.classes {
			row := make([]float64, 4)
			row[k-'a'] = 1
			values, classes = append(values, float64(i+1)), append(classes, row)
		}
		got := MDL(values, classes)
		for i := range got {
			got[i] = float64(int(2*got[i])) / 2 // bounds have few digits
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: bounds %v; want %v", c.name, got, c.want)
			continue
		}
		for i, x := range c.want {
			if got[i] < x-.5 || got[i] >= x+.5 {
				t.Errorf("%s: bounds %v; want %v", c.name, got, c.want)
			}
		}
	}
}
