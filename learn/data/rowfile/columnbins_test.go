package rowfile

import (
	"slices"
	"strings"
	"testing"
)

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
