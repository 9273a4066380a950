// Package compiler turns a model and a list of queries into an ir.Program: it owns the list of
// passes ([Pipeline]) and the lists of methods and formats, and nothing else.
//
// It emits no Go (see codegen) and learns nothing (see learn). README.md beside it says why things
// are as they are.
package compiler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/pass"
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

// Options say what to compile, and how far to go. The zero value compiles the default queries.
type Options struct {
	Queries []string // specifications, see ParseQueries; none: the default queries
	// Method chooses a method and says how it goes, as belief.Options{Damping: .2} does, or
	// [Named]. Nil is jointree, but circuit for a model that is a large circuit or, if that answers
	// all queries, too wide.
	Method method.Options
	Params ir.ParamMode
	Rows   model.Rows

	Heuristics []order.Heuristic // nil: all, and the best result
	Order      []int             // an elimination order of all variables; nil: search
	Steps      int               // of randomised search; 0: DefaultSteps; negative: none
	Seed       uint64

	IgnoreUnderflow bool // suppresses the warning of numbers that may underflow
	Unnormalised    bool // leave ln P of a Markov network relative to 1, not to its partition function

	MaxTable int   // most entries of one table; 0: DefaultMaxTable
	MaxMem   int64 // most bytes of the program's memories; 0: DefaultMaxMem
	Machine  int64 // bytes of memory beyond which no limit should be suggested; 0: unknown

	Search bool // find the best states of some variables by a search even where one pass would do, as tests do

	Chunk int // products that a block forms before it is cut; 0: pass.ChunkProducts

	Dump  func(number int, pass string) io.WriteCloser // where to write what a pass made; nil results are skipped
	Check bool                                         // verify after every pass
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
	if out.Chunk <= 0 {
		out.Chunk = pass.ChunkProducts
	}
	return out
}

// Result is a compiled program and what is worth knowing about it.
type Result struct {
	Model    *model.Model // as checked, its rows normalised
	Program  *ir.Program
	Warnings []diag.Diagnostic
	Claim    method.Claim
	Note     string          // what the method decided, for people; empty for nothing
	Circuit  *ir.CircuitSize // of the circuit of P(evidence), where there is one
	Choice   *Choice         // of the method, where it was left to Auto
	Orders   []order.Result  // the elimination orders that were chosen, the main one first where there is one
}

// Compile compiles m for the queries of opt. The same model and options give the same program. The
// error is a diag.Errors where the model is at fault.
func Compile(ctx context.Context, m *model.Model, opt Options) (*Result, error) {
	opt = opt.withDefaults()
	s, err := newState(ctx, m, &opt)
	if err != nil {
		return nil, err
	}
	s.again = Compile
	for i, p := range Pipeline {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.runPass(i, &p); err != nil {
			return nil, err
		}
	}
	s.result.Model, s.result.Program = s.problem.Model, s.program
	return s.result, nil
}

// newState checks the model and the options, and makes ready for the first pass.
func newState(ctx context.Context, m *model.Model, opt *Options) (*state, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	by, queries, err := resolve(m, opt)
	if err != nil {
		return nil, err
	}
	s := &state{opt: opt, by: by, problem: &ir.Problem{Model: m, Queries: queries, Params: opt.Params}, result: &Result{}}
	if opt.MethodName() == Auto && by.Circuits != nil {
		s.result.Choice = &Choice{Method: by.Name, Why: "since the model is one"}
	}
	s.ctx = &method.Context{Context: ctx, Order: s.order, Orders: s.orders, MaxTable: opt.MaxTable, MaxMem: opt.MaxMem, Fits: s.fits, Use: s.use, Joint: s.joint, Search: opt.Search}
	return s, nil
}

