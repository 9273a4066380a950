package codegen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// gradient declares Gradient and ExpectedCounts.
func (g *generator) gradient(e *ir.Entry) {
	fail := "\t*out = Params{}\n\treturn " + g.std("math.Inf") + "(-1), err"
	run := "logp, err = e.runGradient(ev, soft)\nif err != nil {\n" + fail + "\n}\n"
	g.derivatives(e)
	body := run + "e.gradients(out)\nreturn logp, nil"
	if g.m.Kind == model.Markov { // ln P(ev) is ln Z(ev) - ln Z
		body = "if _, err = e.runGradient(nil, nil); err != nil {\n" + fail + "\n}\ne.gradients(out)\n" + run + "e.contrast(out, 1)\nreturn logp, nil"
	}
	g.fn(doc("Gradient sets out to the derivative of ln P(ev, soft) by each number of the model, as if each were free to change on its own,",
		"and gives that logarithm; soft may be nil. On failure all numbers are 0, and the logarithm -Inf."),
		"(e *Engine) Gradient(ev *Evidence, soft *Soft, out *Params) (logp float64, err error)", body)
	g.fn(doc("ExpectedCounts sets out to the expected counts given ev and soft, which may be nil: the posterior probability of each joint state of",
		"a factor's variables, in the place of the factor's number for it. It gives ln P(ev, soft). On failure all numbers are 0."),
		"(e *Engine) ExpectedCounts(ev *Evidence, soft *Soft, out *Params) (logp float64, err error)",
		run+"e.gradients(out)\ne.counts(out)\nreturn logp, nil")
	g.eachParam("counts turns derivatives into expected counts.", "counts(out *Params)", func(field string, param, _ *ir.Span) string {
		return fmt.Sprintf(g.rt("Counts")+"(out.%s[:], %s)\n", field, slice("p", param))
	}, e)
}

// derivatives declares the methods that several answers call, if e is the first of their entries.
func (g *generator) derivatives(e *ir.Entry) {
	if e != g.first(func(a *answerer) bool { return a.derives }) {
		return
	}
	const fail = "\treturn 0, "
	g.fn(doc("runGradient computes the derivatives by all parameters, up to a number a factor, and gives ln P(ev, soft)."),
		"(e *Engine) runGradient(ev *Evidence, soft *Soft) (float64, error)",
		g.enter(e, "scale", fail+"err")+g.run(e, e.Blocks)+g.root(e, fail+"ErrImpossible")+"return "+g.logOf(e)+", nil")
	g.eachParam("gradients sets out to the derivatives of the logarithm.", "gradients(out *Params)", func(field string, param, derivative *ir.Span) string {
		return fmt.Sprintf(g.rt("Gradient")+"(out.%s[:], %s, %s)\n", field, slice("p", param), slice("s", derivative))
	}, e)
	if g.any(func(a *answerer) bool { return a.contrasts }) || g.m.Kind == model.Markov {
		g.eachParam("contrast sets out to factor times the difference between the derivatives of the logarithm and out.", "contrast(out *Params, factor float64)",
			func(field string, param, derivative *ir.Span) string {
				return fmt.Sprintf(g.rt("Contrast")+"(out.%s[:], %s, %s, factor)\n", field, slice("p", param), slice("s", derivative))
			}, e)
	}
}

