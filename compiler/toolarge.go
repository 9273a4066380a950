package compiler

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TooLarge is the error of a program that would exceed the limits, or does.
type TooLarge struct {
	Claim    method.Claim
	Need     method.Size // of the program
	Width    int         // of the chosen elimination order
	Order    string      // the name of that order
	Members  float64     // variables, counted in each bucket that has them, if they are too many to plan for; 0 otherwise
	MaxTable int         // the limits
	MaxMem   int64
	// Options are queries and options within the limits, or limits that suffice.
	Options []*diag.Message
	// Others are approximate methods within the limits, each with its answers and its estimate.
	Others  []*diag.Message
	Factors bool // the method takes factors one by one and has no cliques
}

// Error states the numbers, the limits and what would work.
func (e *TooLarge) Error() string { return e.message().Error() }

// With returns the text of Error with options written by name.
func (e *TooLarge) With(name func(diag.Option) string) string { return e.message().With(name) }

func (e *TooLarge) message() *diag.Message {
	if len(e.Others) > 0 {
		return diag.Errorf("%v. Approximate answers: %v", e.exactly(), diag.Join(e.Others, "; "))
	}
	return e.exactly()
}

// exactly states what would work for the method at hand.
func (e *TooLarge) exactly() *diag.Message {
	switch {
	case len(e.Options) > 0:
		return diag.Errorf("%v. What would work: %v", e.reason(), diag.Join(e.Options, "; "))
	case e.Factors:
		return diag.Errorf("%v. Only factors over fewer variables would do", e.reason())
	}
	return diag.Errorf("%v. Neither higher limits nor fewer queries would do, only a much better %v", e.reason(), diag.Option{Name: "order"})
}

func (e *TooLarge) reason() *diag.Message {
	if e.Members > 0 {
		return diag.Errorf("%s inference has %s variables in its cliques, each counted in all that have it (width %d, order %s); limit: %s",
			e.Claim, Count(e.Members), e.Width, e.Order, Count(maxMembers))
	}
	limits := diag.Errorf("%v %d, %v %s", diag.Option{Name: "max-table"}, e.MaxTable, diag.Option{Name: "max-mem"}, Bytes(float64(e.MaxMem)))
	if e.Factors {
		return diag.Errorf("a factor has %s joint states, and the program needs %s of memory; limits: %s", Count(e.Need.Largest), Bytes(e.Need.Bytes()), limits)
	}
	if math.IsInf(e.Need.Products, 1) { // the search for an order gave up
		return diag.Errorf("%s inference needs a clique of at least %s joint states (width %d or more, order %s); limits: %s",
			e.Claim, Count(e.Need.Largest), e.Width, e.Order, limits)
	}
	if e.Need.Bytes() <= float64(e.MaxMem) && max(e.Need.Work, e.Need.Data) > maxNumbers {
		limits = diag.Errorf("%v, %d numbers in all", limits, maxNumbers)
	}
	return diag.Errorf("%s inference needs a clique of %s joint states (width %d, order %s) and %s of memory; limits: %s",
		e.Claim, Count(e.Need.Largest), e.Width, e.Order, Bytes(e.Need.Bytes()), limits)
}

// fits returns an error if a program exceeds the limits; see method.Context.Fits. While estimating,
// it stops the method once the schedule is complete.
func (b *build) fits(schedule *ir.Schedule) error {
	b.tables = method.EstimateOf(schedule)
	if b.estimated != nil && !b.more || b.opt.over(&b.tables.Size) {
		return errSized
	}
	return nil
}

// over reports whether a program of size n exceeds the limits.
func (o *Options) over(n *method.Size) bool {
	return !(n.Largest <= float64(o.MaxTable)) || !(n.Bytes() <= float64(o.MaxMem)) || n.Work > maxNumbers || n.Data > maxNumbers
}

