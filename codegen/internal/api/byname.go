package api

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// ByName declares access to variables by their names in the model, for programs that read names
// from elsewhere.
func (g *API) ByName() {
	g.Out.Add(source.Doc("Variable describes a variable of the model. States is nil if it is not discrete."))
	g.Out.Type().Id("Variable").Struct(jen.Id("Name").String(), jen.Id("States").Index().String())
	g.Out.Line()
	g.Func(source.Doc("Variables returns the variables in the model's order. The caller may change what it returns."), "Variables() []Variable",
		"return "+g.RT("EachVar")+"(&names, func(name string, states []string) Variable { return Variable{name, states} })")
	g.evidenceByName()
	if g.AllMarginals() {
		g.marginalsByName()
	}
	if e := g.Entry(ir.LogProb); e != nil {
		g.conflict()
	}
}

// evidenceByName declares the methods of Evidence that take or give names.
func (g *API) evidenceByName() {
	g.Func(source.Doc("Set sets the variable with the given name to an observed value: the name of a state, or a number. An empty value means not observed.",
		"It fails with ErrState, and changes nothing, if there is no such variable or state."),
		"(ev *Evidence) Set(name, value string) error", `
i, err := names.Index(name)
if err != nil {
	return err
}
return ev.set(i, value)`)
	g.Func(source.Doc("set sets the variable with index i."), "(ev *Evidence) set(i int, value string) error",
		g.eachVariable(func(x *Variable) string { return x.Port.Set("ev."+x.ID, "value") })+"return nil")
	g.Func(source.Doc("value returns the observed value of the variable with index i, and an empty text if there is none."), "(ev *Evidence) value(i int) string",
		g.eachVariable(func(x *Variable) string { return x.Port.Value("ev." + x.ID) })+`return ""`)
	g.Func(source.Doc("All iterates over the names of the observed variables and their values, in the model's order."),
		"(ev *Evidence) All() "+g.Std("iter.Seq2")+"[string, string]", "return names.All(ev.value)")
}

// marginalsByName declares the method of Marginals that takes a name.
func (g *API) marginalsByName() {
	g.Func(source.Doc("ByName returns the posterior of the variable with the given name: a probability for each state, in the order of Variables"+
		g.orMoments()+". The slice may share the memory of m. It fails with ErrState if there is no such variable."),
		"(m *Marginals) ByName(name string) ([]float64, error)", `
i, err := names.Index(name)
if err != nil {
	return nil, err
}
`+g.eachVariable(func(x *Variable) string { return "return " + x.Port.Numbers("m."+x.ID) + ", nil" })+"return nil, nil")
}

// orMoments describes the posterior of a real variable, if there is one.
func (g *API) orMoments() string {
	for _, x := range g.Names.Observable() {
		if x.Port.States() == 0 {
			return ", or the mean and the variance of a real variable"
		}
	}
	return ""
}

// eachVariable returns a switch over the index i of a variable, with the statement for each.
func (g *API) eachVariable(statement func(*Variable) string) string {
	b := &strings.Builder{}
	b.WriteString("switch i {\n")
	for _, x := range g.Names.Observable() {
		fmt.Fprintf(b, "case %d:\n\t%s\n", x.Index, statement(x))
	}
	b.WriteString("}\n")
	return b.String()
}

// conflict declares the query for findings that contradict each other.
func (g *API) conflict() {
	g.Func(source.Doc("Conflict returns a part of ev whose findings contradict each other: its probability is zero, and without any one of the findings it is not.",
		"It returns no findings if ev is possible. It takes a query of LogProb for each finding, and fails as LogProb does for other reasons."),
		"(e *Engine) Conflict(ev *Evidence) (Evidence, error)", `
return `+g.RT("Conflict")+`(len(variables), ev, (*Evidence).value, (*Evidence).set, func(ev *Evidence) error {
	_, err := e.LogProb(ev, nil)
	return err
})`)
}
