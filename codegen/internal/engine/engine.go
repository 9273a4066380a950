// Package engine writes the type Engine of a package: its memories, how one is made, the parameters
// that can be replaced, and the pool.
package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/ir"
)

// Engine writes the type Engine of a package.
type Engine struct {
	*answer.Methods
	Memories *store.Memories
	Needs    Needs
	Z        LogZ
}

// Needs is what the queries of a package need of its Engine.
type Needs struct {
	Draws   bool                  // random numbers
	Repeats bool                  // a generator for each chain or trial
	Fields  func() []answer.Field // returns the fields of single kinds of query
	Lanes   func(*jen.Group)      // declares the fields for rows and filters that are answered at once
}

// LogZ is how ln Z of a Markov network is found for new parameters.
type LogZ struct {
	Entry     *ir.Entry // a query with the sum of all joint states as its root; nil if there is none
	Maximises bool      // some query needs ln Z and has a maximum as its root
}

// Declare declares the parameters that can be replaced, the engine, its memories and the type Pool.
func (g *Engine) Declare() error {
	if g.VarParams() {
		if err := g.params(); err != nil {
			return err
		}
	}
	g.engineType()
	if err := g.Memories.Declare(g.Writer, g.Program); err != nil {
		return err
	}
	g.pool()
	return nil
}

// engineType declares the type Engine, New, and the methods by which blocks reach the memories.
func (g *Engine) engineType() {
	g.Out.Add(source.Doc("Engine answers queries. One goroutine at a time may use it. New makes one."))
	g.Out.Type().Id("Engine").StructFunc(func(s *jen.Group) {
		g.memoryFields(s)
		if g.Needs.Draws {
			s.Id("rng").Op("*").Id("Rand")
		}
		if g.Needs.Repeats {
			s.Id("chain").Id("Rand").Comment("// generator of the current chain")
		}
		if g.CountRun() != "" {
			s.Id("runs").Uint().Comment("// number of queries that have used the memories")
		}
		for _, e := range g.Searches() {
			s.Id(g.SearchName(e)).Op("*").Id(g.RT(answer.SearchType(e)))
		}
		for _, e := range g.Cutsets() {
			s.Id(g.CutsetName(e)).Op("*").Id(g.RT("Cutset"))
		}
		g.Needs.Lanes(s)
		if g.BoundsSoft() {
			s.Id("spread").Float64().Comment("// sum over likelihoods of log2(largest/smallest)")
		}
		if g.MovesLogZ() {
			s.Id("logZ").Float64()
		}
		for _, f := range g.Needs.Fields() {
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
func (g *Engine) memoryFields(s *jen.Group) {
	m := g.Memories
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
func (g *Engine) newBody() string {
	m := g.Memories
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
	for _, f := range g.Needs.Fields() {
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
func (g *Engine) copies() string {
	var text strings.Builder
	for i := range g.Program.Spans {
		span := &g.Program.Spans[i]
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
func (g *Engine) onTape(id ir.SpanID) bool {
	for i, b := range g.Program.Blocks {
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
func (g *Engine) accessors() {
	m := g.Memories
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
func (g *Engine) pool() {
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
