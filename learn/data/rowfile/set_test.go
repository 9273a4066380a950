package rowfile_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestWidth checks that 255 states and the mark of a missing one fit bytes, that 256 do not, and
// that the change keeps the rows before it.
func TestWidth(t *testing.T) {
	for _, n := range []int{255, 256, 3000} {
		for _, name := range []string{"x.csv", "x.data"} {
			var b strings.Builder
			if name == "x.csv" {
				b.WriteString("a,b\n")
			}
			for i := range n {
				fmt.Fprintf(&b, "%d,%d\n", i, i%2)
			}
			b.WriteString("*,1\n")
			s, err := load(name, b.String(), rowfile.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			c := s.Column(0)
			if wide := c.Bytes == nil; wide != (n > 255) || s.Column(1).Bytes == nil || len(s.Vars[0].States) != n {
				t.Errorf("%s: %d states in words: %v", name, n, wide)
			}
			for i := range n {
				if c.At(i) != i || s.Vars[0].States[i] != strconv.Itoa(i) {
					t.Fatalf("%s: row %d of %d is state %d, %q", name, i, n, c.At(i), s.Vars[0].States[i])
				}
			}
			if c.At(n) != data.Missing {
				t.Errorf("%s: the missing value is state %d", name, c.At(n))
			}
		}
	}
}

// TestNext checks that the reader continues after an invalid row, and that the texts of a row stay
// valid.
func TestNext(t *testing.T) {
	r, err := rowfile.NewReader("x.csv", strings.NewReader("b,other,a\nok, q ,yes\n1,2\n?,,no\n"), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Bind(yesNo, rowfile.UnseenError)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	states := make([]int, 2)
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		var bad rowfile.RowError
		if errors.As(err, &bad) {
			got = append(got, bad.Error())
			continue
		}
		if err := errors.Join(err, b.States(rec, states)); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%v %q %v %v", states, rec.Cells[1].Text, rec.Pos, r.CellPos(rec, 2)))
	}
	want := `[0 2] "q " x.csv:2:1 x.csv:2:8|x.csv:3:1: the row has 2 values; want 3|[1 1] "" x.csv:4:1 x.csv:4:4`
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
}

// failing is a reader that fails after some text.
type failing struct{ text io.Reader }

func (f failing) Read(p []byte) (int, error) {
	if n, err := f.text.Read(p); err == nil {
		return n, nil
	}
	return 0, errors.New("device lost")
}

func TestFailing(t *testing.T) {
	for name, text := range map[string]string{"x.csv": "a,b\n1,2\n1,", "x.data": "1,2\n1,", "x.arff": "@attribute a real\n@data\n1\n1"} {
		r, err := rowfile.NewReader(name, failing{strings.NewReader(text)}, rowfile.Auto)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err = r.Load(rowfile.LoadOptions{}); err == nil || !strings.HasPrefix(err.Error(), name) || !strings.HasSuffix(err.Error(), "device lost") {
				t.Errorf("%s: %v; want that the device is lost", name, err)
			}
		}
	}
}

func TestGzip(t *testing.T) {
	dir := t.TempDir()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, "\ufeffa,b\n1,2\n")
	w.Close()
	whole := filepath.Join(dir, "x.csv") // by content, whatever its name
	cut := filepath.Join(dir, "cut.csv.gz")
	if err := errors.Join(os.WriteFile(whole, packed.Bytes(), 0o600), os.WriteFile(cut, packed.Bytes()[:packed.Len()-9], 0o600)); err != nil {
		t.Fatal(err)
	}
	s, err := rowfile.Load(whole, rowfile.Auto, rowfile.LoadOptions{})
	if err != nil || show(s) != `"a"["1"] "b"["2"] | [0 0]` {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := rowfile.Load(cut, rowfile.Auto, rowfile.LoadOptions{}); err == nil || !strings.HasSuffix(err.Error(), "is cut off; get the whole file") {
		t.Errorf("a cut file gives %v", err)
	}
}

