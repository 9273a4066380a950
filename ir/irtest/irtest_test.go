package irtest_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestFixturesPassChecks(t *testing.T) {
	for _, m := range irtest.Fixtures() {
		list := m.Check()
		if err := list.Err(); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		if _, list := m.NormalizeRows(model.RowsStrict); list.HasErrors() {
			t.Errorf("%s: %v", m.Name, list.Err())
		}
	}
}

// seen counts the kinds of parts in random models.
type seen struct {
	zeros, ones, unscoped, innerChild, shared, impossible int
	dists                                                 map[reflect.Type]int
}

func (s *seen) note(m *model.Model) {
	for _, v := range m.Vars {
		if m.Card(v.ID) == 1 {
			s.ones++
		}
	}
	for _, f := range m.Factors {
		s.dists[reflect.TypeOf(f.Dist)]++
		if f.Child >= 0 && f.Child < len(f.Scope)-1 {
			s.innerChild++
		}
		if len(f.Scope) == 0 {
			s.unscoped++
		}
		switch d := f.Dist.(type) {
		case *model.Table:
			for _, x := range d.Values {
				if x == 0 {
					s.zeros++
				}
			}
		case *model.Tree:
			for _, n := range d.Nodes {
				if len(n.Next) > 2 && (n.Next[0] == n.Next[1] || n.Next[1] == n.Next[2]) {
					s.shared++
				}
			}
		}
	}
}

func TestRandomModels(t *testing.T) {
	s := seen{dists: map[reflect.Type]int{}}
	for seed := range uint64(200) {
		o := irtest.Options{MaxJoint: 1 << 12}
		m := irtest.RandomModel(seed, o)
		list := m.Check()
		if err := list.Err(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if _, list := m.NormalizeRows(model.RowsStrict); list.HasErrors() {
			t.Errorf("seed %d: %v", seed, list.Err())
		}
		if !reflect.DeepEqual(m, irtest.RandomModel(seed, o)) || !reflect.DeepEqual(irtest.RandomEvidence(seed, m), irtest.RandomEvidence(seed, m)) {
			t.Errorf("seed %d gives two different models or evidences", seed)
		}
		s.note(m)
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		if z := j.LogPartition(); math.IsInf(z, 0) || m.Kind == model.Bayes && !irtest.Near(z, 0, 1e-12) {
			t.Errorf("seed %d: ln Z is %v", seed, z)
		}
		if math.IsInf(j.LogProb(irtest.RandomEvidence(seed, m)), -1) {
			s.impossible++
		}
	}
	if s.zeros == 0 || s.ones == 0 || s.unscoped == 0 || s.innerChild == 0 || s.shared == 0 || len(s.dists) != 6 {
		t.Errorf("some kind of model is never made: %+v", s)
	}
	if s.impossible == 0 || s.impossible > 200/6 {
		t.Errorf("%d of 200 evidences are impossible; want some, at most every sixth", s.impossible)
	}
}

func TestRandomModelOptions(t *testing.T) {
	for seed := range uint64(50) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}, MaxVars: 3, MaxStates: 2, MaxParents: 1, TablesOnly: true, NoZeros: true})
		if m.Kind != model.Bayes || len(m.Vars) > 3 {
			t.Errorf("seed %d: a %v of %d variables", seed, m.Kind, len(m.Vars))
		}
		for _, f := range m.Factors {
			table, ok := f.Dist.(*model.Table)
			if !ok || len(f.Scope) > 2 || len(table.Values) > 4 {
				t.Fatalf("seed %d: %T over %v", seed, f.Dist, f.Scope)
			}
			for _, x := range table.Values {
				if x == 0 {
					t.Errorf("seed %d: a zero", seed)
				}
			}
		}
	}
}

func TestLimitsOfRandomModels(t *testing.T) {
	for seed := range uint64(500) {
		m := irtest.RandomModel(seed, irtest.Options{})
		var all []model.VarID
		for _, v := range m.Vars {
			all = append(all, v.ID)
			if c := m.Card(v.ID); c < 1 || c > 5 {
				t.Errorf("seed %d: %d states", seed, c)
			}
		}
		if n, ok := m.TableSize(all); !ok || n > 1<<20 || len(all) < 2 || len(all) > 12 {
			t.Errorf("seed %d: %d variables, %d joint states", seed, len(all), n)
		}
	}
}

func TestNear(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		got, want float64
		near      bool
	}{
		{1, 1, true}, {1 + 1e-13, 1, true}, {1 + 1e-11, 1, false}, {1e6 + 1e-7, 1e6, true}, {1e-13, 0, true},
		{inf, inf, true}, {-inf, inf, false}, {1, inf, false}, {inf, 1, false}, {nan, 1, false}, {1, nan, false}, {nan, nan, false},
	} {
		if irtest.Near(c.got, c.want, irtest.Tolerance) != c.near {
			t.Errorf("Near(%v, %v) is not %v", c.got, c.want, c.near)
		}
	}
}

func TestGolden(t *testing.T) {
	dir := t.TempDir()
	text := "comment\n-- in --\nabc\n-- out --\nABC\n"
	if err := os.WriteFile(filepath.Join(dir, "upper.txtar"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	runs := 0
	irtest.Golden(t, filepath.Join(dir, "*.txtar"), func(t *testing.T, in *txtar.Archive) []txtar.File {
		runs++
		return []txtar.File{{Name: "out", Data: []byte(strings.ToUpper(irtest.File(t, in, "in")))}}
	})
	if runs != 1 {
		t.Errorf("%d runs; want 1", runs)
	}
}
