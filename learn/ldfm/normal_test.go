package ldfm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// Weighted least squares by hand: of y = 1, 3 and 4 at x = 0, 1 and 3 with weights 1, 2 and 1 the
// means are 11/4 and 5/4, the variance of x is 11/4 - 25/16 = 19/16, the covariance 18/4 - 55/16 =
// 17/16 and the variance of y 35/4 - 121/16 = 19/16.
func TestRegression(t *testing.T) {
	s := make([]float64, sums)
	for _, r := range [][3]float64{{1, 1, 0}, {2, 3, 1}, {1, 4, 3}} {
		note(s, 0, r[0], r[1], r[2])
	}
	b := 17. / 19
	got := regression(model.Normal{}, 4, s, true)
	irtest.Close(t, []float64{got.Mean, got.Slope, got.Var}, []float64{11./4 - b*5/4, b, 19./16 - 17./16*b}, 1e-12)
	got = regression(model.Normal{}, 4, s, false)
	irtest.Close(t, []float64{got.Mean, got.Slope, got.Var}, []float64{11. / 4, 0, 19. / 16}, 1e-12)
	clear(s) // a single row has no variance and no slope, so the old slope stays
	note(s, 0, 1, 2, 3)
	got = regression(model.Normal{Slope: .5}, 1, s, true)
	irtest.Close(t, []float64{got.Mean, got.Slope, got.Var}, []float64{.5, .5, leastVariance}, 1e-12)
}