func TestSchema(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2, 3,65535\n", "[2 3 65535]"},
		{"", "x.schema: the file is empty; want rows of numbers"},
		{"2,0\n", `x.schema:1:3: the number of states is "0"; want 1 to 65535`},
		{"2,99999999999\n", `x.schema:1:3: the number of states is "99999999999"; want 1 to 65535`},
		{"2,2\n2,3\n", "x.schema:2:1: found a second line; want one line of numbers of states"},
	} {
		t.Chdir(t.TempDir())
		if err := os.WriteFile("x.schema", []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		cards, err := rowfile.ReadSchema("x.schema")
		got := fmt.Sprint(cards)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q gives %s; want %s", c.text, got, c.want)
		}
	}
}

func TestWrite(t *testing.T) {
	vars := []data.Var{{Name: "a,b", States: []string{"", "x \"y\""}}, {Name: "c", States: []string{" no", "yes"}}}
	for _, c := range []struct {
		name   string
		format rowfile.Format
		vars   []data.Var
		rows   [][]int
		weight float64
		want   string
	}{
		{"csv", rowfile.CSV, vars, [][]int{{0, 0}, {1, -1}, {-1, 1}}, 1, "\"a,b\",c\n,\" no\"\n\"x \"\"y\"\"\",\nNA,yes\n"},
		{"csv of one column", rowfile.CSV, vars[1:], [][]int{{1}, {-1}}, 1, "c\nyes\n\"\"\n"},
		{"csv with a weight", rowfile.CSV, vars, [][]int{{0, 0}}, 2, "CSV and Parquet cannot hold the weights of rows; want the format of Libra"},
		{"csv without a mark", rowfile.CSV, []data.Var{{Name: "a", States: append(rowfile.DefaultMissing(), "")}}, nil, 1,
			`the states of "a" are all marks of missing values, which leaves none for those`},
		{"libra", rowfile.Libra, vars, [][]int{{0, 1}, {-1, 0}}, 1, "0,1\n*,0\n"},
		{"libra with a weight", rowfile.Libra, vars, [][]int{{0, 1}}, 0.1, "0.1|0,1\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			w, err := rowfile.NewWriter(&b, c.format, c.vars)
			for _, row := range c.rows {
				if err == nil {
					err = w.Write(row, nil, c.weight)
				}
			}
			if err == nil {
				err = w.Flush()
			}
			got := b.String()
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		rows    [][]int
		weights []float64
		want    string
	}{
		{[][]int{{0, 2}, {-1, 1}}, nil, `"a"["yes" "no"] "b"["NA" "?" "ok"] | [0 2]| [-1 1]`},
		{[][]int{{0, 2}, {1, -1}}, []float64{1, .5}, `"a"["yes" "no"] "b"["NA" "?" "ok"] | [0 2]| [1 -1] x0.5`},
		{nil, nil, `"a"["yes" "no"] "b"["NA" "?" "ok"] `},
		{[][]int{{0, 3}}, nil, `row 0 has state 3 of "b", which has 3`},
		{[][]int{{0, 0}, {-2, 0}}, nil, `row 1 has state -2 of "a", which has 2`},
		{[][]int{{0}}, nil, `row 0 has 1 states; want 2`},
		{[][]int{{0, 0}}, []float64{1, 1}, `there are 2 weights for 1 rows`},
	} {
		s, err := data.New(yesNo, c.rows, c.weights)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = show(s)
		}
		if got != c.want {
			t.Errorf("%v gives %s; want %s", c.rows, got, c.want)
		}
	}
}

func TestMerged(t *testing.T) {
	s, err := load("x.data", "0,1\n2|1,*\n0,1\n0.5|0,0\n1,*\n0,1\n", rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := s.Merged()
	if got, want := show(m), `"x0"["0" "1"] "x1"["0" "1"] | [0 1] x3| [1 -1] x3| [0 0] x0.5`; got != want {
		t.Errorf("got %s; want %s", got, want)
	}
	plain, err := load("x.data", "0,1\n1,1\n", rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if m := plain.Merged(); m.Weights() != nil || m.Len() != 2 {
		t.Errorf("rows that differ have weights %v", m.Weights())
	}
}

func TestVarsOf(t *testing.T) {
	m := &model.Model{}
	m.NewVar("a", "x", "y")
	m.NewVar("h", "x", "y").Latent = true
	m.NewVar("b", "z")
	m.NewVar("r").Domain = model.Real{}
	if got := fmt.Sprintf("%v", data.VarsOf(m)); got != `[{a [x y] false false} {b [z] false false} {r [] true false}]` {
		t.Errorf("got %s", got)
	}
}
