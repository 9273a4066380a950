package answer

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckBest refuses an entry with an output that is no pair for each option of a decision.
func CheckBest(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := CheckRoot(m, p, e); err != nil {
		return err
	}
	if d := e.Query.Targets[0]; m.Decides(d) == nil || p.Spans[e.Outs[0]].Len != 2*m.Card(d) {
		return fmt.Errorf("query %q has no answer for a decision", e.Query.Name)
	}
	return nil
}

// choiceNames holds the names of the answer of a query about a decision: the type, that of the
// utilities of a Best, the method, and a method with the answer as an argument.
type choiceNames struct{ choice, utilities, method, ask string }

// nameChoices names the answer of each Best, for example DrillChoice, DrillUtilities and BestDrill,
// and of each Information, for example DrillInformation and InformationDrill.
func (g *Methods) nameChoices() {
	g.choices = make([]choiceNames, len(g.Program.Entries))
	for i := range g.Program.Entries {
		q, scope := g.Program.Entries[i].Query, g.Names.Scope
		switch q.Kind {
		case ir.Best:
			id := g.Names.Of(q.Targets[0]).ID
			method := scope.Members.Claim("Best"+id, api.BatchSuffix)
			g.choices[i] = choiceNames{scope.Decls.Claim(id + "Choice"), scope.Decls.Claim(id + "Utilities"), method, "row" + method}
		case ir.Information:
			id := g.Names.Of(q.Targets[0]).ID
			method := scope.Members.Claim("Information"+id, api.BatchSuffix)
			g.choices[i] = choiceNames{choice: scope.Decls.Claim(id + "Information"), method: method, ask: method}
		}
	}
}

// ChoiceNames returns the type of the answer of e, a query about a decision, its method, and a
// method that sets its argument out to the answer.
func (g *Methods) ChoiceNames(e *ir.Entry) (typ, method, ask string) {
	n := g.choiceNames(e)
	return n.choice, n.method, n.ask
}

// choiceNames returns the names of the answer of e.
func (g *Methods) choiceNames(e *ir.Entry) choiceNames {
	return g.choices[slices.IndexFunc(g.Program.Entries, func(other ir.Entry) bool { return other.Query == e.Query })]
}

// BestTypes declares the answer of a Best.
func (g *Methods) BestTypes(e *ir.Entry) {
	x, names := g.Names.Of(e.Query.Targets[0]), g.choiceNames(e)
	of := source.Quote(x.Var.Name)
	g.Out.Add(source.Doc(fmt.Sprintf("%s holds the mean utility of each option of %s.", names.utilities, of)))
	g.Out.Type().Id(names.utilities).Index(jen.Lit(x.Port.States())).Float64()
	g.Out.Line()
	outside := x.Param + " == " + x.Enum.Unset()
	if c := x.Enum.OutOfRange(x.Param); c != "" {
		outside += " || " + c
	}
	g.Func(source.Doc("Of returns the mean utility of an option, and NaN if the argument is not a state."),
		fmt.Sprintf("(u %s) Of(%s %s) float64", names.utilities, x.Param, x.Port.Field()),
		fmt.Sprintf("if %s {\n\treturn %s()\n}\nreturn u[%s-1]", outside, g.Std("math.NaN"), x.Param))
	g.Func(source.Doc("MarshalJSON returns an object with a number for each option."), fmt.Sprintf("(u %s) MarshalJSON() ([]byte, error)", names.utilities),
		fmt.Sprintf("return %s(&names, %d, u[:])", g.RT("NamedNumbers"), x.Port.Enum()))
	g.Out.Add(source.Doc(fmt.Sprintf("%s is the best option of %s, and what each is worth.", names.choice, of)))
	g.Out.Type().Id(names.choice).Struct(
		jen.Id(x.ID).Id(x.Port.Field()).Tag(map[string]string{"json": x.JSON}),
		jen.Id("Utilities").Id(names.utilities).Tag(map[string]string{"json": g.utilitiesKey(x)}),
	)
	g.Out.Line()
}

// utilitiesKey returns the JSON key of the utilities, which differs from those of some variables.
func (g *Methods) utilitiesKey(beside ...*api.Variable) string {
	key := "utilities"
	for slices.ContainsFunc(beside, func(x *api.Variable) bool { return x.JSON == key }) {
		key += "_"
	}
	return key
}

// Best declares the method that finds the best option of a decision. It has a named result, since
// to copy an answer that was just written takes longer than to compute that of a small diagram.
func (g *Methods) Best(e *ir.Entry) {
	x, names := g.Names.Of(e.Query.Targets[0]), g.choiceNames(e)
	fail := "\treturn " + names.choice + "{}, "
	test, impossible := g.Impossible(e, g.At(e.Root), fail+"ErrImpossible")
	text := []string{
		fmt.Sprintf("%s returns the option of %s with the largest mean utility, given ev and soft, which may be nil. What is not known is", names.method, source.Quote(x.Var.Name)),
		"averaged over, and each later decision is the best one, given what is known by then.",
	}
	answer := fmt.Sprintf("out.%s = %s(1 + %s(%s, %v, out.Utilities[:]))\n", x.ID, x.Port.Field(), g.RT("BestOption"), api.Slice("e.work()", &g.Program.Spans[e.Outs[0]]), e.Least)
	g.Func(source.Doc(append(text, g.untimely(x)...)...), fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft) (out %s, err error)", names.method, names.choice),
		g.EnterOnly(e, fail+"err")+g.Run(e, e.Blocks)+fmt.Sprintf("if %s {\n%s\n}\n", test, impossible)+answer+"return out, nil")
	g.Func(source.Doc(names.ask+" sets out to the answer of "+names.method+"."), fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft, out *%s) (err error)", names.ask, names.choice),
		fmt.Sprintf("*out, err = e.%s(ev, soft)\nreturn err", names.method))
	g.reader(e, names.method, names.choice, names.choice+"{}", answer)
}

// reader declares the method by which lanes read the answer of e from work memory, if it is
// answered in lanes.
func (g *Methods) reader(e *ir.Entry, method, typ, none, answer string) {
	if g.InLanes(e) {
		g.Func(source.Doc(fmt.Sprintf("read%s copies the computed answer to out; scale is the logarithm of the factor that likelihoods were divided by.", method)),
			fmt.Sprintf("(e *Engine) read%s(ev *Evidence, soft *Soft, scale float64, out *%s) error", method, typ),
			g.Root(e, "\t*out = "+none+"\n\treturn ErrImpossible")+answer+"return nil")
	}
}

// untimely returns text on the evidence that queries about a decision refuse.
func (g *Methods) untimely(decision *api.Variable) []string {
	if len(g.Model.Timing(decision.Var.ID).Earlier) > 0 {
		return []string{"Evidence must have the decisions before it. It fails with ErrState without them, and with evidence about something that an open decision affects."}
	}
	return []string{"It fails with ErrState with evidence about something that an open decision affects."}
}
