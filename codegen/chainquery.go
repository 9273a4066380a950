package codegen

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// estimates declares a query that Markov chains answer, the type of its options, and the
// probability of joint states.
func (g *generator) estimates(e *ir.Entry) {
	c, name := e.Chain, e.Query.By.GoName
	g.runOptions(e, map[string]any{"Iterations": c.Iterations, "BurnIn": c.BurnIn, "Chains": c.Chains, "Seed": c.Seed})
	lines := slices.Clone(e.Query.By.DocFor(g.m.Kind == model.Markov))
	lines[0] = name + " " + lines[0]
	lines = append(lines,
		"Markov chains. The same seed gives the same numbers. The report has the largest standard error, and what shows whether the chains",
		"agree.", "",
		"Options out of range give ErrChain, and a context that is done its error, before the next sweep. ErrStart says that no joint state was",
		"found to start from, which impossible evidence may be the reason of. On failure all numbers are 0.")
	fail := "\t*out = Marginals{}\n\treturn SampleReport{}, "
	failed := "if err != nil {\n" + fail + "err\n}\n"
	section := func(s ir.Section) string { return g.run(e, c.Section(e.Blocks, s)) }
	n := c.ChainRun
	share, rhat, ess, worst := g.at(n.Share), g.at(n.RHat), g.at(n.ESS), g.at(n.Error)
	g.fn(doc(lines...),
		fmt.Sprintf("(e *Engine) %s(ctx "+g.std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Marginals) (SampleReport, error)", name, name),
		fmt.Sprintf("o, err := "+g.rt("ChainOptions")+"(opt).With("+g.rt("ChainOptions")+"{Iterations: %d, BurnIn: %d, Chains: %d, Seed: %d})\n", c.Iterations, c.BurnIn, c.Chains, c.Seed)+failed+
			fmt.Sprintf("_, err = e.%s(ev, soft)\n", g.loader(e).fn)+failed+g.narrow(g.loader(e))+
			"run := "+g.rt("NewChainRun")+"(o)\ne.rng = &e.chain\n"+
			fmt.Sprintf("%s, %s = float64(run.Chains), float64(run.Length)\n%s, %s, %s = 1, "+g.std("math.Inf")+"(1), 0\n", g.at(n.Chains), g.at(n.Length), rhat, ess, worst)+
			section(ir.SectionBegin)+"for run.Next(e.rng) {\n"+section(ir.SectionStart)+
			fmt.Sprintf("if outcome := %s; outcome != 1 {\n%s%s(outcome)\n}\n", g.at(e.Root), fail, g.rt("StartError"))+
			"for run.Sweep() {\n"+fmt.Sprintf("if err := ctx.Err(); err != nil {\n%serr\n}\n", fail)+section(ir.SectionSweep)+
			fmt.Sprintf("share, ends := run.Batch()\nif !ends {\n\tcontinue\n}\n%s = share\n", share)+section(ir.SectionBatch)+
			"if run.Half() {\n"+section(ir.SectionHalf)+"}\n}\n}\n"+section(ir.SectionEnd)+
			g.copyAll(e)+fmt.Sprintf("return run.Report(%s, %s, %s), nil", rhat, ess, worst))
	g.jointEstimate(name)
}

// jointEstimate declares the query of rare joint states, which asks the method of the given name.
func (g *generator) jointEstimate(name string) {
	body := "known := Evidence{}\nif given != nil {\n\tknown = *given\n}\n"
	if len(g.ids.enums) > 0 { // real variables are refused
		body += "var out Marginals\n"
	}
	body += "var report SampleReport\nsum := 0.0\n"
	for _, x := range g.ids.observable() {
		body += x.port.estimate(g, name)
	}
	g.fn(doc(name+"Joint estimates the logarithm of the probability of the states in of, given those in given, which may be nil: the sum of",
		"those of one variable after the other, each estimated by "+name+" given the ones before. States that are rare together are so told by",
		"averages of numbers none of which need be rare (Heckerman and others 2000, algorithm 1). The report is of the worst run, and its",
		"iterations those of all."),
		fmt.Sprintf("(e *Engine) %sJoint(ctx "+g.std("context.Context")+", of, given *Evidence, opt %sOptions) (float64, SampleReport, error)", name, name), body+"return sum, report, nil")
}

// kindName is what the package's comment calls the model.
func (g *generator) kindName() string {
	switch g.m.Kind {
	case model.Markov:
		return "Markov network"
	case model.Dependency:
		return "dependency network"
	case model.Forest:
		return "latent dependency forest model"
	}
	return "Bayesian network"
}
