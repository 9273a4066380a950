package main

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/verify"
)

// reproducing returns the flags by which pgmc query gives the right answer, by the method of the
// package.
func (x *verification) reproducing(w *verify.Wanted, evidence *infer.Findings) []string {
	m, c := x.r.Model, x.c
	var words []string
	if w.Follow != nil {
		words = append(words, "--strategy", "best")
	}
	if w.Approximate != nil {
		words = append([]string{"--method", w.Approximate.Method}, c.MethodFlags.StampFor(w.Approximate.Method)...)
		if x.seed != 0 {
			words = append(words, "--seed", strconv.FormatUint(x.seed, 10))
		}
	}
	if w.Approximate == nil || !w.MPE {
		words = append(words, "--all")
	}
	if w.Approximate == nil || !w.MPE && w.LogProb {
		words = append(words, "--logp")
	}
	if w.MPE {
		words = append(words, "--mpe")
	}
	words = append(words, rows.FlagsOf(rows.QuestionOf(evidence, m), rows.Variables(m))...)
	for _, vars := range w.Joint {
		var names []string
		for _, v := range vars {
			names = append(names, cli.QuoteName(m.Vars[v].Name))
		}
		words = append(words, "--joint", strings.Join(names, ","))
	}
	for _, v := range w.Mixture {
		words = append(words, "--mixture", cli.QuoteName(m.Vars[v].Name))
	}
	if c.Rows.Value != c.Rows.Words[0] {
		words = append(words, "--rows", c.Rows.Value)
	}
	return words
}
