package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// DecodedField returns the field of Engine that MaxMarginals needs.
func (g *Methods) DecodedField(e *ir.Entry) []Field {
	if !e.Query.MaxMarginals() {
		return nil
	}
	return []Field{{Name: "decoded", Type: "float64", Comment: "ln P of the last completion"}}
}

// Decode declares a query that chooses states by messages, the type of its options, and
// MaxMarginals if the method computes them.
func (g *Methods) Decode(e *ir.Entry) {
	l, name := e.Loop, e.Query.By.GoName
	set := g.runOptions(e, map[string]any{"Iterations": l.Iterations, "Tolerance": l.Tolerance, "Damping": l.Damping})
	options := g.RT("LoopOptions") + "(opt)"
	if e.Loop.Decode.Bound != ir.NoSpan {
		options = g.RT("LoopOptions") + "{" + strings.Join(set, ", ") + "}"
	}
	g.decoding(e, options)
	g.decided(e)
	if !e.Query.MaxMarginals() {
		return
	}
	of := "max-marginals that the last successful " + name + " computed: for each state of a variable,"
	if e.Loop.Decode.Bound != ir.NoSpan {
		of = "pseudo-max-marginals of the last successful " + name + ": for each state of a variable, an estimate of"
	}
	g.Func(source.Doc("MaxMarginals sets out to the "+of,
		"the value of the best completion with it, normalised to a distribution. It sets LogP to the logarithm that "+name+" returned."),
		"(e *Engine) MaxMarginals(out *Marginals)", g.CopyAll(e)+"out.LogP = e.decoded")
}

// decided declares the method that returns the states of all best completions, if the method of e
// knows any.
func (g *Methods) decided(e *ir.Entry) {
	fixed := e.Loop.Decode.Fixed
	if fixed == ir.NoSpan {
		return
	}
	span := &g.Program.Spans[fixed]
	first := span.Offset + span.Len - len(g.Model.Vars)
	body := "*out = Assignment{}\nt := e.state()\n"
	for _, x := range g.Names.Observable() {
		body += fmt.Sprintf("out.%s = %s(t[%d] + 1)\n", x.ID, x.Port.Field(), first+int(x.Var.ID))
	}
	name := e.Query.By.GoName
	g.Func(source.Doc(name+"Decided sets out to the states that every best completion has, given what the last successful "+name+" was asked. The other",
		"variables have no state in out. What "+name+" returns has all of these states."), "(e *Engine) "+name+"Decided(out *Assignment)", body)
}

// decoding declares the method of a query that chooses states by messages. The text options makes
// the runtime's options.
func (g *Methods) decoding(e *ir.Entry, options string) {
	l, d, name := e.Loop, e.Loop.Decode, e.Query.By.GoName
	bounds := d.Bound != ir.NoSpan
	of := "probability"
	if g.Model.Kind == model.Markov {
		of = g.worth("product of potentials", "pseudo-likelihood")
	}
	fail := "\t*out = Assignment{}\n\treturn " + g.Std("math.Inf") + "(-1), DecodeReport{}, "
	failed := "if err != nil {\n" + fail + "err\n}\n"
	known, kept := "", ""
	if bounds {
		known = fmt.Sprintf("Bound: %s + scale, Bounds: true", g.At(d.Bound))
	} else {
		known = fmt.Sprintf("Bound: "+g.Std("math.Inf")+"(1), Slack: %s, Settles: %v", g.At(d.Slack), d.Exact)
	}
	if e.Query.MaxMarginals() {
		kept = "e.decoded = d.LogP\n"
	}
	lines := slices.Clone(e.Query.By.DocFor(g.Model.Kind == model.Markov))
	lines[0] = name + " " + lines[0]
	ends := "If ctx ends, its error is returned before the next round. On failure out has no states."
	if e.Query.By.Anytime {
		ends = "Out has no states then, but it has them when ctx ends."
	}
	lines = append(lines,
		"It returns the natural logarithm of the completion's "+of+" times the likelihoods of its states in soft; soft may be nil.",
		"The report says whether the completion is proven to be best, and holds an upper bound for all completions, +Inf if none is known. If its status is DecodeInfeasible, no completion of positive probability was found:",
		"the logarithm is -Inf, and out holds the last states considered.", "",
		"The error is ErrOptions if an option is out of range, and ErrImpossible if no completion is possible. "+ends)
	g.Func(source.Doc(lines...),
		fmt.Sprintf("(e *Engine) %s(ctx "+g.Std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Assignment) (logp float64, report DecodeReport, err error)", name, name),
		"var went "+g.RT("Report")+"\n"+
			fmt.Sprintf("o, err := %s.With("+g.RT("LoopOptions")+"{Iterations: %d, Tolerance: %v, Damping: %v})\n", options, l.Iterations, l.Tolerance, l.Damping)+failed+
			g.enterLoop(e, "scale")+failed+g.Narrow(g.Loader(e))+
			fmt.Sprintf("%s = o.Damping\n", g.At(l.Rate))+g.Run(e, e.Blocks[:l.First])+
			g.stoppable(e, "went", fail)+g.Run(e, e.Blocks[l.End:])+
			fmt.Sprintf("if %s == 0 {\n%sErrImpossible\n}\n", g.At(e.Root), fail)+
			"e.readStates(out)\n"+
			fmt.Sprintf("d := "+g.RT("Decoding")+"{LogP: %s + scale, %s, Ties: %s != 0}\n", g.At(l.LogP), known, g.At(d.Ties))+kept+"return d.LogP, d.Report(went), "+g.stopError(e))
}
