package auto_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/auto"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/exact"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// Of 20 random sets with 5 to 12 variables, the search finds the best score for at least 18, and
// never a higher one, and on two cores what it finds on one.
func TestExact(t *testing.T) {
	for _, args := range [][]string{{"-score", "bic", "-max-parents", "4"}, {"-score", "k2", "-max-parents", "3"}} {
		found := 0
		for seed := range uint64(20) {
			s := learnertest.Drawn(t, seed, 5+int(seed)*7/19)
			want := learnertest.Learn(t, exact.Learner, &learner.Job{Train: s, Cores: 2}, args...).Report.Total
			r := learnertest.Learn(t, auto.Learner, &learner.Job{Train: s, Cores: 1}, args...)
			if r.Report.Total > want+1e-7 {
				t.Errorf("%v, seed %d: %v exceeds the best score %v", args, seed, r.Report.Total, want)
			}
			if r.Report.Total > want-1e-7 {
				found++
			}
			two := learnertest.Learn(t, auto.Learner, &learner.Job{Train: s, Cores: 2}, args...)
			if a, b := learnertest.Parents(r), learnertest.Parents(two); a != b || r.Report.Total != two.Report.Total {
				t.Errorf("%v, seed %d: on two cores %s; want %s", args, seed, b, a)
			}
		}
		if found < 18 {
			t.Errorf("%v: the best score for %d sets of 20; want 18", args, found)
		}
	}
}

// In the diamond in which hill climbing and ges stop early, boss goes on; see TestPlaces of boss.
// Tabu search finds an exclusive or. The remarks have the score of each phase.
func TestPhases(t *testing.T) {
	diamond := learnertest.Diamond(t)
	xor := learnertest.ExclusiveOr(t)
	for _, c := range []struct {
		name    string
		set     *data.Set
		args    []string
		total   float64
		remarks []string
	}{
		{"diamond", diamond, nil, -10244.5069, []string{"ges: bic -10291.7704 ", "boss: bic -10244.5069 ", "tabu search: bic -10244.5069 ", "perturbations: bic -10244.5069 after 200 of 200", "without edges: "}},
		{"exclusive or", xor, []string{"-perturbations", "0"}, -1732.1006, []string{"ges: bic -2089.8032 ", "boss: bic -2089.8032 ", "tabu search: bic -1732.1006 ", "without edges: bic -2089.8032; the edges gain 357.7026, 0.3577 a row"}},
	} {
		r := learnertest.Learn(t, auto.Learner, &learner.Job{Train: c.set, Cores: 1}, append(c.args, "-score", "bic")...)
		if math.Abs(r.Report.Total-c.total) > 5e-5 || len(r.Report.Remarks) != len(c.remarks) {
			t.Errorf("%s: got %.4f with %q; want %.4f with %q", c.name, r.Report.Total, r.Report.Remarks, c.total, c.remarks)
			continue
		}
		for i, want := range c.remarks {
			if !strings.HasPrefix(r.Report.Remarks[i], want) {
				t.Errorf("%s: remark %q; want %q", c.name, r.Report.Remarks[i], want)
			}
		}
	}
	learnertest.Error(t, auto.Learner, xor, "perturbations -2; want a number from 0, or -1", "-perturbations", "-2")
}

// A search from an initial model ends at least as well as the model, and more perturbations do not
// lower the score.
func TestInit(t *testing.T) {
	s := learnertest.Drawn(t, 4, 10)
	args := []string{"-score", "bic", "-perturbations", "20"}
	first := learnertest.Learn(t, auto.Learner, &learner.Job{Train: s, Cores: 1}, args...)
	r := learnertest.Learn(t, auto.Learner, &learner.Job{Train: s, Cores: 1, Init: first.Models[0]}, args...)
	if r.Report.Total < first.Report.Total-1e-9 || strings.HasPrefix(r.Report.Remarks[0], "ges") {
		t.Errorf("from its own result %v by %q; want at least %v without ges", r.Report.Total, r.Report.Remarks, first.Report.Total)
	}
	none := learnertest.Learn(t, auto.Learner, &learner.Job{Train: s, Cores: 1}, append(args[:2:2], "-perturbations", "0")...)
	if none.Report.Total > first.Report.Total {
		t.Errorf("without perturbations %v; with them %v", none.Report.Total, first.Report.Total)
	}
}
