package maxsum

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// dualBound is the proof by a bound of the linear program.
const dualBound = "no completion exceeds the bound; one that reaches it is most probable"

// plan builds the schedule of a method that chooses states by max-marginal messages on the factor
// graph. Tables hold energies, which are negated logarithms. Energies of a factor are relative to
// its largest number, so that the least is 0.
//
// All methods do the same at a variable: they compute the minimal sums of its factors, add them up,
// and send each factor a share of the sum, less the factor's own message. The message ToFactor is
// added to the factor's table and subtracted from the variable's energies, so that no joint state's
// total energy changes. If each factor gets the whole sum, that is max-product. If the shares sum
// to at most 1, the sum of the minima of all tables is a lower bound on the energy of all states,
// which no update lowers.
type plan struct {
	*loop.Plan
	Edges [][]*edge // by variable
	Scope [][]*edge // by factor: its edges, in the order of its table
	Order []model.VarID
	Value ir.TableID // energy of the chosen states
	Ties  ir.TableID // 1 if a variable has several best states

	constant []ir.TableID // by factor: its energies
	energy   []ir.TableID // by factor: the same, or the table that they have become
	distances
	base     []ir.TableID       // by variable: its likelihood and single-variable factors, without messages
	belief   []ir.TableID       // by variable: the same, plus messages
	factorOf map[ir.TableID]int // by table: the factor
	scales   []float64          // by factor: its largest number
	offset   []*ir.TallyOp      // operations that add the logarithms of the largest numbers
	most     ir.TableID         // the sum of the largest finite energies of all factors, for methods with a bound
	largest  float64            // that sum
}

// edge is an edge of the factor graph: a variable and a factor over several variables.
type edge struct {
	Factor     int
	Var        model.VarID
	FromFactor ir.TableID // message from the factor
	ToFactor   ir.TableID // message to the factor
}

// newPlan returns a plan for p without the operations of an iteration. It decomposes large trees,
// and looks for formulas in tables of at most limit entries.
func newPlan(p *ir.Problem, limit int) *plan {
	m := factors.DecomposeTrees(p)
	b := &plan{Plan: loop.New(&ir.Problem{Model: m, Queries: p.Queries, Params: p.Params}), Edges: make([][]*edge, len(m.Vars)), Scope: make([][]*edge, len(m.Factors)), factorOf: map[ir.TableID]int{},
		scales: make([]float64, len(m.Factors)), distances: distances{form: make([]ir.Form, len(m.Factors)), limit: limit, shared: map[distance]ir.TableID{}}}
	b.Value, b.Ties = b.Kept("energy"), b.Kept("ties")
	unary := make([][]ir.TableID, len(m.Vars))
	for n, f := range m.Factors {
		t, known := b.formula(n, f)
		if !known {
			t = b.Factor(f)
			b.factorOf[t] = n
		}
		b.energy = append(b.energy, t)
		wide := slices.DeleteFunc(slices.Sorted(slices.Values(f.Scope)), func(v model.VarID) bool { return m.Card(v) == 1 })
		switch {
		case len(f.Scope) == 1:
			unary[f.Scope[0]] = append(unary[f.Scope[0]], t)
		case len(wide) == 0: // a number
			b.constantFactor(t)
		default:
			for _, v := range wide {
				e := &edge{Factor: n, Var: v, FromFactor: b.Kept(b.Arrow(m.FactorName(f), m.Vars[v].Name), v), ToFactor: b.Kept(b.Arrow(m.Vars[v].Name, m.FactorName(f)), v)}
				b.Scope[n] = append(b.Scope[n], e)
				b.Edges[v] = append(b.Edges[v], e)
			}
		}
	}
	for v := range m.Vars {
		id := model.VarID(v)
		b.base, b.belief = append(b.base, b.Kept("energy of "+m.Vars[v].Name, id)), append(b.belief, b.Kept("belief of "+m.Vars[v].Name, id))
		b.Start = append(b.Start, &ir.EnergyOp{Out: b.base[v], Weight: b.Lambda[v], In: unary[v]})
		for _, e := range b.Edges[v] {
			b.Start = append(b.Start, b.zeroMessage(e.FromFactor), b.zeroMessage(e.ToFactor))
		}
	}
	b.constant = slices.Clone(b.energy)
	b.Order, _ = factors.BreadthFirst(m)
	return b
}

