package maxsum

import (
	"flag"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// bindBound declares the flags of methods that lower a bound, which is not damped.
func bindBound(fs *flag.FlagSet, iterations *int, tolerance *float64) {
	fs.IntVar(iterations, "iterations", *iterations, "largest number of iterations")
	fs.Float64Var(tolerance, "tolerance", *tolerance, "end after two iterations that lower the bound by no more")
}

// boundRun is the options of a run that lowers a bound.
var boundRun = []ir.RunOption{
	{Name: "Iterations", Type: "int", Field: "Iterations", Doc: "largest number of iterations"},
	{Name: "Tolerance", Type: "float64", Field: "Tolerance", Doc: "end after two iterations that lower the bound by no more", Note: "negative: end only if the completion reaches the bound"},
}

// plan is a plan in the making of a method that chooses states by messages of maxima, on the factor
// graph. Its tables hold energies: negated logarithms, of which sums and least sums are formed. A
// factor's table is taken by its own largest number, so that its least energy is 0.
//
// All such methods do the same at a variable: take in the least sums of its factors, add them up,
// and hand out to each factor some of the sum, less what came in from it. What is handed out, Give,
// is by what the factor's table may be raised without changing what all factors and variables say
// together: with all of the sum, that is max-product; with shares that sum to one at most, the
// least of each table, added up, bounds the energy of all states from below, and handing out never
// lowers that bound.
type plan struct {
	*loop.Plan
	Edges [][]*edge // by variable
	Scope [][]*edge // by factor: its edges, in the order of its table
	Order []model.VarID
	Value ir.TableID // the energy of the states that were chosen
	Ties  ir.TableID // 1 where a variable has several best states

	energy []ir.TableID // by factor
	base   []ir.TableID // by variable: what is known of it beside messages
	belief []ir.TableID // by variable: with messages
	logs   map[ir.TableID]int
	scales []float64     // by factor: its largest number
	offset []*ir.TallyOp // that add up the logarithms of the largest numbers
}

// edge is a variable's place in the scope of a factor over several.
type edge struct {
	Factor int
	Var    model.VarID
	Take   ir.TableID // energies that come from the factor
	Give   ir.TableID // energies that go to it
}

// newPlan begins a plan for p, by a round of which nothing is said yet. Wide tree CPDs are taken in
// parts.
func newPlan(p *ir.Problem) *plan {
	m := factors.DecomposeTrees(p)
	b := &plan{Plan: loop.New(&ir.Problem{Model: m, Queries: p.Queries, Params: p.Params}), Edges: make([][]*edge, len(m.Vars)), Scope: make([][]*edge, len(m.Factors)), logs: map[ir.TableID]int{},
		scales: make([]float64, len(m.Factors))}
	b.Value, b.Ties = b.Kept("energy"), b.Kept("ties")
	unary := make([][]ir.TableID, len(m.Vars))
	for n, f := range m.Factors {
		t := b.Factor(f)
		b.energy = append(b.energy, t)
		b.logs[t] = n
		wide := slices.DeleteFunc(slices.Sorted(slices.Values(f.Scope)), func(v model.VarID) bool { return m.Card(v) == 1 })
		switch {
		case len(f.Scope) == 1:
			unary[f.Scope[0]] = append(unary[f.Scope[0]], t)
		case len(wide) == 0: // a number
			b.constantFactor(t)
		default:
			for _, v := range wide {
				e := &edge{Factor: n, Var: v, Take: b.Kept(b.Arrow(m.FactorName(f), m.Vars[v].Name), v), Give: b.Kept(b.Arrow(m.Vars[v].Name, m.FactorName(f)), v)}
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
			b.Start = append(b.Start, b.none(e.Take), b.none(e.Give))
		}
	}
	b.Order, _ = factors.BreadthFirst(m)
	return b
}

// constantFactor takes a factor that no variable of several states is in: impossible, or of energy
// 0.
func (b *plan) constantFactor(t ir.TableID) {
	at, belief := b.Kept("energy of a number"), b.Kept("energy of a number")
	b.Start = append(b.Start, &ir.MinSumOp{Out: at, Table: t, To: -1},
		&ir.SendMessagesOp{Base: at, Belief: belief, Alive: b.Alive, Bound: ir.NoTable, Residual: ir.NoTable, Rate: ir.NoTable, Share: [2]int32{0, 1}})
}

// none sets a message to no energies.
func (b *plan) none(t ir.TableID) ir.Op {
	return &ir.EnergyOp{Out: t, Weight: ir.NoTable}
}

// Gather are the operations that bring v the least sums of its factors.
func (b *plan) Gather(ops []ir.Op, v model.VarID) []ir.Op {
	for _, e := range b.Edges[v] {
		ops = append(ops, b.least(e.Take, e.Factor, v, nil))
	}
	return ops
}

// least is the least sum of a factor for each state of v, or in one number where v is -1. Variables
// in standing are at their states, and say nothing else.
func (b *plan) least(out ir.TableID, factor int, v model.VarID, standing []model.VarID) *ir.MinSumOp {
	op := &ir.MinSumOp{Out: out, Table: b.energy[factor], Standing: standing, To: v}
	for _, e := range b.Scope[factor] {
		if e.Var == v || slices.Contains(standing, e.Var) {
			op.In = append(op.In, ir.NoTable)
		} else {
			op.In = append(op.In, e.Give)
		}
	}
	return op
}

// SendMessages is the operation that sends the messages of v: what came in, divided as divide says
// by edge. Nothing is damped or bounded.
func (b *plan) SendMessages(v model.VarID, divide func(*edge) int) *ir.SendMessagesOp {
	op := &ir.SendMessagesOp{Base: b.base[v], Belief: b.belief[v], Alive: b.Alive, Bound: ir.NoTable, Residual: ir.NoTable, Rate: ir.NoTable, Share: [2]int32{0, 1}}
	for _, e := range b.Edges[v] {
		op.In, op.Out, op.Divide = append(op.In, e.Take), append(op.Out, e.Give), append(op.Divide, int32(divide(e)))
	}
	return op
}

// Decode are the operations that choose states of all variables, one after another in the order:
// each the best given those before it, by what its factors say with messages of the variables
// behind it. Value becomes their energy. Messages of factors are overwritten.
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
			ops = append(ops, b.least(e.Take, e.Factor, v, before))
			if len(before) == len(b.Scope[e.Factor])-1 {
				final = append(final, e.Take)
			} else {
				open = append(open, e.Take)
			}
		}
		ops = append(ops, &ir.ChooseOp{Var: v, In: slices.Concat(final, open), Final: len(final), Value: b.Value, Ties: b.Ties, Belief: b.belief[v]})
	}
	return ops
}

