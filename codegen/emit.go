package codegen

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/batch"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/engine"
	"github.com/pgmc-go/pgmc/codegen/internal/guide"
	"github.com/pgmc-go/pgmc/codegen/internal/query"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/codegen/internal/stream"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Version is the version of the generated code. The header names it. It changes with the output.
const Version = source.Version

// MinGo is the version of Go that generated packages need. Each file has a build constraint with it,
// so that it builds in modules whose go.mod names an older one.
const MinGo = source.MinGo

// File is one file of a package. Name has no folder.
type File = source.File

// BackendError reports that the back-end named in Options.Backend cannot write a package, and
// suggests one that can.
type BackendError = choose.BackendError

// NameError reports that a variable or state cannot have the identifier that the user chose for it.
type NameError = api.NameError

// Package is an emitted package: its name, its files in reading order, and a report on them.
type Package struct {
	Name   string
	Files  []File
	Report Report
}

// Emit returns the package that answers the queries of p, a verified and laid-out program of m. It
// returns a *NameError if a name in opt cannot be used, and a *BackendError if opt.Backend cannot
// write the package.
func Emit(m *model.Model, p *ir.Program, opt Options) (*Package, error) {
	g, err := newGenerator(m, p, opt)
	if err != nil {
		return nil, fmt.Errorf("codegen: %w", err)
	}
	pkg, err := g.pkg()
	if err != nil {
		return nil, fmt.Errorf("codegen: %w", err)
	}
	return pkg, nil
}

// generator is the state of one emission.
type generator struct {
	entries []rowEntry // the entries, in the order of answerKinds
	opt     Options
	*answer.Methods
	mem       store.Memories
	sequences *stream.Methods // and batches
	blocks    source.Blocks   // the assembly of blocks

	engine   *engine.Engine
	sessions *engine.Sessions // nil if there are none
}

func newGenerator(m *model.Model, p *ir.Program, opt Options) (*generator, error) {
	if err := opt.complete(); err != nil {
		return nil, err
	}
	if err := checkProgram(m, p); err != nil {
		return nil, err
	}
	plan, err := choose.Plan(p, Backends, opt.Backend)
	if err != nil {
		return nil, err
	}
	g := &generator{entries: answersOf(p), opt: opt}
	w := &source.Writer{Package: opt.Package, Source: opt.Source, Runtime: &source.RuntimeUse{Imported: opt.Runtime == RuntimeImport}}
	noLogP := g.any(func(a *answerKind) bool { return a.noLogP })
	a := api.NewAPI(w, m, p, api.Form{Arrays: opt.Arrays, Tables: opt.tables, Counted: g.counts(), NoLogP: noLogP})
	g.Methods = &answer.Methods{Statements: query.New(a, plan)}
	w.Runtime.API = g.shown()
	if err := g.Name(opt.Types, opt.Names, g.reserved()...); err != nil {
		return nil, err
	}
	batches := batch.New(g.Statements, batch.Choice{Backend: opt.Backend, Rule: opt.batches})
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		if a.batch != nil {
			batches.Add(a.batch, e)
		}
		if a.rows != nil {
			batches.Add(a.rows(g, e), e)
		}
	})
	if g.Base() == "" {
		return nil, fmt.Errorf("package name %q has no letter", opt.Package)
	}
	if g.sequences, err = stream.New(batches); err != nil {
		return nil, err
	}
	g.engine = g.newEngine()
	g.Ranges = ir.RangesOf(p, func(block int, c *ir.Contract, may []bool) []bool {
		if narrows := plan[block].Backend.Narrows; narrows != nil {
			return narrows(p, c, may)
		}
		return nil
	})
	return g, nil
}

// checkProgram refuses a program that the API cannot express. The compiler has checked the
// program's own rules.
func checkProgram(m *model.Model, p *ir.Program) error {
	for i := range p.Spans {
		if p.Spans[i].Offset < 0 {
			return fmt.Errorf("span %q of the program has not been laid out", p.Spans[i].Name)
		}
	}
	seen := map[ir.QueryKind]bool{}
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.IsPart() {
			continue
		}
		q := e.Query
		for _, v := range append(append([]model.VarID(nil), q.Targets...), q.Evidence...) {
			if m.Vars[v].Latent {
				return fmt.Errorf("query %q names the latent variable %q", q.Name, m.Vars[v].Name)
			}
		}
		how := answerKindOf(q.Kind)
		if how == nil {
			return fmt.Errorf("query %q: no package answers the kind %s", q.Name, q.Kind)
		}
		if seen[q.Kind] && !how.many && e.Instead == nil {
			return fmt.Errorf("query %q is the second of kind %s", q.Name, q.Kind)
		}
		seen[q.Kind] = true
		if q.Kind.Wants() == ir.WantsMethod && q.By == nil {
			return fmt.Errorf("query %q of kind %s has no method", q.Name, q.Kind)
		}
		if err := how.check(m, p, e); err != nil {
			return err
		}
	}
	return nil
}

