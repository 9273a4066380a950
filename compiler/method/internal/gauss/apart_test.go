package gauss

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestPushApart adds random variables to random moments by Push and by PushApart, observes one of
// them, and adds another. The moments are the same up to rounding.
func TestPushApart(t *testing.T) {
	const before, added = 4, 5
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := circuit.NewSigned()
		start := &Moments{}
		for v := range model.VarID(before) {
			start.Push(c, v, randomRegression(c, r, v, c.Input))
		}
		whole, parts := *start, *start
		parts.Split()
		for k := range model.VarID(added) {
			v := before + k
			reg := randomRegression(c, r, v, func(int32) circuit.Node { return c.Const(r.NormFloat64()) })
			if k == added-1 {
				for _, m := range []*Moments{&whole, &parts} {
					m.Condition(c, before+1, circuit.One, c.Const(.3))
				}
			}
			whole.Push(c, v, reg)
			parts.PushApart(c, v, reg)
		}
		values := c.Eval(func(leaf int32) float64 { return float64(leaf%7)/4 - .5 })
		near := func(what string, a, b circuit.Node) {
			t.Helper()
			if x, y := values[a], values[b]; !(math.Abs(x-y) <= 1e-10*(1+math.Abs(x))) {
				t.Errorf("seed %d: %s is %v; want %v", seed, what, y, x)
			}
		}
		for i := range whole.Scope {
			near("a mean", whole.Mean[i], parts.Mean[i])
			for j := range i + 1 {
				near("a covariance", whole.Cov[i][j], parts.Cov[i][j])
			}
		}
	}
}

// randomRegression returns a regression of v on all variables before it, of coefficients that
// number returns.
func randomRegression(c *circuit.Circuit, r *rand.Rand, v model.VarID, number func(int32) circuit.Node) *Regression {
	reg := &Regression{Mean: number(int32(v)), Var: c.Const(.5 + r.Float64())}
	for u := range v {
		reg.On, reg.Coef = append(reg.On, u), append(reg.Coef, number(int32(10*v+u)))
	}
	return reg
}

// TestPushApartFolds adds two positions whose noise is that of a velocity: the coefficient of the
// second one by the first cancels that of the velocity before, so that nothing multiplies it.
func TestPushApartFolds(t *testing.T) {
	c := circuit.NewSigned()
	m := &Moments{Scope: []model.VarID{0, 1}, Mean: []circuit.Node{c.Input(0), c.Input(1)},
		Cov: [][]circuit.Node{{c.Input(2)}, {circuit.Zero, c.Input(3)}}}
	m.Split()
	m.PushApart(c, 2, &Regression{On: []model.VarID{0, 1}, Coef: []circuit.Node{c.Const(.1), circuit.One}, Var: c.Const(.3)})
	m.PushApart(c, 3, &Regression{On: []model.VarID{0, 1, 2}, Coef: []circuit.Node{c.Const(-.07), circuit.One, c.Const(.7)}, Var: circuit.One})
	// 3 has coefficient -.07 + .7·.1 of 0, and 1 + .7 of 1; its noise has the covariance .7·.3 with
	// that of 2.
	values := c.Eval(func(leaf int32) float64 { return []float64{2, 3, 5, 7}[leaf] })
	if got, want := values[m.Between(3, 2)], 1.7*7+.7*.3; math.Abs(got-want) > 1e-14 {
		t.Errorf("the covariance is %v; want %v", got, want)
	}
	if m.Between(3, 0) != circuit.Zero {
		t.Error("the covariance with 0 is computed; want none")
	}
}
