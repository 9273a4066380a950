package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// mainFile declares what callers use: the types of the model's variables, with constants and
// distributions, the structs that queries take and return, and the engine.
func (g *generator) mainFile() (*backend.File, error) {
	f := g.file()
	if len(g.opt.Flags) > 0 {
		f.HeaderComment(stamp(g.opt.Flags))
	}
	g.packageDoc()
	g.structs()
	for _, d := range domainsOf(g.m) {
		d.types(g)
	}
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		if a.types != nil {
			a.types(g, e)
		}
	})
	g.tables()
	g.byName()
	return f, g.engine()
}

// tables declares the names that error messages and text forms need.
func (g *generator) tables() {
	g.out.Comment("// enums lists the types of states.")
	g.out.Var().Id("enums").Op("=").Index(jen.Op("...")).Id(g.rt("Enum")).Op("{").Line().Do(func(s *jen.Statement) {
		for _, e := range g.ids.enums {
			states := make([]jen.Code, len(e.texts))
			for i, text := range e.texts {
				states[i] = jen.Lit(text)
			}
			s.Values(jen.Id("Name").Op(":").Lit(e.id), jen.Id("What").Op(":").Lit(e.what), jen.Id("States").Op(":").Index().String().Values(states...)).Op(",").Line()
		}
	}).Op("}")
	g.out.Line()
	g.out.Comment("// variables lists the variables: the name, and the index of the type in enums or -1.")
	g.out.Var().Id("variables").Op("=").Index(jen.Op("...")).Id(g.rt("NamedVar")).Op("{").Line().Do(func(s *jen.Statement) {
		for _, x := range g.ids.observable() {
			s.Values(jen.Id("Name").Op(":").Lit(x.v.Name), jen.Id("Enum").Op(":").Lit(x.port.enum())).Op(",").Line()
		}
	}).Op("}")
	g.out.Line()
	g.out.Comment("// names holds the names for text forms and errors.")
	g.out.Var().Id("names").Op("=").Id(g.rt("Names")).Id(fmt.Sprintf("{Package: %q, Enums: enums[:], Vars: variables[:]}", g.opt.Package))
	g.out.Line()
}

// observable returns the variables of the API, which are not latent, in file order.
func (ids *identifiers) observable() []*varID {
	var list []*varID
	for _, x := range ids.vars {
		if x != nil {
			list = append(list, x)
		}
	}
	return list
}

// of returns the identifiers of a variable, or nil if it is latent.
func (ids *identifiers) of(v model.VarID) *varID { return ids.vars[v] }

// structs declares the structs that queries take and return.
func (g *generator) structs() {
	vars := g.ids.observable()
	tag := func(x *varID) map[string]string { return map[string]string{"json": x.json + ",omitzero"} }
	g.out.Add(doc("Evidence holds what was observed of each variable. A zero field was not observed. Evidence is comparable, so that it can be the key of a map."))
	g.out.Type().Id("Evidence").StructFunc(func(s *jen.Group) {
		for _, x := range vars {
			s.Id(x.id).Id(x.port.field()).Tag(tag(x))
		}
	})
	g.out.Line()
	comment := []string{"Soft holds soft evidence. An array is the likelihood of each state of its variable: the probability of an observation",
		"given the state, up to a common factor. An array of zeros is no evidence. Queries refuse a number that is negative, infinite or NaN",
		"with ErrLikelihood."}
	if slices.ContainsFunc(vars, func(x *varID) bool { return x.measured }) {
		comment = append(comment, "A Normal is a measurement of a real variable: the number found, and the variance of its error, which is normal. Zeros are no evidence.")
	}
	g.out.Add(doc(comment...))
	g.out.Type().Id("Soft").StructFunc(func(s *jen.Group) {
		for _, x := range vars {
			if soft := x.port.soft(); soft != "" {
				s.Id(x.id).Id(soft).Tag(tag(x))
			}
		}
	})
	g.out.Line()
	g.out.Add(doc("Assignment is a joint state, as queries return it. The field of each variable that the query chose a state for is not zero."))
	g.out.Type().Id("Assignment").Op("=").Id("Evidence")
	g.out.Line()
	if !g.allMarginals() {
		return
	}
	g.out.Add(doc("Marginals holds the posterior distribution of every variable."))
	g.out.Type().Id("Marginals").StructFunc(func(s *jen.Group) {
		for _, x := range vars {
			s.Id(x.id).Id(x.port.answer()).Tag(map[string]string{"json": x.json})
		}
		if g.hasLogP() {
			s.Id("LogP").Float64().Tag(map[string]string{"json": g.logPKey()}).Comment("// natural logarithm of the probability of the evidence")
		}
	})
	g.out.Line()
}

// hasLogP reports whether Marginals has the probability of the evidence. A dependency network need
// not be consistent with any joint distribution.
func (g *generator) hasLogP() bool {
	return g.m.Kind != model.Dependency && !g.any(func(a *answerKind) bool { return a.noLogP })
}

// allMarginals reports whether some query answers with the marginals of all variables.
func (g *generator) allMarginals() bool {
	return g.maxMarginals() != nil || slices.ContainsFunc(g.p.Entries, func(e ir.Entry) bool {
		k := e.Query.Kind
		return k == ir.Bounded || k.Answer() == ir.AnswerMarginals && (k.Wants() == ir.WantsNothing || k.Wants() == ir.WantsMethod)
	})
}

// logPKey returns the JSON key of the log-probability, which differs from the keys of all
// variables.
func (g *generator) logPKey() string {
	key := "logP"
	for i := 0; i < len(g.ids.vars); i++ {
		if x := g.ids.vars[i]; x != nil && strings.EqualFold(x.json, key) {
			key, i = key+"_", -1
		}
	}
	return key
}
