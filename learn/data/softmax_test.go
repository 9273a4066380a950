package data

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// A logistic regression of two states on one parent, compared with Newton's method written out for
// it: with symmetric weights ±b/2 and ±w/2 the penalty is half of that of the difference.
func TestSoftmaxLogistic(t *testing.T) {
	x := []float64{-2, -1.5, -1, -.5, 0, .5, 1, 1.5, 2, 2.5, 3, 10}
	y := []float64{0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1}
	var rows [][]float64
	for i := range x {
		rows = append(rows, []float64{x[i], y[i]})
	}
	s, err := NewReal([]Var{{Name: "x", Real: true}, {Name: "y", States: []string{"0", "1"}}}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	const penalty = .5
	f, err := s.FitSoftmax(1, nil, []int{0}, penalty)
	if err != nil {
		t.Fatal(err)
	}
	mean, sd := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean) / float64(len(x))
	}
	sd = math.Sqrt(sd)
	b, w := 0.0, 0.0
	for range 50 {
		gb, gw := -penalty/2*b, -penalty/2*w
		bb, bw, ww := penalty/2, 0.0, penalty/2
		for i := range x {
			z := (x[i] - mean) / sd
			p := 1 / (1 + math.Exp(-b-w*z))
			gb, gw = gb+y[i]-p, gw+(y[i]-p)*z
			q := p * (1 - p)
			bb, bw, ww = bb+q, bw+q*z, ww+q*z*z
		}
		det := bb*ww - bw*bw
		b, w = b+(ww*gb-bw*gw)/det, w+(bb*gw-bw*gb)/det
	}
	irtest.CloseTo(t, f.Coef[1]-f.Coef[0], w/sd, 1e-8)
	irtest.CloseTo(t, f.Bias[1]-f.Bias[0], b-w*mean/sd, 1e-8)
	log := 0.0
	for i := range x {
		p := 1 / (1 + math.Exp(-b-w*(x[i]-mean)/sd))
		log += y[i]*math.Log(p) + (1-y[i])*math.Log(1-p)
	}
	irtest.CloseTo(t, f.LogLikelihood, log, 1e-7)
}

// Three states, one of them without rows, a discrete parent, a constant parent, separated states,
// weights and missing values: probabilities near those of the rows, and finite weights.
func TestSoftmaxAwkward(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	vars := []Var{{Name: "d", States: []string{"a", "b"}}, {Name: "x", Real: true}, {Name: "c", Real: true}, {Name: "y", States: []string{"0", "1", "2"}}}
	var rows [][]float64
	var weights []float64
	for range 300 {
		d, x := float64(r.IntN(2)), 1000+r.NormFloat64()
		y := 0.0
		if x > 1000 == (d == 0) {
			y = 1
		}
		row := []float64{d, x, 7, y}
		if r.IntN(10) == 0 {
			row[r.IntN(4)] = math.NaN()
		}
		rows, weights = append(rows, row), append(weights, 1+r.Float64())
	}
	s, err := NewReal(vars, rows, weights)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.FitSoftmax(3, []int{0}, []int{1, 2}, 1e-3)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, 3)
	for _, c := range []struct {
		row   int
		x     float64
		state int
	}{{0, 1002, 1}, {0, 998, 0}, {1, 1002, 0}, {1, 998, 1}} {
		f.Logs(c.row, []float64{c.x, 7}, out)
		if math.Exp(out[c.state]) < .99 || math.Exp(out[2]) > .01 {
			t.Errorf("row %d at %v: logs %v; want state %d", c.row, c.x, out, c.state)
		}
	}
	if f.Coef[1] != 0 || f.Missed <= 0 {
		t.Errorf("coefficient of the constant %v, missed %v", f.Coef[1], f.Missed)
	}
}
