package guide

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/stream"
	"github.com/pgmc-go/pgmc/ir"
)

// ExampleFile declares an example in which a variable is observed, by a name that could come from
// elsewhere, and all posteriors are printed. It returns nil if the package does not answer with all
// posteriors, or with a slice's, and runs no loop.
func (g *Guide) ExampleFile() *backend.File {
	filters := g.Program.Entry(ir.FilterFirst) != nil
	if !g.shows() {
		return nil
	}
	f := g.Begin()
	first := g.Names.Observable()[0]
	stop := "\t" + g.Std("fmt.Println") + "(err)\n\treturn\n}\n"
	about, call := "observes a variable", "New().Marginals(&ev, nil, &m)"
	switch {
	case stream.DrawnSlice(g.Program) != nil:
		about, call = "observes a variable of the first slice of a sequence", "NewParticles(0, 0).Step(&ev, nil, &m)"
	case filters:
		about, call = "observes a variable of the first slice of a sequence", "NewFilter().Step(&ev, nil, &m)"
	}
	g.Func(source.Doc("Example_names "+about+" and prints the posteriors of all, by their names in the model."), "Example_names()", fmt.Sprintf(`
var ev Evidence
if err := ev.Set(%s, %s); err != nil {
`+stop+`var m Marginals
if err := `+call+`; err != nil {
`+stop+`for _, v := range Variables() {
	numbers, err := m.ByName(v.Name)
	if err != nil {
	`+strings.ReplaceAll(strings.TrimSuffix(stop, "}\n"), "\n", "\n\t")+`}
	`+g.Std("fmt.Println")+`(v.Name, v.States, numbers)
}`, strconv.Quote(first.Var.Name), strconv.Quote(first.Port.Example().Text)))
	return f
}

// shows reports whether the package has posteriors to show: of all variables, or of a slice.
func (g *Guide) shows() bool {
	return (g.Entry(ir.Marginals) != nil || g.Program.Entry(ir.FilterFirst) != nil) && len(g.Names.Observable()) > 0
}

// snippet returns lines of the package comment that show a query, if the package has all
// posteriors.
func (g *Guide) snippet() []string {
	if g.Entry(ir.Marginals) == nil || !g.shows() {
		return nil
	}
	vars, pkg := g.Names.Observable(), g.Package
	first, last := vars[0], vars[len(vars)-1]
	return []string{
		"",
		fmt.Sprintf("\te := %s.New()", pkg),
		fmt.Sprintf("\tev := %[1]s.Evidence{%[2]s: %[1]s.%[3]s}", pkg, first.ID, first.Port.Example().Value),
		fmt.Sprintf("\tvar m %s.Marginals", pkg),
		"\tif err := e.Marginals(&ev, nil, &m); err != nil {",
		"\t\treturn err",
		"\t}",
		fmt.Sprintf("\tfmt.Println(m.%s%s)", last.ID, strings.ReplaceAll(last.Port.Example().Read, "%s", pkg)),
	}
}
