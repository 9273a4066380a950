package meanfield

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// builder plans one query.
type builder struct {
	*loop.Plan
	energies []energy
	of       []([]*energy) // by variable: the energies that its update reads
	tests    []([]*test)   // by variable: the tests of it in decomposed trees
	q        []ir.TableID  // by variable: its marginal

	arithmetic bool       // tables hold probabilities, and updates average these
	draws      *rand.Rand // source of a random start; nil otherwise
}

// energy is a factor of the model as energies: ln of its largest number less ln of each number.
// With mean probability it holds probabilities instead.
type energy struct {
	factor  *model.Factor
	table   ir.TableID   // over the factor's variables; for a decomposed tree, over its path and its child
	largest ir.TableID   // the largest number of the factor
	path    model.VarID  // the path variable of a decomposed tree
	tests   []*test      // of a decomposed tree: the variables that it tests, in the order of updates; nil otherwise
	tree    *ir.MeanTree // set if the tree is averaged node by node, and table holds its leaves; nil otherwise

	// State while a sequential iteration is planned. By test, later is the product of the shares
	// from that test on, as of the previous iteration. The product of the shares that this
	// iteration has computed is earlier, NoTable before the first; done is their number.
	later   []ir.TableID
	earlier ir.TableID
	done    int
}

// test is a variable that a decomposed tree tests. The table says which of its states agree with
// which paths; share is the probability of agreement by path.
type test struct {
	of           *energy
	v            model.VarID
	table, share ir.TableID
}

func newBuilder(p *ir.Problem, arithmetic bool) *builder {
	m, parts := factors.Trees(p.Model, walked)
	b := &builder{Plan: loop.New(&ir.Problem{Model: m, Queries: p.Queries, Params: p.Params}),
		of: make([][]*energy, len(m.Vars)), tests: make([][]*test, len(m.Vars)), arithmetic: arithmetic}
	var treeParts [][]*model.Factor // by energy
	for n, f := range m.Factors {
		for _, t := range factors.Terms(m, f) {
			b.energies = append(b.energies, energy{factor: t})
			treeParts = append(treeParts, parts[n])
		}
	}
	for n := range b.energies {
		e := &b.energies[n]
		e.largest = b.Number("the largest number of the "+m.FactorName(e.factor), 1)
		b.place(e, treeParts[n])
		for i, v := range e.factor.Scope {
			if i == e.factor.Child || m.Kind != model.Dependency && e.has(v) {
				b.of[v] = append(b.of[v], e)
			}
		}
	}
	for _, v := range p.Model.Vars {
		b.q = append(b.q, b.Kept("q of "+v.Name, v.ID))
	}
	return b
}

// has reports whether the energy depends on v, a variable of the scope that is not the child.
func (e *energy) has(v model.VarID) bool {
	if e.tree != nil {
		return slices.ContainsFunc(e.tree.Nodes, func(n ir.MeanNode) bool { return n.Leaf < 0 && e.factor.Scope[n.Axis] == v })
	}
	return e.tests == nil || slices.ContainsFunc(e.tests, func(t *test) bool { return t.v == v })
}

// place makes the tables of a factor.
func (b *builder) place(e *energy, parts []*model.Factor) {
	switch {
	case walked(b.Model, e.factor):
		b.leaves(e)
		return
	case parts == nil:
		e.table = b.Factor(e.factor)
		return
	}
	e.table, e.path = b.Factor(parts[0]), parts[0].Scope[0]
	for _, f := range parts[1:] {
		v := f.Scope[0]
		t := &test{of: e, v: v, table: b.Factor(f), share: b.Kept("paths by "+b.Model.Vars[v].Name, e.path)}
		e.tests, b.tests[v] = append(e.tests, t), append(b.tests[v], t)
	}
	slices.SortFunc(e.tests, func(a, b *test) int { return int(a.v - b.v) })
}

// start adds the operations that set each marginal to the likelihood, times random numbers if the
// start is random.
func (b *builder) start() {
	for v, q := range b.q {
		from := b.Lambda[v]
		if from == ir.NoTable {
			from = b.Ones(model.VarID(v))
		}
		begin := b.Copy(q, from)
		if b.draws != nil {
			begin = b.Sum(q, from, b.drawn(model.VarID(v)))
		}
		b.Start = append(b.Start, begin, &ir.TallyOp{Kind: ir.TallyLog, Factor: 0, Total: b.LogP, In: q, Alive: b.Alive, Ref: ir.NoTable},
			&ir.NormalizeOp{Table: q})
		b.Start = b.shares(b.Start, model.VarID(v))
	}
}

