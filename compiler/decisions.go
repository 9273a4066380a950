package compiler

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// about holds the queries of a compilation about the decisions of an influence diagram, which no
// method answers about the diagram itself.
type about struct {
	policy bool
	follow bool
	single []*ir.Query // about one decision each
	others []string    // specifications of the other queries
}

// aboutDecisions returns the queries of opt about decisions, or nil if it has none.
func aboutDecisions(m *model.Model, opt *Options) *about {
	if len(opt.Queries) == 0 {
		return nil
	}
	queries, err := ParseQueries(opt.Queries, m)
	if err != nil {
		return nil // as Compile will report
	}
	a := &about{}
	for _, q := range queries {
		switch q.Kind {
		case ir.Policy:
			a.policy = true
		case ir.Follow:
			a.follow = true
		case ir.Best, ir.Information:
			a.single = append(a.single, q)
		default:
			a.others = append(a.others, Specification(m, q))
		}
	}
	if !a.policy && !a.follow && a.single == nil {
		return nil
	}
	return a
}

// first returns the kind of the first of the queries.
func (a *about) first() ir.QueryKind {
	switch {
	case a.policy:
		return ir.Policy
	case a.single != nil:
		return a.single[0].Kind
	}
	return ir.Follow
}

// compileDecisions compiles the other queries, if there are some, and adds those about decisions.
func compileDecisions(ctx context.Context, m *model.Model, opt Options, a *about) (*Result, error) {
	if err := a.check(m, &opt); err != nil {
		return nil, err
	}
	r, err := a.begin(ctx, m, opt)
	if err != nil {
		return nil, err
	}
	for _, q := range a.single {
		if err := r.addDecision(ctx, opt, q); err != nil {
			return nil, fmt.Errorf("query %q: %w", Specification(m, q), err)
		}
	}
	if a.policy || a.follow {
		if err := r.addStrategy(ctx, opt, a); err != nil {
			return nil, err
		}
	}
	return r, verified(r.Program.Verify())
}

// bestOf solves the diagram m.
func bestOf(ctx context.Context, m *model.Model, opt *Options) (*decide.Solution, error) {
	return decide.Solve(ctx, m, make([][]float64, len(m.Vars)), decide.Options{MaxTable: opt.withDefaults().MaxTable, Packaged: true})
}

// addStrategy adds the queries about the best strategy.
func (r *Result) addStrategy(ctx context.Context, opt Options, a *about) error {
	if r.Model.Transition != nil {
		return r.addSlices(ctx, opt)
	}
	x, err := bestOf(ctx, r.Model, &opt)
	if err != nil {
		return fmt.Errorf("query %q: %w", a.first(), err)
	}
	if a.follow {
		if err := r.addFollow(ctx, opt, x); err != nil {
			return fmt.Errorf("query %q: %w", ir.Follow, err)
		}
	}
	if a.policy {
		e, err := policyOf(ctx, r.Model, x)
		if err != nil {
			return fmt.Errorf("query %q: %w", ir.Policy, err)
		}
		r.Program.Entries = append(r.Program.Entries, *e)
	}
	return nil
}

// check refuses models and parameters that the queries cannot be about.
func (a *about) check(m *model.Model, opt *Options) error {
	switch err := decide.Check(m); {
	case err != nil:
		return fmt.Errorf("query %q: %w", a.first(), err)
	case m.Transition != nil && (a.follow || a.single != nil):
		return fmt.Errorf("query %q: the model is a template of a sequence; want query %q, or the diagram of one slice", (&about{follow: a.follow, single: a.single}).first(), ir.Policy)
	case len(m.Diagram.Decisions) == 0 && (m.Transition == nil || len(m.Transition.Decisions) == 0):
		return fmt.Errorf("query %q: the diagram has no decisions; want some", a.first())
	case approximates(opt.MethodName()):
		return fmt.Errorf("query %q has an exact answer; method %s is approximate", a.first(), opt.MethodName())
	case opt.Params == ir.Var:
		return diag.Errorf("query %q: choices are computed from the numbers of the model, which may not be replaced; compile with %v", a.first(),
			diag.Option{Name: "params", Value: "const"})
	}
	return nil
}

// begin returns the program of the other queries, which is empty if there are none.
func (a *about) begin(ctx context.Context, m *model.Model, opt Options) (*Result, error) {
	if len(a.others) > 0 {
		opt.Queries = a.others
		return Compile(ctx, m, opt)
	}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	normal, list := m.NormalizeRows(opt.Rows)
	return &Result{Model: normal, Program: &ir.Program{Name: m.Name, State: ir.NoSpan}, Warnings: list.Warnings(), MaxMem: opt.withDefaults().MaxMem}, list.Err()
}

// networksOf returns the networks for a query about one decision: that of its options, and for the
// value of information one for each of some variables.
func networksOf(ctx context.Context, m *model.Model, opt *Options, q *ir.Query) (list []*decide.Network, vars []model.VarID, err error) {
	decision, known := q.Targets[0], []model.VarID{decide.Nothing}
	if q.Kind == ir.Information {
		after := m.Timing(decision).After
		for _, v := range m.Vars {
			if !v.Given && !v.Latent && after[v.ID] == nil {
				known = append(known, v.ID)
			}
		}
	}
	for _, v := range known {
		n, err := decide.NewNetwork(ctx, m, decision, v, opt.withDefaults().MaxTable)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, n)
	}
	return list, known[1:], nil
}

