package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ParamNames holds the names that a package has if its parameters can be replaced.
var ParamNames = []string{"DefaultParams", "NewWith", "Params"}

// params declares the parameters that can be replaced, and the functions that make an engine.
func (g *Engine) params() error {
	if err := g.paramsInRange(); err != nil {
		return err
	}
	var load, save strings.Builder
	comment := []string{"Params holds the parameters of the model: a table for each factor, in file order. A table lists the joint states of the",
		"factor's variables in order, with the last variable changing fastest."}
	if g.SignedParams() {
		comment = append(comment, "That of a Gaussian CPD lists the means, then the coefficients of each real parent, then the variances, each by joint state of",
			"the discrete parents.")
	}
	g.Out.Add(source.Doc(comment...))
	g.Out.Type().Id("Params").StructFunc(func(s *jen.Group) {
		for i, span := range g.ParamSpans() {
			id := g.Fields[i]
			s.Id(id).Index(jen.Lit(span.Len)).Float64().Comment("// " + source.Plain(span.Name))
			check := fmt.Sprintf("%s(params.%s[:])", g.RT("InRange"), id)
			if span.Role == ir.RoleSigned {
				check = fmt.Sprintf("%s(params.%s[:], %s, %d, %g, %g)", g.RT("GaussianInRange"), id, api.Slice("p", span), g.gaussianRows(span), 1/model.MaxReal, model.MaxReal)
			}
			fmt.Fprintf(&load, "if !%s {\n\treturn nil, badParams(%q)\n}\ncopy(%s, params.%s[:])\n", check, id, api.Slice("p", span), id)
			fmt.Fprintf(&save, "copy(params.%s[:], %s)\n", id, api.Slice("constants", span))
		}
	})
	g.Out.Line()
	constants := "constants"
	if g.Memories.Embedded() {
		constants = "numbers().constants"
	}
	g.Func(source.Doc("DefaultParams returns the parameters that the model was compiled with."), "DefaultParams() (params Params)",
		strings.ReplaceAll(save.String(), "constants[", constants+"[")+"return params")
	make := strings.Replace(g.newBody(), "return ", "e := ", 1) + "\n*e.data() = " + constants + "\n"
	logZ, err := g.findLogZ()
	if err != nil {
		return err
	}
	g.Func(source.Doc("New returns an engine with the parameters that the model was compiled with."), "New() *Engine", make+g.copies()+g.initialLogZ()+"return e")
	g.Func(source.Doc("NewWith returns an engine with a copy of the given parameters. Rows that do not sum to one are used as they are.",
		"A number that is neither 0 nor from 1e-60 to 1e60 is an error. NewWith(nil) is New."),
		"NewWith(params *Params) (*Engine, error)", "if params == nil {\n\treturn New(), nil\n}\n"+make+"p := e.data()\n"+load.String()+strings.Replace(g.copies(), "s, p := e.work(), e.data()", "s := e.work()", 1)+logZ+"return e, nil")
	g.paramRanges()
	return nil
}

// paramsInRange returns an error if a potential of a Markov network has numbers that NewWith does
// not take. Potentials that cannot be replaced are divided by constants instead.
func (g *Engine) paramsInRange() error {
	if g.Model.Kind != model.Markov {
		return nil
	}
	for _, span := range g.ParamSpans() {
		if slices.ContainsFunc(span.Data, func(x float64) bool { return x != 0 && (x < 1e-60 || x > 1e60) }) {
			return diag.Errorf("the %s is out of range; want zeros and numbers from 1e-60 to 1e60 in potentials that can be replaced; multiply it by a constant, which changes neither marginals nor best states, or leave out %v",
				span.Name, diag.Option{Name: "params", Value: "var"})
		}
	}
	return nil
}

// gaussianRows returns the number of rows of the Gaussian CPD with parameters in a span. Factors
// that no query needs have no span.
func (g *Engine) gaussianRows(span *ir.Span) int {
	f := slices.IndexFunc(g.Model.Factors, func(f *model.Factor) bool { return g.Model.FactorName(f) == span.Name })
	return len(g.Model.Factors[f].Gaussian().Mean)
}

// paramRanges declares the function that refuses parameters.
func (g *Engine) paramRanges() {
	want := "want zeros and numbers from 1e-60 to 1e60"
	if g.SignedParams() {
		want += fmt.Sprintf("; and of a Gaussian CPD numbers of a size of at most %g, and variances from %g to %g, and of 0 if they are 0 in the model", model.MaxReal, 1/model.MaxReal, model.MaxReal)
	}
	g.Func(source.Doc("badParams returns the error of a parameter out of range."), "badParams(field string) error",
		fmt.Sprintf("return names.Fail(\"parameters \" + field + %q, nil)", ": "+want))
}

// initialLogZ returns the statement of New that sets ln Z.
func (g *Engine) initialLogZ() string {
	if !g.MovesLogZ() {
		return ""
	}
	return fmt.Sprintf("e.logZ = %v\n", g.Program.LogZ)
}

// findLogZ returns the statements of NewWith that compute ln Z by a query without evidence.
func (g *Engine) findLogZ() (string, error) {
	if !g.MovesLogZ() {
		return "", nil
	}
	e := g.Z.Entry
	if e != nil {
		rng := ""
		if e.Query.Kind == ir.Sample {
			rng = "e.rng = NewRand(0)\n"
		}
		return fmt.Sprintf("scale, err := e.%s(nil, nil)\nif err != nil {\n\treturn nil, err\n}\n", g.Loader(e).Func) + g.Narrow(g.Loader(e)) + rng + g.Run(e, e.Blocks) +
			g.Root(e, "\treturn nil, names.Fail(\"the product of the parameters is zero for every joint state\", nil)") +
			"e.logZ = " + strings.TrimSuffix(g.LogOf(e), " - e.logZ") + "\n", nil
	}
	if g.Z.Maximises {
		return "", errors.New("a Markov network with variable parameters needs a query for probabilities besides mpe, kmpe and map, to compute ln Z; add logprob")
	}
	return "", nil
}
