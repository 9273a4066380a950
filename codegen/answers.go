package codegen

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/codegen/internal/engine"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/stream"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// answerKind describes how packages answer one kind of query. It is a row of answerKinds.
type answerKind struct {
	kind     ir.QueryKind
	text     string                               // what the package answers, for the package comment; empty if the method's Summary says it
	many     bool                                 // a program may have several queries of the kind
	reserved []string                             // exported names that its methods and types have
	shown    []string                             // names of the runtime that are part of the API
	names    func(*generator, *ir.Entry) []string // returns exported names that not every query of the kind has; may be nil
	report   reportKind

	check   func(*model.Model, *ir.Program, *ir.Entry) error // refuses an entry that lacks data that emit reads
	runtime func(*generator)                                 // declares the names in shown if the runtime is imported; may be nil
	types   func(*generator, *ir.Entry)                      // declares types of the answer; may be nil
	emit    func(*generator, *ir.Entry)                      // declares the methods

	fields func(*generator, *ir.Entry) []answer.Field // returns fields of Engine; may be nil

	draws       bool // the methods draw random numbers
	repeats     bool // they draw in chains or trials, each with a generator of its own
	resumes     bool // an iterator continues after other queries, which the engine counts
	noLogP      bool // the answer has no probability of the evidence
	readsStates bool // the methods call readStates
	maximises   bool // the root is a maximum, from which ln Z cannot be computed
	findsZ      int  // rank among the kinds that can compute ln Z for new parameters, 1 being the first choice; 0 if the root is not a sum

	batch *batch.Answer                             // the answers for many rows of evidence; nil if there are none
	rows  func(*generator, *ir.Entry) *batch.Answer // the same, with names of the entry's own; may be nil

	routes func(*generator, *ir.Entry) []api.Route // returns paths of the handler of HTTP requests that depend on the entry; may be nil
}

// reportKind is the kind of report that a query returns with its answer.
type reportKind uint8

const (
	noReport     reportKind = iota
	plainReport             // Report and Status
	decodeReport            // DecodeReport and DecodeStatus
)