// drawn adds a table over v of random numbers above 0 and up to 1.
func (b *builder) drawn(v model.VarID) ir.TableID {
	t := b.Ones(v)
	table := &b.Schedule.Tables[t]
	table.Name = "start of " + b.Model.Vars[v].Name
	for s := range table.Data {
		table.Data[s] = 1 - b.draws.Float64()
	}
	return t
}

// shares appends the operations that update the shares of the tests of v after its marginal has
// changed.
func (b *builder) shares(ops []ir.Op, v model.VarID) []ir.Op {
	for _, t := range b.tests[v] {
		ops = append(ops, b.Sum(t.share, t.table, b.q[v]))
	}
	return ops
}

// sequential plans an iteration that updates the first n variables in turn; the others are
// auxiliary.
func (b *builder) sequential(n int) {
	for i := range b.energies {
		b.begin(&b.energies[i])
	}
	for v := range model.VarID(n) {
		b.Round = b.update(b.Round, v, b.inTurn)
		for _, t := range b.tests[v] {
			b.advance(t)
		}
	}
}

// queue plans the schedule that updates each variable once, and then whenever a variable that its
// update reads has changed.
func (b *builder) queue(n int) {
	push := make([][]int32, n)
	for v := range model.VarID(n) {
		for _, e := range b.of[v] {
			for i, u := range e.factor.Scope {
				if u != v && (i == e.factor.Child || e.has(u)) && !slices.Contains(push[u], int32(v)) {
					push[u] = append(push[u], int32(v))
				}
			}
		}
	}
	for v := range model.VarID(n) {
		b.Items = append(b.Items, loop.Item{Name: "update " + b.Model.Vars[v].Name, Ops: b.update([]ir.Op{b.Clear()}, v, b.all), Push: push[v]})
	}
}

// update appends the operations that update the marginal of v. The function operands returns the
// tables whose product is the mean energy of a factor.
func (b *builder) update(ops []ir.Op, v model.VarID, operands func(ops []ir.Op, e *energy, v model.VarID) ([]ir.Op, []ir.TableID)) []ir.Op {
	if b.arithmetic {
		return b.average(ops, v, operands)
	}
	op := &ir.BoltzmannOp{Out: b.Temp("new "+b.Schedule.Tables[b.q[v]].Name, v), Weight: b.Lambda[v]}
	for _, e := range b.of[v] {
		if e.tree != nil {
			walk := b.walk(e)
			ops, op.In = append(ops, walk), append(op.In, walk.Out)
			continue
		}
		var in []ir.TableID
		if ops, in = operands(ops, e, v); len(in) == 1 {
			op.In = append(op.In, e.table)
			continue
		}
		mean := b.Temp(b.Arrow(b.Model.FactorName(e.factor), b.Model.Vars[v].Name), v)
		ops = append(ops, b.Sum(mean, in...))
		op.In = append(op.In, mean)
	}
	return b.shares(append(ops, op, b.Damp(b.q[v], op.Out)), v)
}

// average appends the operations that set the marginal of v to the mean of its CPD.
func (b *builder) average(ops []ir.Op, v model.VarID, operands func(ops []ir.Op, e *energy, v model.VarID) ([]ir.Op, []ir.TableID)) []ir.Op {
	out := b.Temp("new "+b.Schedule.Tables[b.q[v]].Name, v)
	var in []ir.TableID
	if e := b.of[v][0]; e.tree != nil {
		walk := b.walk(e)
		ops, in = append(ops, walk), []ir.TableID{walk.Out}
	} else {
		ops, in = operands(ops, e, v)
	}
	if λ := b.Lambda[v]; λ != ir.NoTable {
		in = append(in, λ)
	}
	return b.shares(append(ops, b.Sum(out, in...), &ir.NormalizeOp{Table: out}, b.Damp(b.q[v], out)), v)
}

// begin adds the products of shares from each test to the last, so that an update need not multiply
// all of them.
func (b *builder) begin(e *energy) {
	e.earlier = ir.NoTable
	e.later = make([]ir.TableID, len(e.tests))
	for i, t := range slices.Backward(e.tests) {
		e.later[i] = t.share
		if i < len(e.tests)-1 {
			e.later[i] = b.Temp("paths by further variables", e.path)
			b.Round = append(b.Round, b.Sum(e.later[i], t.share, e.later[i+1]))
		}
	}
}

