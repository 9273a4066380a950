package decide_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// markov reads a Markov influence diagram of the collection with replacements in its text.
func markov(t *testing.T, name string, replace ...string) *model.Model {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(irtest.Shared(t), "data", "decision", name))
	if err == nil && strings.HasSuffix(name, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("%s has no %q", name, replace[i])
		}
		text = strings.ReplaceAll(text, replace[i], replace[i+1])
	}
	f, err := format.Find(compiler.Formats, "x.pgmx", "")
	if err != nil {
		t.Fatal(err)
	}
	m, list := format.ReadSource(f, &format.Source{Name: name, Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if m.Diagram == nil {
		t.Fatalf("%s: %v", name, list)
	}
	return m
}

// onceOptions returns the mean of a criterion for each option of the only decision.

func onceOptions(t *testing.T, m *model.Model, criterion, evidence string) []float64 {
	t.Helper()
	for _, c := range m.Diagram.Criteria {
		if c.Scale = 0; c.Name == criterion {
			c.Scale = 1
		}
	}
	s, err := decide.Induct(t.Context(), m, likelihoods(t, m, evidence), decide.Options{})
	if err != nil {
		t.Fatalf("%s: %v", m.File, err)
	}
	list, err := s.First.Options(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestMarkov compares costs and effects of each option of Markov influence diagrams with those that
// OpenMarkov's tests expect (CEAGlobalAnalysisTest, midChancellorTests). The tests set discount
// rates and the number of slices. Those of the prosthesis are of exercise 3.5 of Briggs, Claxton
// and Sculpher 2006, whose numbers 4.8 shares. Those of chap are of months, of which a cycle has
// twelve; its test for HIV costs 15.4.
func TestMarkov(t *testing.T) {
	month := func(x float64) float64 { return 15.4 + (x-15.4)/12 }
	for _, c := range []struct {
		name         string
		slices       int
		cost, effect float64 // discount rates
		evidence     string
		want         [2][]float64 // by option
		tol          float64
	}{
		{"MID-Chancellor.pgmx", 20, .06, 0, "", [2][]float64{{44663.453558, 50599.843384}, {7.99121, 8.93739}}, 1e-5},
		{"MID-dmhee-2.5.pgmx", 20, .06, 0, "", [2][]float64{{50585.917, 44662.217}, {8.935, 7.991}}, 1e-3},
		{"MID-dmhee-2.5-sv.pgmx", 20, .06, 0, "", [2][]float64{{50585.917, 44662.217}, {8.935, 7.991}}, 1e-3},
		{"chap.pgmx.gz", 3, .03, .03, "", [2][]float64{{month(1066.744), month(852.399)}, {1.444, 1.709}}, 1e-3},
		{"MID-dmhee-4.8.pgmx", 60, .06, .015, "Sex=female", [2][]float64{{510.948, 609.904}, {14.666, 14.701}}, 1e-3},
		{"MID-dmhee-4.8.pgmx", 60, .06, .015, "Sex=male", [2][]float64{{604.264, 635.217}, {12.59, 12.643}}, 1e-3},
	} {
		m := markov(t, c.name, "<Slices>20</Slices>", fmt.Sprintf("<Slices>%d</Slices>", c.slices))
		for k, name := range []string{"cost", "effectiveness"} {
			for _, x := range m.Diagram.Criteria {
				x.Discount = 1 / (1 + []float64{c.cost, c.effect}[k])
			}
			for i, got := range onceOptions(t, m, name, c.evidence) {
				if want := c.want[k][i]; !(math.Abs(got-want) <= c.tol) {
					t.Errorf("%s given %q, option %d: %s %v; want %v", c.name, c.evidence, i, name, got, want)
				}
			}
		}
	}
}

// TestMarkovSlices compares discounted costs of slices of MID-Chancellor.pgmx with answers.tsv: the
// mean of a utility in a horizon less that in the horizon before.
func TestMarkovSlices(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(irtest.Shared(t), "data/decision/answers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, line := range strings.Split(string(text), "\n") {
		c := strings.Split(line, "\t")
		if c[0] != "MID-Chancellor.pgmx" || !strings.HasPrefix(c[2], "expected discounted ") {
			continue
		}
		name, last, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(c[2], "expected discounted "), "]"), " [")
		n, err := strconv.Atoi(last)
		if err != nil {
			t.Fatal(err)
		}
		m := markov(t, c[0])
		for _, u := range m.Transition.Utilities {
			if u.Name != name {
				u.Values = make([]float64, len(u.Values))
			}
		}
		var sums [2]float64
		for i := range sums {
			m.Diagram.Horizon = n + i
			sums[i] = onceOptions(t, m, "cost", "")[1] // combination therapy
		}
		if want := number(t, c[3]); math.Abs(sums[1]-sums[0]-want) > number(t, c[4]) {
			t.Errorf("%s: %v; want %v", c[2], sums[1]-sums[0], want)
		}
		compared++
	}
	if compared != 27 {
		t.Errorf("compared %d answers; want 27", compared)
	}
}

// TestMarkovFrontier compares frontiers of templates with those of the diagrams of all slices.
func TestMarkovFrontier(t *testing.T) {
	for name, horizon := range map[string]int{"MID-Chancellor.pgmx": 21, "chap.pgmx.gz": 4} {
		m := markov(t, name)
		m.Diagram.Horizon = horizon
		all := m.Unroll(horizon)
		got, err := decide.Frontier(t.Context(), m, make([][]float64, len(m.Vars)), 0, 100000, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := decide.Frontier(t.Context(), all, make([][]float64, len(all.Vars)), 0, 100000, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) || horizon > 4 && len(got) != 2 {
			t.Fatalf("%s: %d strategies, and %d of all slices; want as many, and 2 in 21", name, len(got), len(want))
		}
		for i := range got {
			for _, x := range [][2]float64{{got[i].From, want[i].From}, {got[i].Cost, want[i].Cost}, {got[i].Effect, want[i].Effect}} {
				if !irtest.Near(x[0], x[1], 1e-9) {
					t.Errorf("%s, strategy %d: %v; want %v", name, i, x[0], x[1])
				}
			}
		}
	}
}