// Slack are the operations that add to total, for each factor, how far the states that were chosen
// are from its best with messages.
func (b *plan) Slack(ops []ir.Op, total ir.TableID) []ir.Op {
	ops = append(ops, b.Copy(total, b.Zero))
	for n, edges := range b.Scope {
		if len(edges) == 0 {
			continue
		}
		chosen, least := b.Temp("energy of states"), b.Temp("least energy")
		at := &ir.MinSumOp{Out: chosen, Table: b.energy[n], To: -1}
		for _, e := range edges {
			at.Standing, at.In = append(at.Standing, e.Var), append(at.In, e.Give)
		}
		ops = append(ops, at, b.least(least, n, -1, nil), b.tally(total, 1, chosen), b.tally(total, -1, least))
	}
	return ops
}

// tally adds factor times a number to total.
func (b *plan) tally(total ir.TableID, factor float64, x ir.TableID) *ir.TallyOp {
	return &ir.TallyOp{Kind: ir.TallySum, Factor: factor, Total: total, In: x, Alive: ir.NoTable, Ref: ir.NoTable}
}

// Logarithm are the operations that set to to the logarithm that an energy stands for.
func (b *plan) Logarithm(ops []ir.Op, to, energy ir.TableID) []ir.Op {
	b.offset = append(b.offset, b.tally(to, 0, b.One))
	return append(ops, b.Copy(to, b.Zero), b.tally(to, -1, energy), b.offset[len(b.offset)-1])
}

// MaxMarginals are the operations that set the answers to the beliefs, as distributions.
func (b *plan) MaxMarginals(ops []ir.Op) []ir.Op {
	for v, out := range b.Outs {
		if out != ir.NoTable {
			ops = append(ops, &ir.BoltzmannOp{Out: out, Weight: ir.NoTable, In: []ir.TableID{b.belief[v]}})
		}
	}
	return ops
}

// Sweeps are the operations of a round along the order and back, by which each variable hands out
// what it took in as onward and back say, by edge. What the energies left by the way back come to
// goes to bound: left says what share a variable has of what it took in.
func (b *plan) Sweeps(bound ir.TableID, onward, back func(*edge) int, left func(model.VarID) [2]int32) {
	for _, v := range b.Order {
		op := b.SendMessages(v, onward)
		op.Belief = b.Kept("belief of "+b.Model.Vars[v].Name+" on the way", v)
		b.Round = append(b.Gather(b.Round, v), op)
	}
	for _, v := range slices.Backward(b.Order) {
		op := b.SendMessages(v, back)
		op.Residual, op.Bound, op.Share = b.Residual, bound, left(v)
		b.Round = append(b.Gather(b.Round, v), op)
	}
}

// Bound is a number to which the energies that variables and factors keep are added, by the last of
// the spreads of a round.
func (b *plan) Bound() ir.TableID {
	bound := b.Kept("bound")
	b.Round = append(b.Round, b.Copy(bound, b.Zero))
	return bound
}

// Bounding ends a round with choosing states and comparing them with its bound, and makes the plan
// of query q.
func (b *plan) Bounding(c *method.Context, q *ir.Query, o ir.LoopOptions, bound ir.TableID) (*ir.Plan, error) {
	b.Round = b.Decode(b.Round)
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
	b.Value = op.Run.Least
	b.Round = append(b.Round, op)
	log := b.Kept("ln of the bound")
	b.End = b.Logarithm(b.Logarithm(b.End, b.LogP, b.Value), log, bound)
	for v := range b.Outs {
		b.Outs[v] = ir.NoTable // beliefs of such methods are no max-marginals
	}
	return b.finish(c, q, o, &ir.OpDecode{Bound: log, Slack: ir.NoTable, Ties: b.Ties})
}

// finish makes the plan of query q, of which d says where its answers are.
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
		sum += math.Log(x)
	}
	for _, op := range b.offset {
		op.Factor = sum
	}
	return made, nil
}

// energies are the numbers of a factor's table as energies; of an impossible one the largest
// number.
func (b *plan) energies(t ir.TableID, values []float64) []float64 {
	top := slices.Max(values)
	if top == 0 {
		top = 1
	}
	b.scales[b.logs[t]] = top
	out := make([]float64, len(values))
	for i, x := range values {
		if out[i] = math.MaxFloat64; x > 0 {
			out[i] = max(0, math.Log(top)-math.Log(x))
		}
	}
	return out
}

// Loops counts the cycles of the factor graph in its worst component: 0 where it is a forest.
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
