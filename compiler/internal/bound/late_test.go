package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/ir/model"
)

// apart returns a grid whose pairs of variables have products of two functions as tables, so that
// its variables are independent, and ln of the sum over all joint states.
func apart(side int) (m *model.Model, log float64) {
	rng := rand.New(rand.NewPCG(5, 0))
	m = &model.Model{Kind: model.Markov}
	n := side * side
	of := make([][2]float64, n) // by variable: the product of its functions
	for v := range n {
		m.NewVar("x"+strconv.Itoa(v), "0", "1")
		of[v] = [2]float64{1, 1}
	}
	pair := func(a, b int) {
		var f, g [2]float64
		for k := range f {
			f[k], g[k] = .5+rng.Float64(), .5+rng.Float64()
			of[a][k] *= f[k]
			of[b][k] *= g[k]
		}
		values := []float64{f[0] * g[0], f[0] * g[1], f[1] * g[0], f[1] * g[1]}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{model.VarID(a), model.VarID(b)}, Child: -1, Dist: &model.Table{Values: values}})
	}
	for v := range n {
		if v%side+1 < side {
			pair(v, v+1)
		}
		if v+side < n {
			pair(v, v+side)
		}
	}
	for _, x := range of {
		log += math.Log(x[0] + x[1])
	}
	return m, log
}

// TestLate asks for bounds of 20,000 variables after the deadline: they hold.
func TestLate(t *testing.T) {
	m, want := apart(142)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	got, err := Sum(ctx, m, Options{Each: true})
	if err != nil {
		t.Fatal(err)
	}
	if !(got.Lower <= want && want <= got.Upper) || math.IsInf(got.Lower, 0) || math.IsInf(got.Upper, 0) {
		t.Errorf("%v to %v; want %v in between", got.Lower, got.Upper, want)
	}
	if len(got.Bounds) != len(m.Vars) {
		t.Errorf("bounds of %d variables", len(got.Bounds))
	}
}