// constantFactor handles a factor with a single value: its energy is 0 unless the value is 0, which
// makes the evidence impossible.
func (b *plan) constantFactor(t ir.TableID) {
	at, belief := b.Kept("energy of a number"), b.Kept("energy of a number")
	b.Start = append(b.Start, &ir.MinSumOp{Out: at, Table: t, To: -1},
		&ir.SendMessagesOp{Base: at, Belief: belief, Alive: b.Alive, Bound: ir.NoTable, Residual: ir.NoTable, Rate: ir.NoTable, Share: [2]int32{0, 1}})
}

// zeroMessage returns the operation that sets a message to 0.
func (b *plan) zeroMessage(t ir.TableID) ir.Op {
	return &ir.EnergyOp{Out: t, Weight: ir.NoTable}
}

// Gather appends the operations that compute the messages from the factors of v.
func (b *plan) Gather(ops []ir.Op, v model.VarID) []ir.Op {
	for _, e := range b.Edges[v] {
		ops = append(ops, b.least(e.FromFactor, e.Factor, v, nil))
	}
	return ops
}

// least returns the operation that computes the minimal sum of a factor for each state of v, or
// over all states if v is -1. Variables in fixed are at their current states, and their messages
// are left out.
func (b *plan) least(out ir.TableID, factor int, v model.VarID, fixed []model.VarID) *ir.MinSumOp {
	op := b.minSum(out, factor)
	op.Standing, op.To = fixed, v
	for _, e := range b.Scope[factor] {
		if e.Var == v || slices.Contains(fixed, e.Var) {
			op.In = append(op.In, ir.NoTable)
		} else {
			op.In = append(op.In, e.ToFactor)
		}
	}
	return op
}

// minSum returns an operation on the energies of a factor.
func (b *plan) minSum(out ir.TableID, factor int) *ir.MinSumOp {
	op := &ir.MinSumOp{Out: out, Table: b.energy[factor], To: -1, Form: b.form[factor]}
	if op.Form != ir.FormTable {
		op.Pair = []model.VarID{b.Scope[factor][0].Var, b.Scope[factor][1].Var}
	}
	return op
}

// leastOf appends the operations that compute the minimal sum of a factor over all states. An
// envelope has the least by the states of one variable. The variable's message is added afterwards.
func (b *plan) leastOf(ops []ir.Op, out ir.TableID, factor int) []ir.Op {
	if b.form[factor] == ir.FormTable {
		return append(ops, b.least(out, factor, -1, nil))
	}
	last := b.Scope[factor][1]
	row := b.Temp("least energy of states", last.Var)
	return append(ops, b.least(row, factor, last.Var, nil), &ir.MinSumOp{Out: out, Table: row, In: []ir.TableID{last.ToFactor}, To: -1})
}

// SendMessages returns the operation that sends the messages of v. Each edge gets the sum divided
// by divide, and 0 means no message. There is no damping and no bound.
func (b *plan) SendMessages(v model.VarID, divide func(*edge) int) *ir.SendMessagesOp {
	op := &ir.SendMessagesOp{Base: b.base[v], Belief: b.belief[v], Alive: b.Alive, Bound: ir.NoTable, Residual: ir.NoTable, Rate: ir.NoTable, Share: [2]int32{0, 1}}
	for _, e := range b.Edges[v] {
		op.In, op.Out, op.Divide = append(op.In, e.FromFactor), append(op.Out, e.ToFactor), append(op.Divide, int32(divide(e)))
	}
	return op
}

// Decode appends the operations that choose states of all variables in the order, each the best
// given those before it, by its factors and the messages of later variables. Value becomes their
// energy. The messages from factors are overwritten.
func (b *plan) Decode(ops []ir.Op) []ir.Op {
	ops = append(ops, b.Copy(b.Value, b.Zero), b.Copy(b.Ties, b.Zero))
	place := make([]int, len(b.Model.Vars))
	for i, v := range b.Order {
		place[v] = i
	}
	for i, v := range b.Order {
		final, open := []ir.TableID{b.base[v]}, []ir.TableID(nil)
		for _, e := range b.Edges[v] {
			var before []model.VarID
			for _, other := range b.Scope[e.Factor] {
				if place[other.Var] < i {
					before = append(before, other.Var)
				}
			}
			ops = append(ops, b.least(e.FromFactor, e.Factor, v, before))
			if len(before) == len(b.Scope[e.Factor])-1 {
				final = append(final, e.FromFactor)
			} else {
				open = append(open, e.FromFactor)
			}
		}
		ops = append(ops, &ir.ChooseOp{Var: v, In: slices.Concat(final, open), Final: len(final), Value: b.Value, Ties: b.Ties, Belief: b.belief[v]})
	}
	return ops
}

