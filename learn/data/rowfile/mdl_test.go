package rowfile

import (
	"slices"
	"strings"
	"testing"
)

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
		got := mdl(values, classes)
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

// Rules by column: quantiles of x, MDL of y and of z, which says nothing of the class, and numbers
// of k, which look like codes. Intervals read numbers again.
func TestColumnBins(t *testing.T) {
	text := "x,y,z,k,c\n"
	for i := range 40 {
		c := "a"
		if i >= 20 {
			c = "b"
		}
		text += strings.Join([]string{string(rune('0' + i%8)), "1." + string(rune('0'+i/5)), "0." + string(rune('1'+i%5)), string(rune('0' + i%2)), c}, ",") + "\n"
	}
	r, err := NewReader("rows.csv", strings.NewReader(text), CSV)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Load(LoadOptions{Binning: BinsMDL, Class: "c", Columns: []ColumnBins{{Column: "x", Binning: BinsWidth, N: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	for v, want := range [][]string{{"..3.5", "3.5.."}, {"..1.35", "1.35.."}, {".."}, {"0", "1"}, {"a", "b"}} {
		if !slices.Equal(s.Vars[v].States, want) {
			t.Errorf("%s has the states %q; want %q", s.Vars[v].Name, s.Vars[v].States, want)
		}
	}
	for want, opt := range map[string]LoadOptions{
		`rows.csv: there is no column "u" to make intervals of; found "x", `: {Columns: []ColumnBins{{Column: "u", N: 2}}},
		`no column "u"`:                                           {Binning: BinsMDL, Class: "u"},
		`column "y" is real, and can be neither`:                  {Binning: BinsMDL, Class: "y", Real: []string{"y"}},
		`column "x" is a class, and can not become intervals too`: {Columns: []ColumnBins{{Column: "x", N: 2}, {Column: "y", Binning: BinsMDL, Class: "x"}}},
	} {
		r, err := NewReader("rows.csv", strings.NewReader(text), CSV)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Load(opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %s", err, want)
		}
	}
}
