package em_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// The learner and Run have the same defaults.
func TestDefaults(t *testing.T) {
	if o := em.NewOptions(); o.Steps != em.DefaultSteps || o.Tolerance != em.DefaultTolerance {
		t.Errorf("%d steps, tolerance %v; want %d and %v", o.Steps, o.Tolerance, em.DefaultSteps, em.DefaultTolerance)
	}
}

// lamp returns sequences of n slices of a lamp that is on or off for some ten slices at a time, and
// whose brightness is near 10 or 0.
func lamp(t *testing.T, sequences, n int) *data.Set {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 3))
	var rows [][]float64
	var first []int
	for range sequences {
		first = append(first, len(rows))
		on := r.IntN(2) == 1
		for range n {
			if r.IntN(10) == 0 {
				on = !on
			}
			x := r.NormFloat64()
			if on {
				x += 10
			}
			rows = append(rows, []float64{x})
		}
	}
	s, err := data.NewReal([]data.Var{{Name: "light", Real: true}}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.InSequences(first); err != nil {
		t.Fatal(err)
	}
	return s
}

// EM finds the two states of the lamp, how long they last, and their number.
func TestHMM(t *testing.T) {
	s := lamp(t, 12, 40)
	opt := em.NewOptions()
	opt.States, opt.StateFolds, opt.Restarts, opt.Steps = "1:3", 3, 2, 100
	r, err := opt.Learn(context.Background(), &learner.Job{Train: s, Seed: 1, Cores: 2})
	if err != nil {
		t.Fatal(err)
	}
	m := r.Models[0]
	v, ok := m.VarByName("cluster")
	if !ok || m.Card(v.ID) != 2 || !v.Latent {
		t.Fatalf("%d states; want 2 of a hidden variable: %s", m.Card(v.ID), r.Report.Remarks[0])
	}
	if got := r.Report.Remarks[0]; !strings.HasPrefix(got, "mean log-likelihood of held sequences in 3 folds, by number of states: 1: -") {
		t.Errorf("remark %s", got)
	}
	move, _ := m.Transition.Factors[0].Table()
	if move[0] < .8 || move[0] > .97 || move[3] < .8 || move[3] > .97 {
		t.Errorf("transition %v; want about .9 to stay", move)
	}
	d := m.Transition.Factors[1].Gaussian()
	if low, high := min(d.Mean[0], d.Mean[1]), max(d.Mean[0], d.Mean[1]); low < -.5 || low > .5 || high < 9.5 || high > 10.5 {
		t.Errorf("means %v; want 0 and 10", d.Mean)
	}
	if first := m.Factors[1].Gaussian(); first.Mean[0] != d.Mean[0] || first.Var[1] != d.Var[1] {
		t.Errorf("slice 0 has means %v and later slices %v; want the same", first.Mean, d.Mean)
	}
}

// Zeros of a chain from left to right stay, and sticky states stay longer.
func TestRightAndSticky(t *testing.T) {
	s := lamp(t, 6, 20)
	stays := map[float64]float64{}
	for _, sticky := range []float64{0, 1000} {
		opt := em.NewOptions()
		opt.Clusters, opt.Right, opt.Sticky, opt.Restarts, opt.Steps = 3, true, sticky, 1, 50
		r, err := opt.Learn(context.Background(), &learner.Job{Train: s, Seed: 1, Cores: 1})
		if err != nil {
			t.Fatal(err)
		}
		move, _ := r.Models[0].Transition.Factors[0].Table()
		begin, _ := r.Models[0].Factors[0].Table()
		if begin[1] != 0 || begin[2] != 0 || move[3] != 0 || move[6] != 0 || move[7] != 0 || move[8] != 1 {
			t.Errorf("start %v, transition %v; want no way back", begin, move)
		}
		stays[sticky] = move[0]
	}
	if stays[1000] < .98 || stays[0] > .98 {
		t.Errorf("the first state stays with %v, and with a pseudo-count of 1000 with %v; want more than .98 there alone", stays[0], stays[1000])
	}
}

func TestHMMFaults(t *testing.T) {
	s := lamp(t, 2, 10)
	for _, c := range []struct {
		set  *data.Set
		edit func(*em.Options)
		want string
	}{
		{s, func(o *em.Options) { o.Factors = 1 }, "1 factors of sequences"},
		{s, func(o *em.Options) { o.States = "3" }, `states "3"; want a range of numbers from 1 to`},
		{s, func(o *em.Options) { o.States = "3:2" }, `states "3:2"; want a range`},
		{s, func(o *em.Options) { o.States, o.StateFolds = "1:2", 1 }, "1 folds of 2 sequences; want 2 at least"},
		{s, func(o *em.Options) { o.Sticky = -1 }, "sticky -1; want 0 or more"},
		{s.Independent(), func(o *em.Options) { o.Sticky = 1 }, "sticky and left-to-right are about sequences, and the rows are independent"},
	} {
		opt := em.NewOptions()
		c.edit(opt)
		if _, err := opt.Learn(context.Background(), &learner.Job{Train: c.set, Cores: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %s", err, c.want)
		}
	}
}
