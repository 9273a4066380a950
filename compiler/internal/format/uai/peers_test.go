package uai_test

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestPeers compares posteriors with those that libDAI computed from the networks of the same names
// in BIF. It reads asia as six tools write it: child first, child last, with and without names, as
// a Markov network.
func TestPeers(t *testing.T) {
	shared := irtest.Shared(t)
	data := filepath.Join(shared, "data")
	const from = "oracle asia, ids 0 and 2, libDAI 0.3.0; P(dysp) by hand"
	asia := func(path, smoke, xray, lung, dysp string) formattest.Model {
		return formattest.Model{Name: path, Path: filepath.Join(data, path), Posteriors: []formattest.Posterior{
			{Var: dysp, State: "0", Want: 0.4359706, From: from},
			{Var: dysp, State: "0", Evidence: map[string]string{smoke: "0"}, Want: 0.552808, From: from},
			{Var: lung, State: "0", Evidence: map[string]string{xray: "1"}, Want: 0.00123635796996, Tol: 2e-12, From: from},
		}}
	}
	formattest.Run(t, uai.Format, formattest.Cases{Models: []formattest.Model{
		{Name: "uai-bn/asia.uai", Path: filepath.Join(data, "uai-bn", "asia.uai"), Posteriors: formattest.Oracle(t, shared, "asia", 8)},
		{Name: "uai-bn/cancer.uai", Path: filepath.Join(data, "uai-bn", "cancer.uai"), Posteriors: formattest.Oracle(t, shared, "cancer", 8)},
		asia("circuits/zoo-fgs-asia.uai", "x0", "x6", "x3", "x7"),
		asia("formats/agrum-asia.uai", "x1", "x7", "x3", "x6"),
		asia("uai-small/merlin-ChestClinic.uai", "x0", "x6", "x2", "x7"),
		asia("uai-small/tensorinference-asia.uai", "x2", "x6", "x3", "x7"),
	}})
}

// TestSameAsBIF compares networks of bn-pp, child first and with names in comments, with those of
// bnlearn in BIF, number by number. The converter of bn-pp kept bnlearn's order of values, first
// parent fastest, and wrote a scope of descending numbers. If the parents in BIF are not in
// ascending order, its table is wrong, and the test skips it.
func TestSameAsBIF(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	for _, c := range []struct {
		uai, bif   string
		vars, same int
		tol        float64 // BIF has six or seven digits, insurance four
	}{
		{"asia.uai", "asia.bif.gz", 8, 7, 0},
		{"alarm.uai", "alarm.bif.gz", 37, 29, 1e-6},
		{"insurance.uai", "insurance.bif.gz", 27, 15, 5e-5},
		{"win95pts.uai", "win95pts.bif.gz", 76, 70, 1e-6},
		{"hepar2.uai.gz", "hepar2.bif.gz", 70, 49, 1e-6},
		{"hailfinder.uai.gz", "hailfinder.bif.gz", 56, 49, 1e-6},
		{"Water.uai.gz", "water.bif.gz", 32, 32, 1e-6},
		{"Pigs.uai.gz", "pigs.bif.gz", 441, 412, 0},
		{"Diabetes.uai.gz", "diabetes.bif.gz", 413, 340, 1e-6},
	} {
		got := read(t, filepath.Join(data, "uai-bn", c.uai))
		want := read(t, filepath.Join(data, "bif", c.bif))
		if len(got.Vars) != c.vars || len(want.Vars) != c.vars {
			t.Errorf("%s: %d variables, and %d in BIF; want %d", c.uai, len(got.Vars), len(want.Vars), c.vars)
			continue
		}
		same := 0
		for _, f := range got.Factors {
			diff, ok := farthest(t, got, want, f)
			if !ok {
				continue
			}
			same++
			if !(diff <= c.tol) {
				t.Errorf("%s: a number of the %s is %g off; want %g at most", c.uai, got.FactorName(f), diff, c.tol)
			}
		}
		if same != c.same {
			t.Errorf("%s: compared %d CPDs; want %d", c.uai, same, c.same)
		}
	}
}

