package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Gradient declares Gradient and ExpectedCounts.
func (g *Methods) Gradient(e *ir.Entry) {
	fail := "\t*out = Params{}\n\treturn " + g.Std("math.Inf") + "(-1), err"
	run := "logp, err = e.runGradient(ev, soft)\nif err != nil {\n" + fail + "\n}\n"
	g.derivatives(e)
	body := run + "e.gradients(out)\nreturn logp, nil"
	if g.Model.Kind == model.Markov { // ln P(ev) is ln Z(ev) - ln Z
		body = "if _, err = e.runGradient(nil, nil); err != nil {\n" + fail + "\n}\ne.gradients(out)\n" + run + "e.contrast(out, 1)\nreturn logp, nil"
	}
	g.Func(source.Doc("Gradient sets out to the derivative of ln P(ev, soft) with respect to each parameter, and returns ln P(ev, soft); soft may be nil.",
		"Each parameter changes on its own, so that rows need not sum to one. On failure all numbers are 0 and the logarithm is -Inf."),
		"(e *Engine) Gradient(ev *Evidence, soft *Soft, out *Params) (logp float64, err error)", body)
	counts := []string{"ExpectedCounts sets out to the expected counts given ev and soft, which may be nil: in the place of each parameter, the posterior",
		"probability of its joint state of the factor's variables. It returns ln P(ev, soft). On failure all numbers are 0 and the logarithm",
		"is -Inf."}
	if g.SignedParams() {
		counts = append(counts, "Gaussian CPDs have no counts, and zeros.")
	}
	g.Func(source.Doc(counts...),
		"(e *Engine) ExpectedCounts(ev *Evidence, soft *Soft, out *Params) (logp float64, err error)",
		run+"e.gradients(out)\ne.counts(out)\nreturn logp, nil")
	g.eachParam("counts turns derivatives into expected counts.", "counts(out *Params)", func(field string, param, _ *ir.Span) string {
		if param.Role == ir.RoleSigned {
			return fmt.Sprintf("clear(out.%s[:])\n", field)
		}
		return fmt.Sprintf(g.RT("Counts")+"(out.%s[:], %s)\n", field, api.Slice("p", param))
	}, e)
}

// derivatives declares the methods that Gradient and Sensitivity share, if e is the first of their
// entries.
func (g *Methods) derivatives(e *ir.Entry) {
	if e != g.derives() {
		return
	}
	const fail = "\treturn 0, "
	g.Func(source.Doc("runGradient computes the derivatives with respect to all parameters, up to a positive factor for each table. It returns ln P(ev, soft)."),
		"(e *Engine) runGradient(ev *Evidence, soft *Soft) (float64, error)",
		g.Enter(e, "scale", fail+"err")+g.Run(e, e.Blocks)+g.Root(e, fail+"ErrImpossible")+"return "+g.LogOf(e)+", nil")
	g.eachParam("gradients sets out to the derivatives of ln P.", "gradients(out *Params)", func(field string, param, derivative *ir.Span) string {
		if param.Role == ir.RoleSigned {
			return fmt.Sprintf("copy(out.%s[:], %s)\n", field, api.Slice("s", derivative))
		}
		return fmt.Sprintf(g.RT("Gradient")+"(out.%s[:], %s, %s)\n", field, api.Slice("p", param), api.Slice("s", derivative))
	}, e)
	if g.Entry(ir.Sensitivity) != nil || g.Model.Kind == model.Markov {
		g.eachParam("contrast sets out to factor times the difference between the derivatives of ln P and out.", "contrast(out *Params, factor float64)",
			func(field string, param, derivative *ir.Span) string {
				if param.Role == ir.RoleSigned {
					return fmt.Sprintf("for i, x := range %s {\n\tout.%s[i] = factor * (x - out.%s[i])\n}\n", api.Slice("s", derivative), field, field)
				}
				return fmt.Sprintf(g.RT("Contrast")+"(out.%s[:], %s, %s, factor)\n", field, api.Slice("p", param), api.Slice("s", derivative))
			}, e)
	}
}

