package gpb_test

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/gpb"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Example filters a walk whose steps are small in one mode and large in the other, with three
// approximations of the belief.
func Example() {
	m := switching([]float64{.5, .5}, []float64{.95, .05, .1, .9}, &model.Gaussian{Mean: []float64{0}, Var: []float64{1}},
		&model.Gaussian{Mean: []float64{0, 0}, Coef: []float64{1, 1}, Var: []float64{.1, 4}}, 1)
	ctx := context.Background()
	for _, by := range []method.Options{gpb.NewGPB1Options(), gpb.NewGPB2Options(), gpb.NewIMMOptions()} {
		e, err := infer.New(ctx, m, infer.Options{Method: by})
		if err != nil {
			panic(err)
		}
		f, err := e.Filter(ctx)
		if err != nil {
			panic(err)
		}
		var last *infer.Marginals
		for _, y := range []float64{.1, -.2, .3, 3, 6, 5.5} {
			if last, err = f.Step(ctx, infer.Evidence{"y": y}); err != nil {
				panic(err)
			}
		}
		fmt.Printf("%-4s P(mode 1) %.3f, mean of x %.3f\n", by.MethodName(), last.Of("mode").P[1], last.Of("x").Mean)
	}
	// Output:
	// gpb1 P(mode 1) 0.712, mean of x 5.414
	// gpb2 P(mode 1) 0.820, mean of x 5.459
	// imm  P(mode 1) 0.839, mean of x 5.469
}