// refusal returns the error for a program of size est, or nil if the program may be made.
func (b *build) refusal(est *method.Estimate) error {
	switch {
	case b.opt.over(&est.Size):
		return b.tooLarge(est)
	case b.opt.Accept != nil:
		return b.opt.Accept(b.problem.Model, &est.Size)
	}
	return nil
}

// tooLarge returns the error for a program of size est. If there are several orders, it names the
// one with the largest clique.
func (b *build) tooLarge(est *method.Estimate) *TooLarge {
	e := &TooLarge{Claim: b.result.Claim, Need: est.Size, MaxTable: b.opt.MaxTable, MaxMem: b.opt.MaxMem, Order: "given"}
	e.Factors = slices.ContainsFunc(b.problem.Queries, func(q *ir.Query) bool { return q.Kind.Run() == ir.RunLoop })
	largest := -1.0
	small := func(r order.Result) bool { return r.Cost.Largest <= est.Largest*(1+1e-9) }
	tried := slices.ContainsFunc(b.result.Orders, small) // if an order was given up for another, only the other counts
	for _, r := range b.result.Orders {
		if r.Cost.Largest <= largest || tried && !small(r) {
			continue
		}
		largest, e.Width, e.Members = r.Cost.Largest, r.Cost.Width, 0
		if r.Cost.Members > maxMembers && !math.IsInf(r.Cost.Entries, 1) {
			e.Members = r.Cost.Members
		}
		if b.opt.Order == nil {
			e.Order = r.Name()
		}
	}
	by := *b.by
	by.free = false // circuits were tried
	b.by = &by
	e.Options = b.whatWorks(est)
	if !e.Factors {
		e.Others = b.approximate()
	}
	return e
}

// maxAdvice is the most queries that TooLarge lists as fitting, and the most signatures that are
// tried as an example. No other is tried after searches for orders with work exampleWork.
const (
	maxAdvice   = 8
	exampleWork = 5e7
)

// whatWorks lists options within the limits, or within the memory of the machine, each with its
// estimate.
func (b *build) whatWorks(est *method.Estimate) []*diag.Message {
	var list []*diag.Message
	if limits := b.opt.raised(&est.Size); limits != nil {
		list = append(list, diag.Join(limits, " "))
	}
	if b.opt.Order != nil || b.opt.Heuristics != nil {
		opt := *b.opt
		opt.Order, opt.Heuristics = nil, nil
		if auto, err := b.estimate(&opt, b.by, b.problem.Queries); err == nil && !b.opt.over(&auto.Size) {
			list = append(list, diag.Errorf("%v, which needs %s", diag.Option{Name: "order", Value: "auto"}, Bytes(auto.Bytes())))
		}
	}
	if c := b.result.Choice; c != nil && c.Circuit != nil && b.by.Circuits != nil {
		list = append(list, b.circuitOnly())
	}
	if circuit := b.byCircuit(); circuit != nil {
		list = append(list, circuit)
	}
	if b.slowly != nil {
		list = append(list, diag.Errorf("%v %v, which takes %s operations in %s slices, and %s", method.By(b.by.Name), diag.Option{Name: "contract", Value: "slices"},
			Count(b.slowly.Operations), Count(b.slowly.Slices), Bytes(b.slowly.Bytes())))
	}
	if len(est.Queries) > 1 {
		list = append(list, b.smaller(est)...)
	}
	if example := b.signature(); example != nil {
		list = append(list, example)
	}
	return list
}

// circuitOnly proposes the queries that an existing circuit answers, one of each kind.
func (b *build) circuitOnly() *diag.Message {
	var list []*diag.Message
	seen := map[ir.QueryKind]bool{}
	for _, q := range b.circuitQueries() {
		if !seen[q.Kind] {
			seen[q.Kind] = true
			list = append(list, diag.Errorf("%v", b.option(q)))
		}
	}
	return diag.Errorf("%v alone, by a circuit", diag.Join(list, " "))
}

