package maxsum

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Bounds of the cycles that may be joined: their number, and the joint states of a triplet and of
// all triplets.
const (
	maxCycles        = 20_000
	maxTriplet       = 1 << 15
	maxTripletStates = 1 << 22
)

// cycles returns the cycles of the pairs that may take part, unless none is to be joined.
func (b *plan) cycles(most int, may func(factor int) bool) *cycles {
	if most <= 0 {
		return nil
	}
	return newCycles(b, may)
}

// anyPair lets all pairs take part in cycles, also those without a table, which get one.
func anyPair(int) bool { return true }

// hasTable lets the pairs with tables take part in cycles.
func (b *plan) hasTable(factor int) bool { return b.form[factor] == ir.FormTable }

// cycles finds the cycles of three pairs, and of four without chords, that may be joined to tighten
// the relaxation. A cycle of four is two triplets with a common pair, which is a table of zeros.
type cycles struct {
	b        *plan
	index    map[[2]model.VarID]int // by variables in ascending order: the pair
	near     [][]model.VarID        // by variable: those that it forms pairs with, ascending
	pairs    [][2]model.VarID
	factor   []int // by pair: its factor, or -1 for a chord
	tables   []ir.TableID
	triplets [][3]int
	list     [][4]int32 // its triplets, the second -1 if there is one, and the place of the chord in each
	states   int        // joint states of all triplets
}

// newCycles returns the cycles of the factors over two variables that may take part. Their tables
// then change during a run. Of several factors over the same variables it takes the first.
func newCycles(b *plan, may func(factor int) bool) *cycles {
	c := &cycles{b: b, index: map[[2]model.VarID]int{}, near: make([][]model.VarID, len(b.Model.Vars))}
	for f, edges := range b.Scope {
		if len(edges) != 2 || !may(f) {
			continue
		}
		u, v := edges[0].Var, edges[1].Var // ascending, as in the table
		if _, known := c.index[[2]model.VarID{u, v}]; !known {
			c.pair(u, v, f)
			c.near[u], c.near[v] = append(c.near[u], v), append(c.near[v], u)
		}
	}
	for _, near := range c.near {
		slices.Sort(near)
	}
	for a := range model.VarID(len(c.near)) {
		c.from(a)
	}
	if len(c.list) > 0 {
		c.copies()
	}
	return c
}

// pair adds a pair.
func (c *cycles) pair(u, v model.VarID, factor int) int {
	p := len(c.pairs)
	c.index[[2]model.VarID{u, v}] = p
	c.pairs, c.factor = append(c.pairs, [2]model.VarID{u, v}), append(c.factor, factor)
	return p
}

// from adds the cycles with first variable a.
func (c *cycles) from(a model.VarID) {
	later := slices.DeleteFunc(slices.Clone(c.near[a]), func(v model.VarID) bool { return v < a })
	for i, v := range later {
		for _, w := range later[i+1:] {
			if slices.Contains(c.near[v], w) {
				c.add(a, w, []model.VarID{v})
				continue
			}
			for _, x := range c.near[v] { // opposite a
				if x > a && !slices.Contains(c.near[a], x) && slices.Contains(c.near[w], x) {
					c.add(a, x, []model.VarID{v, w})
				}
			}
		}
	}
}

// add adds the cycle of a and b, which are its chord if there are two others.
func (c *cycles) add(a, b model.VarID, others []model.VarID) {
	states := 0
	for _, v := range others {
		n := c.b.Model.Card(a) * c.b.Model.Card(b) * c.b.Model.Card(v)
		if n > maxTriplet {
			return
		}
		states += n
	}
	if len(c.list) == maxCycles || c.states+states > maxTripletStates {
		return
	}
	c.states += states
	chord := [2]model.VarID{min(a, b), max(a, b)}
	if _, known := c.index[chord]; !known {
		c.pair(chord[0], chord[1], -1)
	}
	cycle := [4]int32{-1, -1}
	for i, v := range others {
		at := []model.VarID{a, b, v}
		slices.Sort(at)
		side := [3]int{c.index[[2]model.VarID{at[0], at[1]}], c.index[[2]model.VarID{at[0], at[2]}], c.index[[2]model.VarID{at[1], at[2]}]}
		cycle[i], cycle[2+i] = int32(len(c.triplets)), int32(slices.Index(side[:], c.index[chord]))
		c.triplets = append(c.triplets, side)
	}
	c.list = append(c.list, cycle)
}

// tighten returns the operation that joins at most that many cycles, as the bound stalls: see
// pgmrt.TightenBound for its words.
func (c *cycles) tighten(most int, run *ir.IncumbentNumbers[ir.TableID]) ir.Op {
	b := c.b
	var rows, columns, sides, list []int32
	var messages, shares []ir.TableID
	largest := 0
	for i, pair := range c.pairs {
		n, k := b.Model.Card(pair[0]), b.Model.Card(pair[1])
		rows, columns, largest = append(rows, int32(n)), append(columns, int32(k)), max(largest, n*k)
		to := [2]ir.TableID{ir.NoTable, ir.NoTable}
		if f := c.factor[i]; f >= 0 {
			to = [2]ir.TableID{b.Scope[f][0].ToFactor, b.Scope[f][1].ToFactor}
		}
		messages = append(messages, to[:]...)
	}
	for _, side := range c.triplets {
		for _, p := range side {
			t := b.Kept("share of {"+b.Names(c.pairs[p][:])+"}", c.pairs[p][:]...)
			b.Start = append(b.Start, b.zeroMessage(t))
			sides, shares = append(sides, int32(p)), append(shares, t)
		}
	}
	for _, x := range c.list {
		list = append(list, x[:]...)
	}
	words := []int32{int32(len(c.pairs)), int32(len(c.triplets)), int32(len(c.list)), int32(largest), int32(min(most, len(c.list)))}
	return &ir.KernelOp{Func: "TightenBound", Numbers: slices.Concat(words, rows, columns, sides, list),
		Reads:  append(messages, run.Gain, run.Least, run.BoundBefore, run.Rounds),
		Writes: slices.Concat([]ir.TableID{b.Residual, run.Bound}, c.tables, shares),
		Work:   len(c.list) + 4*largest, Ints: len(c.list) + len(c.triplets), Memory: "tighten"}
}

// copies makes the tables of pairs change during a run: they become copies of energies, and tables
// of chords begin with zeros.
func (c *cycles) copies() {
	b := c.b
	for i, pair := range c.pairs {
		op := &ir.EnergyOp{Weight: ir.NoTable}
		scope := pair[:]
		f := c.factor[i]
		if f >= 0 {
			b.tabled(f)
			op.In, scope = []ir.TableID{b.energy[f]}, b.Schedule.Tables[b.energy[f]].Scope // it may have variables of one state
		}
		t := b.Kept("energy of {"+b.Names(scope)+"}", scope...)
		if f >= 0 {
			b.energy[f] = t
		}
		op.Out = t
		b.Start = append(b.Start, op)
		c.tables = append(c.tables, t)
	}
}