// advance multiplies the new share of a test into the product of this iteration's shares.
func (b *builder) advance(t *test) {
	e := t.of
	e.done++
	if e.earlier == ir.NoTable {
		e.earlier = t.share
		return
	}
	next := b.Temp("paths by earlier variables", e.path)
	b.Round = append(b.Round, b.Sum(next, e.earlier, t.share))
	e.earlier = next
}

// direct returns tables whose product, summed onto v, is the mean energy of e for each state of v;
// if v is -1, it is the mean energy. The shares of a decomposed tree are left out.
func (b *builder) direct(e *energy, v model.VarID) []ir.TableID {
	in := []ir.TableID{e.table}
	if e.tests == nil {
		for _, u := range e.factor.Scope {
			if u != v {
				in = append(in, b.q[u])
			}
		}
	} else if e.factor.Child >= 0 && e.factor.ChildVar() != v {
		in = append(in, b.q[e.factor.ChildVar()])
	}
	return in
}

// maxOperands is the largest number of tables that one operation multiplies.
const maxOperands = 8

// all returns the tables of direct and the shares, multiplied a few at a time, for any order of
// updates.
func (b *builder) all(ops []ir.Op, e *energy, v model.VarID) ([]ir.Op, []ir.TableID) {
	in := b.direct(e, v)
	var shares []ir.TableID
	for _, t := range e.tests {
		if t.v == v {
			in = append(in, t.table)
		} else {
			shares = append(shares, t.share)
		}
	}
	for len(shares) > maxOperands {
		part := b.Temp("paths by some variables", e.path)
		ops = append(ops, b.Sum(part, shares[:maxOperands:maxOperands]...))
		shares = append([]ir.TableID{part}, shares[maxOperands:]...)
	}
	return ops, append(in, shares...)
}

// inTurn returns the tables of direct and the products of earlier and later shares, for sequential
// updates.
func (b *builder) inTurn(ops []ir.Op, e *energy, v model.VarID) ([]ir.Op, []ir.TableID) {
	in := b.direct(e, v)
	if e.tests == nil {
		return ops, in
	}
	if e.earlier != ir.NoTable {
		in = append(in, e.earlier)
	}
	rest := e.done
	if rest < len(e.tests) && e.tests[rest].v == v {
		in = append(in, e.tests[rest].table)
		rest++
	}
	if rest < len(e.tests) {
		in = append(in, e.later[rest])
	}
	return ops, in
}

// end adds the operations that copy the marginals and compute the bound: entropies and likelihoods,
// less energies. A dependency network has no bound.
func (b *builder) end() {
	for v, q := range b.q {
		if out := b.Outs[v]; out != ir.NoTable {
			b.End = append(b.End, b.Copy(out, q))
		}
		if b.Model.Kind != model.Dependency {
			b.End = append(b.End, &ir.TallyOp{Kind: ir.TallyEntropy, Factor: 1, Total: b.LogP, In: q, Alive: ir.NoTable, Ref: b.Lambda[v]})
		}
	}
	if b.Model.Kind == model.Dependency {
		return
	}
	for i := range b.energies {
		e := &b.energies[i]
		mean := b.Temp("energy of the " + b.Model.FactorName(e.factor))
		var in []ir.TableID
		b.End, in = b.all(b.End, e, -1)
		b.End = append(b.End, b.Sum(mean, in...),
			&ir.TallyOp{Kind: ir.TallySum, Factor: -1, Total: b.LogP, In: mean, Alive: ir.NoTable, Ref: ir.NoTable}, b.Log(1, e.largest))
	}
}

// zeroEnergy is the energy of a zero: that of 2^-1022, the smallest normal number, relative to 1.
var zeroEnergy = 1022 * math.Ln2

// fill computes the energies of the factors, and their largest numbers.
func (b *builder) fill(limit int) error {
	of := map[ir.TableID]*energy{}
	for i := range b.energies {
		of[b.energies[i].table] = &b.energies[i]
	}
	return b.Fill(limit, func(t ir.TableID, values []float64) []float64 {
		e := of[t]
		if e == nil || b.arithmetic { // a part of a tree, or probabilities
			return values
		}
		b.Schedule.Tables[e.largest].Data[0] = slices.Max(values)
		return energiesOf(values)
	})
}