// answerKinds is the table of the kinds of query, in the order in which packages declare their
// methods.
var answerKinds = []answerKind{
	{kind: ir.Marginals, text: "the posteriors of all variables at once", reserved: []string{"Batch", "Marginals"},
		check: answer.CheckMarginals, emit: (*generator).Marginals, findsZ: 2, batch: &batch.Marginals},
	{kind: ir.Posterior, text: "posteriors of single variables", many: true, reserved: api.Vetted, check: answer.CheckPosterior, emit: (*generator).Posterior, findsZ: 3},
	{kind: ir.LogProb, text: "the probability of evidence", reserved: []string{"Conflict", "LogProb", "LogProbs"}, names: partitionName,
		check: answer.CheckRoot, emit: (*generator).LogProb, findsZ: 1, batch: &batch.LogProbs},
	{kind: ir.MPE, text: "most probable completions of the evidence", reserved: []string{"MPE"},
		check: answer.CheckState, emit: (*generator).MPE, readsStates: true, maximises: true},
	{kind: ir.KMPE, text: "the k most probable completions, best first", reserved: []string{"KMPE"},
		check: answer.CheckRoot, emit: (*generator).KMPE, readsStates: true, maximises: true},
	{kind: ir.MaxMarginals, text: "max-marginals: what the best completion with each state has", reserved: []string{"MaxMarginals"},
		check: answer.CheckMarginals, emit: (*generator).MaxMarginals, maximises: true},
	{kind: ir.MAP, text: "most probable states of some variables, with the others summed out", many: true,
		check: answer.CheckRoot, emit: (*generator).MapStates, maximises: true},
	{kind: ir.Sample, text: "completions drawn from the posterior", reserved: []string{"Sample", "Samples"},
		check: answer.CheckState, emit: (*generator).Sample,
		draws: true, resumes: true, readsStates: true, findsZ: 7},
	{kind: ir.Gradient, text: "derivatives of the probability of evidence with respect to the parameters, and expected counts", reserved: []string{"ExpectedCounts", "Gradient"},
		check: answer.CheckRoot, emit: (*generator).Gradient},
	{kind: ir.Sensitivity, text: "derivatives of posteriors with respect to the parameters", reserved: []string{"Sensitivity"},
		check: answer.CheckRoot, emit: (*generator).Sensitivity},
	{kind: ir.Session, text: "posteriors and the probability of evidence that changes one finding at a time", reserved: []string{"Session"},
		check: answer.CheckRoot, emit: func(g *generator, _ *ir.Entry) { g.sessions.Declare() }},
	{kind: ir.Signature, text: "posteriors for fixed sets of observed variables", many: true, check: answer.CheckSignature, emit: (*generator).Signature},
	{kind: ir.Joint, text: "joint posteriors of several variables", many: true,
		check: answer.CheckJoint, types: (*generator).JointType, emit: (*generator).Joint, findsZ: 4},
	{kind: ir.Mixture, text: "posteriors of real variables as mixtures of normal distributions", many: true, shown: answer.MixtureNames,
		check: answer.CheckMixture, types: (*generator).MixtureType, emit: (*generator).Mixture},
	{kind: ir.Sets, text: "posteriors given sets of possible states", reserved: []string{"LogProbIn", "MarginalsIn", "StateSets"},
		check: answer.CheckMarginals, types: (*generator).MaskTypes, emit: (*generator).Sets, findsZ: 5},
	{kind: ir.Jeffrey, text: "posteriors after those of some variables have been set (Jeffrey's rule)", reserved: []string{"Jeffrey"}, shown: fitNames, report: plainReport,
		check: answer.CheckJeffrey, runtime: (*generator).FitErrors, emit: (*generator).Jeffrey,
		fields: (*generator).FitField, findsZ: 6},
	{kind: ir.Policy, text: "the choice of each decision in each case, which maximises the mean utility, by functions that need no Engine",
		check: answer.CheckPolicy, emit: (*generator).Policies, routes: (*generator).PolicyRoutes},
	{kind: ir.Best, text: "the best option of a decision, given what is known, and what each option is worth", many: true, reserved: []string{"Utilities"},
		check: answer.CheckBest, types: (*generator).BestTypes, emit: (*generator).Best, rows: choices, routes: (*generator).BestRoutes},
	{kind: ir.Information, text: "by how much the mean utility grows if a variable is known before a decision", many: true,
		check: answer.CheckInformation, types: (*generator).InformationType, emit: (*generator).Information, rows: choices, routes: (*generator).InformationRoutes},
	{kind: ir.Follow, text: "the posteriors of all variables if decisions follow the best strategy, with the mean and the variance of each utility",
		reserved: []string{"Follow", "FollowBatch", "Outcome", "Utilities", "UtilityMoments"}, shown: []string{"Moments"},
		check: answer.CheckFollow, runtime: (*generator).MomentsName, types: (*generator).FollowTypes, emit: (*generator).Follow, rows: outcomes, routes: (*generator).FollowRoutes},
	{kind: ir.Beliefs, many: true, names: loopNamesOf, shown: loopNames, report: plainReport, check: answer.CheckMarginals, runtime: (*generator).LoopErrors, emit: (*generator).Beliefs},
	{kind: ir.Estimates, names: methodNames("", "Options", "Joint"), shown: chainNames, report: plainReport, check: answer.CheckMarginals, runtime: (*generator).ChainErrors, emit: (*generator).Estimates,
		draws: true, repeats: true, noLogP: true},
	{kind: ir.Decoding, many: true, names: decodeNamesOf, shown: decodeNames, report: decodeReport, check: answer.CheckState, runtime: (*generator).LoopErrors, emit: (*generator).Decode,
		fields: (*generator).DecodedField, readsStates: true},
	{kind: ir.Weighted, names: methodNames("", "Options"), shown: weightNames, report: plainReport, check: answer.CheckMarginals, runtime: (*generator).WeightErrors, emit: (*generator).ByTrials,
		draws: true, repeats: true},
	{kind: ir.Climb, names: methodNames("", "Options"), shown: climbNames, report: plainReport, check: answer.CheckState, runtime: (*generator).ClimbErrors, emit: (*generator).ByTrials,
		draws: true, repeats: true, readsStates: true},
	{kind: ir.Bounded, reserved: []string{"LogProbBounds"}, names: methodNames(""), check: answer.CheckMarginals, emit: (*generator).Bounds},
	{kind: ir.Filter, text: "what the evidence on a sequence so far says about its last slice, slice by slice", many: true, names: filterNamesOf, shown: stream.Shown,
		check: stream.CheckFilter, runtime: func(g *generator) { g.sequences.FilterErrors() }, emit: inTime((*stream.Methods).Filter), fields: func(g *generator, e *ir.Entry) []answer.Field { return g.sequences.FilterFields(e) }},
	{kind: ir.Smooth, text: "what all evidence on a sequence, or that of some more slices, says about each slice", many: true,
		reserved: []string{"Lagged", "NewLagged", "Smooth", "SmoothBuffer"}, names: filterNamesOf, shown: stream.Shown,
		check: stream.CheckFilter, emit: inTime((*stream.Methods).Smooth)},
	{kind: ir.Innovation, text: "what the next slice of a sequence differs from its prediction by", many: true, reserved: []string{"Innovation"},
		check: stream.CheckInnovation, types: inTime((*stream.Methods).InnovationType), emit: inTime((*stream.Methods).Innovation)},
	{kind: ir.Viterbi, text: "most probable completions of sequences", many: true, reserved: []string{"Viterbi", "ViterbiBuffer"},
		check: stream.CheckViterbi, emit: inTime((*stream.Methods).Viterbi), maximises: true},
}

