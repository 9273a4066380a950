package particle_test

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Example filters a system with particles of all variables, and with particles of the discrete
// variable that have a Gaussian each: as many as there are histories, which makes them exact.
func Example() {
	ctx := context.Background()
	all := particle.NewOptions()
	all.Particles, all.Proposal, all.Resampling, all.Seed = 5000, "posterior", "stratified", 1
	discrete := particle.NewRBPFOptions()
	discrete.Particles = 20
	for _, by := range []method.Options{all, discrete} {
		e, err := infer.New(ctx, jumps(), infer.Options{Method: by})
		if err != nil {
			panic(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			panic(err)
		}
		var last *infer.Marginals
		for _, y := range []float64{.3, -1.2, 2} {
			if last, err = f.Step(ctx, infer.Evidence{"y": y}); err != nil {
				panic(err)
			}
		}
		fmt.Printf("%s: mean of x %.1f\n", by.MethodName(), last.Of("x").Mean)
	}
	// Output:
	// particle: mean of x 0.8
	// rbpf: mean of x 0.8
}

// Example_draw filters a robot that measures how far it is from a lamp. Particles have values of
// the robot's place x, and a normal distribution of the lamp's place l given these, which is exact:
// z has the mean l - x. The proposal draws x near its posterior given z.
func Example_draw() {
	m := &model.Model{Name: "robot"}
	x, l, z := m.NewReal("x").ID, m.NewReal("l").ID, m.NewReal("z").ID
	sensor := &model.Factor{Scope: []model.VarID{x, l, z}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{-1, 1}, Var: []float64{.1}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{x}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{.01}}},
		{Scope: []model.VarID{l}, Dist: &model.Gaussian{Mean: []float64{5}, Var: []float64{4}}}, sensor}
	m.Transition = &model.Transition{Before: []model.VarID{x, l}, Factors: []*model.Factor{
		{Scope: []model.VarID{3, x}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1}, Coef: []float64{1}, Var: []float64{.2}}},
		{Scope: []model.VarID{4, l}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{0}}}, sensor}}
	o := particle.NewRBPFOptions()
	o.Draw, o.Proposal, o.Particles, o.Seed = "x", "ekf", 2000, 1
	e, err := infer.New(context.Background(), m, infer.Options{Method: o})
	if err != nil {
		panic(err)
	}
	f, err := e.Filter(context.Background())
	if err != nil {
		panic(err)
	}
	for _, z := range []float64{4.2, 3.1, 2.3} {
		now, err := f.Step(context.Background(), infer.Evidence{"z": z})
		if err != nil {
			panic(err)
		}
		fmt.Printf("x %.1f, l %.1f with variance %.2f\n", now.Of("x").Mean, now.Of("l").Mean, now.Of("l").Variance)
	}
	// Output:
	// x 0.0, l 4.2 with variance 0.11
	// x 1.1, l 4.2 with variance 0.08
	// x 1.9, l 4.2 with variance 0.08
}
