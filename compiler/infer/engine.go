package infer

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer/internal/scoring"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Options configure an engine. The zero value answers exactly, by the method that suits the model.
type Options struct {
	// Method chooses a method and its options, as belief.Options{Damping: .2} or compiler.Named
	// does. Nil leaves the choice to the compiler.
	Method method.Options

	Seed     uint64     // of samples, of methods that sample, and of the search for orders
	Rows     model.Rows // what to do with rows of probabilities that do not sum to one
	Order    []int      // an elimination order of all variables; nil searches for one
	MaxTable int        // most entries of one table; 0 is compiler.DefaultMaxTable
	MaxMem   int64      // most bytes of a program's memories; 0 is compiler.DefaultMaxMem

	// Queries are compiled by New; compiler.ParseQueries describes their syntax. Other queries are
	// compiled on demand.
	Queries []string
}

// Engine answers questions about one model. It compiles each kind of question when it is first
// asked, and keeps the program.
//
// An engine is for one goroutine at a time. [Engine.Clone] returns an engine for another goroutine,
// which shares the compiled programs.
type Engine struct {
	*programs
	machines map[*ir.Program]*eval.Machine
	batches  map[*ir.Entry]*scoring.Lanes
	logs     *scoring.LogScorer // nil unless the model is one circuit
	row      *Findings          // scratch for rows that are scored one by one, and for nil evidence
	runs     RunOptions         // of an approximate method
	rand     *pgmrt.Rand        // of rows without evidence; nil before the first
	block    uint64             // of random numbers

}

// programs holds the parts that the clones of an engine share.
type programs struct {
	vars *variables
	opt  compiler.Options
	// method is the only program of an approximate method; nil if answers are exact.
	method *program

	mu       sync.Mutex
	byQuery  map[string]*program       // by specification, with the suffix measured if it takes measurements
	streams  map[string]*program       // by name of the entry: those about a slice of a sequence
	enclosed map[ir.QueryKind]*program // in interval arithmetic
	warnings []diag.Diagnostic

	// proper reports whether the CPDs are proper distributions.
	proper func() bool
}

// program is an entry of a compiled program.
type program struct {
	*ir.Program
	entry *ir.Entry
	note  string // what the method decided
}

// New returns an engine for m. It compiles the queries of opt, or the one query of an approximate
// method. The error is a [diag.Errors] if the model is at fault, and a [compiler.TooLarge] if the
// method would need more memory than the options allow.
func New(ctx context.Context, m *model.Model, opt Options) (*Engine, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	normal, list := m.NormalizeRows(opt.Rows)
	if list.HasErrors() {
		return nil, list.Err()
	}
	by, _, err := compiler.Decide(ctx, normal, compiler.Options{Method: methodFor(m, opt.Method), Queries: opt.Queries, Seed: opt.Seed, Rows: opt.Rows,
		Order: opt.Order, MaxTable: opt.MaxTable, MaxMem: opt.MaxMem, IgnoreUnderflow: scoring.NewLogScorer(normal) != nil})
	if err != nil {
		return nil, err
	}
	opt.Queries, by.Queries = by.Queries, nil
	e := newEngine(normal, by)
	e.warnings = list.Warnings()
	if !approximates(e.opt.MethodName()) && len(opt.Queries) == 0 {
		return e, nil
	}
	return e, e.compile(ctx, opt.Queries, false)
}

// Of returns an engine for a compiled program, with its limit of memory. It compiles other queries
// with the compiler's default options. seed is the seed of samples.
func Of(r *compiler.Result, seed uint64) *Engine {
	e := newEngine(r.Model, compiler.Options{Seed: seed, MaxMem: r.MaxMem})
	e.add(r)
	return e
}

func newEngine(m *model.Model, opt compiler.Options) *Engine {
	proper := sync.OnceValue(func() bool { return sumsToOne(m) })
	return (&Engine{programs: &programs{vars: newVariables(m), opt: opt, proper: proper, byQuery: map[string]*program{}, streams: map[string]*program{}, enclosed: map[ir.QueryKind]*program{}}, logs: scoring.NewLogScorer(m)}).Clone()
}

// sumsToOne reports whether the CPDs of a Bayesian network are proper distributions.
func sumsToOne(m *model.Model) bool {
	_, list := m.NormalizeRows(model.RowsStrict)
	return m.Kind == model.Bayes && !list.HasErrors() && m.Traits()&model.Diffuses == 0
}