// Slack appends the operations that set total to the sum, over the factors, of the energy of the
// chosen states less the minimal energy, both with messages.
func (b *plan) Slack(ops []ir.Op, total ir.TableID) []ir.Op {
	ops = append(ops, b.Copy(total, b.Zero))
	for n, edges := range b.Scope {
		if len(edges) == 0 {
			continue
		}
		chosen, least := b.Temp("energy of states"), b.Temp("least energy")
		at := b.minSum(chosen, n)
		for _, e := range edges {
			at.Standing, at.In = append(at.Standing, e.Var), append(at.In, e.ToFactor)
		}
		ops = append(b.leastOf(append(ops, at), least, n), b.tally(total, 1, chosen), b.tally(total, -1, least))
	}
	return ops
}

// tally returns the operation that adds factor times the number x to total.
func (b *plan) tally(total ir.TableID, factor float64, x ir.TableID) *ir.TallyOp {
	return &ir.TallyOp{Kind: ir.TallySum, Factor: factor, Total: total, In: x, Alive: ir.NoTable, Ref: ir.NoTable}
}

// Logarithm appends the operations that convert an energy to the logarithm of a value and store it
// in to.
func (b *plan) Logarithm(ops []ir.Op, to, energy ir.TableID) []ir.Op {
	b.offset = append(b.offset, b.tally(to, 0, b.One))
	return append(ops, b.Copy(to, b.Zero), b.tally(to, -1, energy), b.offset[len(b.offset)-1])
}

// MaxMarginals appends the operations that set the answers to the beliefs, as distributions.
func (b *plan) MaxMarginals(ops []ir.Op) []ir.Op {
	for v, out := range b.Outs {
		if out != ir.NoTable {
			ops = append(ops, &ir.BoltzmannOp{Out: out, Weight: ir.NoTable, In: []ir.TableID{b.belief[v]}})
		}
	}
	return ops
}

// pseudo appends the operations that set the answers to pseudo-max-marginals, as distributions: the
// energies of a variable, with the messages that its factors would send it next. No completion with
// a state of a variable exceeds the bound less the energy of that state beyond the least one.
func (b *plan) pseudo(ops []ir.Op) []ir.Op {
	for v, out := range b.Outs {
		if out == ir.NoTable {
			continue
		}
		in := []ir.TableID{b.base[v]}
		for _, e := range b.Edges[v] {
			in = append(in, e.FromFactor)
		}
		ops = append(b.Gather(ops, model.VarID(v)), &ir.BoltzmannOp{Out: out, Weight: ir.NoTable, In: in})
	}
	return ops
}

// Sweeps adds the operations of one iteration: a sweep along the order and one back, in which each
// variable sends its messages with the divisors forward and backward. The backward sweep adds to
// bound the energies that stay at variables; kept returns the share of its sum that a variable
// keeps.
func (b *plan) Sweeps(bound ir.TableID, forward, backward func(*edge) int, kept func(model.VarID) [2]int32) {
	for _, v := range b.Order {
		op := b.SendMessages(v, forward)
		op.Belief = b.Kept("belief of "+b.Model.Vars[v].Name+" on the way", v)
		b.Round = append(b.Gather(b.Round, v), op)
	}
	for _, v := range slices.Backward(b.Order) {
		op := b.SendMessages(v, backward)
		op.Residual, op.Bound, op.Share = b.Residual, bound, kept(v)
		b.Round = append(b.Gather(b.Round, v), op)
	}
}

// Bound adds a number, the bound, and the operation that sets it to 0 at the beginning of an
// iteration.
func (b *plan) Bound() ir.TableID {
	bound := b.Kept("bound")
	b.Round = append(b.Round, b.Copy(bound, b.Zero))
	return bound
}

