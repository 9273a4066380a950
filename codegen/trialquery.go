package codegen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// trials is the entry that makes them; nil where none does.
func (g *generator) trials() *ir.Entry {
	for i := range g.p.Entries {
		if e := &g.p.Entries[i]; e.Query.Kind.Trials() {
			return e
		}
	}
	return nil
}

// climbs reports whether they are those of a search for states.
func (g *generator) climbs() bool {
	e := g.trials()
	return e != nil && e.Query.Kind.Climbs()
}

// trialOption is a field of the options of a query by trials.
type trialOption struct{ name, kind, field, text string }

// trialQuery is how a query by trials becomes a method.
type trialQuery struct {
	name, mode string
	options    []trialOption
	comment    []string
}

var seedOption = trialOption{"Seed", "uint64", "Seed", "of the random numbers"}

var trialQueries = map[ir.QueryKind]trialQuery{
	ir.LW: {"LikelihoodWeighting", "TrialSample", []trialOption{{"Samples", "int", "Iterations", "how many"}, seedOption},
		[]string{"sets out to estimates of posteriors, given ev and soft, which may be nil, and LogP to that of the logarithm of their probability, by samples that are",
			"drawn from parents to children and weigh as much as the evidence is probable given their states. Without evidence that is forward sampling."}},
	ir.AIS: {"AnnealedImportance", "TrialBridge", []trialOption{{"Samples", "int", "Chains", "how many"},
		{"Temperatures", "int", "Iterations", "on the way of each"}, seedOption},
		[]string{"sets out to estimates of posteriors, given ev and soft, which may be nil, and LogP to that of the logarithm of their probability, by samples that are",
			"drawn at random and then moved while factors gain weight, and weigh as much as that makes them more probable."}},
	ir.ICM: {"ICM", "TrialClimb", []trialOption{{"Restarts", "int", "Chains", "how many starts"}, {"Sweeps", "int", "Iterations", "at most so many from each"}, seedOption},
		[]string{"sets out to the best completion of ev that was found by iterated conditional modes: from each start, variables take their best state given all others",
			"until none changes."}},
	ir.Anneal: {"SimulatedAnnealing", "TrialCool", []trialOption{{"Restarts", "int", "Chains", "how many starts"}, {"Sweeps", "int", "Iterations", "of each at falling temperature"},
		{"Hot", "float64", "Hot", "the first temperature, in units of ln P"}, {"Cold", "float64", "Cold", "the last"}, seedOption},
		[]string{"sets out to the best completion of ev that was found by simulated annealing: from each start, variables are drawn given all others at a falling temperature,",
			"and then take their best states until none changes."}},
	ir.Tabu: {"TabuSearch", "TrialMove", []trialOption{{"Restarts", "int", "Chains", "how many starts"}, {"Moves", "int", "Iterations", "from each"},
		{"Tenure", "int", "Tenure", "for how many moves a state that was left is left alone"}, seedOption},
		[]string{"sets out to the best completion of ev that was found by tabu search: from each start, the best change that is free is made, if only for the worse."}},
}

// byTrials declares a query by trials and the type of its options.
func (g *generator) byTrials(e *ir.Entry) {
	q, c := trialQueries[e.Query.Kind], e.Chain
	defaults := map[string]any{"Iterations": c.Iterations, "Chains": c.Chains, "Seed": c.Seed, "Hot": c.Hot, "Cold": c.Cold, "Tenure": c.Tenure}
	g.out.Add(doc(fmt.Sprintf("%sOptions say how %s goes; a field that is zero means the default.", q.name, q.name)))
	var set []string
	g.out.Type().Id(q.name + "Options").StructFunc(func(s *jen.Group) {
		for _, o := range q.options {
			s.Id(o.name).Id(o.kind).Comment(fmt.Sprintf("// %s; by default %v", o.text, defaults[o.field]))
			set = append(set, o.field+": opt."+o.name)
		}
	})
	g.out.Line()
	lines := append([]string{}, q.comment...)
	lines[0] = q.name + " " + lines[0]
	if e.Query.Kind.Weighs() {
		g.weighing(e, q, lines, strings.Join(set, ", "))
	} else {
		g.climbing(e, q, lines, strings.Join(set, ", "))
	}
}

