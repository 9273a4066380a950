// Package guide writes what shows readers how to use a package: the package comment, and an
// example.
package guide

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/stream"
)

// Guide writes the guide to a package.
type Guide struct {
	*answer.Methods
	Sequences *stream.Methods
	Answers   []string // the items of the list of the package's answers
	Claim     string   // how good the answers are; empty if they are exact
}

// PackageDoc writes the package comment, which lists the answers of the package and says how to use
// it.
func (g *Guide) PackageDoc() {
	vars := g.Names.Observable()
	states := 0
	for _, x := range vars {
		states += x.Port.States()
	}
	of := source.Count(len(vars), "variable")
	about := ""
	for _, d := range api.DomainsOf(g.Model) {
		if d.Among != "" {
			of += fmt.Sprintf(", %d of them %s,", d.Count(g.Model), d.Among)
		}
		if d.Doc != "" {
			about += " " + d.Doc
		}
	}
	of += " with " + source.Count(states, "state") + " in all"
	kind := g.KindName()
	name := ""
	if g.Model.Name != "" {
		name = " " + source.Quote(g.Model.Name)
	}
	text := []string{
		fmt.Sprintf("Package %s answers queries on the %s%s of %s.", g.Package, kind, name, of),
		"It answers:",
	}
	text = append(text, g.Answers...)
	text = append(text,
		"",
		"An Engine holds the memory of one goroutine. Make one with New, or get one from a Pool, and use it for",
		"any number of queries: no query changes the answer of another. A query allocates nothing and takes no lock.",
	)
	text = append(text, g.snippet()...)
	text = append(text,
		"",
		"Evidence holds what was observed; a zero field was not observed. Soft holds likelihoods, and may be nil.",
		"A query fails with ErrImpossible if the evidence has probability zero, with ErrState if a value is not a state,",
		"and with ErrLikelihood if a number is not a likelihood."+about,
		"",
	)
	text = append(text, g.claim()...)
	text = append(text, g.Sequences.PackageDoc()...)
	for _, l := range source.Wrap(text...) {
		g.Out.PackageComment(l)
	}
}

// claim returns text on how good the answers are.
func (g *Guide) claim() (lines []string) {
	if g.Claim == "" {
		return []string{"Answers are exact up to rounding."}
	}
	for _, l := range strings.Split(g.Claim, "\n") {
		lines = append(lines, source.Unbuilt(source.Plain(l)))
	}
	return lines
}
