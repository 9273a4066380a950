package treebn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/rate"
	"github.com/pgmc-go/pgmc/learn/treebn"
)

// rated returns the mean log-likelihood and pseudo-log-likelihood of a set.
func rated(t *testing.T, m *model.Model, s *data.Set) (ll, pll float64) {
	t.Helper()
	r, err := rate.NewRows(m)
	if err != nil {
		t.Fatal(err)
	}
	var whole, pseudo rate.Mean
	row := make([]int, len(s.Vars))
	for i := range s.Len() {
		s.Row(i, row)
		whole.Add(r.Log(row), s.Weight(i))
		pseudo.Add(r.Pseudo(row), s.Weight(i))
	}
	return whole.Value, pseudo.Value
}

// The results of Libra's bnlearn with -prior 1 and these kappas, by its own mscore: splits,
// log-likelihoods, and the pseudo-log-likelihood of the test set; 0 means unknown. Ties go by the
// order of columns, as in Libra. On the larger
// sets, where many splits are equally good and the first choice may differ, the test allows a
// thousandth.
func TestLibra(t *testing.T) {
	for _, c := range []struct {
		set, kappa              string
		splits                  int
		train, valid, test, pll float64
		off                     float64
	}{
		{"nltcs", "0.01", 204, -5.991096, -5.978055, -6.022638, -4.988555, 1e-6},
		{"nltcs", "0.0001", 144, -6.015886, -5.991782, -6.033303, -5.005188, 1e-6},
		{"plants", "0.0001", 0, 0, 0, -12.833939, -9.578373, 0.001 * 9.58},
		{"jester", "0.0001", 0, 0, 0, -53.940586, -54.110526, 0.001 * 53.9},
	} {
		t.Run(c.set+" "+c.kappa, func(t *testing.T) {
			train := learnertest.DEBD(t, c.set, "train")
			in := learnertest.Make(t, treebn.Learner, "-score", "gain", "-prior", "1", "-kappa", c.kappa).(*treebn.Options)
			r, err := treebn.AsGiven(in, context.Background(), &learner.Job{Train: train, Cores: 2})
			if err != nil {
				t.Fatal(err)
			}
			if c.splits != 0 && r.Report.Steps != c.splits {
				t.Errorf("%d splits; want %d", r.Report.Steps, c.splits)
			}
			check := func(part string, got, want float64) {
				t.Helper()
				if want != 0 && math.Abs(got-want) > c.off {
					t.Errorf("%s: %.6f; want %v", part, got, want)
				}
			}
			ll, _ := rated(t, r.Models[0], train)
			check("train", ll, c.train)
			ll, _ = rated(t, r.Models[0], learnertest.DEBD(t, c.set, "valid"))
			check("valid", ll, c.valid)
			ll, pll := rated(t, r.Models[0], learnertest.DEBD(t, c.set, "test"))
			check("test", ll, c.test)
			check("test, pseudo", pll, c.pll)
		})
	}
}

// One search returns the networks of several kappas, and the validation data choose: the numbers of
// splits and the validation scores are those of Libra's two runs.
func TestKappa(t *testing.T) {
	job := &learner.Job{Train: learnertest.DEBD(t, "nltcs", "train"), Valid: learnertest.DEBD(t, "nltcs", "valid"), Cores: 2}
	r := learnertest.Learn(t, treebn.Learner, job, "-score", "gain", "-kappa", "0.01,0.0001")
	for i, want := range []struct {
		splits int
		valid  float64
	}{{144, -5.991782}, {204, -5.978055}} {
		if p := r.Report.Path[i]; p.Splits != want.splits || math.Abs(*p.Valid-want.valid) > 1e-6 {
			t.Errorf("kappa %v: %d splits, %v; want %+v", p.Kappa, p.Splits, *p.Valid, want)
		}
	}
	if alone := learnertest.Learn(t, treebn.Learner, job, "-score", "gain", "-kappa", "0.01"); !reflect.DeepEqual(r.Models, alone.Models) {
		t.Error("the network chosen is not that of kappa 0.01")
	}
}