// runPass runs one pass, then dumps and verifies what it made.
func (s *state) runPass(number int, p *Pass) error {
	if err := p.run(s); err != nil {
		return err
	}
	if s.opt.Check {
		if err := s.verify(); err != nil {
			return fmt.Errorf("after %s: %w", p.Name, err)
		}
	}
	if s.opt.Dump == nil {
		return nil
	}
	w := s.opt.Dump(number+1, p.Name)
	if w == nil {
		return nil
	}
	return errors.Join(s.print(w), w.Close())
}

func (s *state) verify() error {
	switch {
	case s.program != nil:
		return s.program.Verify()
	case s.planned != nil:
		return s.planned.Schedule.Verify()
	}
	return nil
}

func (s *state) print(w io.Writer) error {
	switch {
	case s.program != nil:
		return s.program.Print(w)
	case s.planned != nil:
		return s.planned.Print(w)
	}
	return s.problem.Print(w)
}

func (s *state) modelCheck() error {
	m, list := s.problem.Model.NormalizeRows(s.opt.Rows)
	s.result.Warnings = list.Warnings()
	s.problem.Model = m
	return list.Err()
}

func (s *state) methodCheck() error {
	list := s.by.instance.Check(s.problem)
	s.result.Warnings = append(s.result.Warnings, list.Warnings()...)
	return list.Err()
}

func (s *state) plan() (err error) {
	s.planned, s.result.Claim, err = s.planBy()
	if err == nil {
		s.result.Note = s.planned.Note
	}
	if err == nil && s.planned.Circuit != nil {
		size := s.planned.Circuit.RootSize()
		s.result.Circuit = &size
	}
	var wide *tooWide
	if errors.As(err, &wide) {
		est := wide.estimate(s.problem.Queries)
		err = s.tooLarge(&est)
	}
	if err != nil && s.by.free && s.byOtherMethod() {
		return nil
	}
	return err
}

// planBy plans by the method of the options, which is decided first where that is Auto.
func (s *state) planBy() (*ir.Plan, method.Claim, error) {
	if !s.by.auto {
		return s.by.instance.Plan(s.ctx, s.problem)
	}
	choice, plan, err := s.choose()
	if err != nil {
		return nil, method.Exact, err
	}
	s.result.Choice = choice
	decided := *s.by
	decided.auto = false
	if plan != nil {
		decided.Method = byCircuits()
	}
	s.by = &decided
	if plan == nil {
		return s.by.instance.Plan(s.ctx, s.problem)
	}
	others := s.unanswered(plan)
	if choice.Tables == nil && len(others) > 0 { // no clique tree fits
		plan, err := byCircuits().Circuits.Within(s.ctx, s.problem, wideOps, nil)
		return plan, method.Exact, err
	}
	if len(others) > 0 {
		rest, _, err := s.use(byTables().Name, &ir.Problem{Model: s.problem.Model, Queries: others, Params: s.problem.Params})
		if err != nil {
			return plan, method.Exact, err // as method circuit does
		}
		plan.Schedule = rest.Schedule
	}
	return plan, method.Exact, nil
}

// byOtherMethod plans a network that is too wide for a clique tree by a circuit, where that answers
// all queries.
func (s *state) byOtherMethod() bool {
	if s.by.Method != byTables() {
		return false
	}
	orders := len(s.result.Orders)
	if !mayFold(s.problem.Model) {
		return false
	}
	plan, err := byCircuits().Circuits.Within(s.ctx, s.problem, wideOps, nil)
	if err != nil {
		s.result.Orders = s.result.Orders[:orders]
		return false
	}
	s.planned, s.result.Orders = plan, s.result.Orders[orders:]
	size := plan.Circuit.RootSize()
	s.result.Circuit = &size
	return true
}

// use plans a problem by another method; see method.Context.
func (s *state) use(name string, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	m, err := FindMethod(name)
	if err != nil {
		return nil, 0, err
	}
	instance := m.New()
	if list := instance.Check(p); list.HasErrors() {
		return nil, 0, list.Err()
	}
	return instance.Plan(s.ctx, p)
}

