package ldfm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// The mode of the modified Dirichlet distribution, by hand.
func TestMaximise(t *testing.T) {
	for _, c := range []struct {
		name    string
		a, want []float64
		epsilon float64
	}{
		{"in proportion", []float64{3, 1}, []float64{.75, .25}, .1},
		{"one is not positive", []float64{3, 1, -2}, []float64{.675, .225, .1}, .1},
		{"one falls below epsilon", []float64{99, 1, 0}, []float64{.8, .1, .1}, .1},
		{"then another one", []float64{88, 11, 1}, []float64{.8, .1, .1}, .1}, // .11 first, then .9 · 11/99 = .1
		{"none is positive", []float64{-3, -1, -1}, []float64{.1, .8, .1}, .1},
	} {
		w := make([]float64, len(c.a))
		maximise(w, c.a, c.epsilon)
		if !irtest.Close(t, w, c.want, 1e-12) {
			t.Errorf("%s: %v; want %v", c.name, w, c.want)
		}
	}
}

// begun returns EM before its first round.
func begun(t *testing.T, train *data.Set, cores int, stop bool) *em {
	t.Helper()
	e, err := newEM(train, cores, stop)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// One round from equal weights, by hand. Two binary variables: the root's weights are 1/4, those of
// states 1/2. The trees root → a → b, root → b → a and root → {a, b} of a row have the weights 1/8,
// 1/8 and 1/16, in all 5/16: shares .4, .4 and .2. So the edge from the root to a state counts .6
// for each row with that state, and root weights are half the frequencies.
func TestRound(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2), [][]int{{0, 0}, {1, 1}, {0, 1}}, []float64{3, 1, 4})
	e := begun(t, s, 1, false)
	e.alpha, e.epsilon = 1, 1e-9
	counts, loglik := e.expect(e.start())
	irtest.CloseTo(t, loglik, 8*math.Log(5./16), 1e-12)
	irtest.Close(t, counts[:4], []float64{4.2, .6, 1.8, 3}, 1e-12)
	d := e.maximise(e.start(), counts, none)
	irtest.Close(t, d.Weights, []float64{
		4.2 / 9.6, .6 / 9.6, 1.8 / 9.6, 3 / 9.6,
		0, 0, 3. / 7, 4. / 7, // below a=0: b=0 in 3 of 7 rows
		0, 0, 1e-9, 1 - 1e-9,
		1 - 1e-9, 1e-9, 0, 0,
		.8, .2, 0, 0,
	}, 1e-12)
}

// Stop weights of one variable, by hand: the root has one child in each of 4 rows and stops as
// often, so that its stop weight is one half; a node without children always stops.
func TestStops(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 2), [][]int{{0}, {0}, {0}, {1}}, nil)
	m := learnertest.Learn(t, Stopping, &learner.Job{Train: s, Cores: 1}, "-alpha", "1").Models[0]
	irtest.Close(t, m.Forest().Weights[:2], []float64{.375, .125}, 1e-12)
	irtest.Close(t, m.Forest().Stop, []float64{.5, 1, 1}, 1e-12)
}

// The objective never falls, for any prior, and is bit-identical on several cores.
func TestObjective(t *testing.T) {
	s := sample(t, irtest.RandomForest(7, 5, 3, false, .3), 300)
	for _, alpha := range []float64{1, .3, 0, -2} {
		for _, stop := range []bool{false, true} {
			var traces [2][]float64
			for cores := range traces {
				e := begun(t, s.Train, 1+cores, stop)
				e.alpha, e.epsilon = alpha, 1e-4
				e.fit(context.Background(), climb{Now: e.start()}, 40, func(_ climb, x float64) error {
					traces[cores] = append(traces[cores], x)
					return nil
				})
			}
			for i, x := range traces[0][1:] {
				if x < traces[0][i]-1e-9*math.Abs(x) {
					t.Errorf("alpha %v, stop weights %v: round %d goes from %v to %v", alpha, stop, i, traces[0][i], x)
				}
			}
			if !slices.Equal(traces[0], traces[1]) {
				t.Errorf("alpha %v: two cores climb otherwise: %v and %v", alpha, traces[0], traces[1])
			}
		}
	}
}

