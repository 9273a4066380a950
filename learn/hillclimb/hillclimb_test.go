package hillclimb_test

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func learned(t *testing.T, s *data.Set, cores int, args ...string) *learner.Result {
	t.Helper()
	return learnertest.Learn(t, hillclimb.Learner, &learner.Job{Train: s, Cores: cores}, args...)
}

// asGiven learns from columns in the given order, which breaks ties.
func asGiven(t *testing.T, job *learner.Job, args ...string) *learner.Result {
	t.Helper()
	r, err := hillclimb.AsGiven(learnertest.Make(t, hillclimb.Learner, args...).(*hillclimb.Options), context.Background(), job)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The result of a plain greedy search on the 1,000 rows of alarm that come with Libra, with ties
// broken by the order of columns, on any number of cores: score, edges and moves, computed
// independently.
func TestAlarm(t *testing.T) {
	s, err := rowfile.Load(filepath.Join(irtest.Shared(t), "data", "libra", "test", "acbn", "alarm.data.gz"), rowfile.Libra, rowfile.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args         []string
		total        float64
		edges, moves int
	}{
		{[]string{"-score", "bic"}, -11969.3901, 47, 47},
		{[]string{"-score", "bdeu"}, -11375.8433, 56, 58},
		{[]string{"-score", "bdeu", "-ess", "10"}, -11276.3579, 82, 84},
	} {
		for cores := range 3 {
			r := asGiven(t, &learner.Job{Train: s, Cores: cores}, append(c.args, "-max-parents", "36")...)
			edges := 0
			for _, f := range r.Report.Families {
				edges += len(f.Parents)
			}
			if math.Abs(r.Report.Total-c.total) > 5e-5 || edges != c.edges || r.Report.Steps != c.moves {
				t.Errorf("%v: %.4f with %d edges after %d moves; want %.4f, %d, %d", c.args, r.Report.Total, edges, r.Report.Steps, c.total, c.edges, c.moves)
			}
		}
	}
	plain, tabu := learned(t, s, 2, "-score", "bic"), learned(t, s, 2, "-score", "bic", "-tabu", "10")
	if tabu.Report.Total < plain.Report.Total {
		t.Errorf("with a tabu list %v; want at least %v", tabu.Report.Total, plain.Report.Total)
	}
}

// Exclusive or: no single edge has a gain, so that hill climbing stays where it begins.
func TestXor(t *testing.T) {
	binary := []string{"0", "1"}
	var rows [][]int
	for i := range 400 {
		a, b := i&1, i>>1&1
		rows = append(rows, []int{a, b, a ^ b})
	}
	s, err := data.New([]data.Var{{Name: "a", States: binary}, {Name: "b", States: binary}, {Name: "c", States: binary}}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := learned(t, s, 1, "-score", "bic"); r.Report.Steps != 0 {
		t.Errorf("%d steps; want to be stuck at once", r.Report.Steps)
	}
}