// Names of the runtime that are part of the API if queries are answered in one of these ways: by
// fitting, by a loop, by Markov chains, by decoding states from messages, by weighted samples, and
// by local search.
var (
	fitNames    = []string{"Converged", "ErrInconsistent", "NotConverged", "Report", "Status"}
	loopNames   = []string{"Converged", "ErrOptions", "Incomplete", "NotConverged", "Report", "Status"}
	chainNames  = []string{"Converged", "ErrChain", "ErrStart", "NotConverged", "Report", "SampleReport", "Status"}
	decodeNames = []string{"DecodeAmbiguous", "DecodeConverged", "DecodeInfeasible", "DecodeNotConverged", "DecodeNotDecodable",
		"DecodeReport", "DecodeStatus", "ErrOptions"}
	weightNames = []string{"Converged", "ErrStart", "ErrTrials", "ErrWeights", "NotConverged", "Report", "Status", "TrialReport"}
	climbNames  = []string{"Converged", "ErrStart", "ErrTrials", "NotConverged", "Report", "Status"}
)

// answerKindOf returns the row of a kind, or nil if packages do not answer it.
func answerKindOf(k ir.QueryKind) *answerKind {
	for i := range answerKinds {
		if answerKinds[i].kind == k {
			return &answerKinds[i]
		}
	}
	return nil
}

// Answers reports whether packages answer queries of a kind.
func Answers(k ir.QueryKind) bool { return answerKindOf(k) != nil }

// rowEntry is an entry of the program with its row.
type rowEntry struct {
	row   *answerKind
	entry *ir.Entry
}

// answersOf returns the entries of p with their rows, in the order of the table. It leaves out
// those that run in place of others, and parts.
func answersOf(p *ir.Program) (list []rowEntry) {
	for i := range answerKinds {
		for k := range p.Entries {
			if e := &p.Entries[k]; e.Query.Kind == answerKinds[i].kind && e.Instead == nil && !e.IsPart() {
				list = append(list, rowEntry{&answerKinds[i], e})
			}
		}
	}
	return list
}

// eachAnswer calls f for each entry with its row, in the order of the table.
func (g *generator) eachAnswer(f func(*answerKind, *ir.Entry)) {
	for _, a := range g.entries {
		f(a.row, a.entry)
	}
}

// any reports whether has returns true for the row of some entry.
func (g *generator) any(has func(*answerKind) bool) bool {
	return slices.ContainsFunc(g.entries, func(a rowEntry) bool { return has(a.row) })
}

