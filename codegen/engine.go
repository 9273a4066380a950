package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/codegen/internal/stream"
	"github.com/pgmc-go/pgmc/ir"
)

// engine declares the engine, its memories and the queries.
func (g *generator) engine() error {
	g.runtimeNames()
	if g.VarParams() {
		if err := g.params(); err != nil {
			return err
		}
	}
	g.engineType()
	if err := g.mem.Declare(g.Writer, g.p); err != nil {
		return err
	}
	g.pool()
	g.queries()
	g.Evidence()
	return nil
}

// engineType declares the type Engine, New, and the methods by which blocks reach the memories.
func (g *generator) engineType() {
	g.Out.Add(source.Doc("Engine answers queries. One goroutine at a time may use it. New makes one."))
	g.Out.Type().Id("Engine").StructFunc(func(s *jen.Group) {
		g.memoryFields(s)
		if g.any(func(a *answerKind) bool { return a.draws }) || stream.DrawnSlice(g.p) != nil {
			s.Id("rng").Op("*").Id("Rand")
		}
		if g.any(func(a *answerKind) bool { return a.repeats }) {
			s.Id("chain").Id("Rand").Comment("// generator of the current chain")
		}
		if g.counts() {
			s.Id("runs").Uint().Comment("// number of queries that have used the memories")
		}
		for _, e := range g.Searches() {
			s.Id(g.SearchName(e)).Op("*").Id(g.RT(answer.SearchType(e)))
		}
		for _, e := range g.Cutsets() {
			s.Id(g.CutsetName(e)).Op("*").Id(g.RT("Cutset"))
		}
		g.sequences.Fields(s)
		if g.BoundsSoft() {
			s.Id("spread").Float64().Comment("// sum over likelihoods of log2(largest/smallest)")
		}
		if g.MovesLogZ() {
			s.Id("logZ").Float64()
		}
		for _, f := range g.engineFields() {
			field := s.Id(f.Name).Id(f.Type)
			if f.Comment != "" {
				field.Comment("// " + f.Comment)
			}
		}
		if g.Queued() != nil {
			s.Id("queue").Op("*").Id(g.RT(g.Worklist()))
		}
	})
	g.Out.Line()
	if !g.VarParams() {
		body := g.newBody()
		if copies := g.copies(); copies != "" {
			body = strings.Replace(body, "return ", "e := ", 1) + "\n" + copies + "return e"
		}
		g.Func(source.Doc("New returns an engine."), "New() *Engine", body)
	}
	g.accessors()
}

// memoryFields declares the fields of Engine for its memories.
func (g *generator) memoryFields(s *jen.Group) {
	m := &g.mem
	s.Id("s").Add(memoryType(m.Work, 8, jen.Float64())).Comment("// work memory of numbers")
	s.Id("t").Add(memoryType(m.State, 4, jen.Int32())).Comment("// states of variables, and exponents")
	switch {
	case g.VarParams():
		s.Id("p").Add(memoryType(len(m.Data), 8, jen.Float64())).Comment("// parameters and constants")
	case m.Embedded():
		s.Id("p").Op("*").Index(jen.Lit(len(m.Data))).Float64().Comment("// constants, shared by all engines")
	}
	if len(m.Code) > 0 {
		s.Id("k").Op("*").Index(jen.Lit(len(m.Code))).Int32().Comment("// code of the tape machine and the lanes, shared by all engines")
	}
}

// memoryType returns the type of a memory of n elements: an array within the Engine, or a pointer
// to an array larger than [store.InlineBytes].
func memoryType(n, size int, elem *jen.Statement) *jen.Statement {
	t := jen.Index(jen.Lit(n)).Add(elem)
	if n*size > store.InlineBytes {
		return jen.Op("*").Add(t)
	}
	return t
}

