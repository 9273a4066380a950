package probmodelxml_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/probmodelxml"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) {
	formattest.Run(t, probmodelxml.Format, formattest.Cases{Models: models, Errors: broken})
}

// shared reads a file of the reference collection.
func shared(t *testing.T, name string) (*model.Model, []string) {
	t.Helper()
	m, list := format.Read([]format.Format{probmodelxml.Format}, filepath.Join(irtest.Shared(t), "data", name), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	for _, d := range list.Warnings() {
		warnings = append(warnings, d.Msg)
	}
	return m, warnings
}

// TestAnswers compares with the posteriors that OpenMarkov's own tests expect. For the template
// they are those of slices, with a therapy that is changed by the clock "Time in treatment".
func TestAnswers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(irtest.Shared(t), "data/decision/answers.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	count, engines := map[string]int{}, map[string]*infer.Engine{}
	for _, line := range strings.Split(string(text), "\n") {
		field := strings.Split(line, "\t")
		if len(field) < 5 || !strings.Contains(field[0], ".pgmx") || !strings.HasPrefix(field[2], "P(") {
			continue
		}
		if engines[field[0]] == nil {
			m, _ := shared(t, "decision/"+field[0])
			engines[field[0]] = engine(t, m)
		}
		what, states, _ := strings.Cut(strings.TrimPrefix(field[2], "P("), ") = ")
		name, slice, _ := strings.Cut(strings.TrimSuffix(what, "]"), " [")
		got := posterior(t, engines[field[0]], name, slice, field[1])
		for i, s := range strings.Split(states, ", ") {
			if !strings.HasSuffix(got.States[i], s) {
				t.Fatalf("%s: states %q", line, got.States)
			}
			if want := strings.Fields(field[3])[i]; !(math.Abs(got.P[i]-number(t, want)) <= number(t, field[4])) {
				t.Errorf("%s: %v; want %s", line, got.P[i], want)
			}
		}
		count[field[0]]++
	}
	for file, least := range map[string]int{"MID-Chancellor.pgmx": 9, "BN-two-diseases.pgmx": 15, "BN-catarnet.pgmx.gz": 6} {
		if count[file] < least {
			t.Errorf("compared %d posteriors of %s; want at least %d", count[file], file, least)
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func engine(t *testing.T, m *model.Model) *infer.Engine {
	t.Helper()
	e, err := infer.New(t.Context(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// posterior returns the posterior of a variable, in a slice of a template all of which have the
// evidence.
func posterior(t *testing.T, e *infer.Engine, name, slice, text string) infer.Distribution {
	t.Helper()
	evidence := infer.Evidence{}
	for _, item := range strings.Split(text, ", ") {
		if v, s, ok := strings.Cut(item, "="); ok {
			evidence[v] = s
		}
	}
	if slice == "" {
		d, err := e.Posterior(t.Context(), evidence, name)
		if err != nil {
			t.Fatal(err)
		}
		return *d
	}
	f, err := e.Filter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for {
		marginals, err := f.Step(t.Context(), evidence)
		if err != nil {
			t.Fatal(err)
		}
		if strconv.Itoa(f.Len()-1) == slice {
			return *marginals.Of(name)
		}
	}
}

// TestTemplates reads the networks of the collection with time slices.
func TestTemplates(t *testing.T) {
	for _, c := range []struct {
		name     string
		warnings []string
		given    []string
		before   []string
	}{
		{"temporal2/SMM-Simple.pgmx", []string{`numeric variable "Age" has no distribution: it is given, by its intervals`},
			[]string{"Age", "Dec:Vac", "Dec:Test"}, []string{"TestResult"}},
		{"temporal2/TreeADD-Temporal.pgmx", []string{`numeric variable "Age" has no distribution: it is given, by its intervals`}, []string{"Age", "Vacuna"}, nil},
		{"temporal2/TreeADD-Temporal3.pgmx", []string{`numeric variable "Age" has no distribution: it is given, by its intervals`},
			[]string{"Age", "D"}, nil},
		{"decision/test-decpomdp.pgmx", []string{"the file is of type \"DEC_POMDP\", of which these are not read: utilities (U), what its decisions know, since several agents decide, each by what it knows itself", `variable "B" begins in slice 1; it is uniform in slice 0`,
			`variable "C" begins in slice 1; it is uniform in slice 0`, `variable "E" begins in slice 1; it is uniform in slice 0`}, []string{"D1", "D2"}, []string{"A", "D1", "D2"}},
	} {
		m, warnings := shared(t, c.name)
		var given, before []string
		for _, v := range m.Vars {
			if v.Given {
				given = append(given, v.Name)
			}
		}
		for _, v := range m.Transition.Before {
			before = append(before, m.Vars[v].Name)
		}
		if !slices.Equal(warnings, c.warnings) || !slices.Equal(given, c.given) || !slices.Equal(before, c.before) {
			t.Errorf("%s: warnings %q, given %q, before %q", c.name, warnings, given, before)
		}
	}
}

// TestIntervals asks the tree of TreeADD-Temporal3 at both decisions and three ages.
func TestIntervals(t *testing.T) {
	m, _ := shared(t, "temporal2/TreeADD-Temporal3.pgmx")
	e := engine(t, m)
	for _, c := range []struct {
		age, d string
		a, b   float64 // P(present), by hand from the file
	}{
		{"[10..15)", "yes", 0.1, 0.1},
		{"[10..15)", "no", 0.1, 0.5},
		{"[15..20)", "no", 0.2, 0.6},
		{"[20..+Inf)", "yes", 0.3, 0.2},
	} {
		for slice := range 2 {
			evidence := "Age=" + c.age + ", D=" + c.d
			a, b := posterior(t, e, "A", strconv.Itoa(slice), evidence), posterior(t, e, "B", strconv.Itoa(slice), evidence)
			if !irtest.Near(a.Of("present"), c.a, 1e-12) || !irtest.Near(b.Of("present"), c.b, 1e-12) {
				t.Errorf("age %s, %s, slice %d: %v and %v; want %v and %v", c.age, c.d, slice, a.Of("present"), b.Of("present"), c.a, c.b)
			}
		}
	}
}

// TestClock follows a number from slice to slice across the threshold of a tree, which belongs to
// its left.
func TestClock(t *testing.T) {
	m, list := format.ReadSource(probmodelxml.Format, &format.Source{Name: "clock", Data: []byte(clock)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	v, _ := m.VarByName("t")
	if got := m.States(v.ID); !slices.Equal(got, []string{"0.5", "1.5", ">=2.5"}) {
		t.Errorf("states %q", got)
	}
	e := engine(t, m)
	for slice, want := range []float64{0.75, 0.75, 0.5, 0.5} {
		if got := posterior(t, e, "x", strconv.Itoa(slice), ""); got.Of("y") != want {
			t.Errorf("slice %d: P(y) = %v; want %v", slice, got.Of("y"), want)
		}
	}
}