// FinishBound ends an iteration by decoding states and comparing them with the bound, and returns
// the plan of query q. It joins at most that many cycles, which may be nil, and takes subgradient
// steps.
func (b *plan) FinishBound(c *method.Context, q *ir.Query, o ir.LoopOptions, bound ir.TableID, joins *cycles, most, steps int) (*ir.Plan, error) {
	b.most = b.Number("sum of the largest energies", 0)
	op := &ir.UpdateIncumbentOp{Run: ir.IncumbentNumbers[ir.TableID]{Value: b.Value, Bound: bound, Residual: b.Residual}}
	start := func(name string, from ir.TableID) ir.TableID {
		t := b.Kept(name)
		b.Start = append(b.Start, b.Copy(t, from))
		return t
	}
	op.Run.Gain = start("gain", b.Zero)
	op.Run.GainBefore = start("gain before", b.Zero)
	op.Run.BoundBefore = start("bound before", b.Zero)
	op.Run.Least = b.Kept("least energy")
	b.Start = append(b.Start, b.Copy(op.Run.Least, b.Number("no energy yet", math.MaxFloat64)))
	op.Run.Rounds = start("rounds", b.Zero)
	if joins != nil && len(joins.list) > 0 {
		b.Round = append(b.Round, joins.tighten(most, &op.Run))
	}
	b.Round = b.Decode(b.Round)
	if steps > 0 {
		b.Round = append(b.Round, b.ascend(steps, &op.Run))
	}
	b.Round = append(b.Round, b.polish(op.Run.Rounds), op)
	b.Value = op.Run.Least
	log := b.Kept("ln of the bound")
	b.End = b.Logarithm(b.Logarithm(b.End, b.LogP, b.Value), log, bound)
	if q.Best {
		b.End = b.pseudo(b.End)
	}
	for v := range b.Outs {
		if !q.Best {
			b.Outs[v] = ir.NoTable // beliefs of these methods are no max-marginals
		}
	}
	return b.finish(c, q, o, &ir.OpDecode{Bound: log, Slack: ir.NoTable, Ties: b.Ties})
}

// finish returns the plan of query q, with the answers that d names.
func (b *plan) finish(c *method.Context, q *ir.Query, o ir.LoopOptions, d *ir.OpDecode) (*ir.Plan, error) {
	made := b.Finish(q, o)
	b.Schedule.Entries[0].Loop.Decode = d
	if err := c.Fits(b.Schedule); err != nil {
		return nil, err
	}
	if err := b.Fill(c.MaxTable, b.energies); err != nil {
		return nil, err
	}
	sum := 0.0
	for _, x := range b.scales {
		sum += pgmrt.Ln(x)
	}
	for n, form := range b.form {
		if form != ir.FormTable {
			b.largest += slices.Max(b.Schedule.Tables[b.energy[n]].Data)
		}
	}
	if d.Bound != ir.NoTable {
		b.Schedule.Tables[b.most].Data[0] = b.largest
	}
	for _, op := range b.offset {
		op.Factor = sum
	}
	return made, nil
}

// energies converts the numbers of a factor's table to energies. An impossible state has energy
// math.MaxFloat64.
func (b *plan) energies(t ir.TableID, values []float64) []float64 {
	top := slices.Max(values)
	if top == 0 {
		top = 1
	}
	b.scales[b.factorOf[t]] = top
	out := make([]float64, len(values))
	largest := 0.0
	for i, x := range values {
		if out[i] = math.MaxFloat64; x > 0 {
			out[i] = max(0, pgmrt.Ln(top)-pgmrt.Ln(x))
			largest = max(largest, out[i])
		}
	}
	b.largest += largest
	return out
}

// Loops returns the largest number of independent cycles in a component of the factor graph: 0 for
// a forest.
func (b *plan) Loops() int {
	components := model.NewDisjointSets(len(b.Edges))
	loops := make([]int, len(b.Edges)) // by representative of a component
	for _, edges := range b.Scope {
		for i := 1; i < len(edges); i++ {
			x, y := components.Find(int(edges[0].Var)), components.Find(int(edges[i].Var))
			if components.Join(x, y) {
				loops[x] += loops[y]
			} else {
				loops[x]++
			}
		}
	}
	return slices.Max(append(loops, 0))
}