// A copies B with noise, C is mostly 1 if A and B are, and D is independent. Both searches find the
// three dependent variables, in any order, which are equally good, and leave D alone. The
// encapsulated search has no worse score.
func TestSearches(t *testing.T) {
	s := learnertest.Expected(t, learnertest.Vars("A", 2, "B", 2, "C", 2, "D", 2), 2000, func(x []int) float64 {
		p := []float64{0.9, 0.1}
		if x[0] != x[1] {
			p[0], p[1] = p[1], p[0]
		}
		c := 0.1
		if x[0] == 1 && x[1] == 1 {
			c = 0.8
		}
		return 0.25 * p[0] * []float64{1 - c, c}[x[2]]
	})
	unified := learnertest.Learn(t, treebn.Learner, &learner.Job{Train: s, Cores: 1})
	encapsulated := learnertest.Learn(t, treebn.Learner, &learner.Job{Train: s, Cores: 2}, "-search", "encapsulated")
	for _, r := range []*learner.Result{unified, encapsulated} {
		edges := 0
		for i, f := range r.Report.Families {
			edges += len(f.Parents)
			if i == 3 && len(f.Parents) > 0 {
				t.Errorf("D has parents %v; want none", f.Parents)
			}
		}
		if edges != 3 {
			t.Errorf("%s: %d edges; want 3", learnertest.Parents(r), edges)
		}
	}
	if encapsulated.Report.Total < unified.Report.Total-1e-6 {
		t.Errorf("encapsulated search has %v, unified %v", encapsulated.Report.Total, unified.Report.Total)
	}
	one := learnertest.Learn(t, treebn.Learner, &learner.Job{Train: s, Cores: 1}, "-max-parents", "1")
	for _, f := range one.Report.Families {
		if len(f.Parents) > 1 {
			t.Errorf("%s has parents %v; want one at most", f.Variable, f.Parents)
		}
	}
	learnertest.Error(t, treebn.Learner, s, `unknown search "deep"; want unified or encapsulated`, "-search", "deep")
	learnertest.Error(t, treebn.Learner, s, "at most -1 parents; want 0 or more", "-max-parents", "-1")
}

// Encapsulated search fulfils the contract of learners.
func TestEncapsulated(t *testing.T) {
	learnertest.Run(t, treebn.Learner, "-search", "encapsulated", "-score", "gain", "-kappa", "0.5")
	learnertest.Rules(t, treebn.Learner, "-search", "encapsulated", "-kappa", "0.5")
	learnertest.Order(t, treebn.Learner, "-search", "encapsulated", "-kappa", "0.5")
}

// The exclusive or of two coins: neither says anything by itself, so that growth finds nothing, and
// the tree of both comes from a split that loses by itself. The tree prunes what loses with all
// below it. Pruned trees never score less than grown ones.
func TestPrune(t *testing.T) {
	xor := learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "x", 2, "z", 2), 1, func(x []int) float64 {
		if x[0]^x[1] == x[2] {
			return 20
		}
		return 2
	})
	for _, search := range []string{"unified", "encapsulated"} {
		job := &learner.Job{Train: xor, Cores: 2}
		grown := learnertest.Learn(t, treebn.Learner, job, "-search", search)
		pruned := learnertest.Learn(t, treebn.Learner, job, "-search", search, "-prune")
		if grown.Report.Strengths != nil {
			t.Errorf("%s: growth finds the edges %v", search, grown.Report.Strengths)
		}
		edges := 0
		for _, f := range pruned.Report.Families {
			edges += len(f.Parents)
			if f.Variable == "z" && len(f.Parents) > 0 {
				t.Errorf("%s: z has the parents %v", search, f.Parents)
			}
		}
		if want := map[string]int{"unified": 2, "encapsulated": 0}[search]; edges != want {
			t.Errorf("%s: %d edges; want %d", search, edges, want)
		}
	}
	rng := rand.New(rand.NewPCG(18, 6))
	for trial := range 20 {
		var rows [][]int
		for range 60 {
			a, b := rng.IntN(3), rng.IntN(2)
			rows = append(rows, []int{a, b, (a + b*rng.IntN(2)) % 3, rng.IntN(2) & b})
		}
		s := learnertest.New(t, learnertest.Vars("a", 3, "b", 2, "c", 3, "d", 2), rows, nil)
		for _, kind := range []string{"marginal", "bdeu"} {
			total := func(args ...string) float64 {
				r := learnertest.Learn(t, treebn.Learner, &learner.Job{Train: s, Cores: 2}, append(args, "-score", kind, "-kappa", "0.3")...)
				return r.Report.Total
			}
			if grown, pruned := total(), total("-prune"); pruned < grown-1e-9 {
				t.Errorf("trial %d, %s: pruned trees score %v, grown ones %v", trial, kind, pruned, grown)
			}
		}
	}
}
