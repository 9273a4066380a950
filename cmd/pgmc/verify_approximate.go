package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// approximateEntry is the one entry of a program that iterates or samples; nil in others.
func approximateEntry(p *ir.Program) *ir.Entry {
	if len(p.Entries) > 0 && (p.Entries[0].Loop != nil || p.Entries[0].Chain != nil) {
		return &p.Entries[0]
	}
	return nil
}

// verifiableApproximately is what a package of a method that iterates or samples can be asked for; ok is false for others.
func verifiableApproximately(r *compiler.Result, vars []rows.Variable) (want rows.Wanted, ok bool) {
	e := approximateEntry(r.Program)
	if e == nil {
		return want, false
	}
	want.By(e.Query.By)
	if e.Query.Kind.Answer() == ir.AnswerStates {
		want.MPE = true
		return want, true
	}
	want.Marginals = slices.Repeat([]bool{true}, len(vars))
	want.LogP = (e.Loop != nil || e.Query.Kind == ir.Weighted) && r.Model.Kind != model.Dependency
	return want, true
}

// compareReports compares how the reference and the package came to their answers. Where what is wrong is empty, compare says whether
// numbers mean anything: while a loop has not settled, two roundings may lead it far apart.
func compareReports(want *rows.Wanted, right, got *rows.AnswerJSON) (wrong string, compare bool) {
	if want.Loop == "" || right.Report == nil || got.Report == nil {
		return "", true
	}
	if right.Report.Status != got.Report.Status {
		return fmt.Sprintf("the method is %s; want %s", got.Report.Status, right.Report.Status), false
	}
	drawn := want.Kind != rows.KindBeliefs && want.Kind != rows.KindDecoding // by the same random numbers
	return "", drawn || right.Report.Status != pgmrt.NotConverged.String()
}

// reproducing are the flags that ask pgmc query for what is wanted, by the method of a package.
func reproducing(w *rows.Wanted, c *compileFlags, seed uint64, e *ir.Entry) []string {
	if w.Loop == "" {
		return []string{"--all", "--logp", "--mpe"}
	}
	words := append([]string{"--method", e.Query.Method}, c.MethodFlags.Stamp()...)
	if seed != 0 {
		words = append(words, "--seed", strconv.FormatUint(seed, 10))
	}
	switch {
	case w.MPE:
		return append(words, "--mpe")
	case w.LogP:
		return append(words, "--all", "--logp")
	}
	return append(words, "--all")
}
