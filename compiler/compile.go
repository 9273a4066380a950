// Package compiler compiles a model and a list of queries into an ir.Program. It owns the list of
// passes ([Pipeline]) and the lists of methods and formats.
//
// It emits no Go (see codegen) and learns nothing (see learn). README.md in its folder describes
// its parts, and RATIONALE.md answers why they are so.
package compiler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
	"github.com/pgmc-go/pgmc/compiler/internal/trial"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Defaults of Options.
const (
	DefaultMaxTable = 1 << 27 // entries of one clique: 1 GiB
	DefaultMaxMem   = 2 << 30 // bytes
	DefaultSteps    = 20_000  // vertices that randomised searches for an order may eliminate
)

// Options are the queries to compile, the method and the limits. The zero value compiles the
// default queries.
type Options struct {
	Queries []string // specifications, see ParseQueries; nil for the default queries
	// Method chooses a method and its options, as belief.Options{Damping: .2} does, or [Named]. If
	// it is nil, the method is jointree, but circuit for a model that is a large circuit, or if no
	// clique tree fits and a circuit answers all queries.
	Method method.Options
	// Observed holds, by variable, the state that every question observes, or -1; nil if that is
	// not known in advance. A method that is an [method.Observer] plans for it, unless Method is a
	// struct, which is taken as it is.
	Observed []int
	Params   ir.ParamMode
	Rows     model.Rows
	// Lasting says that the program will answer many questions, as a package does, so that methods
	// search longer for a fast one.
	Lasting bool
	// Interpreted says that the program will be run by [eval], and that no package is made of it,
	// so that it is not laid out for vectors: that takes time, and makes the interpreter slower.
	Interpreted bool
	// Measurements makes a program that takes measurements of real variables, which are soft
	// evidence on them. It is slower than one that does not.
	Measurements bool

	Heuristics []order.Heuristic // nil for all, of which the best result counts
	Order      []int             // an elimination order of all variables; nil to search for one
	Steps      int               // vertices that randomised search may eliminate; 0 for DefaultSteps, negative for none
	Seed       uint64

	IgnoreUnderflow bool // suppresses the warning of numbers that may underflow
	Unnormalised    bool // leaves ln P of a Markov network relative to 1, not to its partition function

	MaxTable int   // most entries of one table; 0 for DefaultMaxTable
	MaxMem   int64 // most bytes of the program's memories; 0 for DefaultMaxMem
	Machine  int64 // bytes of memory beyond which no limit should be suggested; 0 if unknown

	// Slices allows a program that fixes some variables at each of their states in turn, if nothing
	// else fits: cutset conditioning. It may take long, and packages cannot stop it.
	Slices bool

	// MAPSteps plans each query for the best states of some variables as a step of a search, even
	// if one pass in an order that eliminates these variables last would answer it.
	MAPSteps bool

	// Accept refuses a program by its estimated size, before it is made; nil accepts every program
	// within the limits.
	Accept func(m *model.Model, n *method.Size) error

	Dump  func(number int, pass string) io.WriteCloser // returns the writer for the result of a pass; a nil writer skips the pass
	Check bool                                         // verifies the result of every pass

	// Trying is told which method Best looks at next, which may take seconds, and once Auto's
	// method does not fit, the operations that it would take; nil: nobody is told.
	Trying func(method string, operations float64)

	trial trial.Options // set by Trial
	asked []*ir.Query   // in place of Queries, if the compiler itself asks
}

// Trial returns o with settings that only tests of this module can make.
func (o Options) Trial(t trial.Options) Options {
	o.trial = t
	return o
}

func (o *Options) withDefaults() Options {
	out := *o
	if out.Steps == 0 {
		out.Steps = DefaultSteps
	}
	if out.MaxTable <= 0 {
		out.MaxTable = DefaultMaxTable
	}
	if out.MaxMem <= 0 {
		out.MaxMem = DefaultMaxMem
	}
	if out.trial.Chunk <= 0 {
		out.trial.Chunk = pass.ChunkProducts
	}
	if out.trial.Lay <= 0 {
		out.trial.Lay = pass.LayProducts
	}
	return out
}

// Result is a compiled program and facts about it.
type Result struct {
	Model    *model.Model // as checked, its rows normalised
	Program  *ir.Program
	Warnings []diag.Diagnostic
	Method   string // the name of the method that answers
	Claim    method.Claim
	Note     string          // the decisions of the method, for people; may be empty
	Circuit  *ir.CircuitSize // of the circuit of P(evidence); nil if there is none
	Choice   *Choice         // of the method; nil unless it was left to Auto or Best
	Orders   []order.Result  // the elimination orders that were chosen, the main one first
	MaxMem   int64           // the limit of memory in bytes that the options set
	Followed *model.Model    // the diagram in which decisions follow the best strategy, of a Follow; nil without one
	// Underflows reports that numbers may underflow: evidence that counts as impossible may have a
	// tiny probability.
	Underflows bool
}

// compileQueries compiles m for queries that one method answers.
func compileQueries(ctx context.Context, m *model.Model, opt Options) (*Result, error) {
	opt, decided, err := Decide(ctx, m, opt)
	if err != nil {
		return nil, err
	}
	r, err := compile(ctx, m, opt, Pipeline)
	if r != nil && decided != nil {
		r.Choice, r.Method = decided, decided.Method
	}
	return r, err
}

