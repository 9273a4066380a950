package particle_test

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
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