// mixed returns rows of a chain of a state and two real values: a is 0 or 1, r is normal around 2a
// - 1, and q around r/2 + 3. Every tenth row misses some values.
func mixed(t *testing.T, n int, missing bool) *data.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 7))
	var rows [][]float64
	for i := range n {
		a := float64(rng.IntN(2))
		r := 2*a - 1 + .6*rng.NormFloat64()
		q := r/2 + 3 + .2*rng.NormFloat64()
		row := []float64{a, r, q}
		if missing && i%10 == 0 {
			row[i/10%3] = math.NaN()
		}
		rows = append(rows, row)
	}
	s, err := data.NewReal([]data.Var{{Name: "a", States: []string{"0", "1"}}, {Name: "r", Real: true}, {Name: "q", Real: true}}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// With real variables, too, the objective never falls, and is bit-identical on several cores.
func TestRealObjective(t *testing.T) {
	s := mixed(t, 200, true)
	for _, alpha := range []float64{1, 0, -2} {
		for _, stop := range []bool{false, true} {
			var traces [2][]float64
			for cores := range traces {
				e := begun(t, s, 1+cores, stop)
				e.alpha, e.epsilon = alpha, 1e-4
				e.fit(context.Background(), climb{Now: e.start()}, 60, func(_ climb, x float64) error {
					traces[cores] = append(traces[cores], x)
					return nil
				})
			}
			if len(traces[0]) < 5 {
				t.Errorf("alpha %v: %d rounds; want some", alpha, len(traces[0]))
			}
			for i, x := range traces[0][1:] {
				if x < traces[0][i]-1e-9*math.Abs(x) {
					t.Errorf("alpha %v, stop weights %v: round %d goes from %v to %v", alpha, stop, i, traces[0][i], x)
				}
			}
			if !slices.Equal(traces[0], traces[1]) {
				t.Errorf("alpha %v: two cores climb otherwise", alpha)
			}
		}
	}
}

// EM works on standardised values. Its objective is the sum of the log-likelihoods of the rows
// under the resulting model, in the unit of the values, and the distributions of the model convert
// back to those of EM.
func TestUnits(t *testing.T) {
	s := mixed(t, 50, false)
	for _, stop := range []bool{false, true} {
		e := begun(t, s, 1, stop)
		e.alpha, e.epsilon = 1, 1e-6
		at, objective, _, _ := e.fit(context.Background(), climb{Now: e.start()}, 3, func(climb, float64) error { return nil })
		d := at.Now
		m := e.with(d)
		want := 0.0
		for row := range s.Len() {
			state := make([]int, 3)
			s.Row(row, state)
			want += m.ForestLogWeight(state, []float64{0, s.Real(1)[row], s.Real(2)[row]})
		}
		irtest.CloseTo(t, objective, want, 1e-9)
		irtest.CloseTo(t, e.heldOut(d, s), want/50, 1e-9)
		back := e.unusual(m.Forest().Normals)
		for i, x := range d.Normals {
			irtest.Close(t, []float64{back[i].Mean, back[i].Slope, back[i].Var}, []float64{x.Mean, x.Slope, x.Var}, 1e-9)
		}
	}
}

// conditional returns the mean and the variance of variable v given the others, by sums over a
// range.
func conditional(m *model.Model, state []int, x []float64, v int, from, to float64) (mean, variance float64) {
	const steps = 4000
	n, sum, square := 0.0, 0.0, 0.0
	at := slices.Clone(x)
	for i := range steps {
		at[v] = from + (to-from)*(float64(i)+.5)/steps
		w := math.Exp(m.ForestLogWeight(state, at))
		n, sum, square = n+w, sum+w*at[v], square+w*at[v]*at[v]
	}
	return sum / n, square/n - sum*sum/(n*n)
}

// The model learned from rows of a chain has the chain's conditionals: q given r is normal around
// r/2 + 3 with variance .04, r given a and q has precision 1/.36 + .25/.04 and a mean between, and
// a given r follows from two normal densities.
func TestRecovers(t *testing.T) {
	s := mixed(t, 2000, false)
	for _, l := range []learner.Learner{Plain, Stopping} {
		m := learnertest.Learn(t, l, &learner.Job{Train: s, Cores: 2}, "-alpha", "1").Models[0]
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		for _, c := range []struct {
			a    int
			r, q float64
		}{{0, -1, 2.5}, {1, 1, 3.5}, {1, .4, 3.3}, {0, -1.3, 2.3}} {
			mean, variance := conditional(m, []int{c.a, 0, 0}, []float64{0, c.r, 0}, 2, -2, 8)
			if math.Abs(mean-(c.r/2+3)) > .1 || math.Abs(variance-.04) > .03 {
				t.Errorf("%s: q given r = %v has mean %v and variance %v; want %v and .04", l.Name, c.r, mean, variance, c.r/2+3)
			}
			prior := float64(2*c.a - 1)
			precision := 1/.36 + .25/.04
			want := (prior/.36 + .5*(c.q-3)/.04) / precision
			mean, variance = conditional(m, []int{c.a, 0, 0}, []float64{0, 0, c.q}, 1, -6, 6)
			if math.Abs(mean-want) > .25 || math.Abs(variance-1/precision) > .1 {
				t.Errorf("%s: r given a = %v and q = %v has mean %v and variance %v; want %v and %v", l.Name, c.a, c.q, mean, variance, want, 1/precision)
			}
		}
	}
}

// A real column needs at least two different values, in a range that a model can hold.
func TestRealRefused(t *testing.T) {
	vars := []data.Var{{Name: "r", Real: true}}
	for _, c := range []struct {
		rows []float64
		want string
	}{
		{[]float64{2, 2}, `real variable "r" has the same value in all rows; leave it out, or make it discrete`},
		{[]float64{math.NaN()}, `column 1, "r", has no values; `},
		{[]float64{1e20, -1e20}, `real variable "r" has mean 0 and standard deviation 1e+20`},
	} {
		var rows [][]float64
		for _, x := range c.rows {
			rows = append(rows, []float64{x})
		}
		s, err := data.NewReal(vars, rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := learnertest.Make(t, Plain).Learn(context.Background(), &learner.Job{Train: s, Cores: 1}); !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%v: %v; want %s", c.rows, err, c.want)
		}
	}
}

// A run resumes from a model with real variables, and refuses an initial model with states in their
// place.
func TestRealGoesOn(t *testing.T) {
	job := &learner.Job{Train: mixed(t, 100, true), Cores: 1}
	first := learnertest.Learn(t, Stopping, job, "-rounds", "3")
	job.Init = first.Models[0]
	second := learnertest.Learn(t, Stopping, job, "-rounds", "3")
	if second.Report.Total <= first.Report.Total {
		t.Errorf("goes on from %v to %v", first.Report.Total, second.Report.Total)
	}
	job.Init = irtest.RandomForest(1, 3, 2, true, 0)
	if _, err := learnertest.Make(t, Stopping).Learn(context.Background(), job); err == nil {
		t.Error("goes on from a model of states")
	}
}