// eachParam declares a method with a statement for each span of parameters and its derivative, in
// parts where they are many.
func (g *generator) eachParam(comment, signature string, each func(field string, param, derivative *ir.Span) string, e *ir.Entry) {
	parts := []string{""}
	for i, param := range g.paramSpans() {
		if i > 0 && i%varsPerFunc == 0 {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += each(g.fields[i], param, &g.p.Spans[e.Outs[i]])
	}
	name, args, _ := strings.Cut(signature, "(")
	call := strings.NewReplacer(" *Params", "", " float64", "").Replace(args)
	body := ""
	for i, part := range parts {
		if strings.Contains(part, " s[") {
			part = "s, p := e.work(), e.data()\n" + part
		} else {
			part = "p := e.data()\n" + part
		}
		if len(parts) == 1 {
			body = part
			break
		}
		g.fn(doc(fmt.Sprintf("%s%d is a part of %s.", name, i+1, name)), fmt.Sprintf("(e *Engine) %s%d(%s", name, i+1, args), part)
		body += fmt.Sprintf("e.%s%d(%s\n", name, i+1, call)
	}
	g.fn(doc(comment), "(e *Engine) "+signature, body)
}

// sensitivity declares Sensitivity. With G(e) for the derivative of ln P(e), the derivative of p =
// P(t | e) is p (G(t, e) - G(e)). Where p is 0 that says nothing; then a likelihood that is 1 for t
// and 1/2 for the other states, under which the evidence stays possible, gives it: (1 + p)
// (G(likelihood, e) - G(e)).
func (g *generator) sensitivity(e *ir.Entry) {
	g.derivatives(e)
	g.target()
	inputs := g.loader(e).inputs
	var rows []string
	for _, x := range g.ids.observable() {
		first, n := 0, 0
		for _, in := range inputs[x.v.ID] { // one, where anything depends on the variable
			first, n = in.Offset, in.Len
		}
		rows = append(rows, fmt.Sprintf("{%d, %d}", first, n))
	}
	g.out.Comment("// inputPlaces has the place of each variable's likelihood, and its length.")
	g.out.Var().Id("inputPlaces").Op("=").Index(jen.Lit(len(rows))).Index(jen.Lit(2)).Int32().Id("{" + strings.Join(rows, ", ") + "}")
	g.out.Line()
	g.fn(doc("weigh enters ev, with the likelihoods of all states but one of a variable times w, and computes the derivatives."),
		"(e *Engine) weigh(ev *Evidence, variable int, state uint, w float64) (logp float64, err error)",
		fmt.Sprintf("scale, err := e.%s(ev, nil)\nif err != nil {\n\treturn 0, err\n}\n", g.loader(e).fn)+g.narrow(g.loader(e))+`
at, n := int(inputPlaces[variable][0]), int(inputPlaces[variable][1])
for i, s := 0, e.work()[at:at+n]; i < len(s); i++ {
	if uint(i)+1 != state {
		s[i] *= w
	}
}
`+g.run(e, e.Blocks)+g.root(e, "\treturn "+g.std("math.Inf")+"(-1), nil")+"return "+g.logOf(e)+", nil")
	g.fn(doc("Sensitivity sets out to the derivative, by each number of the model, of the probability that the one variable which target has",
		"observed is in that state, given ev; and gives that probability. Each number changes on its own. On failure all are 0."),
		"(e *Engine) Sensitivity(ev, target *Evidence, out *Params) (p float64, err error)", `
*out = Params{}
variable, state, err := targetOf(target)
if err != nil {
	return 0, err
}
all, err := e.runGradient(ev, nil)
if err != nil {
	return 0, err
}
e.gradients(out)
part, err := e.weigh(ev, variable, state, 0)
if err == nil && `+g.std("math.IsInf")+`(part, -1) {
	if _, err = e.weigh(ev, variable, state, 0.5); err == nil {
		e.contrast(out, 1)
		return 0, nil
	}
}
if err != nil {
	*out = Params{}
	return 0, err
}
p = `+g.std("math.Exp")+`(part - all)
e.contrast(out, p)
return p, nil`)
}

// target declares targetOf.
func (g *generator) target() {
	b := &strings.Builder{}
	b.WriteString("n := 0\n")
	for _, x := range g.ids.observable() {
		fmt.Fprintf(b, "if target.%s != 0 {\n\tvariable, state, n = %d, uint(target.%s), n+1\n}\n", x.id, x.index, x.id)
	}
	b.WriteString(`if n != 1 {
	return 0, 0, &failure{"the target has states of " + ` + g.std("strconv.Itoa") + `(n) + " variables; want one", nil}
}
if state > uint(len(enums[variables[variable].enum].states)) {
	return 0, 0, badState(variable, state)
}
return variable, state, nil`)
	g.fn(doc("targetOf gives the one variable that target has observed, and its state counted from 1."),
		"targetOf(target *Evidence) (variable int, state uint, err error)", b.String())
}
