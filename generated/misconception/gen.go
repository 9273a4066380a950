//go:build ignore

// Command gen builds the misconception network in Go and writes its package. It shows how a program
// makes a model without a file.
//
// Source of the numbers: Koller and Friedman, Probabilistic Graphical Models, figure 4.1 and its
// partition function Z = 7,201,840.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

func main() {
	dir := flag.String("o", ".", "directory to write to")
	flag.Parse()
	r, err := compiler.Compile(context.Background(), misconception(), compiler.Options{})
	if err != nil {
		log.Fatal(err)
	}
	pkg, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "misconception", Source: "gen.go"})
	if err != nil {
		log.Fatal(err)
	}
	if err := pkg.WriteDir(*dir); err != nil {
		log.Fatal(err)
	}
}

// misconception returns the network of four students who study in pairs and may believe what the
// lecturer misspoke.
func misconception() *model.Model {
	m := &model.Model{Name: "misconception", Kind: model.Markov}
	alice, bob := m.NewVar("Alice", "no", "yes"), m.NewVar("Bob", "no", "yes")
	charles, debbie := m.NewVar("Charles", "no", "yes"), m.NewVar("Debbie", "no", "yes")
	for _, f := range []struct {
		a, b   *model.Var
		values []float64
	}{
		{alice, bob, []float64{30, 5, 1, 10}},
		{bob, charles, []float64{100, 1, 1, 100}},
		{charles, debbie, []float64{1, 100, 100, 1}},
		{debbie, alice, []float64{100, 1, 1, 100}},
	} {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{f.a.ID, f.b.ID}, Child: -1, Dist: &model.Table{Values: f.values}})
	}
	return m
}
