package answer

import (
	"fmt"
	"strconv"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// Marginals declares Marginals.
func (g *Methods) Marginals(e *ir.Entry) {
	answer := g.MarginalsOf(e, "settle("+g.LogOf(e)+", ev, soft)")
	if g.InLanes(e) {
		g.Func(source.Doc("readMarginals copies the computed answer to out; scale is the logarithm of the factor that likelihoods were divided by."),
			"(e *Engine) readMarginals(ev *Evidence, soft *Soft, scale float64, out *Marginals) error", answer)
		answer = "return e.readMarginals(ev, soft, scale, out)"
	}
	g.Func(source.Doc("Marginals sets out to the posterior of every variable given ev and soft, which may be nil, and LogP to the natural",
		"logarithm of their probability. On failure all posteriors are 0 and LogP is -Inf."),
		"(e *Engine) Marginals(ev *Evidence, soft *Soft, out *Marginals) error",
		g.Enter(e, "scale", g.FailMarginals()+"err")+g.instead(e, "Marginals", "scale, out")+g.Run(e, e.Blocks)+answer)
	if x := g.Program.Instead(e); x != nil {
		g.tableMarginals(x)
	}
}

// Settle declares the function that makes ln P of no evidence exactly 0.
func (g *Methods) Settle() {
	g.Func(source.Doc("settle returns logp, or 0 if nothing was observed and logp is 0 but for rounding."),
		"settle(logp float64, ev *Evidence, soft *Soft) float64", fmt.Sprintf(`
if `+g.Std("math.Abs")+`(logp) < %g && (ev == nil || *ev == Evidence{}) && (soft == nil || *soft == Soft{}) {
	return 0
}
return logp`, ir.Settled))
}

// Posterior declares the method for the posterior of one variable.
func (g *Methods) Posterior(e *ir.Entry) {
	x := g.Names.Of(e.Query.Targets[0])
	dist := x.Port.Answer()
	g.Func(source.Doc(fmt.Sprintf("%s returns the posterior of %s given ev and soft, which may be nil.", x.ID, source.Quote(x.Var.Name))),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft) (%s, error)", x.ID, dist),
		g.EnterOnly(e, fmt.Sprintf("\treturn %s{}, err", dist))+g.Run(e, e.Blocks)+g.Answer(e, x.Var.ID))
}

// LogProb declares LogProb.
func (g *Methods) LogProb(e *ir.Entry) {
	fail := "\treturn " + g.Std("math.Inf") + "(-1), "
	body := g.Enter(e, "scale", fail+"err") + g.instead(e, "LogProb", "scale") + g.Run(e, e.Blocks) + g.Root(e, fail+"ErrImpossible")
	g.Func(source.Doc("LogProb returns the natural logarithm of the probability of ev and soft, which may be nil. With an error it returns -Inf."),
		"(e *Engine) LogProb(ev *Evidence, soft *Soft) (float64, error)", body+"return settle("+g.LogOf(e)+", ev, soft), nil")
	if x := g.Program.Instead(e); x != nil {
		g.tableLogProb(x)
	}
}

// MPE declares MPE.
func (g *Methods) MPE(e *ir.Entry) {
	fail := "\t*out = Assignment{}\n\treturn " + g.Std("math.Inf") + "(-1), "
	body := g.Enter(e, "scale", fail+"err") + g.Run(e, e.Blocks) + g.BestRoot(e, fail)
	g.Func(source.Doc("MPE sets out to a most probable completion of ev and soft, which may be nil. It returns the natural logarithm of the",
		"completion's "+g.worth("probability", "pseudo-likelihood")+" times the likelihoods of its states in soft. On failure out has no states."),
		"(e *Engine) MPE(ev *Evidence, soft *Soft, out *Assignment) (logp float64, err error)", body+"e.readStates(out)\nreturn "+g.LogOf(e)+", nil")
}

// MaxMarginals declares MaxMarginals.
func (g *Methods) MaxMarginals(e *ir.Entry) {
	fail := g.FailMarginals()
	g.Func(source.Doc("MaxMarginals sets out to the max-marginals given ev and soft, which may be nil: for each state of a variable, the probability of",
		"a most probable completion with it, normalised over the states. LogP is the natural logarithm of the largest of these",
		"probabilities, which the most probable state of each variable has. On failure all numbers are 0 and LogP is -Inf."),
		"(e *Engine) MaxMarginals(ev *Evidence, soft *Soft, out *Marginals) error",
		g.Enter(e, "scale", fail+"err")+g.Run(e, e.Blocks)+g.BestRoot(e, fail)+g.CopyAll(e)+"out.LogP = "+g.LogOf(e)+"\nreturn nil")
}

// worth returns pseudo if answers are about the pseudo-likelihood of a dependency network, and
// otherwise usual.
func (g *Methods) worth(usual, pseudo string) string {
	if g.Model.Pseudo {
		return pseudo
	}
	return usual
}

// LogZ declares the constant ln Z.
func (g *Methods) LogZ() {
	g.Out.Comment("// logZ is ln Z, the natural logarithm of the sum of the product of all potentials.")
	g.Out.Const().Id("logZ").Op("=").Id(strconv.FormatFloat(g.Program.LogZ, 'g', -1, 64))
	g.Out.Line()
}