// weighing declares a query by weighted samples.
func (g *generator) weighing(e *ir.Entry, q trialQuery, lines []string, set string) {
	lines = append(lines, "The same seed gives the same numbers. The report has standard errors and the effective sample size; where that is below 100 it does not count as",
		"converged, and standard errors mean little.", "",
		"Options out of range give ErrTrials, and a context that is done its error, before the next step. ErrWeights says that no sample agrees with the",
		"evidence, though it is possible, or may be. On failure all numbers are 0, and LogP is -Inf.")
	fail := "\t*out = Marginals{LogP: " + g.std("math.Inf") + "(-1)}\n\treturn TrialReport{}, "
	g.fn(doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx "+g.std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Marginals) (TrialReport, error)", q.name, q.name),
		g.runTrials(e, q, fail, set)+g.copyAll(e)+fmt.Sprintf("out.LogP = run.LogP() + scale%s\nreturn run.Report(), nil", g.minusLogZ()))
}

// climbing declares a query by local search.
func (g *generator) climbing(e *ir.Entry, q trialQuery, lines []string, set string) {
	value := "The value is the natural logarithm of its probability, in which the likelihoods of soft count; soft may be nil."
	if g.m.Kind == model.Markov {
		value = "The value is the natural logarithm of the product of all potentials for it, not divided by Z, in which the likelihoods of soft count; soft may be nil."
	}
	lines = append(lines, value+" Better ones",
		"may exist. The same seed gives the same states. The report counts as converged where all starts ended at states that no single change makes better.", "",
		"Options out of range give ErrTrials, and a context that is done its error, before the next step. ErrStart says that no joint state was",
		"found to start from, which impossible evidence may be the reason of. On failure out has no states.")
	fail := "\t*out = Assignment{}\n\treturn " + g.std("math.Inf") + "(-1), Report{}, "
	g.fn(doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx "+g.std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Assignment) (value float64, report Report, err error)", q.name, q.name),
		g.runTrials(e, q, fail, set)+"e.readStates(out)\nreturn run.LogP() + scale, run.Report().Report, nil")
}

// runTrials is the statements that enter evidence and make the trials; fail begins a return to which an error is added.
func (g *generator) runTrials(e *ir.Entry, q trialQuery, fail, set string) string {
	c := e.Chain
	failed := "if err != nil {\n" + fail + "err\n}\n"
	section := func(i int) string { return g.run(e, c.Section(e.Blocks, i)) }
	var numbers []string
	for i, name := range [...]string{"Beta", "Weight", "Score", "Best", "Total", "Square", "Count", "Error"} {
		numbers = append(numbers, fmt.Sprintf("%s: &w[%d]", name, g.p.Spans[c.Run[i]].Offset))
	}
	text := fmt.Sprintf("o, err := "+g.rt("TrialOptions")+"{%s}.With("+g.rt("TrialOptions")+"{Iterations: %d, Chains: %d, Seed: %d, Hot: %v, Cold: %v, Tenure: %d})\n", set,
		c.Iterations, c.Chains, c.Seed, c.Hot, c.Cold, c.Tenure) + failed +
		fmt.Sprintf("scale, err := e.%s(ev, soft)\n", g.loader(e).fn) + failed + g.narrow(g.loader(e)) +
		fmt.Sprintf("w := e.work()\nrun := "+g.rt("NewTrialRun")+"("+g.rt(q.mode)+", o, "+g.rt("TrialNumbers")+"{%s})\ne.rng = &e.chain\n", strings.Join(numbers, ", ")) +
		section(0) + "for run.Next(e.rng) {\n" + section(1) +
		fmt.Sprintf("if outcome := %s; outcome != 1 {\n%s%s(outcome)\n}\n", g.at(e.Root), fail, g.rt("StartError")) +
		fmt.Sprintf("for run.Step() {\nif err := ctx.Err(); err != nil {\n%serr\n}\n", fail) + section(2) + "}\n" + section(3) + "}\n"
	if e.Query.Kind.Weighs() {
		text += "if run.None() {\n" + section(4) + fmt.Sprintf("%srun.NoneError(%s)\n}\n", fail, g.at(e.Root))
	}
	return text + section(5)
}

// trialNames are the names of the runtime that the API has where trials answer.
func (g *generator) trialNames() []string {
	names := []string{"Converged", "ErrStart", "ErrTrials", "NotConverged", "Report", "Status"}
	if !g.climbs() {
		names = append(names, "ErrWeights", "TrialReport")
	}
	return names
}

// trialRuntime declares what the API shows of the runtime where trials answer.
func (g *generator) trialRuntime() {
	g.errorName("ErrTrials", "the options of a query by trials are out of range.")
	g.errorName("ErrStart", "no joint state that agrees with the evidence was found to start from.")
	if g.climbs() {
		return
	}
	g.errorName("ErrWeights", "no sample agrees with the evidence.")
	g.out.Add(doc("TrialReport says how a query by weighted samples went."))
	g.out.Type().Id("TrialReport").Op("=").Id(g.rt("TrialReport"))
	g.out.Line()
}