// newBody returns the statement that returns an engine with all its memories. The caller has yet to
// set parameters.
func (g *generator) newBody() string {
	m := &g.mem
	var fields []string
	add := func(name string, n, size int, elem string) {
		if n*size > store.InlineBytes {
			fields = append(fields, fmt.Sprintf("%s: new([%d]%s)", name, n, elem))
		}
	}
	add("s", m.Work, 8, "float64")
	add("t", m.State, 4, "int32")
	if g.VarParams() {
		add("p", len(m.Data), 8, "float64")
	} else if m.Embedded() {
		fields = append(fields, "p: &numbers().constants")
	}
	if len(m.Code) > 0 && m.Embedded() {
		fields = append(fields, "k: &numbers().program")
	} else if len(m.Code) > 0 {
		fields = append(fields, "k: &program")
	}
	for _, e := range g.Searches() {
		fields = append(fields, g.SearchName(e)+": "+g.NewSearch(e))
	}
	for _, e := range g.Cutsets() {
		fields = append(fields, fmt.Sprintf("%[1]s: %[2]s(&%[1]sPlan)", g.CutsetName(e), g.RT("NewCutset")))
	}
	for _, f := range g.engineFields() {
		if f.Value != "" {
			fields = append(fields, f.Name+": "+f.Value)
		}
	}
	if l := g.Queued(); l != nil {
		fields = append(fields, fmt.Sprintf("queue: %s(%d)", g.RT("New"+g.Worklist()), len(l.Queue)))
	}
	return "return &Engine{" + strings.Join(fields, ", ") + "}"
}

// copies returns the statements that copy to work memory the numbers that the tape machine can read
// only there.
func (g *generator) copies() string {
	var text strings.Builder
	for i := range g.p.Spans {
		span := &g.p.Spans[i]
		if span.Copy > 0 && g.onTape(ir.SpanID(i)) {
			fmt.Fprintf(&text, "copy(s[%d:%d], %s)\n", span.Copy-1, int(span.Copy)-1+span.Len, api.Slice("p", span))
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return "s, p := e.work(), e.data()\n" + text.String()
}

// onTape reports whether a block with sums that read the span has a back-end that reads constants
// of sums from work memory only.
func (g *generator) onTape(id ir.SpanID) bool {
	for i, b := range g.p.Blocks {
		if !g.Plan[i].Backend.CopiesConstants {
			continue
		}
		for _, step := range b.Steps {
			if s, ok := step.(*ir.Sums); ok && slices.Contains(s.In, id) {
				return true
			}
		}
	}
	return false
}

// accessors declares the methods work, data and state.
func (g *generator) accessors() {
	m := &g.mem
	get := func(comment, name string, n, size int, elem, field string) {
		body := "return &e." + field
		if n*size > store.InlineBytes {
			body = "return e." + field
		}
		g.Func(source.Doc(comment), fmt.Sprintf("(e *Engine) %s() *[%d]%s", name, n, elem), body)
	}
	get("work returns the memory of numbers.", "work", m.Work, 8, "float64", "s")
	get("state returns the memory of integers.", "state", m.State, 4, "int32", "t")
	switch {
	case g.VarParams():
		get("data returns the memory of parameters and constants.", "data", len(m.Data), 8, "float64", "p")
	case len(m.Data) == 0:
	case m.Embedded():
		g.Func(source.Doc("data returns the memory of constants."), fmt.Sprintf("(e *Engine) data() *[%d]float64", len(m.Data)), "return e.p")
	default:
		g.Func(source.Doc("data returns the memory of constants."), fmt.Sprintf("(*Engine) data() *[%d]float64", len(m.Data)), "return &constants")
	}
}

// pool declares the type Pool.
func (g *generator) pool() {
	comment := "Pool lends engines to goroutines. The zero Pool is ready for use by several goroutines at once."
	if g.VarParams() {
		comment = "Pool lends engines with the parameters of the model to goroutines. The zero Pool is ready for use by several goroutines at once."
	}
	g.Out.Add(source.Doc(comment))
	g.Out.Type().Id("Pool").Struct(jen.Id("pool").Qual("sync", "Pool"))
	g.Out.Line()
	g.Func(source.Doc("Get lends an engine. It makes one if none is free."), "(p *Pool) Get() *Engine", `
if e, ok := p.pool.Get().(*Engine); ok {
	return e
}
return New()`)
	comment = "Put returns an engine to the pool. The caller must not use it afterwards."
	if g.VarParams() {
		comment = "Put returns an engine that Get lent to the pool. The caller must not use it afterwards."
	}
	g.Func(source.Doc(comment), "(p *Pool) Put(e *Engine)", "if e != nil {\n\tp.pool.Put(e)\n}")
}

// searchError is a name of the runtime that is part of the API if a query for most probable states
// of some variables searches.
const searchError = "SearchError"

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
		if a.runtime != nil && a != last { // once for all entries of a kind
			a.runtime(g)
		}
		last = a
	})
	if g.any(func(a *answerKind) bool { return a.report == decodeReport }) {
		g.decodeReportNames()
	} else if g.any(func(a *answerKind) bool { return a.report == plainReport }) {
		g.reportNames()
	}
	g.Out.Add(source.Doc("Rand is a seeded generator of random numbers. One goroutine at a time may use it."))
	g.Out.Type().Id("Rand").Op("=").Id(g.RT("Rand"))
	g.Out.Line()
	if slices.Contains(g.Runtime.API, searchError) {
		g.Out.Add(source.Doc(searchError + " reports that a search ended before its answer was proven to be best."))
		g.Out.Type().Id(searchError).Op("=").Id(g.RT(searchError))
		g.Out.Line()
	}
	g.Func(source.Doc("NewRand returns a generator with the given seed, which determines its numbers."), "NewRand(seed uint64) *Rand", "return "+g.RT("NewRand")+"(seed)")
}

