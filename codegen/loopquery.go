package codegen

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// loops reports whether the package answers by iteration of its own, beside that of Jeffrey.
func (g *generator) loops() bool { return g.p.Loops() }

// bp declares the query of that name.
func (g *generator) bp(f *jen.File, e *ir.Entry) {
	g.loop(f, e, "BP", "sets out to approximate posteriors by belief propagation, given ev and soft, which may be nil, and LogP to the Bethe",
		"estimate of the logarithm of their probability.")
}

// meanField declares the query of that name.
func (g *generator) meanField(f *jen.File, e *ir.Entry) {
	bound := "a lower bound of the logarithm of their probability."
	if g.m.Kind == model.Markov {
		bound = "an estimate of the logarithm of their probability: a lower bound of ln Z given them, less that of ln Z."
	}
	g.loop(f, e, "MeanField", "sets out to the nearest distribution of independent variables that was found, given ev and soft, which may be nil, and LogP to", bound)
}

// loop declares a query that a loop answers, and the type of its options.
func (g *generator) loop(f *jen.File, e *ir.Entry, name string, lines ...string) {
	l := e.Loop
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	f.Add(doc(fmt.Sprintf("%sOptions say how %s goes; a field that is zero means the default.", name, name)))
	f.Type().Id(name+"Options").Struct(
		jen.Id("Iterations").Int().Comment(fmt.Sprintf("// at most so many rounds; by default %d", l.Iterations)),
		jen.Id("Tolerance").Float64().Comment(fmt.Sprintf("// end after a round that changes no number by more; by default %s; negative: never", number(l.Tolerance))),
		jen.Id("Damping").Float64().Comment(fmt.Sprintf("// the share of the old value in a new one, below 1; by default %s; negative: none", number(l.Damping))),
	)
	f.Line()
	lines[0] = name + " " + lines[0]
	lines = append(lines, "It iterates: the report says how often, and whether that has settled; where it has not, out is of the last round.", "",
		"Options out of range give ErrOptions, and a context that is done its error, before the next round. On failure all numbers are 0,", "and LogP is -Inf.")
	fail := "\t*out = Marginals{LogP: math.Inf(-1)}\n\treturn "
	at := func(id ir.SpanID) string { return fmt.Sprintf("e.work()[%d]", g.p.Spans[id].Offset) }
	load := g.loader(e)
	g.fn(f, doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx context.Context, ev *Evidence, soft *Soft, opt %sOptions, out *Marginals) (Report, error)", name, name),
		"var report Report\n"+
			fmt.Sprintf("o, err := rt.LoopOptions(opt).With(rt.LoopOptions{Iterations: %d, Tolerance: %s, Damping: %s})\n", l.Iterations, number(l.Tolerance), number(l.Damping))+
			fmt.Sprintf("scale := 0.0\nif err == nil {\n\tscale, err = e.%s(ev, soft)\n}\nif err != nil {\n%sreport, err\n}\n", load.fn, fail)+
			g.narrow(load)+
			fmt.Sprintf("%s = o.Damping\n", at(l.Rate))+g.run(e, e.Blocks[:l.First])+
			fmt.Sprintf("for again := true; again; again = o.Round(&report, %s) {\n", at(l.Residual))+
			fmt.Sprintf("if err := ctx.Err(); err != nil {\n%sreport, err\n}\n", fail)+
			g.run(e, e.Blocks[l.First:l.End])+"}\n"+g.run(e, e.Blocks[l.End:])+
			fmt.Sprintf("if %s == 0 {\n%sreport, ErrImpossible\n}\n", at(e.Root), fail)+
			g.copyAll(f, e)+fmt.Sprintf("out.LogP = %s + scale%s\nreturn report, nil", at(l.LogP), g.minusLogZ()))
}
