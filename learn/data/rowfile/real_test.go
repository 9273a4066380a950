package rowfile_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// readReal reads a CSV file.
func readReal(t *testing.T, text string, opt rowfile.LoadOptions) (*data.Set, error) {
	t.Helper()
	r, err := rowfile.NewReader("t.csv", strings.NewReader(text), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	return r.Load(opt)
}

// TestReal checks that a real column keeps its numbers, whatever Bins says. It has a single state,
// which is missing if the cell is. Rows are equal if their numbers are.
func TestReal(t *testing.T) {
	s, err := readReal(t, "a,r\nx,1.5\ny, -2e3 \nx,NA\nx,1.5\nx,1.25\n", rowfile.LoadOptions{Real: []string{"r"}, Bins: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(s.Vars, len(s.Needs()) > 0, s.Real(0), s.Real(1)); got != "[{a [x y] false false} {r [] true false}] true [] [1.5 -2000 0 1.5 1.25]" {
		t.Errorf("read %s", got)
	}
	states := make([]int, 2)
	if s.Row(2, states); states[1] != data.Missing {
		t.Errorf("the third row has states %v; want none of r", states)
	}
	m := s.Merged()
	if got := fmt.Sprint(m.Weights(), m.Real(1)); got != "[2 1 1 1] [1.5 -2000 0 1.25]" {
		t.Errorf("merged to %s", got)
	}
	if got := s.Subset([]int{4, 1}); !slices.Equal(got.Real(1), []float64{1.25, -2000}) || got.Len() != 2 {
		t.Errorf("a subset has %v", got.Real(1))
	}
	again, err := readReal(t, "r\n7\n", rowfile.LoadOptions{Vars: s.Vars})
	if err != nil || again.Real(1)[0] != 7 || again.Len() != 1 {
		t.Errorf("by variables that are known: %v, %v", again, err)
	}
	rows, err := data.NewReal(s.Vars, [][]float64{{0, 1.5}, {1, -2000}, {0, math.NaN()}, {0, 1.5}, {0, 1.25}}, nil)
	if err != nil || !slices.Equal(rows.Real(1), s.Real(1)) || rows.Merged().Len() != 4 {
		t.Errorf("from rows in memory: %v, %v", rows, err)
	}
}

func TestRealErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a,r\nx,one\n", `t.csv:2:3: column "r" has no value "one"; want a number of a size of at most 1e+30, or unseen missing`},
		{"a,r\nx,1e31\n", `t.csv:2:3: column "r" has no value "1e31"; want a number of a size of at most 1e+30, or unseen missing`},
		{"a,r\nx,inf\n", `t.csv:2:3: column "r" has no value "inf"; want a number of a size of at most 1e+30, or unseen missing`},
		{"a,s\nx,1\n", `t.csv: there is no column "r" to read as real numbers; found "a", "s"`},
	} {
		if _, err := readReal(t, c.text, rowfile.LoadOptions{Real: []string{"r"}}); fmt.Sprint(err) != c.want {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
	vars := []data.Var{{Name: "r", Real: true}}
	if _, err := data.New(vars, nil, nil); err == nil {
		t.Error("rows of states are taken for real values")
	}
	if _, err := data.NewReal(vars, [][]float64{{1e31}}, nil); err == nil {
		t.Error("a number is too large, and is taken")
	}
	if _, err := rowfile.NewWriter(&strings.Builder{}, rowfile.Libra, vars); err == nil {
		t.Error("real values are written as states")
	}
	// Real values count as memory: 8 bytes a row, and one that says whether it is missing.
	if _, err := readReal(t, "r\n"+strings.Repeat("1.5\n", 100), rowfile.LoadOptions{Real: []string{"r"}, MaxMem: 899}); err == nil || !strings.Contains(err.Error(), "over the limit of 899") {
		t.Errorf("100 rows in less than 900 bytes: %v", err)
	}
}

// TestWriteReal writes states, values and missing ones, and reads them back.
func TestWriteReal(t *testing.T) {
	const text = "a,r\nx,0.1\n,1e-300\ny,\n"
	s, err := readReal(t, text, rowfile.LoadOptions{Real: []string{"r"}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	w, err := rowfile.NewWriter(&b, rowfile.CSV, s.Vars)
	if err == nil {
		err = w.WriteSet(s)
	}
	if err != nil || b.String() != text {
		t.Errorf("wrote %q (%v); want %q", b.String(), err, text)
	}
}

// TestNumeric reads columns of measurements as real, and codes, texts and numbers of states as
// states.
func TestNumeric(t *testing.T) {
	text := "code,length,many,word,bound\n"
	for i := range 30 {
		text += fmt.Sprintf("%d,%g,%d,%s,1e31\n", i%20, float64(i)/4, i, string(rune('a'+i%3)))
	}
	s, err := readReal(t, text+"NA,NA,7,a,1\n", rowfile.LoadOptions{Numeric: true, Bins: 2})
	if err != nil {
		t.Fatal(err)
	}
	var real []string
	for _, v := range s.Vars {
		if v.Real {
			real = append(real, v.Name)
		}
	}
	column := s.Column(1)
	if fmt.Sprint(real) != "[length many]" || s.Real(1)[3] != .75 || s.Real(2)[30] != 7 || column.At(30) != data.Missing || column.At(29) != 0 {
		t.Errorf("real columns %v with %v", real, s.Real(1))
	}
	if len(s.Vars[0].States) != 2 || len(s.Vars[3].States) != 3 {
		t.Errorf("states %v and %v; want two intervals and three words", s.Vars[0].States, s.Vars[3].States)
	}
}
