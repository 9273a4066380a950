package infer_test

import (
	"context"
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// A filter follows the umbrella world for two days.
func ExampleEngine_Filter() {
	ctx := context.Background()
	e, err := infer.New(ctx, umbrella(), infer.Options{})
	if err != nil {
		panic(err)
	}
	f, err := e.Filter(ctx)
	if err != nil {
		panic(err)
	}
	for _, seen := range []infer.Given{nil, infer.Evidence{"umbrella": "yes"}, infer.Evidence{"umbrella": "yes"}} {
		m, err := f.Step(ctx, seen)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%.4f\n", m.Of("rain").Of("yes"))
	}
	// Output:
	// 0.5000
	// 0.8182
	// 0.8834
}

// The most probable weather of three days.
func ExampleEngine_Viterbi() {
	ctx := context.Background()
	e, err := infer.New(ctx, umbrella(), infer.Options{})
	if err != nil {
		panic(err)
	}
	day := func(state string) infer.Given { return infer.Evidence{"umbrella": state} }
	path, err := e.Viterbi(ctx, []infer.Given{day("yes"), day("no"), day("no")})
	if err != nil {
		panic(err)
	}
	for _, slice := range path.Slices {
		fmt.Println(slice.Of("rain"))
	}
	// Output:
	// yes
	// no
	// no
}

// Smoothing and a lag look back.
func ExampleEngine_Smooth() {
	ctx := context.Background()
	e, err := infer.New(ctx, umbrella(), infer.Options{})
	if err != nil {
		panic(err)
	}
	all, err := e.Smooth(ctx, []infer.Given{nil, infer.Evidence{"umbrella": "yes"}, infer.Evidence{"umbrella": "yes"}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.4f\n", all[1].Of("rain").Of("yes"))

	l, err := e.Lagged(ctx, 1)
	if err != nil {
		panic(err)
	}
	for range 2 {
		m, err := l.Step(ctx, infer.Evidence{"umbrella": "yes"})
		fmt.Println(m != nil, err)
	}
	// Output:
	// 0.8834
	// false <nil>
	// true <nil>
}
