package codegen

import (
	"fmt"
	"strings"
)

// packageDoc writes the package comment: what the package answers, and how to use it.
func (g *generator) packageDoc() {
	vars := g.ids.observable()
	states := 0
	for _, x := range vars {
		states += x.port.states()
	}
	of := count(len(vars), "variable")
	about := ""
	for _, d := range domainsOf(g.m) {
		if d.among != "" {
			of += fmt.Sprintf(", %d of them %s,", d.count(g.m), d.among)
		}
		if d.doc != "" {
			about += "\n// " + d.doc
		}
	}
	of += " with " + count(states, "state") + " in all"
	kind := g.kindName()
	name := ""
	if g.m.Name != "" {
		name = " " + quote(g.m.Name)
	}
	for _, l := range []string{
		fmt.Sprintf("Package %s answers queries to the %s%s of %s.", g.opt.Package, kind, name, of),
		"It answers:",
		g.answers(),
		"",
		"An Engine is the scratch of one goroutine. Make one with New, or get one from a Pool, and ask it as often as you like: no",
		"query changes the answer of another. A query allocates nothing and takes no lock.",
		"",
		"What was observed is an Evidence, whose zero fields were not observed, and a Soft, which may be nil. Evidence of",
		"probability zero gives ErrImpossible, a value that is no state ErrState, and a number that is no likelihood ErrLikelihood." + about,
		"",
		g.claim(),
	} {
		g.out.PackageComment(strings.TrimRight("// "+l, " "))
	}
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func (g *generator) claim() string {
	if g.opt.Claim == "" {
		return "Answers are exact up to rounding."
	}
	return unbuilt(plain(g.opt.Claim))
}

// answers lists the kinds of query.
func (g *generator) answers() string {
	var list []string
	for _, a := range answerers {
		switch e := g.entry(a.kind); {
		case e == nil:
		case a.text == "":
			list = append(list, e.Query.By.Summary)
		default:
			list = append(list, a.text)
		}
	}
	return "  - " + strings.Join(list, "\n//   - ")
}
