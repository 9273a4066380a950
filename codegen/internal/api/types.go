package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Tables declares the names that error messages and text forms need.
func (g *API) Tables() {
	g.Out.Comment("// enum describes a type of states.")
	g.Out.Type().Id("enum").Struct(
		jen.List(jen.Id("name"), jen.Id("what")).String().Comment("// its name, and what it is in messages"), jen.Id("states").Index().String(),
	)
	g.Out.Line()
	g.Out.Comment("// enums lists the types of states.")
	g.Out.Var().Id("enums").Op("=").Index(jen.Op("...")).Id("enum").Op("{").Line().Do(func(s *jen.Statement) {
		for _, e := range g.ids.Enums {
			states := make([]jen.Code, len(e.texts))
			for i, text := range e.texts {
				states[i] = jen.Lit(text)
			}
			s.Values(jen.Lit(e.ID), jen.Lit(e.what), jen.Index().String().Values(states...)).Op(",").Line()
		}
	}).Op("}")
	g.Out.Line()
	g.Out.Comment("// variables lists the variables: the name, and the index of the type in enums or -1.")
	g.Out.Var().Id("variables").Op("=").Index(jen.Op("...")).Struct(jen.Id("name").String(), jen.Id("enum").Int()).Op("{").Line().Do(func(s *jen.Statement) {
		for _, x := range g.ids.Observable() {
			s.Values(jen.Lit(x.Var.Name), jen.Lit(x.Port.Enum())).Op(",").Line()
		}
	}).Op("}")
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
	vars := g.ids.Observable()
	tag := func(x *Variable) map[string]string { return map[string]string{"json": x.JSON + ",omitzero"} }
	g.Out.Add(Doc("Evidence holds what was observed of each variable. A zero field was not observed. Evidence is comparable, so that it can be the key of a map."))
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
	g.Out.Add(Doc(comment...))
	g.Out.Type().Id("Soft").StructFunc(func(s *jen.Group) {
		for _, x := range vars {
			if soft := x.Port.Soft(); soft != "" {
				s.Id(x.ID).Id(soft).Tag(tag(x))
			}
		}
	})
	g.Out.Line()
	g.Out.Add(Doc("Assignment is a joint state, as queries return it. The field of each variable that the query chose a state for is not zero."))
	g.Out.Type().Id("Assignment").Op("=").Id("Evidence")
	g.Out.Line()
	if !g.AllMarginals() {
		return
	}
	g.Out.Add(Doc("Marginals holds the posterior distribution of every variable."))
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
	return g.m.Kind != model.Dependency && !g.form.NoLogP
}

// AllMarginals reports whether some query answers with the marginals of all variables.
func (g *API) AllMarginals() bool {
	return g.maxMarginals() != nil || slices.ContainsFunc(g.p.Entries, func(e ir.Entry) bool {
		k := e.Query.Kind
		return k == ir.Bounded || k.Answer() == ir.AnswerMarginals && (k.Wants() == ir.WantsNothing || k.Wants() == ir.WantsMethod)
	})
}

// LogPKey returns the JSON key of the log-probability, which differs from the keys of all
// variables.
func (g *API) LogPKey() string {
	key := "logP"
	for i := 0; i < len(g.ids.vars); i++ {
		if x := g.ids.vars[i]; x != nil && strings.EqualFold(x.JSON, key) {
			key, i = key+"_", -1
		}
	}
	return key
}

// TypeHelpers declares the functions that all types share.
func (g *API) TypeHelpers() {
	g.fn(Doc("valuesOf returns the n states of a type."), "valuesOf[T ~uint8 | ~uint16](n int) []T", `
values := make([]T, n)
for i := range values {
	values[i] = T(i + 1)
}
return values`)
	g.fn(Doc("stateString returns the name of a state, also of one out of range."), "stateString(enum int, state uint) string", `
switch e := &enums[enum]; {
case state == 0:
	return "unset"
case state > uint(len(e.states)):
	return e.name + "(" + `+g.std("strconv.FormatUint")+`(uint64(state), 10) + ")"
default:
	return e.states[state-1]
}`)
	g.fn(Doc("stateName returns the name of a state, and an empty text for 0."), "stateName(enum int, state uint) string", `
if state == 0 {
	return ""
}
return stateString(enum, state)`)
	g.fn(Doc("stateText returns the name of a state, and an empty text for 0."), "stateText(enum int, state uint) ([]byte, error)", `
switch e := &enums[enum]; {
case state == 0:
	return []byte{}, nil
case state > uint(len(e.states)):
	return nil, &failure{e.what + " has no state " + `+g.std("strconv.FormatUint")+`(uint64(state), 10), ErrState}
default:
	return []byte(e.states[state-1]), nil
}`)
	g.fn(Doc("parseState returns the state with the given name, and 0 for an empty name."), "parseState(enum int, text string) (uint, error)", `
if text == "" {
	return 0, nil
}
e := &enums[enum]
for i, s := range e.states {
	if s == text {
		return uint(i) + 1, nil
	}
}
return 0, &failure{e.what + " has no state " + `+g.std("strconv.Quote")+`(short(text)) + " (states: [" + `+g.std("strings.Join")+`(e.states, " ") + "])", ErrState}`)
	g.fn(Doc("allOf iterates over the states of a type and their numbers."), "allOf[T ~uint8 | ~uint16](d []float64) "+g.std("iter.Seq2")+"[T, float64]", `
return func(yield func(T, float64) bool) {
	for i, p := range d {
		if !yield(T(i+1), p) {
			return
		}
	}
}`)
	g.fn(Doc("largest returns 1 plus the first index of the largest number, and that number. It returns 0 and 0 if no number is above 0."), "largest(d []float64) (at int, top float64)", `
for i, p := range d {
	if p > top {
		at, top = i+1, p
	}
}
return at, top`)
	g.failure()
}

// failure declares the error type of the package.
func (g *API) failure() {
	g.Out.Add(Doc("failure is an error of this package. It wraps its cause, which may be nil."))
	g.Out.Type().Id("failure").Struct(jen.Id("text").String(), jen.Id("cause").Error())
	g.Out.Line()
	g.fn(Doc("Error returns the text after the name of the package."), "(f *failure) Error() string",
		fmt.Sprintf("return %q + f.text", g.Package+": "))
	g.fn(Doc("Unwrap returns the cause."), "(f *failure) Unwrap() error", "return f.cause")
}
