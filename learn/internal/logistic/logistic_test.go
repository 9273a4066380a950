package logistic_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/logistic"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

func ready(t *testing.T, s *data.Set) *logistic.Data {
	t.Helper()
	d, err := logistic.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// weights returns the weights of a CPD, by state of its target and of the only other variable; -1
// is the constant.
func weights(c logistic.CPD) map[[2]int32]float64 {
	out := map[[2]int32]float64{}
	for _, x := range c.Factor.Dist.(*model.Features).List {
		key := [2]int32{x.Literals[0].State, -1}
		if len(x.Literals) > 1 {
			key[1] = x.Literals[1].State
		}
		out[key] = x.Weight
	}
	return out
}

// TestOneCause checks a fit by hand. Of 100 rows with X = 0, 20 have Y = 1, and of 100 with X = 1,
// 70. At the optimum, the slopes of nonzero weights equal the penalty. Where X is 1, 70 - 100 p =
// l1, hence p = 0.68 for l1 = 2, with a weight above zero. The constant is below zero, so over all
// rows 90 - 100 p - 100 q = -2, and q = 0.24.
func TestOneCause(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("X", 2, "Y", 2), [][]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []float64{80, 20, 30, 70})
	c := ready(t, s).Fit(context.Background(), 1, 2)
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	w := weights(c)
	if got, want := w[[2]int32{1, -1}], logit(0.24); math.Abs(got-want) > 1e-4 {
		t.Errorf("constant %v; want %v", got, want)
	}
	if got, want := w[[2]int32{1, 1}], logit(0.68)-logit(0.24); math.Abs(got-want) > 1e-4 {
		t.Errorf("weight %v; want %v", got, want)
	}
	want := 80*math.Log(0.76) + 20*math.Log(0.24) + 30*math.Log(0.32) + 70*math.Log(0.68) - 2*(-logit(0.24)+logit(0.68)-logit(0.24))
	if math.Abs(c.Score-want) > 1e-6 || c.Params != 2 {
		t.Errorf("score %v with %d parameters; want %v with 2", c.Score, c.Params, want)
	}
	// If the penalty exceeds all slopes, no weight remains.
	if c := ready(t, s).Fit(context.Background(), 1, 1000); len(c.Others) != 0 || math.Abs(c.Score-200*math.Log(0.5)) > 1e-9 {
		t.Errorf("with a large penalty: %v, score %v; want no others and 200 ln 1/2", c.Others, c.Score)
	}
}

// TestStates checks three states of the target and of its cause, with 1000 rows for each cause. At
// the optimum no slope exceeds the penalty; with a small penalty, the probabilities are the
// frequencies.
func TestStates(t *testing.T) {
	p := [][]float64{{0.5, 0.3, 0.2}, {0.1, 0.6, 0.3}, {0.3, 0.3, 0.4}}
	s := learnertest.Expected(t, learnertest.Vars("X", 3, "Y", 3), 3000, func(x []int) float64 { return p[x[0]][x[1]] / 3 })
	c := ready(t, s).Fit(context.Background(), 1, 1e-3)
	m := &model.Model{Kind: model.Dependency}
	m.NewVar("X", "0", "1", "2")
	m.NewVar("Y", "0", "1", "2")
	for x := range 3 {
		for y := range 3 {
			if got := m.Value(c.Factor, []int{x, y}); math.Abs(got-p[x][y]) > 1e-4 {
				t.Errorf("P(Y = %d | X = %d) is %v; want %v", y, x, got, p[x][y])
			}
		}
	}
}

// TestOptimum checks the optimality conditions: the slope of the log-likelihood by each weight is
// the penalty with the sign of the weight, and at most the penalty if the weight is zero.
func TestOptimum(t *testing.T) {
	const l1 = 3
	rng := rand.New(rand.NewPCG(1, 2))
	vars := learnertest.Vars("a", 3, "b", 2, "c", 4, "d", 2, "e", 2)
	var rows [][]int
	for range 800 {
		a, b, c := rng.IntN(3), rng.IntN(2), rng.IntN(4)
		rows = append(rows, []int{a, b, c, rng.IntN(2), 0})
		if rng.IntN(8) < a+b+c {
			rows[len(rows)-1][4] = 1
		}
	}
	m := &model.Model{Kind: model.Dependency}
	for _, v := range vars {
		m.NewVar(v.Name, v.States...)
	}
	d := ready(t, learnertest.New(t, vars, rows, nil))
	for target, v := range vars {
		c := d.Fit(context.Background(), target, l1)
		slope, weight := map[[3]int]float64{}, map[[3]int]float64{}
		for _, row := range rows {
			was := row[target]
			for k := 1; k < len(v.States); k++ {
				row[target] = k
				off := -m.Value(c.Factor, row)
				if row[target] = was; was == k {
					off++
				}
				for u, s := range row {
					if u == target {
						slope[[3]int{k, -1}] += off
					} else if s > 0 {
						slope[[3]int{k, u, s}] += off
					}
				}
			}
		}
		for _, x := range c.Factor.Dist.(*model.Features).List {
			key := [3]int{int(x.Literals[0].State), -1}
			if len(x.Literals) > 1 {
				key[1], key[2] = int(c.Factor.Scope[x.Literals[1].Axis]), int(x.Literals[1].State)
			}
			weight[key] = x.Weight
		}
		for key, got := range slope {
			if w := weight[key]; w != 0 && math.Abs(got-math.Copysign(l1, w)) > 0.02 || math.Abs(got) > l1+0.02 {
				t.Errorf("variable %d, weight %v of %v: slope %v; want the penalty %v", target, w, key, got, l1)
			}
		}
		if len(weight) < len(slope)/3 {
			t.Errorf("variable %d: only %d of %d weights are not zero", target, len(weight), len(slope))
		}
	}
}

func TestTooWide(t *testing.T) {
	s := learnertest.New(t, learnertest.Vars("a", 400, "b", 400), [][]int{{0, 0}}, nil)
	want := `the regression of "a", which has 400 states, would have more than 131072 weights; leave the variable out, or use trees`
	if _, err := logistic.New(s); err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}