// EM ends by what is still to gain: ten times as many rounds more gain no more than the tolerance,
// unless the gains of rounds rise again, as after a saddle point, which no gain foretells. In many
// runs a single round gains less than the tolerance long before.
func TestConverges(t *testing.T) {
	early, saddles := 0, 0
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 4))
		var rows [][]int
		for range 80 {
			a := rng.IntN(2)
			rows = append(rows, []int{a, (a + rng.IntN(5)/4) % 2, rng.IntN(3)})
		}
		s := learnertest.New(t, learnertest.Vars("a", 2, "b", 2, "c", 3), rows, nil)
		for _, stop := range []bool{false, true} {
			e := begun(t, s, 1, stop)
			e.alpha, e.epsilon = 1, 1e-12
			small, last := 0, math.Inf(-1)
			at, objective, converged, err := e.fit(context.Background(), climb{Now: e.start()}, 20_000, func(at climb, x float64) error {
				if x-last < tolerance*math.Abs(x) && small == 0 {
					small = at.Round
				}
				last = x
				return nil
			})
			if err != nil || !converged {
				t.Fatalf("data %d, stop weights %v: not converged after %d rounds: %v", seed, stop, at.Round, err)
			}
			if small < at.Round/2 {
				early++
			}
			now, rises := objective, false
			for range 10 * at.Round {
				counts, loglik := e.expect(at.Now)
				rises = rises || e.objective(at.Now, loglik)-now > 2*(objective-at.Last)
				now = e.objective(at.Now, loglik)
				at.Now = e.maximise(at.Now, counts, none)
			}
			if rises {
				saddles++
			} else if more := now - objective; more > 1.1*tolerance*math.Abs(objective) {
				t.Errorf("data %d, stop weights %v: after %d rounds at %v, with %v still to gain; want at most %v", seed, stop, at.Round, objective, more, tolerance*math.Abs(objective))
			}
		}
	}
	if early < 4 || saddles > 4 {
		t.Errorf("%d of 16 runs would have ended early, %d are at saddle points; want 4 at least and 4 at most", early, saddles)
	}
}

// sample returns a job with the expected counts of rows of m, also as validation data.
func sample(t *testing.T, m *model.Model, rows float64) *learner.Job {
	t.Helper()
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	p := j.Conditional(brute.Evidence{})
	var vars []any
	for _, v := range m.Vars {
		vars = append(vars, v.Name, m.Card(v.ID))
	}
	s := learnertest.Expected(t, learnertest.Vars(vars...), rows, func(x []int) float64 { return p[j.Index(x)] })
	return &learner.Job{Train: s, Valid: s, Cores: 2}
}

// From the rows of a chain a → b → c of noisy copies, the learner finds nearly the chain's
// conditionals of each variable given all others, by pseudo-log-likelihood. The validation data do
// not select a strong prior.
func TestLearns(t *testing.T) {
	flip := func(x, y int) float64 {
		if x == y {
			return .9
		}
		return .1
	}
	p := func(x []int) float64 { return .5 * flip(x[0], x[1]) * flip(x[1], x[2]) }
	s := learnertest.Expected(t, learnertest.Vars("a", 2, "b", 2, "c", 2), 1000, p)
	best := 0.0
	for _, v := range [][2]int{{0, 1}, {1, 0}, {2, 1}} { // the entropies of a given b, of c given b, and of b given both, by enumeration
		for k := range 8 {
			x := []int{k & 1, k >> 1 & 1, k >> 2 & 1}
			y := slices.Clone(x)
			y[v[0]] = 1 - y[v[0]]
			best += p(x) * math.Log(p(x)/(p(x)+p(y)))
		}
	}
	r := learnertest.Learn(t, Plain, &learner.Job{Train: s, Valid: s, Cores: 2}, "-alpha", "-300,1")
	if r.Report.Remarks[2] != "alpha: 1" {
		t.Errorf("chose %v", r.Report.Remarks)
	}
	e := begun(t, s, 1, false)
	got, err := e.pseudo(r.Models[0].Forest(), s)
	if err != nil {
		t.Fatal(err)
	}
	if got > best || got < best-.02 {
		t.Errorf("pseudo-log-likelihood %v; that of the chain is %v", got, best)
	}
}

// A run resumes from the model of another, and one that is out of time returns its best model.
func TestGoesOn(t *testing.T) {
	job := sample(t, irtest.RandomForest(7, 5, 3, false, .3), 300)
	job.Valid = nil
	first := learnertest.Learn(t, Plain, job, "-rounds", "3")
	job.Init = first.Models[0]
	second := learnertest.Learn(t, Plain, job, "-rounds", "3")
	if second.Report.Total < first.Report.Total {
		t.Errorf("goes on from %v to %v", first.Report.Total, second.Report.Total)
	}
	job.MaxTime = time.Nanosecond
	r, err := learnertest.Make(t, Plain).Learn(context.Background(), job)
	if err != nil || !r.Report.Stopped {
		t.Fatalf("out of time: %v, %v", r, err)
	}
	if list := r.Models[0].Check(); list.HasErrors() {
		t.Error(list.Err())
	}
	learnertest.Error(t, Plain, job.Train, `alpha "x"; want numbers separated by commas`, "-alpha", "x")
	learnertest.Error(t, Plain, job.Train, "0 rounds of EM; want 1 or more", "-rounds", "0")
	if _, err := learnertest.Make(t, Stopping).Learn(context.Background(), job); err == nil {
		t.Error("stop weights go on from a model without")
	}
}
