package codegen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// decoder is the entry that chooses states by messages; nil where there is none.
func (g *generator) decoder() *ir.Entry {
	for _, kind := range []ir.QueryKind{ir.MaxProduct, ir.TRWS, ir.MPLP} {
		if e := g.entry(kind); e != nil {
			return e
		}
	}
	return nil
}

// maxProduct declares the query of that name, and max-marginals.
func (g *generator) maxProduct(e *ir.Entry) {
	g.decode(e, "MaxProduct", "by loopy max-product")
	g.fn(doc("MaxMarginals sets out to what the last MaxProduct that succeeded found of each variable: how good the best completion with each",
		"of its states is, as a distribution; and LogP to the logarithm of its completion."),
		"(e *Engine) MaxMarginals(out *Marginals)", g.copyAll(e)+"out.LogP = e.decoded")
}

// trws and mplp declare the queries of these names.
func (g *generator) trws(e *ir.Entry) {
	g.decode(e, "TRWS", "by sequential tree-reweighted message passing")
}

func (g *generator) mplp(e *ir.Entry) {
	g.decode(e, "MPLP", "by max-product linear programming")
}

// decode declares a query that chooses states by messages, and the type of its options.
func (g *generator) decode(e *ir.Entry, name, by string) {
	l, d := e.Loop, e.Loop.Decode
	bounds := d.Bound != ir.NoSpan
	options := g.rt("LoopOptions") + "(opt)"
	g.out.Add(doc(fmt.Sprintf("%sOptions say how %s goes; a field that is zero means the default.", name, name)))
	g.out.Type().Id(name + "Options").StructFunc(func(s *jen.Group) {
		s.Id("Iterations").Int().Comment(fmt.Sprintf("// at most so many rounds; by default %d", l.Iterations))
		if bounds {
			options = g.rt("LoopOptions") + "{Iterations: opt.Iterations, Tolerance: opt.Tolerance}"
			s.Id("Tolerance").Float64().Comment(fmt.Sprintf("// end after two rounds that lower the bound by no more; by default %v; negative: only where the bound is reached", l.Tolerance))
			return
		}
		s.Id("Tolerance").Float64().Comment(fmt.Sprintf("// end after a round that changes no message by more; by default %v; negative: never", l.Tolerance))
		s.Id("Damping").Float64().Comment(fmt.Sprintf("// the share of the old message in a new one, below 1; by default %v; negative: none", l.Damping))
	})
	g.out.Line()
	of := "probability"
	if g.m.Kind == model.Markov {
		of = "weight, the product of the potentials,"
	}
	fail := "\t*out = Assignment{}\n\treturn " + g.std("math.Inf") + "(-1), DecodeReport{}, "
	failed := "if err != nil {\n" + fail + "err\n}\n"
	known, kept := "", ""
	if bounds {
		known = fmt.Sprintf("Bound: %s + scale, Bounds: true", g.at(d.Bound))
	} else {
		known, kept = fmt.Sprintf("Bound: "+g.std("math.Inf")+"(1), Slack: %s, Settles: %v", g.at(d.Slack), d.Exact), "e.decoded = d.LogP\n"
	}
	g.fn(doc(fmt.Sprintf("%s sets out to a probable completion of ev that is found %s, and gives the natural logarithm of its", name, by),
		of+" in which the likelihoods of soft count; soft may be nil. The report says what is known of it: whether it is proven",
		"to be best, and what none exceeds. Where the report says infeasible, no completion of positive probability was found; the logarithm is -Inf,",
		"and out has the states that were looked at last.", "",
		"Options out of range give ErrOptions, and a context that is done its error, before the next round. ErrImpossible says that there is no",
		"such completion. On failure out has no states."),
		fmt.Sprintf("(e *Engine) %s(ctx "+g.std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Assignment) (logp float64, report DecodeReport, err error)", name, name),
		"var went "+g.rt("Report")+"\n"+
			fmt.Sprintf("o, err := %s.With("+g.rt("LoopOptions")+"{Iterations: %d, Tolerance: %v, Damping: %v})\n", options, l.Iterations, l.Tolerance, l.Damping)+failed+
			g.enterLoop(e, "scale")+failed+g.narrow(g.loader(e))+
			fmt.Sprintf("%s = o.Damping\n", g.at(l.Rate))+g.run(e, e.Blocks[:l.First])+
			fmt.Sprintf("for again := true; again; again = o.Round(&went, %s) {\n", g.at(l.Residual))+
			fmt.Sprintf("if err := ctx.Err(); err != nil {\n%serr\n}\n", fail)+g.run(e, e.Blocks[l.First:l.End])+"}\n"+g.run(e, e.Blocks[l.End:])+
			fmt.Sprintf("if %s == 0 {\n%sErrImpossible\n}\n", g.at(e.Root), fail)+
			"e.readStates(out)\n"+
			fmt.Sprintf("d := "+g.rt("Decoding")+"{LogP: %s + scale, %s, Ties: %s != 0}\n", g.at(l.LogP), known, g.at(d.Ties))+kept+"return d.LogP, d.Report(went), nil")
}