// farthest returns the largest difference between a CPD and that of the same variable in the
// network want, matched by names. It reports false if the parents are not in the opposite order.
func farthest(t *testing.T, m, want *model.Model, f *model.Factor) (diff float64, ok bool) {
	t.Helper()
	twin := make([]model.VarID, len(m.Vars))
	for _, u := range f.Scope {
		v, ok := want.VarByName(m.Vars[u].Name)
		if !ok || !slices.Equal(m.States(u), want.States(v.ID)) {
			t.Errorf("no variable %q with states %q in BIF", m.Vars[u].Name, m.States(u))
			return 0, false
		}
		twin[u] = v.ID
	}
	g := want.CPD(twin[f.ChildVar()])
	parents := g.Parents()
	slices.Reverse(parents)
	for i, u := range f.Parents() {
		if len(parents) != len(f.Scope)-1 || parents[i] != twin[u] {
			return 0, false
		}
	}
	state, other := make([]int, len(m.Vars)), make([]int, len(want.Vars))
	for more := true; more; more = m.Next(f.Scope, state) {
		for _, u := range f.Scope {
			other[twin[u]] = state[u]
		}
		diff = max(diff, math.Abs(m.Value(f, state)-want.Value(g, other)))
	}
	return diff, true
}

func read(t testing.TB, path string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{uai.Format, bif.Format}, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestGrid compares a grid under evidence with its published answers. The first line is the number
// of a sample.
func TestGrid(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "uai-small")
	m := read(t, filepath.Join(dir, "grid3x3.uai"))
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	pr := irtest.ReadAnswer(t, filepath.Join(dir, "grid3x3.uai.PR"))
	got := (joint.LogPartition() + joint.LogProb(brute.Evidence{Hard: observed(t, filepath.Join(dir, "grid3x3-PR.uai.evid"), m)})) / math.Ln10
	irtest.CloseTo(t, got, pr.Value, 1e-5) // printed with six digits
	mar := irtest.ReadAnswer(t, filepath.Join(dir, "grid3x3.uai.MAR"))
	hard := observed(t, filepath.Join(dir, "grid3x3-MAR.uai.evid"), m)
	if len(hard) != 3 || len(mar.Marginals) != 9 {
		t.Fatalf("evidence on %d variables, marginals of %d; want 3 and 9", len(hard), len(mar.Marginals))
	}
	for v, want := range mar.Marginals {
		irtest.Close(t, joint.Posterior(model.VarID(v), brute.Evidence{Hard: hard}), want, 5e-6) // printed with six digits
	}
}

// observed returns the only sample of a file.
func observed(t *testing.T, path string, m *model.Model) map[model.VarID]int {
	t.Helper()
	samples, list := uai.ReadEvidence(open(t, path), m)
	if err := list.Err(); err != nil || len(samples) != 1 {
		t.Fatalf("%s: %d samples, %v", path, len(samples), err)
	}
	hard := map[model.VarID]int{}
	for v, s := range samples[0] {
		if s >= 0 {
			hard[model.VarID(v)] = s
		}
	}
	return hard
}

func open(t *testing.T, path string) *format.Source {
	t.Helper()
	src, err := format.OpenSource(path, format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// TestMarginals compares the marginals of networks of the competition of 2014 with its answers.
func TestMarginals(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "uai2014", "pr-mar")
	for _, c := range []struct {
		name     string
		observed int
	}{{"Grids_12", 0}, {"Promedus_31", 2}} {
		path := filepath.Join(dir, c.name+".uai")
		m := read(t, path+".gz")
		r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"marginals"}, Steps: -1})
		if err != nil {
			t.Fatal(err)
		}
		machine := eval.New(r.Program, r.Model)
		hard := observed(t, path+".evid", m)
		if len(hard) != c.observed {
			t.Errorf("%s: %d variables observed; want %d", c.name, len(hard), c.observed)
		}
		for v, s := range hard {
			if err := machine.Observe(v, s); err != nil {
				t.Fatal(err)
			}
		}
		if err := machine.Run(r.Program.Entry("marginals")); err != nil {
			t.Fatal(err)
		}
		want := irtest.ReadAnswer(t, path+".MAR").Marginals
		if len(want) != len(m.Vars) {
			t.Fatalf("%s: marginals of %d variables; want %d", c.name, len(want), len(m.Vars))
		}
		for v := range want {
			irtest.Close(t, machine.Posterior(v), want[v], 5e-6) // printed with six digits
		}
	}
}
