package cnet

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// switched returns rows in which a decides whether b and c are equal; d has three states and
// depends on b.
func switched(t *testing.T, m float64) *data.Set {
	return learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 3), m, func(x []int) float64 {
		p := 0.25 * 0.1
		if x[2] == x[1]^x[0] {
			p = 0.25 * 0.9
		}
		return p * [][]float64{{0.6, 0.3, 0.1}, {0.1, 0.2, 0.7}}[x[1]][x[3]]
	})
}

// One test, after which two trees are the distribution. Its entropy by hand is 2 ln 2 for a and b,
// that of 0.9 and 0.1, and for d the mean of those of its two rows.
func TestSwitched(t *testing.T) {
	h := func(p ...float64) (sum float64) {
		for _, x := range p {
			sum -= x * math.Log(x)
		}
		return sum
	}
	want := -4000 * (2*math.Ln2 + h(0.9, 0.1) + (h(0.6, 0.3, 0.1)+h(0.1, 0.2, 0.7))/2)
	for _, c := range []struct {
		args   []string
		remark string
	}{
		{nil, "networks: 1 with 1 tests"},
		{[]string{"-penalty", "1000"}, "networks: 1 with 0 tests"},
		{[]string{"-candidates", "0"}, "networks: 1 with 1 tests"},
	} {
		r := learnertest.Learn(t, Learner, &learner.Job{Train: switched(t, 4000), Cores: 1}, append(c.args, "-pseudo", "1e-6")...)
		if got := r.Report.Remarks[1]; got != c.remark {
			t.Errorf("%v: got %s; want %s", c.args, got, c.remark)
		}
		if tested := c.remark[len(c.remark)-7] == '1'; tested != (math.Abs(r.Report.Total-want) < 1e-2) {
			t.Errorf("%v: log-likelihood %v; that of the distribution is %v", c.args, r.Report.Total, want)
		}
	}
}

// The predicted likelihood of a test is that of the Chow-Liu trees of its sides, each learned from
// its own rows.
func TestAfter(t *testing.T) {
	s := switched(t, 4000)
	x, err := trees.NewIndex(s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := (&Options{Pseudo: 1e-9}).grower(context.Background(), s, s.Weights(), rand.New(rand.NewPCG(1, 1)), nil, 1)
	c := x.Count(nil)
	for i := range s.Vars {
		want := 0.0
		column := s.Column(i)
		for state := range s.Vars[i].States {
			var rows []int32
			for row := range s.Len() {
				if column.At(row) == state {
					rows = append(rows, int32(row))
				}
			}
			var rest []int
			for v := range s.Vars {
				if v != i {
					rest = append(rest, v)
				}
			}
			side, err := trees.NewIndex(s, rows, rest)
			if err != nil {
				t.Fatal(err)
			}
			part := side.Count(nil)
			logs := make([]float64, len(rows))
			part.ChowLiu(1e-9).Rows(s, rows, logs)
			for k, row := range rows {
				want += s.Weight(int(row)) * (logs[k] + math.Log(part.Total/c.Total))
			}
		}
		if got := g.after(c, s.Weights(), i); math.Abs(got-want) > 1e-4 {
			t.Errorf("variable %d: got %v; want %v", i, got, want)
		}
	}
}

// Rows of noise lead to tests that pruning by the validation data removes.
func TestPrune(t *testing.T) {
	noise := func(seed uint64) *data.Set {
		rng := rand.New(rand.NewPCG(seed, 1))
		var rows [][]int
		for range 600 {
			rows = append(rows, []int{rng.IntN(2), rng.IntN(2), rng.IntN(2), rng.IntN(2)})
		}
		return learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 2, "d", 2), rows, nil)
	}
	job := &learner.Job{Train: noise(1), Cores: 1}
	if r := learnertest.Learn(t, Learner, job, "-penalty", "0", "-pseudo", "1e-6"); r.Report.Steps == 0 {
		t.Error("without validation data there are no tests of noise, so that nothing can be taken back")
	}
	job.Valid = noise(2)
	if r := learnertest.Learn(t, Learner, job, "-penalty", "0", "-pseudo", "1e-6"); r.Report.Steps > 1 {
		t.Errorf("%d tests of noise are left", r.Report.Steps)
	}
}

// The likelihood by which an ensemble is weighted is that of its circuit, on complete rows. Its
// members differ.
func TestEnsemble(t *testing.T) {
	s := switched(t, 4000)
	l := learnertest.Make(t, Learner, "-bags", "4").(*Options)
	members, err := l.members(context.Background(), &learner.Job{Train: s, Cores: 2, Seed: 3}, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]float64
	for _, x := range members {
		n := spn.New(s.Vars)
		x.build(n)
		got, want := make([]float64, s.Len()), spn.NewEngine(n, s, 1, 0).Rows()
		x.logs(s, rowsOf(s), got)
		for row := range got {
			if math.Abs(got[row]-want[row]) > 1e-12*math.Abs(want[row]) {
				t.Fatalf("row %d: got %v; want %v", row, got[row], want[row])
			}
		}
		for _, other := range all {
			if slices.Equal(other, got) {
				t.Error("two members are equal")
			}
		}
		all = append(all, got)
	}
	if len(all) != 4 {
		t.Errorf("%d members; want 4", len(all))
	}
}

func TestErrors(t *testing.T) {
	s := switched(t, 100)
	learnertest.Error(t, Learner, s, `gain "best"; want exact or entropy`, "-gain", "best")
	learnertest.Error(t, Learner, s, "share 2 of the variables; want 0 to 1", "-subset", "2")
	learnertest.Error(t, Learner, s, "20000 networks; want 0 to 10000", "-bags", "20000")
}