// pkg returns the package with all its files.
func (g *generator) pkg() (*Package, error) {
	blocks, err := g.blocksFile()
	if err != nil {
		return nil, err
	}
	main, err := g.mainFile()
	if err != nil {
		return nil, err
	}
	var handler *backend.File
	if g.opt.HTTP {
		handler = g.HTTPFile()
		var further []api.Route
		g.eachAnswer(func(a *answerKind, e *ir.Entry) {
			if a.routes != nil {
				further = append(further, a.routes(g, e)...)
			}
		})
		if err := g.HTTPHandler(further); err != nil {
			return nil, err
		}
	}
	out := &Package{Name: g.opt.Package, Report: g.report()}
	for _, f := range []struct {
		suffix string
		file   *backend.File
	}{{".go", main}, {"_blocks.go", blocks}, {"_http.go", handler}, {"_example_test.go", g.guide().ExampleFile()}} {
		if f.file == nil {
			continue
		}
		data, err := source.Render(f.file)
		if err != nil {
			return nil, fmt.Errorf("the file %s%s does not parse: %w", g.Base(), f.suffix, err)
		}
		out.Files = append(out.Files, File{Name: g.Base() + f.suffix, Data: data})
	}
	if g.mem.File != nil {
		out.Files = append(out.Files, *g.mem.File)
	}
	further, err := g.ProcessorFiles(out.Files, g.sequences, &g.blocks)
	if err != nil {
		return nil, err
	}
	out.Files = append(out.Files, further...)
	return out, source.Check(out.Name, out.Files)
}

// blocksFile lets the back-ends emit their blocks. The sizes of the memories are known only
// afterwards.
func (g *generator) blocksFile() (*backend.File, error) {
	f := g.Begin()
	g.blocks.Writer = g.Writer
	var ints []int32
	var pool []float64
	scratch := 0
	output := func(block int) *backend.Output {
		return &backend.Output{
			Program: g.Program, Ranges: g.Ranges, File: f, Func: g.Plan[block].Func,
			Ints: &ints, Pool: &pool, Scratch: &scratch, Assembly: &g.blocks.Vectors, Tiles: &g.blocks.Tiles,
		}
	}
	g.FindFormulas(output)
	g.sequences.FindSteady(output)
	called := g.called()
	for i := range g.Program.Blocks {
		b := &g.Program.Blocks[i]
		if !called[i] {
			continue
		}
		if err := g.Plan[i].Backend.Emit(output(i), b); err != nil {
			return nil, fmt.Errorf("block %q: %w", b.Name, err)
		}
	}
	if e := g.Entry(ir.Session); e != nil {
		g.sessions = g.engine.Sessions(e)
		ints = g.sessions.Place(ints)
	}
	if !g.Measures() { // the slots of measurements are not planned
		if err := g.sequences.PlanLanes(store.NewNumberPool(g.Program, &pool), &ints); err != nil {
			return nil, err
		}
	}
	g.sequences.PlanFamilies(store.NewNumberPool(g.Program, &pool), &ints)
	g.InLanes = g.sequences.InLanes
	g.mem = store.New(g.Program, g.Ranges, pool, ints, scratch)
	g.sequences.Data = len(g.mem.Data) > 0
	g.blocks.Data = g.sequences.Data
	if len(g.Program.Entries) == 0 {
		return nil, errors.New("the program answers no query")
	}
	return f, nil
}

// mainFile declares what callers use: the types of the model's variables, with constants and
// distributions, the structs that queries take and return, and the engine.
func (g *generator) mainFile() (*backend.File, error) {
	var lines []string
	if len(g.opt.Flags) > 0 {
		lines = []string{stamp(g.opt.Flags)}
	}
	f := g.Begin(lines...)
	g.guide().PackageDoc()
	g.Structs()
	for _, d := range api.DomainsOf(g.Model) {
		d.Types(g.API)
	}
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		if a.types != nil {
			a.types(g, e)
		}
	})
	g.Tables()
	g.ByName()
	g.runtimeNames()
	if err := g.engine.Declare(); err != nil {
		return nil, err
	}
	g.queries()
	g.Evidence()
	return f, nil
}

// guide returns the writer of the guide to the package.
func (g *generator) guide() *guide.Guide {
	return &guide.Guide{Methods: g.Methods, Sequences: g.sequences, Answers: g.answers(), Claim: g.opt.Claim}
}

// newEngine returns the writer of the type Engine.
func (g *generator) newEngine() *engine.Engine {
	return &engine.Engine{Methods: g.Methods, Memories: &g.mem, Z: g.logZ(), Needs: engine.Needs{
		Draws:   g.any(func(a *answerKind) bool { return a.draws }) || stream.DrawnSlice(g.Program) != nil,
		Repeats: g.any(func(a *answerKind) bool { return a.repeats }),
		Fields:  g.engineFields,
		Lanes:   g.sequences.Fields,
	}}
}

// engineFields returns the fields of Engine that single kinds of query need.
func (g *generator) engineFields() (list []answer.Field) {
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		if a.fields != nil {
			list = append(list, a.fields(g, e)...)
		}
	})
	return list
}

// logZ returns how ln Z is found.
func (g *generator) logZ() (z engine.LogZ) {
	var best *answerKind
	g.eachAnswer(func(a *answerKind, e *ir.Entry) {
		z.Maximises = z.Maximises || a.maximises
		if a.findsZ > 0 && e.Root != ir.NoSpan && (best == nil || a.findsZ < best.findsZ) {
			best, z.Entry = a, e
		}
	})
	return z
}

// called reports for each block whether a method calls it. The blocks of direct lookups and of
// formulas are not called.
func (g *generator) called() []bool {
	marked := make([]bool, len(g.Program.Blocks))
	for i := range g.Program.Entries {
		e := &g.Program.Entries[i]
		if g.AnswerOfArguments(e) != "" || e.IsPart() && !g.sequences.RunsPart(e) {
			continue
		}
		for _, b := range e.Blocks {
			marked[b] = true
		}
	}
	return marked
}