// fitErrors, loopErrors, chainErrors, weightErrors and climbErrors declare the names of the runtime
// that are part of the API for one kind of query. Reports that several kinds share are declared
// elsewhere.
func (g *generator) fitErrors() {
	g.ErrorName("ErrInconsistent", "means that no distribution with the given posteriors was found.")
}

func (g *generator) loopErrors() {
	g.ErrorName("ErrOptions", "means that the options of a query are out of range.")
}

func (g *generator) chainErrors() {
	g.ErrorName("ErrChain", "means that the options of a query by sampling are out of range.")
	g.ErrorName("ErrStart", "means that no joint state to start from was found that agrees with the evidence.")
	g.Out.Add(source.Doc("SampleReport describes the run of a query by sampling."))
	g.Out.Type().Id("SampleReport").Op("=").Id(g.RT("SampleReport"))
	g.Out.Line()
}

func (g *generator) climbErrors() {
	g.ErrorName("ErrTrials", "means that the options of a query by trials are out of range.")
	g.ErrorName("ErrStart", "means that no joint state to start from was found that agrees with the evidence.")
}

func (g *generator) weightErrors() {
	g.climbErrors()
	g.ErrorName("ErrWeights", "means that no sample agrees with the evidence.")
	g.Out.Add(source.Doc("TrialReport describes the run of a query by weighted samples."))
	g.Out.Type().Id("TrialReport").Op("=").Id(g.RT("TrialReport"))
	g.Out.Line()
}

// reportNames declares the names of the runtime that report on iterative queries.
func (g *generator) reportNames() {
	g.Out.Add(source.Doc("Report describes the run of an iterative query, and Status how it ended."))
	g.Out.Type().Defs(
		jen.Id("Report").Op("=").Id(g.RT("Report")),
		jen.Id("Status").Op("=").Id(g.RT("Status")),
	)
	g.Out.Line()
	g.Out.Add(source.Doc("The values of Status."))
	g.Out.Const().DefsFunc(func(s *jen.Group) {
		for _, name := range []string{"NotConverged", "Converged", "Incomplete"} {
			if name != "Incomplete" || g.any(func(a *answerKind) bool { return slices.Contains(a.shown, name) }) {
				s.Id(name).Op("=").Id(g.RT(name))
			}
		}
	})
	g.Out.Line()
}

// decodeReportNames declares the names of the runtime that report on queries that choose states by
// messages.
func (g *generator) decodeReportNames() {
	g.Out.Add(source.Doc("DecodeReport describes the run of a query that chooses states by messages, and DecodeStatus what is known of the states."))
	g.Out.Type().Defs(
		jen.Id("DecodeReport").Op("=").Id(g.RT("DecodeReport")),
		jen.Id("DecodeStatus").Op("=").Id(g.RT("DecodeStatus")),
	)
	g.Out.Line()
	g.Out.Add(source.Doc("The values of DecodeStatus. DecodeInfeasible means that the states have probability 0."))
	g.Out.Const().DefsFunc(func(s *jen.Group) {
		for _, name := range []string{"DecodeNotConverged", "DecodeConverged", "DecodeAmbiguous", "DecodeNotDecodable", "DecodeInfeasible"} {
			s.Id(name).Op("=").Id(g.RT(name))
		}
	})
	g.Out.Line()
}
