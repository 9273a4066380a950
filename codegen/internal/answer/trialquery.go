package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// trialModes holds the runtime's names of the kinds of trial.
var trialModes = [...]string{ir.ModeSample: "TrialSample", ir.ModeBridge: "TrialBridge", ir.ModeClimb: "TrialClimb", ir.ModeCool: "TrialCool", ir.ModeMove: "TrialMove"}

// ByTrials declares a query by trials, and the type of its options.
func (g *Methods) ByTrials(e *ir.Entry) {
	c, by := e.Chain, e.Query.By
	set := g.runOptions(e, map[string]any{"Iterations": c.Iterations, "Chains": c.Chains, "Seed": c.Seed, "Hot": c.Hot, "Cold": c.Cold, "Tenure": c.Tenure})
	lines := slices.Clone(by.DocFor(g.Model.Kind == model.Markov))
	lines[0] = by.GoName + " " + lines[0]
	if e.Query.Kind == ir.Weighted {
		g.weighing(e, lines, strings.Join(set, ", "))
	} else {
		g.climbing(e, lines, strings.Join(set, ", "))
	}
}

// weighing declares a query by weighted samples.
func (g *Methods) weighing(e *ir.Entry, lines []string, set string) {
	name := e.Query.By.GoName
	lines = append(lines, "The same seed gives the same numbers. The report holds standard errors and the effective sample size. If that is below 100, the run does",
		"not count as converged and the standard errors are unreliable.", "",
		"The error is ErrTrials if an option is out of range. It is ErrWeights if no sample agrees with the evidence although the evidence is, or",
		"may be, possible. If ctx ends, its error is returned before the next step. On failure all posteriors are 0 and LogP is -Inf.")
	fail := "\t*out = Marginals{LogP: " + g.Std("math.Inf") + "(-1)}\n\treturn TrialReport{}, "
	g.Func(source.Doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx "+g.Std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Marginals) (TrialReport, error)", name, name),
		g.runTrials(e, fail, set)+g.CopyAll(e)+fmt.Sprintf("out.LogP = run.LogP() + scale%s\nreturn run.Report(), nil", g.MinusLogZ()))
}

// climbing declares a query by local search.
func (g *Methods) climbing(e *ir.Entry, lines []string, set string) {
	name := e.Query.By.GoName
	value := "The value is the natural logarithm of the completion's probability times the likelihoods of its states in soft; soft may be nil."
	if g.Model.Kind == model.Markov {
		value = "The value is the natural logarithm of the completion's " + g.worth("product of potentials, not divided by Z", "pseudo-likelihood") + ", times the likelihoods of its states in soft; soft may be nil."
	}
	lines = append(lines, value+" A better",
		"completion may exist. The same seed gives the same states. The run counts as converged if all starts ended at states that no single change improves.", "",
		"The error is ErrTrials if an option is out of range. It is ErrStart if no joint state to start from was found, for example because the",
		"evidence is impossible. If ctx ends, its error is returned before the next step. On failure out has no states.")
	fail := "\t*out = Assignment{}\n\treturn " + g.Std("math.Inf") + "(-1), Report{}, "
	g.Func(source.Doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx "+g.Std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Assignment) (value float64, report Report, err error)", name, name),
		g.runTrials(e, fail, set)+"e.readStates(out)\nreturn run.LogP() + scale, run.Report().Report, nil")
}

// runTrials returns the statements that enter evidence and run the trials. The text fail begins a
// return statement, to which an error is added.
func (g *Methods) runTrials(e *ir.Entry, fail, set string) string {
	c := e.Chain
	failed := "if err != nil {\n" + fail + "err\n}\n"
	section := func(s ir.Section) string { return g.Run(e, c.Section(e.Blocks, s)) }
	var numbers []string
	names := [...]string{"Beta", "Weight", "Score", "Best", "Total", "Square", "Count", "Error"} // fields of pgmrt.TrialNumbers
	for i, id := range c.TrialRun.All() {
		numbers = append(numbers, fmt.Sprintf("%s: &w[%d]", names[i], g.Program.Spans[*id].Offset))
	}
	text := fmt.Sprintf("o, err := "+g.RT("TrialOptions")+"{%s}.With("+g.RT("TrialOptions")+"{Iterations: %d, Chains: %d, Seed: %d, Hot: %v, Cold: %v, Tenure: %d})\n", set,
		c.Iterations, c.Chains, c.Seed, c.Hot, c.Cold, c.Tenure) + failed +
		fmt.Sprintf("scale, err := e.%s(ev, soft)\n", g.Loader(e).Func) + failed + g.Narrow(g.Loader(e)) +
		fmt.Sprintf("w := e.work()\nrun := "+g.RT("NewTrialRun")+"(%s, o, "+g.RT("TrialNumbers")+"{%s})\ne.rng = &e.chain\n", g.RT(trialModes[c.Mode]), strings.Join(numbers, ", ")) +
		section(ir.SectionBegin) + "for run.Next(e.rng) {\n" + section(ir.SectionStart) +
		fmt.Sprintf("if outcome := %s; outcome != 1 {\n%s%s(outcome)\n}\n", g.At(e.Root), fail, g.RT("StartError")) +
		fmt.Sprintf("for run.Step() {\nif err := ctx.Err(); err != nil {\n%serr\n}\n", fail) + section(ir.SectionSweep) + "}\n" + section(ir.SectionTrial) + "}\n"
	if e.Query.Kind == ir.Weighted {
		text += "if run.None() {\n" + section(ir.SectionReasons) + fmt.Sprintf("%srun.NoneError(%s)\n}\n", fail, g.At(e.Root))
	}
	return text + section(ir.SectionEnd)
}
