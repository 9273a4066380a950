package infer_test

import (
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestForeignFiles compares posteriors of networks that aGrUM wrote as BIFXML and DSL with those
// that libDAI computed from the text format. Definitions whose parents are in another order than
// their numbers, a fault of these files, get the order of the text format first: the number of
// these definitions is counted in the tests of both formats. Tolerances follow the digits of the
// files.
func TestForeignFiles(t *testing.T) {
	shared := irtest.Shared(t)
	for _, c := range []struct {
		file, network string
		sets          int // of evidence
		tol           float64
		long          bool
	}{
		{"agrum-alarm.bifxml", "alarm", 8, 1e-8, false}, // numbers differ by less than 1e-6
		{"agrum-alarm.dsl", "alarm", 8, 1e-8, true},
		{"agrum-hailfinder.bifxml.gz", "hailfinder", 4, 2e-12, false},
		{"agrum-insurance.bifxml", "insurance", 4, 1e-9, true}, // one row sums to 1.000035
		{"agrum-insurance.dsl", "insurance", 4, 1e-9, false},
		{"agrum-Water.bifxml.gz", "water", 2, 2e-12, true},
		{"agrum-Water.dsl.gz", "water", 2, 2e-12, true},
		{"agrum-Pigs.bifxml.gz", "pigs", 4, 2e-12, true},
		{"agrum-Pigs.dsl.gz", "pigs", 4, 2e-12, true},
	} {
		t.Run(c.file, func(t *testing.T) {
			if c.long {
				irtest.SkipUnlessLong(t)
			}
			m := readRows(t, filepath.Join(shared, "data", "formats", c.file))
			orderParents(m, readRows(t, filepath.Join(shared, "data", "bif", c.network+".bif.gz")))
			e, err := infer.New(t.Context(), m, infer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			comparePosteriors(t, e, formattest.Oracle(t, shared, c.network, c.sets), c.tol)
		})
	}
}

// comparePosteriors compares answers of e with a list in which equal evidence stands together.
func comparePosteriors(t *testing.T, e *infer.Engine, list []formattest.Posterior, tol float64) {
	t.Helper()
	var all *infer.Marginals
	var given map[string]string
	worst := 0.0
	for _, p := range list {
		if all == nil || !maps.Equal(given, p.Evidence) {
			given = p.Evidence
			found := infer.Evidence{}
			for name, state := range given {
				found[name] = state
			}
			var err error
			if all, err = e.Marginals(t.Context(), found); err != nil {
				t.Fatal(err)
			}
		}
		d := all.Of(p.Var)
		state := slices.Index(d.States, p.State)
		if state < 0 {
			t.Fatalf("%s has no state %q", p.Var, p.State)
		}
		diff := math.Abs(d.P[state] - p.Want)
		worst = max(worst, diff)
		if !(diff <= tol) {
			t.Fatalf("P(%s=%s) is %.12g; want %.12g", p.Var, p.State, d.P[state], p.Want)
		}
	}
	t.Logf("%d posteriors, the largest difference is %.2g", len(list), worst)
}

// orderParents gives the parents of each variable of m the order that they have in the other model,
// and leaves the numbers.
func orderParents(m, other *model.Model) {
	for _, v := range m.Vars {
		o, _ := other.VarByName(v.Name)
		f := m.CPD(v.ID)
		scope := f.Scope[:0:0]
		for _, x := range other.CPD(o.ID).Parents() {
			p, _ := m.VarByName(other.Vars[x].Name)
			scope = append(scope, p.ID)
		}
		f.Scope, f.Child = append(scope, v.ID), len(scope)
	}
}

// readRows reads a file and rescales rows that do not sum to one.
func readRows(t *testing.T, path string) *model.Model {
	t.Helper()
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	m, list = m.NormalizeRows(model.RowsNormalize)
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	return m
}
