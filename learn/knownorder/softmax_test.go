package knownorder

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// With softmax CPDs, a discrete variable has the real parent on which it depends, and the score is
// the log-likelihood of the logistic regression less its parameters.
func TestSoftmax(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	vars := []data.Var{{Name: "x", Real: true}, {Name: "z", Real: true}, {Name: "y", States: []string{"0", "1"}}}
	var rows [][]float64
	for range 1500 {
		x, y := rng.NormFloat64(), 0.0
		if rng.Float64() < 1/(1+math.Exp(1-3*x)) {
			y = 1
		}
		rows = append(rows, []float64{x, rng.NormFloat64(), y})
	}
	s, err := data.NewReal(vars, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	job := &learner.Job{Train: s, Cores: 1}
	if got := learnertest.Parents(learnertest.Learn(t, K2, job)); got != "x| z| y|" {
		t.Errorf("without softmax CPDs got %s", got)
	}
	r := learnertest.Learn(t, K2, job, "--softmax", "0.01")
	if got := learnertest.Parents(r); got != "x| z| y|x" {
		t.Fatalf("got %s; want y to depend on x alone", got)
	}
	d := r.Models[0].Factors[2].Dist.(*model.Softmax)
	slope, bias := d.Coef[1]-d.Coef[0], d.Bias[1]-d.Bias[0]
	if math.Abs(slope-3) > .7 || math.Abs(bias+1) > .4 {
		t.Errorf("slope %v, bias %v; want about 3 and -1", slope, bias)
	}
	log := 0.0
	for _, row := range rows {
		out := make([]float64, 2)
		d.Logs(0, row[:1], out)
		log += out[int(row[2])]
	}
	irtest.CloseTo(t, r.Report.Families[2].Score, log-math.Log(1500)/2*2, 1e-9)
}
