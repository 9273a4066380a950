package compiler_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/ir/model"
)

// exampleModel returns the network asia.
func exampleModel() *model.Model {
	m, _, err := infer.Load("../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// Compile a model for two queries. Package codegen makes a Go package of the program, and package
// infer interprets it.
func ExampleCompile() {
	r, err := compiler.Compile(context.Background(), exampleModel(), compiler.Options{Queries: []string{"lung", "mpe"}})
	if err != nil {
		log.Fatal(err)
	}
	for i := range r.Program.Entries {
		fmt.Println(compiler.Specification(r.Model, r.Program.Entries[i].Query))
	}
	fmt.Println(r.Claim)
	// Output:
	// lung
	// mpe
	// exact
}

// An approximate method is chosen by its options.
func ExampleCompile_method() {
	r, err := compiler.Compile(context.Background(), exampleModel(), compiler.Options{Method: belief.Options{Damping: .2}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Claim)
	// Output: approximate
}

// A program that is too large is refused before it needs memory.
func ExampleTooLarge() {
	_, err := compiler.Compile(context.Background(), exampleModel(), compiler.Options{Method: compiler.Named("jointree"), MaxTable: 4})
	var refused *compiler.TooLarge
	fmt.Println(errors.As(err, &refused), refused.Need.Largest)
	// Output: true 8
}

// Estimate what a program needs without making it.
func ExampleEstimate() {
	e, err := compiler.Estimate(context.Background(), exampleModel(), compiler.Options{Queries: []string{"marginals"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("largest table:", e.Largest, "numbers; refused:", e.Refused() != nil)
	// Output: largest table: 8 numbers; refused: false
}

func ExampleParseQueries() {
	m := exampleModel()
	list, err := compiler.ParseQueries([]string{"lung | smoke, xray", "map(lung, bronc)"}, m)
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range list {
		fmt.Println(q.Kind, len(q.Targets), "targets", len(q.Evidence), "evidence")
	}
	// Output:
	// signature 1 targets 2 evidence
	// map 2 targets 0 evidence
}

func ExampleSpecification() {
	m := exampleModel()
	list, err := compiler.ParseQueries([]string{"map(lung,bronc)", "kmpe=3"}, m)
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range list {
		fmt.Println(compiler.Specification(m, q))
	}
	// Output:
	// map(lung, bronc)
	// kmpe=3
}

// Choose a method by the name and the settings of the command line.
func ExampleNamed() {
	opt := compiler.Options{Method: compiler.Named("gibbs", "iterations=500", "chains=2")}
	r, err := compiler.Compile(context.Background(), exampleModel(), opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(opt.MethodName(), r.Program.Entries[0].Chain.Iterations)
	// Output: gibbs 500
}

func ExampleFindMethod() {
	m, err := compiler.FindMethod("belief")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Name, "answers", m.Answers.Word)
	// Output: belief answers bp
}

func ExamplePreferred() {
	fmt.Println(compiler.Preferred(exampleModel()) == nil)
	// Output: true
}

func ExampleCount() {
	fmt.Println(compiler.Count(1234), compiler.Count(5e9), compiler.Bytes(3<<20), compiler.Nanoseconds(1500))
	// Output: 1234 5e09 3 MiB 1.5 us
}
