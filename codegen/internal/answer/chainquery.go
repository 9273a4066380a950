package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Estimates declares a query that Markov chains answer, the type of its options, and the query of
// the probability of joint states.
func (g *Methods) Estimates(e *ir.Entry) {
	c, name := e.Chain, e.Query.By.GoName
	g.runOptions(e, map[string]any{"Iterations": c.Iterations, "BurnIn": c.BurnIn, "Chains": c.Chains, "Seed": c.Seed})
	lines := slices.Clone(e.Query.By.DocFor(g.Model.Kind == model.Markov))
	lines[0] = name + " " + lines[0]
	lines = append(lines,
		"The same seed gives the same numbers. The report holds the largest standard error, and R-hat and the effective sample",
		"size, which show whether the chains agree.", "",
		"The error is ErrChain if an option is out of range. It is ErrStart if no joint state to start from was found, for example because the",
		"evidence is impossible. If ctx ends, its error is returned before the next sweep. On failure all numbers are 0.")
	fail := "\t*out = Marginals{}\n\treturn SampleReport{}, "
	failed := "if err != nil {\n" + fail + "err\n}\n"
	section := func(s ir.Section) string { return g.Run(e, c.Section(e.Blocks, s)) }
	n := c.ChainRun
	share, rhat, ess, worst := g.At(n.Share), g.At(n.RHat), g.At(n.ESS), g.At(n.Error)
	begin, report := "", fmt.Sprintf("return run.Report(%s, %s, %s), nil", rhat, ess, worst)
	if c.Refused != nil {
		refused, rejected := g.At(c.Refused[0]), g.At(c.Refused[1])
		begin = fmt.Sprintf("%s, %s = 0, 0\n", refused, rejected)
		report = fmt.Sprintf("report := run.Report(%s, %s, %s)\nreport.Refused, report.Rejected = %s, %s\nreturn report, nil", rhat, ess, worst, refused, rejected)
	}
	g.Func(source.Doc(lines...),
		fmt.Sprintf("(e *Engine) %s(ctx "+g.Std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Marginals) (SampleReport, error)", name, name),
		g.observedFunctions(c.Functions, fail)+fmt.Sprintf("o, err := "+g.RT("ChainOptions")+"(opt).With("+g.RT("ChainOptions")+"{Iterations: %d, BurnIn: %d, Chains: %d, Seed: %d})\n", c.Iterations, c.BurnIn, c.Chains, c.Seed)+failed+
			fmt.Sprintf("_, err = e.%s(ev, soft)\n", g.Loader(e).Func)+failed+g.Narrow(g.Loader(e))+
			"run := "+g.RT("NewChainRun")+"(o)\ne.rng = &e.chain\n"+
			fmt.Sprintf("%s, %s = float64(run.Chains), float64(run.Length)\n%s, %s, %s = 1, "+g.Std("math.Inf")+"(1), 0\n", g.At(n.Chains), g.At(n.Length), rhat, ess, worst)+
			begin+section(ir.SectionBegin)+"for run.Next(e.rng) {\n"+section(ir.SectionStart)+
			fmt.Sprintf("if outcome := %s; outcome != 1 {\n%s%s(outcome)\n}\n", g.At(e.Root), fail, g.RT("StartError"))+
			"for run.Sweep() {\n"+fmt.Sprintf("if err := ctx.Err(); err != nil {\n%serr\n}\n", fail)+section(ir.SectionSweep)+
			fmt.Sprintf("share, ends := run.Batch()\nif !ends {\n\tcontinue\n}\n%s = share\n", share)+section(ir.SectionBatch)+
			"if run.Half() {\n"+section(ir.SectionHalf)+"}\n}\n}\n"+section(ir.SectionEnd)+
			g.CopyAll(e)+report)
	g.jointEstimate(name)
}

// observedFunctions returns the statements that refuse observations of functions.
func (g *Methods) observedFunctions(functions []model.VarID, fail string) string {
	b := &strings.Builder{}
	for _, v := range functions {
		if x := g.Names.Of(v); x != nil {
			fmt.Fprintf(b, "if ev != nil && ev.%s.observed {\n%snames.Fail(%q, nil)\n}\n", x.ID, fail, ir.ObservedFunction(x.Var.Name))
		}
	}
	return b.String()
}

// jointEstimate declares the query of the probability of joint states, also rare ones. It calls the
// method of the given name. A model without variables has no such query.
func (g *Methods) jointEstimate(name string) {
	if len(g.Names.Observable()) == 0 {
		return
	}
	body := "known := Evidence{}\nif given != nil {\n\tknown = *given\n}\n"
	if len(g.Names.Enums) > 0 { // real variables are refused
		body += "var out Marginals\n"
	}
	body += "var report SampleReport\nsum := 0.0\n"
	for _, x := range g.Names.Observable() {
		body += x.Port.Estimate(g.API, name)
	}
	g.Func(source.Doc(name+"Joint estimates the natural logarithm of the probability of the states in of, given those in given, which may be nil. It adds",
		"the logarithms for one variable after the other, each estimated by "+name+" given the variables before it. Thus no estimated probability",
		"need be small even if the joint state is rare (Heckerman and others 2000, algorithm 1). The report is that of the worst run, with the",
		"iterations of all runs."),
		fmt.Sprintf("(e *Engine) %sJoint(ctx "+g.Std("context.Context")+", of, given *Evidence, opt %sOptions) (float64, SampleReport, error)", name, name), body+"return sum, report, nil")
}

// KindName returns the kind of the model, for the package comment.
func (g *Methods) KindName() string {
	switch g.Model.Kind {
	case model.Markov:
		return "Markov network"
	case model.Dependency:
		return "dependency network"
	case model.Forest:
		return "latent dependency forest model"
	}
	return "Bayesian network"
}