// order finds an elimination order; see method.OrderFunc.
func (s *state) order(scopes [][]model.VarID, vars []model.VarID, group []int) ([]int, error) {
	g := order.NewGraph(s.problem.Model)
	eliminated := make([]bool, len(s.problem.Model.Vars))
	for _, v := range vars {
		g.Vertices = append(g.Vertices, int(v))
		eliminated[v] = true
	}
	for _, scope := range scopes {
		var in []model.VarID
		for _, v := range scope {
			if eliminated[v] {
				in = append(in, v)
			}
		}
		g.AddClique(in)
	}
	r := s.given(g, eliminated, group)
	if r.Order == nil {
		r = order.Best(g, order.Options{Heuristics: s.opt.Heuristics, Steps: max(0, s.opt.Steps), Seed: s.opt.Seed, Group: group})
	}
	s.result.Orders = append(s.result.Orders, r)
	if r.Cost.Members > maxMembers || math.IsInf(r.Cost.Entries, 1) {
		return nil, &tooWide{r.Cost}
	}
	return r.Order, nil
}

// orders finds several orders of all variables of m; see method.Context.
func (s *state) orders(m *model.Model, n int) [][]int {
	g := order.FromModel(m)
	if s.opt.Order != nil {
		given := slices.Clone(s.opt.Order)
		for v := len(given); v < len(m.Vars); v++ { // auxiliary variables come last, where they keep apart what they decompose
			given = append(given, v)
		}
		s.result.Orders = append(s.result.Orders, order.Result{Order: given, Cost: g.CostOf(given)})
		return [][]int{given}
	}
	opt := order.Options{Heuristics: s.opt.Heuristics, Steps: max(0, s.opt.Steps), Seed: s.opt.Seed}
	if s.opt.Steps < 0 {
		n = 1
	}
	list := order.Candidates(g, opt, n)
	s.result.Orders = append(s.result.Orders, order.Result{Order: list[0], Cost: g.CostOf(list[0])})
	return list
}

// given is the order of the options, restricted to what is eliminated; without one, a result
// without an order.
func (s *state) given(g *order.Graph, eliminated []bool, group []int) order.Result {
	var r order.Result
	if s.opt.Order == nil {
		return r
	}
	last := 0
	for _, x := range group {
		last = max(last, x)
	}
	for level := 0; level <= last; level++ {
		for _, v := range s.opt.Order {
			if eliminated[v] && (group == nil || group[v] == level) {
				r.Order = append(r.Order, v)
			}
		}
	}
	r.Cost = g.CostOf(r.Order)
	return r
}

// layout also refuses a program whose memories turned out larger than the estimate.
func (s *state) layout() error {
	p := s.program
	pass.ProgramLayout(p)
	est := method.Estimate{Size: method.Size{Work: float64(p.Work), Data: float64(p.Data), States: float64(p.Ints)}}
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			if c, ok := step.(*ir.Contract); ok {
				est.Largest = max(est.Largest, float64(c.Entries()))
			}
		}
	}
	if s.opt.over(&est.Size) {
		return s.tooLarge(&est)
	}
	return nil
}

// warnExtreme warns if numbers are so small that evidence of tiny probability may count as
// impossible.
func (s *state) warnExtreme() error {
	if s.opt.IgnoreUnderflow {
		return nil
	}
	var list diag.List
	if bits := -s.program.SoftBits; bits > 0 { // of a circuit that was taken over, where nothing is rescaled
		list.Warnf(diag.Pos{File: s.problem.Model.File}, "the least probable evidence is too small a number by a factor of 2^%.0f, and counts as "+
			"impossible", bits)
	}
	if bits := pass.Extreme(s.program); bits > 0 {
		list.Warnf(diag.Pos{File: s.problem.Model.File}, "numbers of the model that are multiplied together are as small as 2^-%.0f; "+
			"what is less probable than 2^-1022 beside its alternatives counts as impossible", bits)
	}
	s.result.Warnings = append(s.result.Warnings, list.Warnings()...)
	return nil
}
