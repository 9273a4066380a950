package treebn_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/eval"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
	"github.com/pgmc-go/pgmc/learn/treebn"
)

func load(t *testing.T, name string) *data.Set {
	t.Helper()
	s, err := data.Load(filepath.Join(irtest.Shared(t), "data", "debd", name+".data.gz"), data.Libra, data.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rate is the mean log-likelihood and pseudo-log-likelihood of a set.
func rate(t *testing.T, m *model.Model, s *data.Set) (ll, pll float64) {
	t.Helper()
	r, err := eval.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var whole, pseudo eval.Mean
	row := make([]int, len(s.Vars))
	for i := range s.Len() {
		s.Row(i, row)
		whole.Add(r.Log(row), s.Weight(i))
		pseudo.Add(r.Pseudo(row), s.Weight(i))
	}
	return whole.Value, pseudo.Value
}

// What Libra's bnlearn with -prior 1 and these kappas gets on the sets, by its own mscore: splits, log-likelihoods and the
// pseudo-log-likelihood of the test set. 0 is what is not known.
func TestLibra(t *testing.T) {
	for _, c := range []struct {
		set, kappa              string
		splits                  int
		train, valid, test, pll float64
		long                    bool
	}{
		{"nltcs", "0.01", 204, -5.991096, -5.978055, -6.022638, -4.988555, false},
		{"nltcs", "0.0001", 144, -6.015886, -5.991782, -6.033303, -5.005188, false},
		{"plants", "0.0001", 0, 0, 0, -12.833939, -9.578373, true},
		{"jester", "0.0001", 0, 0, 0, -53.940586, -54.110526, true},
	} {
		if c.long && os.Getenv("PGMC_LONG") == "" {
			continue
		}
		t.Run(c.set+" "+c.kappa, func(t *testing.T) {
			train := load(t, c.set+".train")
			r := learnertest.Learn(t, treebn.Learner, &learner.Job{Train: train, Cores: 2}, "-score", "gain", "-prior", "1", "-kappa", c.kappa)
			if c.splits != 0 && r.Report.Steps != c.splits {
				t.Errorf("%d splits; want %d", r.Report.Steps, c.splits)
			}
			check := func(part string, got, want float64) {
				t.Helper()
				if want != 0 && math.Abs(got-want) > 1e-6 {
					t.Errorf("%s: %.6f; want %v", part, got, want)
				}
			}
			ll, _ := rate(t, r.Models[0], train)
			check("train", ll, c.train)
			ll, _ = rate(t, r.Models[0], load(t, c.set+".valid"))
			check("valid", ll, c.valid)
			ll, pll := rate(t, r.Models[0], load(t, c.set+".test"))
			check("test", ll, c.test)
			check("test, pseudo", pll, c.pll)
		})
	}
}

// One search gives the networks of several kappas, and the validation data choose: the numbers of splits and the validation scores of
// Libra's two runs.
func TestKappa(t *testing.T) {
	job := &learner.Job{Train: load(t, "nltcs.train"), Valid: load(t, "nltcs.valid"), Cores: 2}
	r := learnertest.Learn(t, treebn.Learner, job, "-score", "gain", "-kappa", "0.01,0.0001")
	for i, want := range []struct {
		splits int
		valid  float64
	}{{204, -5.978055}, {144, -5.991782}} {
		if p := r.Report.Path[i]; p.Splits != want.splits || math.Abs(*p.Valid-want.valid) > 1e-6 {
			t.Errorf("kappa %v: %d splits, %v; want %+v", p.Kappa, p.Splits, *p.Valid, want)
		}
	}
	if alone := learnertest.Learn(t, treebn.Learner, job, "-score", "gain", "-kappa", "0.01"); !reflect.DeepEqual(r.Models, alone.Models) {
		t.Error("the network chosen is not that of kappa 0.01")
	}
}