// addDecision adds a query about one decision.
func (r *Result) addDecision(ctx context.Context, opt Options, q *ir.Query) error {
	networks, vars, err := networksOf(ctx, r.Model, &opt, q)
	if err != nil {
		return err
	}
	first := len(r.Program.Entries)
	for _, n := range networks {
		if err := r.addNetwork(ctx, opt, q.Name, n); err != nil {
			return err
		}
	}
	e := r.merged(first)
	r.unite(e)
	e.Query = &ir.Query{Name: q.Name, Kind: q.Kind, Targets: append([]model.VarID{q.Targets[0]}, vars...)}
	return nil
}

// merged merges the entries from number first on, which come from several programs, into one.
func (r *Result) merged(first int) *ir.Entry {
	e := &r.Program.Entries[first]
	for _, part := range r.Program.Entries[first+1:] {
		e.Blocks, e.Outs = append(e.Blocks, part.Blocks...), append(e.Outs, part.Outs...)
	}
	r.Program.Entries = r.Program.Entries[:first+1]
	return e
}

// unite makes one block of those of the last entry if it is not too large, so that code computes
// once what several networks of the entry have.
func (r *Result) unite(e *ir.Entry) {
	products, blocks := 0, r.Program.Blocks[e.Blocks[0]:]
	var steps []ir.Step
	for _, b := range blocks {
		for _, step := range b.Steps {
			if n, ok := step.(ir.Nest); ok {
				products += n.Products()
			}
		}
		steps = append(steps, b.Steps...)
	}
	if products <= networkProducts {
		blocks[0].Steps = steps
		r.Program.Blocks, e.Blocks = r.Program.Blocks[:e.Blocks[0]+1], e.Blocks[:1]
	}
}

// networkProducts is the number of products that a block of a network of pairs forms before it is
// cut. Within a block, code knows zeros of constants and what does not depend on later decisions,
// so that a tenth of the products may be left: five actions of a tiger, 82,000 products, in a tenth
// of the time of blocks of pass.ChunkProducts.
const networkProducts = 1 << 17

// addNetwork adds an entry that runs a program by tables about a network of pairs.
func (r *Result) addNetwork(ctx context.Context, opt Options, name string, n *decide.Network) error {
	p, err := r.compile(ctx, n.Model, ofNetwork(opt, name, n))
	if err != nil {
		return err
	}
	p.LogZ, p.Entries[0].Least = 0, n.Least
	withoutExponent(p)
	r.separate(p, n.Model)
	return r.join(p)
}

// ofNetwork returns the options of the program about a network of pairs.
func ofNetwork(opt Options, name string, n *decide.Network) Options {
	if opt.Order, opt.Unnormalised = n.Order, true; opt.trial.Chunk == 0 {
		opt.trial.Chunk = networkProducts
	}
	return byItself(opt, &ir.Query{Name: name, Kind: ir.Best, Targets: n.Targets, Maxima: n.Maxima})
}

// byItself returns the options of the program for a query about a network that is made of the
// diagram.
func byItself(opt Options, q *ir.Query) Options {
	opt.asked, opt.Method = []*ir.Query{q}, Named(byTables().Name)
	opt.Observed, opt.Measurements, opt.Dump = nil, false, nil
	opt.Slices = false // a cutset sums over posteriors of single variables, and over no other outputs
	return opt
}

// compile compiles a program that can be joined with that of r.
func (r *Result) compile(ctx context.Context, m *model.Model, opt Options) (*ir.Program, error) {
	if len(r.Program.Entries) > 0 {
		if opt.trial.Lay = 1; r.Program.Align == 0 { // as the programs that it joins
			opt.trial.Lay = math.MaxInt
		}
	}
	made, err := compile(ctx, m, opt, Pipeline)
	if err != nil {
		return nil, err
	}
	r.Orders = append(r.Orders, made.Orders...)
	r.warn(made)
	return made.Program, nil
}

// join adds a program.
func (r *Result) join(p *ir.Program) error {
	if len(r.Program.Entries) == 0 {
		r.Program = p
	} else if err := join(r.Program, p); err != nil {
		return fmt.Errorf("it cannot share a package with other queries, since %w; compile each into a package of its own", err)
	}
	return nil
}

// warn adds the warnings of another result.
func (r *Result) warn(other *Result) {
	r.Underflows = r.Underflows || other.Underflows
	for _, w := range other.Warnings {
		if !slices.Contains(r.Warnings, w) {
			r.Warnings = append(r.Warnings, w)
		}
	}
}

// withoutExponent leaves powers of two out of account, since the answer is a ratio.
func withoutExponent(p *ir.Program) {
	for _, b := range p.Blocks {
		for _, step := range b.Steps {
			if x, ok := step.(*ir.Rescale); ok {
				x.Exp = ir.NoSpan
			}
		}
	}
	p.Entries[0].Exp = ir.NoSpan
}

// separate gives the axes of variables without evidence in a program about m numbers that no other
// program of r has: their states are those of one network.
func (r *Result) separate(p *ir.Program, m *model.Model) {
	next := model.VarID(len(m.Vars))
	for axis := range axes(r.Program) {
		next = max(next, axis.Var+1)
	}
	for axis := range axes(p) {
		if m.Vars[axis.Var].Latent {
			axis.Var += next
		}
	}
}

// axes iterates over the axes of the contractions of p.
func axes(p *ir.Program) iter.Seq[*ir.Axis] {
	return func(yield func(*ir.Axis) bool) {
		for _, b := range p.Blocks {
			for _, step := range b.Steps {
				if c, ok := step.(*ir.Contract); ok {
					for i := range c.Axes {
						if !yield(&c.Axes[i]) {
							return
						}
					}
				}
			}
		}
	}
}

// approximates reports whether a name is that of an approximate method.
func approximates(name string) bool {
	x, err := FindMethod(name)
	return err == nil && x.Answers != nil
}