// counts reports whether Engine.runs counts queries, so that an iterator notices that another query
// ran.
func (g *generator) counts() bool { return g.any(func(a *answerKind) bool { return a.resumes }) }

// methodNames returns a function that returns the names of an approximate method, which begin with
// its GoName and end so.
func methodNames(ends ...string) func(*generator, *ir.Entry) []string {
	return func(_ *generator, e *ir.Entry) (names []string) {
		for _, end := range ends {
			names = append(names, e.Query.By.GoName+end)
		}
		return names
	}
}

// loopNamesOf returns the names of a query that a loop answers.
func loopNamesOf(g *generator, e *ir.Entry) []string {
	ends := []string{"", "Options"}
	if e.Loop.Improper != ir.NoSpan {
		ends = append(ends, "Improper")
	}
	if e.Loop.Bound != ir.NoSpan {
		ends = append(ends, "Bound")
	}
	return methodNames(ends...)(g, e)
}

// decodeNamesOf returns the names of a query that decodes states.
func decodeNamesOf(g *generator, e *ir.Entry) []string {
	names := methodNames("", "Options")(g, e)
	if e.Query.MaxMarginals() {
		names = append(names, "MaxMarginals")
	}
	return names
}

// choices returns the answers of a query about a decision to many rows.
func choices(g *generator, e *ir.Entry) *batch.Answer {
	typ, name, ask := g.ChoiceNames(e)
	return batch.By(name, ask, typ, typ+"{}", "its answer is zero")
}

// outcomes returns the answers of a Follow to many rows.
func outcomes(*generator, *ir.Entry) *batch.Answer {
	return batch.By("Follow", "Follow", "Outcome", "Outcome{Marginals: Marginals{LogP: -Inf}}", "its numbers are 0, its LogP is -Inf,")
}

// partitionName returns the name of the query that only Markov networks have besides LogProb.
func partitionName(g *generator, _ *ir.Entry) []string {
	if g.Model.Kind == model.Markov {
		return []string{"LogPartition"}
	}
	return nil
}

// filterNamesOf returns the names of filters.
func filterNamesOf(g *generator, _ *ir.Entry) []string { return stream.Names(g.Program) }

// inTime returns the method of package stream as a method of the generator.
func inTime(declare func(*stream.Methods, *ir.Entry)) func(*generator, *ir.Entry) {
	return func(g *generator, e *ir.Entry) { declare(g.sequences, e) }
}

// reserved returns the exported names that the package has for any names of the model: of
// declarations, and of methods and fields of types that have others named after variables.
func (g *generator) reserved() []string {
	list := append(g.shown(), api.Everywhere...)
	if g.opt.HTTP {
		list = append(list, api.HTTPNames...)
	}
	if g.VarParams() {
		list = append(list, engine.ParamNames...)
	}
	for _, d := range api.DomainsOf(g.Model) {
		list = append(list, d.Reserved...)
	}
	if g.AllMarginals() {
		list = append(list, "ByName", "Marginals")
		if g.HasLogP() {
			list = append(list, "LogP")
		}
	}
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		list = append(list, a.reserved...)
		if a.names != nil {
			list = append(list, a.names(g, e)...)
		}
		if a.batch != nil {
			list = append(list, a.batch.Reserved()...)
		}
	})
	return list
}

// shown returns the names of the runtime that are part of the API.
func (g *generator) shown() []string {
	list := slices.Clone(source.KeptNames)
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		list = append(list, a.shown...)
		if e.Search && a.kind == ir.MAP {
			list = append(list, answer.SearchError)
		}
	})
	list = append(list, stream.ErrorNames(g.Model, g.Program)...)
	slices.Sort(list)
	return slices.Compact(list)
}