// eachParam declares a method with a statement for each span of parameters and its derivative. If
// there are more than VarsPerFunc spans, it calls methods for some of them each.
func (g *Methods) eachParam(comment, signature string, each func(field string, param, derivative *ir.Span) string, e *ir.Entry) {
	parts := []string{""}
	for i, param := range g.ParamSpans() {
		if i > 0 && i%api.VarsPerFunc == 0 {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += each(g.Fields[i], param, &g.Program.Spans[e.Outs[i]])
	}
	name, args, _ := strings.Cut(signature, "(")
	call := strings.NewReplacer(" *Params", "", " float64", "").Replace(args)
	body := ""
	for i, part := range parts {
		part = memoriesOf(part) + part
		if len(parts) == 1 {
			body = part
			break
		}
		g.Func(source.Doc(fmt.Sprintf("%s%d is a part of %s.", name, i+1, name)), fmt.Sprintf("(e *Engine) %s%d(%s", name, i+1, args), part)
		body += fmt.Sprintf("e.%s%d(%s\n", name, i+1, call)
	}
	g.Func(source.Doc(comment), "(e *Engine) "+signature, body)
}

// memoriesOf returns the statement that declares the memories s and p, as far as a body uses them.
func memoriesOf(body string) string {
	work, data := source.Indexes(body, "s"), source.Indexes(body, "p")
	switch {
	case work && data:
		return "s, p := e.work(), e.data()\n"
	case work:
		return "s := e.work()\n"
	case data:
		return "p := e.data()\n"
	}
	return ""
}

// Sensitivity declares Sensitivity. The runtime's Sensitivity says how.
func (g *Methods) Sensitivity(e *ir.Entry) {
	g.derivatives(e)
	g.target(len(e.Tilt) > 0)
	g.weigh(e)
	comment := []string{"Sensitivity sets out to the derivative of a posterior probability with respect to each parameter, and returns the probability.",
		"It is that of the one state in target given ev. Each parameter changes on its own. On failure all numbers are 0."}
	mean := ""
	if len(e.Tilt) > 0 {
		comment = append(comment, "If target has a value of a real variable instead, whatever it is, the answer is the posterior mean of that variable and its derivatives.",
			"The derivative by a variance of 0 is 0, since it cannot be replaced.")
		mean = "if state == 0 {\n\treturn e.meanSensitivity(ev, variable, all, out)\n}\n"
		g.meanSensitivity(e)
	}
	g.Func(source.Doc(comment...),
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
`+mean+`p, err = `+g.RT("Sensitivity")+`(all, func(w float64) (float64, error) { return e.weigh(ev, variable, state, w) }, func(factor float64) { e.contrast(out, factor) })
if err != nil {
	*out = Params{}
}
return p, err`)
}

// weigh declares weigh, which changes the likelihood of one variable, and the places of
// likelihoods.
func (g *Methods) weigh(e *ir.Entry) {
	inputs := g.Loader(e).Inputs
	var rows []string
	for _, x := range g.Names.Observable() {
		first, n := 0, 0
		for _, in := range inputs[x.Var.ID] { // one, if anything depends on the variable
			first, n = in.Offset, in.Len
		}
		rows = append(rows, fmt.Sprintf("{%d, %d}", first, n))
	}
	g.Out.Comment("// inputPlaces holds the place and the length of each variable's likelihood.")
	g.Out.Var().Id("inputPlaces").Op("=").Index(jen.Lit(len(rows))).Index(jen.Lit(2)).Int32().Id("{" + strings.Join(rows, ", ") + "}")
	g.Out.Line()
	g.Func(source.Doc("weigh enters ev, multiplies the likelihoods of all states but one of a variable by w, and computes the derivatives."),
		"(e *Engine) weigh(ev *Evidence, variable int, state uint, w float64) (logp float64, err error)",
		fmt.Sprintf("scale, err := e.%s(ev, nil)\nif err != nil {\n\treturn 0, err\n}\n", g.Loader(e).Func)+g.Narrow(g.Loader(e))+`
at, n := int(inputPlaces[variable][0]), int(inputPlaces[variable][1])
`+g.RT("Weigh")+"(e.work()[at:at+n], int(state)-1, w)\n"+g.Run(e, e.Blocks)+g.Root(e, "\treturn "+g.Std("math.Inf")+"(-1), nil")+"return "+g.LogOf(e)+", nil")
}

// meanSensitivity declares meanSensitivity. See [ir.Entry] about the tilt.
func (g *Methods) meanSensitivity(e *ir.Entry) {
	var places []string
	reals := g.Model.Reals()
	target, scale := &g.Program.Spans[e.Tilt[0]], g.Program.Spans[e.Tilt[1]].Offset
	for _, x := range g.Names.Observable() {
		places = append(places, fmt.Sprint(target.Offset+max(0, slices.Index(reals, x.Var.ID))))
	}
	g.Out.Comment("// targetPlaces holds the place of the number that makes a real variable the target.")
	g.Out.Var().Id("targetPlaces").Op("=").Index(jen.Lit(len(places))).Int32().Id("{" + strings.Join(places, ", ") + "}")
	g.Out.Line()
	g.Func(source.Doc("meanSensitivity is Sensitivity for the mean of a real variable; all is the logarithm of the probability of ev, and out has its",
		"derivatives. They are compared with those of a density that was multiplied by a function t, which is linear in the target."),
		"(e *Engine) meanSensitivity(ev *Evidence, variable int, all float64, out *Params) (mean float64, err error)", fmt.Sprintf(`
s := e.work()
s[targetPlaces[variable]] = 1
tilted, err := e.runGradient(ev, nil)
s[targetPlaces[variable]] = 0
if err != nil {
	*out = Params{}
	return 0, err
}
t := `+g.Std("math.Exp")+`(tilted - all)
e.contrast(out, s[%[1]d]*t)
return s[%[2]d] + float64(s[%[1]d]*(t-1)), nil`, scale, scale+1))
}

// target declares targetOf.
func (g *Methods) target(means bool) {
	b := &strings.Builder{}
	b.WriteString("n := 0\n")
	for _, x := range g.Names.Observable() {
		if x.Port.States() == 0 {
			fmt.Fprintf(b, "if target.%s.observed {\n\tvariable, state, n = %d, 0, n+1\n}\n", x.ID, x.Index)
			continue
		}
		fmt.Fprintf(b, "if target.%s != 0 {\n\tvariable, state, n = %d, uint(target.%s), n+1\n}\n", x.ID, x.Index, x.ID)
	}
	fmt.Fprintf(b, "return %s(&names, variable, state, n, %v)", g.RT("Target"), means)
	comment := "targetOf returns the one variable with a state in target, and the state counted from 1."
	if means {
		comment = "targetOf returns the one variable with a state or a value in target, and the state counted from 1, or 0 for a value."
	}
	g.Func(source.Doc(comment),
		"targetOf(target *Evidence) (variable int, state uint, err error)", b.String())
}

// derives returns the first entry that answers with derivatives.
func (g *Methods) derives() *ir.Entry {
	if e := g.Entry(ir.Gradient); e != nil {
		return e
	}
	return g.Entry(ir.Sensitivity)
}

// ParamSpans returns the spans of parameters. The element of g.Fields with the same index is the
// field of Params.
func (g *Methods) ParamSpans() []*ir.Span {
	var spans []*ir.Span
	for _, id := range g.Program.ParamSpans() {
		spans = append(spans, &g.Program.Spans[id])
	}
	return spans
}

// nameParams gives each span of parameters the name of a field.
func (g *Methods) nameParams() {
	fields := names.NewScope()
	for _, span := range g.ParamSpans() {
		g.Fields = append(g.Fields, fields.Claim(names.Exported(span.Name, "P", "Factor")))
	}
}

// SignedParams reports whether some parameters belong to Gaussian CPDs.
func (g *Methods) SignedParams() bool {
	return slices.ContainsFunc(g.ParamSpans(), func(s *ir.Span) bool { return s.Role == ir.RoleSigned })
}
