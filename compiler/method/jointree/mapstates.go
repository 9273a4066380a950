package jointree

import (
	"maps"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// A MAP query is answered by one pass if eliminating all other variables first is within the
// limits, and takes at most inOrderProducts products, about a second, or at most inOrderSteps times
// the products of a step of the search.
const (
	inOrderProducts = 1 << 30
	inOrderSteps    = 64
)

// mapStates plans the most probable states of the targets of q.
func (b *builder) mapStates(q *ir.Query) (ir.ScheduleEntry, error) {
	ordered := b.fork()
	direct, err := ordered.mapInOrder(q)
	if ctxErr := b.ctx.Err(); ctxErr != nil {
		return direct, ctxErr
	}
	var need method.Size
	if err == nil {
		need = ordered.sizeOf(direct)
	}
	fits := err == nil && !b.ctx.Search && need.Largest <= float64(b.ctx.MaxTable) && need.Bytes() <= float64(b.ctx.MaxMem)
	if fits && need.Products <= inOrderProducts {
		b.join(ordered)
		return direct, nil
	}
	search := b.fork()
	step, err := search.mapSearch(q)
	if err != nil {
		return step, err
	}
	if fits && need.Products <= inOrderSteps*search.sizeOf(step).Products {
		b.join(ordered)
		return direct, nil
	}
	b.join(search)
	return step, nil
}

// mapInOrder plans one pass that sums the other variables out before it maximizes over the targets.
func (b *builder) mapInOrder(q *ir.Query) (ir.ScheduleEntry, error) {
	group := make([]int, len(b.p.Model.Vars))
	for _, v := range q.Targets {
		group[v] = 1
	}
	vars := make([]model.VarID, len(group))
	for v := range vars {
		vars[v] = model.VarID(v)
	}
	tree, err := b.tree(b.all(), vars, group)
	if err != nil {
		return ir.ScheduleEntry{}, err
	}
	f := b.place(tree, b.all())
	b.likelihoods(f)
	name := b.mapName()
	u := b.up("up"+name, f, b.targets(q), nil)
	return ir.ScheduleEntry{Query: q, Root: u.root, Blocks: []int{b.block["up"+name], b.picks("trace"+name, u)}}, nil
}

// mapSearch plans a step of branch and bound: upper bounds for all states of the targets, from a
// cheap elimination order that mixes sums and maxima.
func (b *builder) mapSearch(q *ir.Query) (ir.ScheduleEntry, error) {
	if err := b.mainForest(); err != nil {
		return ir.ScheduleEntry{}, err
	}
	name := b.mapName()
	u := b.up("up"+name, b.main, b.targets(q), nil)
	outs := b.bounds("down"+name, u, q.Targets, false)
	return ir.ScheduleEntry{Query: q, Root: u.root, Outs: outs, Search: true, Blocks: []int{b.block["up"+name], b.block["down"+name]}}, nil
}

// targets marks the targets of q.
func (b *builder) targets(q *ir.Query) []bool {
	in := make([]bool, len(b.p.Model.Vars))
	for _, v := range q.Targets {
		in[v] = true
	}
	return in
}

// mapName returns a new suffix for the names of blocks.
func (b *builder) mapName() string {
	b.maps++
	return "map" + strconv.Itoa(b.maps)
}

// fork returns a copy of b that can be extended without changing b.
func (b *builder) fork() *builder {
	out, s := *b, *b.s
	s.Tables, s.Blocks, s.Entries = slices.Clip(s.Tables), slices.Clip(s.Blocks), slices.Clip(s.Entries)
	out.s, out.factorOf, out.param = &s, maps.Clone(b.factorOf), maps.Clone(b.param)
	out.lambda, out.block = maps.Clone(b.lambda), maps.Clone(b.block)
	return &out
}

// join replaces b by a fork of it. Pointers to b's schedule stay valid.
func (b *builder) join(fork *builder) {
	s := b.s
	*s = *fork.s
	*b = *fork
	b.s = s
}

// sizeOf estimates the program of one entry.
func (b *builder) sizeOf(e ir.ScheduleEntry) method.Size {
	s := *b.s
	s.Entries = []ir.ScheduleEntry{e}
	return method.EstimateOf(&s).Size
}