// Clone returns an engine for the same model that shares the compiled programs of e, and no
// evidence, memory or run options. It may be called while e is in use.
func (e *Engine) Clone() *Engine {
	return &Engine{programs: e.programs, machines: map[*ir.Program]*eval.Machine{}, batches: map[*ir.Entry]*scoring.Lanes{},
		logs: e.logs.Clone(), row: NewFindings(len(e.vars.m.Vars))}
}

// CloneAt is [Engine.Clone] for a clone with its own block of the random numbers of e, which has
// block 0. Goroutines draw rows of a sample so that these do not depend on the number of goroutines.
func (e *Engine) CloneAt(block uint64) *Engine {
	c := e.Clone()
	c.block = block
	return c
}

// blockBits is the logarithm of the random numbers of a block to base 2.
const blockBits = 40

// randOf returns the random numbers of a seed from a block on.
func randOf(seed, block uint64) *pgmrt.Rand {
	r := pgmrt.NewRand(seed)
	r.Advance(block << blockBits)
	return r
}

// Model returns the engine's model, with rows normalised.
func (e *Engine) Model() *model.Model { return e.vars.m }

// Vars returns the variables that are not latent, in the order of rows and answers.
func (e *Engine) Vars() []*model.Var {
	list := make([]*model.Var, len(e.vars.seen))
	for i, v := range e.vars.seen {
		list[i] = e.vars.m.Vars[v]
	}
	return list
}

// Approximate reports whether answers come from an approximate method.
func (e *Engine) Approximate() bool { return e.method != nil }

// SetRunOptions sets the options of the runs of e from now on. It has no effect on the answers of
// exact methods.
func (e *Engine) SetRunOptions(opt RunOptions) { e.runs = opt }

// Warnings returns the warnings of all compilations so far.
func (e *Engine) Warnings() []diag.Diagnostic {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.warnings
}

// add adds the entries of a compiled program.
func (p *programs) add(r *compiler.Result) {
	p.warnings = append(p.warnings, r.Warnings...)
	for i := range r.Program.Entries {
		x := &program{r.Program, &r.Program.Entries[i], r.Note}
		if x.entry.Stream != nil {
			p.streams[x.entry.Query.Name] = x
			continue
		}
		if x.entry.Instead != nil {
			continue
		}
		if x.entry.Loop != nil || x.entry.Chain != nil {
			p.method = x
			continue
		}
		spec := compiler.Specification(r.Model, x.entry.Query)
		if slices.ContainsFunc(r.Program.Spans, func(s ir.Span) bool {
			return s.Role == ir.RoleIn && r.Model.IsReal(s.Var) && s.Len == model.MeasuredWidth
		}) {
			spec += measured
		}
		p.byQuery[spec] = x
	}
}

// measured marks the specifications of queries with a program that takes measurements of real
// variables.
const measured = " measured"

// compile compiles queries, or the query of an approximate method. measurements makes a program
// that takes measurements of real variables.
func (p *programs) compile(ctx context.Context, queries []string, measurements bool) error {
	opt := p.opt
	opt.Queries, opt.Measurements, opt.Interpreted = queries, measurements, true
	r, err := compiler.Compile(ctx, p.vars.m, opt)
	if err != nil {
		return err
	}
	if n := len(r.Program.Entries); n > 1 && r.Program.Entries[0].Loop != nil {
		return fmt.Errorf("found %d approximate queries; want one, since an engine answers by one method", n)
	}
	p.add(r)
	return nil
}

// find returns a program that answers one of the queries: the first that is compiled already, or
// else the last, which it compiles.
func (p *programs) find(ctx context.Context, queries ...*ir.Query) (*program, error) {
	return p.findFor(ctx, false, queries...)
}

// findFor is find for evidence with or without measurements of real variables. A program that takes
// them also serves evidence without.
func (p *programs) findFor(ctx context.Context, measurements bool, queries ...*ir.Query) (*program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.method != nil {
		return nil, ErrNoAnswer
	}
	spec := ""
	for _, q := range queries {
		spec = compiler.Specification(p.vars.m, q)
		if x := p.byQuery[spec]; x != nil && !measurements {
			return x, nil
		}
		if x := p.byQuery[spec+measured]; x != nil {
			return x, nil
		}
	}
	if err := p.compile(ctx, []string{spec}, measurements); err != nil {
		return nil, err
	}
	if measurements {
		spec += measured
	}
	return p.byQuery[spec], nil
}

// machine returns the machine of e for a program.
func (e *Engine) machine(p *program) *eval.Machine {
	m := e.machines[p.Program]
	if m == nil {
		m = eval.New(p.Program, e.vars.m)
		m.Rand = randOf(e.opt.Seed, e.block)
		e.machines[p.Program] = m
	}
	return m
}