// runtimeNames declares the names of the runtime that are part of the API.
func (g *generator) runtimeNames() {
	for _, name := range g.Runtime.API {
		g.Runtime.Keep(name)
	}
	if !g.Runtime.Imported {
		return
	}
	g.Out.Add(source.Doc("The runtime must fit the generated code. If one of these does not compile, update the older of the two."))
	g.Out.Const().Defs(
		jen.Id("_").Op("=").Id(fmt.Sprintf("%s(%d - %s)", g.RT("EnforceVersion"), source.Version, g.RT("MinVersion"))),
		jen.Id("_").Op("=").Id(fmt.Sprintf("%s(%s - %d)", g.RT("EnforceVersion"), g.RT("MaxVersion"), source.Version)),
	)
	g.Out.Line()
	g.Out.Comment("// The errors of queries. The errors that name a variable wrap them; use errors.Is.")
	g.Out.Var().Defs(
		jen.Id("ErrImpossible").Op("=").Id(g.RT("ErrImpossible")).Comment("// the evidence has probability zero"),
		jen.Id("ErrLikelihood").Op("=").Id(g.RT("ErrLikelihood")).Comment("// a number is not a likelihood"),
		jen.Id("ErrState").Op("=").Id(g.RT("ErrState")).Comment("// a value is not a state"),
	)
	g.Out.Line()
	var last *answerKind
	g.eachAnswer(func(a *answerKind, _ *ir.Entry) {
		again := a == last || a.kind == ir.Decoding && g.Entry(ir.Beliefs) != nil // both have LoopErrors
		if a.runtime != nil && !again {                                           // once for all entries of a kind
			a.runtime(g)
		}
		last = a
	})
	if g.any(func(a *answerKind) bool { return a.report == decodeReport }) {
		g.DecodeReportNames()
	}
	if g.any(func(a *answerKind) bool { return a.report == plainReport }) {
		g.ReportNames(g.any(func(a *answerKind) bool { return slices.Contains(a.shown, "Incomplete") }))
	}
	g.Out.Add(source.Doc("Rand is a seeded generator of random numbers. One goroutine at a time may use it."))
	g.Out.Type().Id("Rand").Op("=").Id(g.RT("Rand"))
	g.Out.Line()
	if slices.Contains(g.Runtime.API, answer.SearchError) {
		g.Out.Add(source.Doc(answer.SearchError + " reports that a search ended before its answer was proven to be best."))
		g.Out.Type().Id(answer.SearchError).Op("=").Id(g.RT(answer.SearchError))
		g.Out.Line()
	}
	g.Func(source.Doc("NewRand returns a generator with the given seed, which determines its numbers."), "NewRand(seed uint64) *Rand", "return "+g.RT("NewRand")+"(seed)")
}

// queries declares the methods that answer queries.
func (g *generator) queries() {
	if g.MinusLogZ() == " - logZ" {
		g.LogZ()
	}
	if len(g.First) > 0 {
		g.Func(source.Doc("begin runs the blocks with which several queries begin."), "(e *Engine) begin()", g.Calls(g.First))
	}
	for _, e := range g.Cutsets() {
		g.CutsetPlan(e)
	}
	g.eachAnswer(func(a *answerKind, e *ir.Entry) { a.emit(g, e) })
	if g.Entry(ir.Marginals) != nil || g.Entry(ir.LogProb) != nil || g.Entry(ir.Follow) != nil {
		g.Settle()
	}
	g.sequences.Declare()
	if g.any(func(a *answerKind) bool { return a.readsStates }) {
		g.ReadStates(g.valued()...)
	}
}

// valued returns the entries that have values of real variables in assignments, in the same places.
func (g *generator) valued() (list []*ir.Entry) {
	for _, a := range g.entries {
		if a.row.readsStates && a.entry.Query.Kind.Run() == ir.RunOnce {
			list = append(list, a.entry)
		}
	}
	return list
}

// answers returns the items of the list of the package's answers.
func (g *generator) answers() (list []string) {
	for _, a := range answerKinds {
		switch e := g.Entry(a.kind); {
		case e == nil:
		case a.text == "":
			g.eachAnswer(func(x *answerKind, e *ir.Entry) {
				if x.kind == a.kind {
					list = append(list, "  - "+e.Query.By.Summary)
				}
			})
		default:
			list = append(list, "  - "+a.text)
		}
	}
	return list
}
