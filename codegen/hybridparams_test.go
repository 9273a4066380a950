package codegen_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestHybridParams replaces parameters of a package with a function, y = 2x + 1 or y = -x, of x of
// mean 3 and variance 4: answers follow, a variance of 0 stays 0, and others stay positive.
func TestHybridParams(t *testing.T) {
	t.Parallel()
	mod := &model.Model{Name: "function"}
	d, x, y := mod.NewVar("d", "a", "b").ID, mod.NewReal("x").ID, mod.NewReal("y").ID
	mod.Factors = []*model.Factor{
		{Scope: []model.VarID{d}, Dist: &model.Table{Values: []float64{.25, .75}}},
		{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{3}, Var: []float64{4}}},
		{Scope: []model.VarID{d, x, y}, Child: 2, Dist: &model.Gaussian{Mean: []float64{1, 0}, Coef: []float64{2, -1}, Var: []float64{0, 0}}},
	}
	m := newModule(t, "")
	opt := compiler.Options{Queries: []string{"marginals", "mpe"}, Params: ir.Var}
	m.add(t, "p0", "", mod, opt, func(*compiler.Result) string { return hybridParamsText })
	m.test()
}

const hybridParamsText = `package p0

import (
	"math"
	"testing"
)

func TestReplaced(t *testing.T) {
	params := DefaultParams()
	params.CPDOfX = [2]float64{1, 9}                 // mean, variance
	params.CPDOfY = [6]float64{2, 0, 3, -1, 0, 0}    // y = 3x + 2 or -x
	e, err := NewWith(&params)
	if err != nil {
		t.Fatal(err)
	}
	var m Marginals
	if err := e.Marginals(&Evidence{D: DA}, nil, &m); err != nil || math.Abs(m.Y.Mean-5) > 1e-12 || math.Abs(m.Y.Var-81) > 1e-12 {
		t.Errorf("y is %v, %v; want mean 5, variance 81", m.Y, err)
	}
	if err := e.Marginals(&Evidence{Y: Obs(8)}, nil, &m); err != nil {
		t.Fatal(err)
	}
	a, b := .25*math.Exp(-1./18)/9, .75*math.Exp(-81./18)/3 // of y = 8, as N(5, 81) and N(-1, 9)
	if math.Abs(m.D[0]-a/(a+b)) > 1e-12 || math.Abs(m.X.Mean-(2*a-8*b)/(a+b)) > 1e-12 {
		t.Errorf("d is %v, x is %v; want %v", m.D, m.X, a/(a+b))
	}
	var best Assignment
	if p, err := e.MPE(&Evidence{D: DA, X: Obs(1)}, nil, &best); err != nil || best.Y != Obs(5) || math.Abs(p-math.Log(.25/(3*math.Sqrt(2*math.Pi)))) > 1e-12 {
		t.Errorf("%v, ln p %v, %v", best, p, err)
	}
	params.CPDOfY[5] = 1
	if _, err := NewWith(&params); err == nil {
		t.Error("a variance of 0 is replaced by 1")
	}
	params.CPDOfY[5], params.CPDOfX[1] = 0, 0
	if _, err := NewWith(&params); err == nil {
		t.Error("a variance of 4 is replaced by 0")
	}
}
`