// option returns the option that asks for q, as an argument of messages.
func (b *build) option(q *ir.Query) diag.Option {
	return diag.Option{Name: "query", Value: Specification(b.problem.Model, q)}
}

// byCircuit proposes the method of circuits if the model holds a circuit and a program of that
// circuit fits. It returns nil otherwise.
func (b *build) byCircuit() *diag.Message {
	isCircuit := func(f *model.Factor) bool { return f.Circuit() != nil }
	if b.by.Circuits != nil || !slices.ContainsFunc(b.problem.Model.Factors, isCircuit) {
		return nil
	}
	est, err := b.estimate(b.opt, &resolved{Method: byCircuits()}, b.problem.Queries)
	if err != nil || b.opt.over(&est.Size) {
		return nil
	}
	return diag.Errorf("%v, which needs %s", method.By(byCircuits().Name), Bytes(est.Bytes()))
}

// raised returns the limits that a program of size n needs, or nil if the machine has too little
// memory. Limits include some room, because the estimate leaves out gaps between temporaries.
func (o *Options) raised(n *method.Size) (list []*diag.Message) {
	const room = 1.1
	bytes := room * n.Bytes()
	if n.Work > maxNumbers/room || n.Data > maxNumbers/room || n.Largest > math.MaxInt64/2 || o.Machine > 0 && bytes > float64(o.Machine) {
		return nil
	}
	limit := func(name, format string, args ...any) {
		list = append(list, diag.Errorf("%v", diag.Option{Name: name, Value: fmt.Sprintf(format, args...)}))
	}
	if n.Largest > float64(o.MaxTable) {
		limit("max-table", "%.0f", n.Largest)
	}
	if bytes > float64(o.MaxMem) {
		unit, name := 1<<10, "KiB"
		if bytes > 10<<20 {
			unit, name = 1<<20, "MiB"
		}
		limit("max-mem", "%.0f%s", math.Ceil(bytes/float64(unit)), name)
	}
	return list
}

// smaller proposes up to maxAdvice queries that fit by themselves: one of each kind, and every
// signature.
func (b *build) smaller(est *method.Estimate) []*diag.Message {
	var list []*diag.Message
	seen := map[ir.QueryKind]bool{}
	for i := range est.Queries {
		q := &est.Queries[i]
		kind := q.Query.Kind
		if !slices.Contains(b.problem.Queries, q.Query) {
			continue // a part of another query
		}
		if seen[kind] && kind != ir.Signature || b.opt.over(&q.Size) || len(list) == maxAdvice {
			continue
		}
		seen[kind] = true
		list = append(list, diag.Errorf("%v alone, which needs %s", b.option(q.Query), Bytes(q.Bytes())))
	}
	return list
}

// signature proposes a signature that fits, or returns nil. It tries a few: a variable given its
// first parent, because the network below them does not matter. Of those that fit it proposes the
// largest.
func (b *build) signature() (text *diag.Message) {
	m := b.problem.Model
	var children []*model.Factor
	for _, f := range m.Factors {
		if f.Child >= 0 && len(f.Scope) > 1 && !slices.ContainsFunc(f.Scope, func(v model.VarID) bool { return m.Vars[v].Latent }) {
			children = append(children, f)
		}
	}
	opt := *b.opt
	opt.Steps = -1
	best, start := 0.0, b.searches.Work
	for i := range min(maxAdvice, len(children)) {
		if b.searches.Work-start > exampleWork {
			break
		}
		f := children[i*len(children)/min(maxAdvice, len(children))]
		q := &ir.Query{Name: "example", Kind: ir.Signature, Targets: []model.VarID{f.ChildVar()}, Evidence: f.Parents()[:1]}
		est, err := b.estimate(&opt, b.by, []*ir.Query{q})
		if err == nil && !b.opt.over(&est.Size) && est.Bytes() > best {
			best = est.Bytes()
			text = diag.Errorf("signatures that need less of the network, such as %v, which needs %s", b.option(q), Bytes(best))
		}
	}
	return text
}
