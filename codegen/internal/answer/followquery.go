package answer

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckFollow refuses an entry without the posterior of some variable, or without the moments of
// each utility and of their sum.
func CheckFollow(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := CheckMarginals(m, p, e); err != nil {
		return err
	}
	if m.Diagram == nil || len(e.Utilities) != len(m.Diagram.Utilities)+1 {
		return fmt.Errorf("query %q has no moments of each utility of the model and of their sum", e.Query.Name)
	}
	return nil
}

// FollowTypes declares the answer of a Follow.
func (g *Methods) FollowTypes(*ir.Entry) {
	fields, keys := g.utilityFields()
	g.Out.Add(source.Doc("UtilityMoments holds the mean and the variance of each utility, and of their sum."))
	g.Out.Type().Id("UtilityMoments").StructFunc(func(s *jen.Group) {
		for i, id := range fields {
			s.Id(id).Id("Moments").Tag(map[string]string{"json": keys[i]})
		}
	})
	g.Out.Line()
	g.Out.Add(source.Doc("Outcome is what happens if all decisions follow the best strategy: the posteriors of all variables, and the moments of the utilities."))
	g.Out.Type().Id("Outcome").Struct(jen.Id("Marginals"), jen.Id("Utilities").Id("UtilityMoments").Tag(map[string]string{"json": g.utilitiesKey(g.Names.Observable()...)}))
	g.Out.Line()
}

// utilityFields returns the fields of UtilityMoments and their keys in JSON.
func (g *Methods) utilityFields() (fields, keys []string) {
	var list []string
	for _, u := range g.Model.Diagram.Utilities {
		list = append(list, u.Name)
	}
	fields, keys = api.Fields(list, names.NewScope("Total"), names.NewScope("total"))
	return append(fields, "Total"), append(keys, "total")
}

// Follow declares the method that answers under the best strategy.
func (g *Methods) Follow(e *ir.Entry) {
	none := "Outcome{Marginals: Marginals{LogP: " + g.Std("math.Inf") + "(-1)}}"
	fail, answer := "\t*out = "+none+"\n\treturn ", g.outcome(e)
	g.Func(source.Doc("Follow sets out to what happens if each decision follows the strategy that is best without evidence, given ev and soft, which may be",
		"nil: the posterior of every variable, LogP, and the moments of the utilities. A decision is then a variable like others: evidence about it is that it was",
		"seen, and impossible if the strategy does not choose it. On failure all numbers of out are 0 and LogP is -Inf."),
		"(e *Engine) Follow(ev *Evidence, soft *Soft, out *Outcome) error",
		g.Enter(e, "scale", fail+"err")+g.Run(e, e.Blocks)+g.Root(e, fail+"ErrImpossible")+answer+"return nil")
	g.reader(e, "Follow", "Outcome", none, answer)
}

// outcome returns the statements that set out, an Outcome, to the answer of e.
func (g *Methods) outcome(e *ir.Entry) string {
	fields, _ := g.utilityFields()
	b := &strings.Builder{}
	b.WriteString(g.CopyAllTo(e, "&out.Marginals"))
	for i := range e.Utilities {
		u := &e.Utilities[i]
		in := api.Slice("e.work()", &g.Program.Spans[u.In])
		if u.Values == ir.NoSpan {
			fmt.Fprintf(b, "out.Utilities.%s = %s(%s, %v, %v)\n", fields[i], g.RT("SumMoments"), in, u.Least, u.Scale)
		} else {
			fmt.Fprintf(b, "out.Utilities.%s = %s(%s, %s)\n", fields[i], g.RT("TableMoments"), in, api.Slice("e.data()", &g.Program.Spans[u.Values]))
		}
	}
	return b.String() + "out.LogP = settle(" + g.LogOf(e) + ", ev, soft)\n"
}