// compile runs passes in order.
func compile(ctx context.Context, m *model.Model, opt Options, passes []Pass) (*Result, error) {
	opt = opt.withDefaults()
	b, err := newBuild(ctx, m, &opt, passes)
	if err != nil {
		return nil, err
	}
	if err := b.run(StageModel, StageProblem, StagePlan, StageProgram); err != nil {
		return nil, err
	}
	b.result.Model, b.result.Program, b.result.MaxMem = b.problem.Model, b.program, opt.MaxMem
	if b.result.Method = b.by.Name; b.result.Choice != nil {
		b.result.Method = b.result.Choice.Method
	}
	return b.result, nil
}

// request is what a compilation is asked for. No pass changes it.
type request struct {
	ctx      context.Context
	opt      *Options
	passes   []Pass      // Pipeline, for passes that compile or estimate another program
	searches *order.Memo // results of searches for orders, also of those other programs
	memo     *method.Memo
}

// compile compiles another model or other queries by the same passes, for a pass that needs their
// answers. It dumps nothing.
func (r *request) compile(m *model.Model, opt Options) (*Result, error) {
	opt.Dump, opt.Accept = nil, nil
	return compile(r.ctx, m, opt, r.passes)
}

// build is what the passes of a compilation work on and pass on.
type build struct {
	*request
	ctx       *method.Context // what methods may use
	by        *resolved
	tables    method.Estimate // of the schedule that the method made last
	estimated *Estimation     // if set, the method stops once its schedule is known, and plan fills this in

	used *model.Model // of the problem that a method plans by another method; nil otherwise
	more bool         // the schedule of that problem gets further parts

	problem    *ir.Problem
	underflows bool          // a constant of the program has underflowed to 0
	divided    float64       // logarithm of the constants that the potentials of the model were divided by
	circuit    *ir.Plan      // the circuit that method-choose prefers to tables; nil for none
	seconds    []pass.Second // plans by tables for queries that the circuit answers too
	planned    *ir.Plan
	slowly     *method.Estimate // of a program that saves memory but takes too long; nil without one
	program    *ir.Program
	signatures *ir.Program // the signatures with answers that program-tabulate computes; nil before program-lookup and afterwards
	result     *Result
}

// newBuild checks the model, decides on the method and parses the queries.
func newBuild(ctx context.Context, m *model.Model, opt *Options, passes []Pass) (*build, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	by, queries, err := resolve(m, opt)
	if err != nil {
		return nil, err
	}
	if opt.Measurements && !by.Measures {
		return nil, fmt.Errorf("method %s takes no measurements of real variables", by.Name)
	}
	b := &build{
		request: &request{ctx: ctx, opt: opt, passes: passes, searches: &order.Memo{}, memo: &method.Memo{}},
		by:      by,
		problem: &ir.Problem{Model: m, Queries: queries, Params: opt.Params, Measurements: opt.Measurements},
		result:  &Result{},
	}
	if opt.MethodName() == Auto && by.Circuits != nil {
		b.result.Choice = &Choice{Method: by.Name, Why: "since the model is one"}
	}
	b.ctx = b.context(ctx)
	return b, nil
}

// context returns what methods may use while they plan.
func (b *build) context(ctx context.Context) *method.Context {
	return &method.Context{Context: ctx, Order: b.order, Orders: b.orders, MaxTable: b.opt.MaxTable, MaxMem: b.opt.MaxMem,
		Fits: b.fits, Use: b.use, By: By, Search: b.opt.trial.Search || b.opt.MAPSteps, Memo: b.memo, Quick: b.opt.Steps < 0, Lasting: b.opt.Lasting}
}

// run runs the passes that work on one of the given stages.
func (b *build) run(stages ...Stage) error {
	for i := range b.passes {
		p := &b.passes[i]
		if !slices.Contains(stages, p.In) {
			continue
		}
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if err := b.runPass(i, p); err != nil {
			return err
		}
	}
	return nil
}

// runPass runs one pass, then verifies and dumps its result.
func (b *build) runPass(number int, p *Pass) error {
	if err := p.run(b); err != nil {
		return err
	}
	if b.opt.Check {
		if err := b.verify(); err != nil {
			return fmt.Errorf("after %s: %w", p.Name, err)
		}
	}
	if b.opt.Dump == nil {
		return nil
	}
	w := b.opt.Dump(number+1, p.Name)
	if w == nil {
		return nil
	}
	return errors.Join(b.print(w), w.Close())
}

// programs returns the programs that exist between two passes: the one that Compile returns, and
// the program of the signatures to be tabulated.
func (b *build) programs() []*ir.Program {
	if b.signatures == nil {
		return []*ir.Program{b.program}
	}
	return []*ir.Program{b.program, b.signatures}
}

// InvariantError is the error of a program or a schedule that breaks an invariant: a mistake in the
// compiler, and not in a model.
type InvariantError struct{ Err error }

// Error says which invariants are broken.
func (e *InvariantError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the check.
func (e *InvariantError) Unwrap() error { return e.Err }

// verified returns the error of a check of invariants as an InvariantError.
func verified(err error) error {
	if err != nil {
		return &InvariantError{err}
	}
	return nil
}

// verify checks the invariants of the last pass's result.
func (b *build) verify() error {
	switch {
	case b.program != nil:
		for _, p := range b.programs() {
			if err := p.Verify(); err != nil {
				return verified(err)
			}
		}
	case b.planned != nil:
		return verified(b.planned.Schedule.Verify())
	}
	return nil
}

// print writes the last pass's result.
func (b *build) print(w io.Writer) error {
	switch {
	case b.signatures != nil:
		return errors.Join(b.program.Print(w), pass.PrintSignatures(b.signatures, w))
	case b.program != nil:
		return b.program.Print(w)
	case b.planned != nil:
		return b.planned.Print(w)
	}
	return b.problem.Print(w)
}
