package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// trialModes are the runtime's names of what trials are.
var trialModes = [...]string{ir.ModeSample: "TrialSample", ir.ModeBridge: "TrialBridge", ir.ModeClimb: "TrialClimb", ir.ModeCool: "TrialCool", ir.ModeMove: "TrialMove"}

// byTrials declares a query by trials and the type of its options.
func (g *generator) byTrials(e *ir.Entry) {
	c, by := e.Chain, e.Query.By
	set := g.runOptions(e, map[string]any{"Iterations": c.Iterations, "Chains": c.Chains, "Seed": c.Seed, "Hot": c.Hot, "Cold": c.Cold, "Tenure": c.Tenure})
	lines := slices.Clone(by.DocFor(g.m.Kind == model.Markov))
	lines[0] = by.GoName + " " + lines[0]
	if e.Query.Kind == ir.Weighted {
		g.weighing(e, lines, strings.Join(set, ", "))
	} else {
		g.climbing(e, lines, strings.Join(set, ", "))
	}
}

// weighing declares a query by weighted samples.
func (g *generator) weighing(e *ir.Entry, lines []string, set string) {
	name := e.Query.By.GoName
	lines = append(lines, "The same seed gives the same numbers. The report has standard errors and the effective sample size; where that is below 100 it does not count as",
		"converged, and standard errors mean little.", "",
		"Options out of range give ErrTrials, and a context that is done its error, before the next step. ErrWeights says that no sample agrees with the",
		"evidence, though it is possible, or may be. On failure all numbers are 0, and LogP is -Inf.")
	fail := "\t*out = Marginals{LogP: " + g.std("math.Inf") + "(-1)}\n\treturn TrialReport{}, "
	g.fn(doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx "+g.std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Marginals) (TrialReport, error)", name, name),
		g.runTrials(e, fail, set)+g.copyAll(e)+fmt.Sprintf("out.LogP = run.LogP() + scale%s\nreturn run.Report(), nil", g.minusLogZ()))
}

// climbing declares a query by local search.
func (g *generator) climbing(e *ir.Entry, lines []string, set string) {
	name := e.Query.By.GoName
	value := "The value is the natural logarithm of its probability, in which the likelihoods of soft count; soft may be nil."
	if g.m.Kind == model.Markov {
		value = "The value is the natural logarithm of the product of all potentials for it, not divided by Z, in which the likelihoods of soft count; soft may be nil."
	}
	lines = append(lines, value+" Better ones",
		"may exist. The same seed gives the same states. The report counts as converged where all starts ended at states that no single change makes better.", "",
		"Options out of range give ErrTrials, and a context that is done its error, before the next step. ErrStart says that no joint state was",
		"found to start from, which impossible evidence may be the reason of. On failure out has no states.")
	fail := "\t*out = Assignment{}\n\treturn " + g.std("math.Inf") + "(-1), Report{}, "
	g.fn(doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx "+g.std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Assignment) (value float64, report Report, err error)", name, name),
		g.runTrials(e, fail, set)+"e.readStates(out)\nreturn run.LogP() + scale, run.Report().Report, nil")
}

// runTrials is the statements that enter evidence and make the trials; fail begins a return to
// which an error is added.
func (g *generator) runTrials(e *ir.Entry, fail, set string) string {
	c := e.Chain
	failed := "if err != nil {\n" + fail + "err\n}\n"
	section := func(s ir.Section) string { return g.run(e, c.Section(e.Blocks, s)) }
	var numbers []string
	names := [...]string{"Beta", "Weight", "Score", "Best", "Total", "Square", "Count", "Error"} // of pgmrt.TrialNumbers
	for i, id := range c.TrialRun.All() {
		numbers = append(numbers, fmt.Sprintf("%s: &w[%d]", names[i], g.p.Spans[*id].Offset))
	}
	text := fmt.Sprintf("o, err := "+g.rt("TrialOptions")+"{%s}.With("+g.rt("TrialOptions")+"{Iterations: %d, Chains: %d, Seed: %d, Hot: %v, Cold: %v, Tenure: %d})\n", set,
		c.Iterations, c.Chains, c.Seed, c.Hot, c.Cold, c.Tenure) + failed +
		fmt.Sprintf("scale, err := e.%s(ev, soft)\n", g.loader(e).fn) + failed + g.narrow(g.loader(e)) +
		fmt.Sprintf("w := e.work()\nrun := "+g.rt("NewTrialRun")+"(%s, o, "+g.rt("TrialNumbers")+"{%s})\ne.rng = &e.chain\n", g.rt(trialModes[c.Mode]), strings.Join(numbers, ", ")) +
		section(ir.SectionBegin) + "for run.Next(e.rng) {\n" + section(ir.SectionStart) +
		fmt.Sprintf("if outcome := %s; outcome != 1 {\n%s%s(outcome)\n}\n", g.at(e.Root), fail, g.rt("StartError")) +
		fmt.Sprintf("for run.Step() {\nif err := ctx.Err(); err != nil {\n%serr\n}\n", fail) + section(ir.SectionSweep) + "}\n" + section(ir.SectionTrial) + "}\n"
	if e.Query.Kind == ir.Weighted {
		text += "if run.None() {\n" + section(ir.SectionReasons) + fmt.Sprintf("%srun.NoneError(%s)\n}\n", fail, g.at(e.Root))
	}
	return text + section(ir.SectionEnd)
}
