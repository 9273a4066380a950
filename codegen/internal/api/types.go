package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Tables declares the names that error messages and text forms need.
func (g *API) Tables() {
	g.Out.Comment("// enums lists the types of states.")
	g.Out.Var().Id("enums").Op("=").Index(jen.Op("...")).Id(g.RT("Enum")).Op("{").Line().Do(func(s *jen.Statement) {
		for _, e := range g.Names.Enums {
			states := make([]jen.Code, len(e.texts))
			for i, text := range e.texts {
				states[i] = jen.Lit(text)
			}
			s.Values(jen.Id("Name").Op(":").Lit(e.ID), jen.Id("What").Op(":").Lit(e.what), jen.Id("States").Op(":").Index().String().Values(states...)).Op(",").Line()
		}
	}).Op("}")
	g.Out.Line()
	g.Out.Comment("// variables lists the variables: the name, and the index of the type in enums or -1.")
	g.Out.Var().Id("variables").Op("=").Index(jen.Op("...")).Id(g.RT("NamedVar")).Op("{").Line().Do(func(s *jen.Statement) {
		for _, x := range g.Names.Observable() {
			s.Values(jen.Id("Name").Op(":").Lit(x.Var.Name), jen.Id("Enum").Op(":").Lit(x.Port.Enum())).Op(",").Line()
		}
	}).Op("}")
	g.Out.Line()
	g.Out.Comment("// names holds the names for text forms and errors.")
	g.Out.Var().Id("names").Op("=").Id(g.RT("Names")).Id(fmt.Sprintf("{Package: %q, Enums: enums[:], Vars: variables[:]}", g.Package))
	g.Out.Line()
}

// Observable returns the variables of the API, which are not latent, in file order.
func (ids *Identifiers) Observable() []*Variable {
	var list []*Variable
	for _, x := range ids.vars {
		if x != nil {
			list = append(list, x)
		}
	}
	return list
}

// Of returns the identifiers of a variable, or nil if it is latent.
func (ids *Identifiers) Of(v model.VarID) *Variable { return ids.vars[v] }

// Structs declares the structs that queries take and return.
func (g *API) Structs() {
	vars := g.Names.Observable()
	tag := func(x *Variable) map[string]string { return map[string]string{"json": x.JSON + ",omitzero"} }
	g.Out.Add(source.Doc("Evidence holds what was observed of each variable. A zero field was not observed. Evidence is comparable, so that it can be the key of a map."))
	g.Out.Type().Id("Evidence").StructFunc(func(s *jen.Group) {
		for _, x := range vars {
			s.Id(x.ID).Id(x.Port.Field()).Tag(tag(x))
		}
	})
	g.Out.Line()
	comment := []string{"Soft holds soft evidence. An array is the likelihood of each state of its variable: the probability of an observation",
		"given the state, up to a common factor. An array of zeros is no evidence. Queries refuse a number that is negative, infinite or NaN",
		"with ErrLikelihood."}
	if slices.ContainsFunc(vars, func(x *Variable) bool { return x.Measured }) {
		comment = append(comment, "A Normal is a measurement of a real variable: the number found, and the variance of its error, which is normal. Zeros are no evidence.")
	}
	g.Out.Add(source.Doc(comment...))
	g.Out.Type().Id("Soft").StructFunc(func(s *jen.Group) {
		for _, x := range vars {
			if soft := x.Port.Soft(); soft != "" {
				s.Id(x.ID).Id(soft).Tag(tag(x))
			}
		}
	})
	g.Out.Line()
	g.Out.Add(source.Doc("Assignment is a joint state, as queries return it. The field of each variable that the query chose a state for is not zero."))
	g.Out.Type().Id("Assignment").Op("=").Id("Evidence")
	g.Out.Line()
	if !g.AllMarginals() {
		return
	}
	g.Out.Add(source.Doc("Marginals holds the posterior distribution of every variable."))
	g.Out.Type().Id("Marginals").StructFunc(func(s *jen.Group) {
		for _, x := range vars {
			s.Id(x.ID).Id(x.Port.Answer()).Tag(map[string]string{"json": x.JSON})
		}
		if g.HasLogP() {
			s.Id("LogP").Float64().Tag(map[string]string{"json": g.LogPKey()}).Comment("// natural logarithm of the probability of the evidence")
		}
	})
	g.Out.Line()
}

// HasLogP reports whether Marginals has the probability of the evidence. A dependency network need
// not be consistent with any joint distribution.
func (g *API) HasLogP() bool {
	return g.Model.Kind != model.Dependency && !g.form.NoLogP
}

// AllMarginals reports whether some query answers with the marginals of all variables.
func (g *API) AllMarginals() bool {
	return g.maxMarginals() != nil || slices.ContainsFunc(g.Program.Entries, func(e ir.Entry) bool {
		k := e.Query.Kind
		return k == ir.Bounded || k.Answer() == ir.AnswerMarginals && (k.Wants() == ir.WantsNothing || k.Wants() == ir.WantsMethod)
	})
}

// LogPKey returns the JSON key of the log-probability, which differs from the keys of all
// variables.
func (g *API) LogPKey() string {
	key := "logP"
	for i := 0; i < len(g.Names.vars); i++ {
		if x := g.Names.vars[i]; x != nil && strings.EqualFold(x.JSON, key) {
			key, i = key+"_", -1
		}
	}
	return key
}
