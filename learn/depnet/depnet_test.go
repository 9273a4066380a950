package depnet_test

import (
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/depnet"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// The pseudo-log-likelihoods of Libra's dnlearn with -prior 1 and these kappas, by its own mscore.
func TestLibra(t *testing.T) {
	for _, c := range []struct {
		set         string
		kappa       string
		valid, test float64
	}{
		{"nltcs", "0.1", -4.878354, -4.972409},
		{"nltcs", "0.01", -4.895294, -4.975332},
		{"nltcs", "0.0001", -4.933806, -4.997975},
		{"plants", "0.0001", -9.322950, -9.214778},
		{"jester", "0.0001", -52.655601, -52.411248},
	} {
		t.Run(c.set+" "+c.kappa, func(t *testing.T) {
			job := &learner.Job{Train: learnertest.DEBD(t, c.set, "train"), Cores: 2}
			m := learnertest.Learn(t, depnet.Learner, job, "-score", "gain", "-prior", "1", "-kappa", c.kappa).Models[0]
			for _, x := range []struct {
				part string
				want float64
			}{{"valid", c.valid}, {"test", c.test}} {
				if got := learnertest.PseudoLogLikelihood(t, m, learnertest.DEBD(t, c.set, x.part)); math.Abs(got-x.want) > 1e-6 {
					t.Errorf("%s: %.6f; want %v", x.part, got, x.want)
				}
			}
		})
	}
}

// The trees equal those of dnlearn for its example with -prior 2 -mincount 1: in each row, all
// variables have the same distribution.
func TestLibraTrees(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "libra")
	want, list := format.Read(compiler.Formats, filepath.Join(dir, "test", "manual", "test37.xmod.gz"), "xmod", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	s := learnertest.Load(t, "libra", "examples", "msweb.data.gz")
	got := learnertest.Learn(t, depnet.Learner, &learner.Job{Train: s, Cores: 2}, "-score", "gain", "-prior", "2", "-min-count", "1", "-kappa", "1").Models[0]
	row := make([]int, len(s.Vars))
	off := map[int]int{}
	for i := range s.Len() {
		s.Row(i, row)
		for x := range row {
			if a, b := got.Value(got.CPD(model.VarID(x)), row), want.Value(want.CPD(model.VarID(x)), row); math.Abs(a-b) > 1e-9 {
				off[x]++
			}
		}
	}
	for x, n := range off {
		t.Errorf("variable %d has another distribution in %d rows", x, n)
	}
}

// The validation data choose the kappa with the highest pseudo-likelihood, and the path has the
// result of each kappa. The network is that of the chosen kappa alone, on any number of cores.
func TestKappa(t *testing.T) {
	job := &learner.Job{Train: learnertest.DEBD(t, "nltcs", "train"), Valid: learnertest.DEBD(t, "nltcs", "valid"), Cores: 1}
	r := learnertest.Learn(t, depnet.Learner, job, "-score", "gain", "-kappa", "0.0001,0.01,0.1")
	want := map[float64]float64{0.1: -4.878354, 0.01: -4.895294, 0.0001: -4.933806}
	for _, p := range r.Report.Path {
		if p.Valid == nil || math.Abs(*p.Valid-want[p.Kappa]) > 1e-6 {
			t.Errorf("kappa %v has %v; want %v", p.Kappa, p.Valid, want[p.Kappa])
		}
	}
	job.Cores = 2
	if alone := learnertest.Learn(t, depnet.Learner, job, "-score", "gain", "-kappa", "0.1"); !reflect.DeepEqual(r.Models, alone.Models) || len(r.Report.Path) != 3 {
		t.Errorf("the network chosen of %v is not that of kappa 0.1", r.Report.Remarks)
	}
}

// B equals A, and C is independent: A and B depend on each other, in a cycle, and C on nothing.
func TestCycle(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2), 400, func(x []int) float64 {
		if x[0] != x[1] {
			return 0
		}
		return 0.25
	})
	r := learnertest.Learn(t, depnet.Learner, &learner.Job{Train: s, Cores: 1})
	if got := learnertest.Parents(r); got != "A|B B|A C|" {
		t.Errorf("got %s; want A|B B|A C|", got)
	}
	// With 200 rows of each state, P(A = 1 | B = 1) is 201/202 under a Beta(1,1) prior.
	m := r.Models[0]
	if got := m.Value(m.Factors[0], []int{1, 1, 0}); m.Kind != model.Dependency || math.Abs(got-201.0/202) > 1e-15 {
		t.Errorf("P(A = 1 | B = 1) is %v in a %v; want 201/202 in a dependency network", got, m.Kind)
	}
	learnertest.Error(t, depnet.Learner, s, "2 values of kappa, 0.1,0.01, without validation data to choose by; want validation data or one kappa", "-kappa", "0.1,0.01")
	learnertest.Error(t, depnet.Learner, s, `kappa "2"; want a number above 0 and at most 1, or several separated by commas`, "-kappa", "2")
}

// Libra's dnlearn -logistic -l1 2 reaches -4.953701 on the test rows of nltcs, where its own
// tolerance ends it. The optimum, whose slopes package logistic tests, is no worse.
func TestLogistic(t *testing.T) {
	job := &learner.Job{Train: learnertest.DEBD(t, "nltcs", "train"), Cores: 2}
	m := learnertest.Learn(t, depnet.Learner, job, "-cpd", "logistic", "-l1", "2").Models[0]
	if got := learnertest.PseudoLogLikelihood(t, m, learnertest.DEBD(t, "nltcs", "test")); got < -4.953701 || got > -4.953701*0.998 {
		t.Errorf("%.6f; want -4.953701, or up to 0.2 %% better", got)
	}
}

// Logistic regressions fulfil the contract of learners.
func TestLogisticContract(t *testing.T) {
	learnertest.Run(t, depnet.Learner, "-cpd", "logistic", "-l1", "0.5")
	s := learnertest.New(t, learnertest.Vars("A", 2), [][]int{{0}, {1}}, nil)
	learnertest.Error(t, depnet.Learner, s, `l1 "0"; want a number above 0, or several separated by commas`, "-cpd", "logistic", "-l1", "0")
	learnertest.Error(t, depnet.Learner, s, "2 penalties, 1,2, without validation data to choose by; want validation data or one penalty", "-cpd", "logistic", "-l1", "1,2")
	learnertest.Error(t, depnet.Learner, s, `unknown kind of distribution "forest"; want tree, logistic or boosted`, "-cpd", "forest")
}

// Boosted trees fulfil the contract of learners.
func TestBoostedContract(t *testing.T) {
	learnertest.Run(t, depnet.Learner, "-cpd", "boosted", "-trees", "5", "-min-count", "2")
	s := learnertest.New(t, learnertest.Vars("A", 2), [][]int{{0}, {1}}, nil)
	for _, c := range []struct{ option, value, want string }{
		{"-trees", "-1", "at most -1 boosted trees; want 0 or more"},
		{"-depth", "0", "boosted trees of depth 0; want 1 to 16"},
		{"-shrinkage", "0", "shrinkage 0; want a number above 0 and up to 1"},
		{"-min-count", "NaN", "least weight of a leaf NaN; want 0 or more"},
	} {
		learnertest.Error(t, depnet.Learner, s, c.want, "-cpd", "boosted", c.option, c.value)
	}
}
