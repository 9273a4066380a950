package verify_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/verify"
)

// Check a server of posteriors, here one that always answers by the prior.
func ExampleCheck() {
	ctx := context.Background()
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	e, err := infer.New(ctx, m, infer.Options{})
	if err != nil {
		log.Fatal(err)
	}
	prior := func(ctx context.Context, _ *infer.Findings) (a verify.Answer) {
		all, err := e.Marginals(ctx, nil)
		if err != nil {
			return verify.Answer{Err: err}
		}
		for i := range all.List {
			a.Marginals = append(a.Marginals, all.List[i].P)
		}
		return a
	}
	r, err := compiler.Compile(ctx, m, compiler.Options{Queries: []string{"marginals"}})
	if err != nil {
		log.Fatal(err)
	}
	report, err := verify.Check(ctx, r, verify.OneByOne(prior), verify.Options{Sets: 10, Tolerance: 1e-9})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("compared with", report.Reference)
	fmt.Println("right:", report.Failure == nil)
	// Output:
	// compared with enumeration of the joint distribution
	// right: false
}

// The answers of a program that can be compared.
func ExampleWantedOf() {
	m, _, err := infer.Load("../../testdata/models/asia.bif")
	if err != nil {
		log.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"marginals", "joint(lung, bronc)"}})
	if err != nil {
		log.Fatal(err)
	}
	w := verify.WantedOf(r)
	fmt.Println(w.Marginals, w.LogProb, w.MPE, w.Joint)
	// Output: true true false [[3 4]]
}
