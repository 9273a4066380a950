package pass

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Sizes of the blocks into which a circuit is cut. circuitBlock is about as many operations as a
// straight-line function should have. From largeCircuit operations on, a tape runs the circuit in
// less time than straight-line code, which no cache of instructions holds. The nodes of its blocks
// are ordered for the tape, and largeBlock is as many operations as give runs of equal nodes a good
// length. Of still larger circuits, there are about maxCircuitBlocks.
const (
	circuitBlock     = 1024
	largeCircuit     = 50_000
	largeBlock       = 4096
	maxCircuitBlocks = 300
)

// place is an element of a span. There is one for each node of a circuit, so that its numbers are
// small.
type place struct {
	span, at int32
}

// placeOf returns the place of element at of a span.
func placeOf(span ir.SpanID, at int) place { return place{int32(span), int32(at)} }

// target is a span that receives the values of nodes: a root, an answer, or values to rescale.
type target struct {
	span  ir.SpanID
	nodes []circuit.Node
	after []ir.Step // steps to run after it
	ends  bool      // a block ends with it, because others use the result or need only the root
	last  int       // the place in the sequence of the last of the nodes, or -1 if none is computed
}

// circuitPiece is a block of the circuit: kept nodes, then targets.
type circuitPiece struct {
	nodes   []circuit.Node
	targets []*target
}

type circuitLowering struct {
	*ir.Lowering
	p          *ir.Program
	c          *ir.Circuit
	param      []ir.SpanID // by factor
	max        bool
	first      int  // the first block of the circuit
	large      bool // it is ordered for a tape
	likelihood map[model.VarID]ir.SpanID
	constant   ir.SpanID
	group      []ir.SpanID // by group of rescaled nodes
	targets    []*target   // in the order of their last nodes, once there is a sequence
	root       map[circuit.Node]ir.SpanID
	out        map[model.VarID]ir.SpanID
	uses       []int32
	kept       []bool
	walked     []bool
	home       []place // by node: places of constants, inputs and kept nodes
	base       []int32 // by span: the number of its first element in the step that is built
	piece      []int32 // by kept node
	pieces     []circuitPiece
}

// inputs gives places to constants and inputs.
func (k *circuitLowering) inputs() {
	n := k.c.Nodes.Len()
	k.home, k.kept = make([]place, n), make([]bool, n)
	for i := range k.p.Spans {
		if s := &k.p.Spans[i]; s.Role == ir.RoleIn {
			k.likelihood[s.Var] = ir.SpanID(i)
		}
	}
	for i, g := range k.c.Scaled {
		k.group = append(k.group, k.AddSpan(ir.Span{Name: g.Name, Role: ir.RoleTemp, Len: len(k.c.Scaled[i].Nodes), Var: -1}))
	}
	var numbers []float64
	k.constant = k.AddSpan(ir.Span{Name: "numbers", Role: ir.RoleConst, Var: -1})
	for i := range n {
		node := circuit.Node(i)
		switch k.c.Nodes.Op(node) {
		case circuit.Const:
			k.home[i] = placeOf(k.constant, len(numbers))
			numbers = append(numbers, k.c.Nodes.Value(node))
		case circuit.Input:
			k.home[i] = k.leaf(k.c.Leaves[k.c.Nodes.Leaf(node)])
		}
	}
	k.p.Spans[k.constant].Len, k.p.Spans[k.constant].Data = len(numbers), numbers
}

// leaf returns the place of an input.
func (k *circuitLowering) leaf(l ir.Leaf) place {
	switch l.Kind {
	case ir.LeafParam:
		return placeOf(k.param[l.Table], l.Index)
	case ir.LeafScaled:
		return placeOf(k.group[l.Table], l.Index)
	}
	span, ok := k.likelihood[l.Var]
	if !ok {
		span = k.AddSpan(ir.Span{Name: "λ " + k.c.Model.Vars[l.Var].Name, Role: ir.RoleIn, Len: k.c.Model.Card(l.Var), Var: l.Var})
		k.likelihood[l.Var] = span
	}
	return placeOf(span, l.Index)
}

// findTargets lists the groups to rescale, the roots and the answers.
func (k *circuitLowering) findTargets() {
	for i, g := range k.c.Scaled {
		span := k.group[i]
		k.targets = append(k.targets, &target{span: span, nodes: g.Nodes, after: []ir.Step{&ir.Rescale{Span: span, Exp: ir.NoSpan}}, ends: true})
	}
	for _, e := range k.c.Entries {
		if _, ok := k.root[e.Root]; !ok {
			span := k.AddSpan(ir.Span{Name: "P(evidence)", Role: ir.RoleTemp, Len: 1, Var: -1})
			k.root[e.Root] = span
			k.targets = append(k.targets, &target{span: span, nodes: []circuit.Node{e.Root}, ends: true})
		}
		for _, o := range e.Outs {
			if _, ok := k.out[o.Var]; ok {
				continue
			}
			name := "P(" + k.c.Model.Vars[o.Var].Name + ", evidence)"
			span := k.AddSpan(ir.Span{Name: name, Role: ir.RoleOut, Len: len(o.Nodes), Var: o.Var})
			k.out[o.Var] = span
			k.targets = append(k.targets, &target{span: span, nodes: o.Nodes, after: []ir.Step{&ir.Normalize{Span: span}}})
		}
	}
}

// keep decides which nodes have places of their own.
func (k *circuitLowering) keep() {
	c := k.c.Nodes
	var roots []circuit.Node
	for _, t := range k.targets {
		roots = append(roots, t.nodes...)
	}
	k.uses = c.Uses(roots)
	for i, uses := range k.uses {
		n := circuit.Node(i)
		if uses == 0 || c.Op(n) < circuit.Sum {
			continue
		}
		k.kept[n] = k.kept[n] || uses > 1
		a, b := c.Args(n)
		for _, x := range []circuit.Node{a, b} {
			if c.Op(n) == circuit.Prod || c.Op(x) != circuit.Prod && c.Op(x) != c.Op(n) {
				k.kept[x] = true
			}
		}
	}
	for i := range k.kept {
		k.kept[i] = k.kept[i] && c.Op(circuit.Node(i)) >= circuit.Sum
	}
}

// terms appends the terms of a node. The terms of a sum include the terms of the nodes that are
// computed within it.
func (k *circuitLowering) terms(to [][2]circuit.Node, n circuit.Node) [][2]circuit.Node {
	c := k.c.Nodes
	if op := c.Op(n); op == circuit.Prod {
		a, b := c.Args(n)
		return append(to, [2]circuit.Node{a, b})
	} else if op < circuit.Sum {
		return append(to, [2]circuit.Node{n, -1})
	}
	op, stack := c.Op(n), []circuit.Node{n}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case x != n && (k.kept[x] || c.Op(x) < circuit.Sum):
			to = append(to, [2]circuit.Node{x, -1})
		case c.Op(x) == op:
			a, b := c.Args(x)
			stack = append(stack, b, a)
		default:
			a, b := c.Args(x)
			to = append(to, [2]circuit.Node{a, b})
		}
	}
	return to
}

// cut distributes kept nodes and targets over blocks.
func (k *circuitLowering) cut() {
	total := 0
	for i, uses := range k.uses {
		if uses > 0 && k.c.Nodes.Op(circuit.Node(i)) >= circuit.Sum {
			total++
		}
	}
	size, price := circuitBlock, blockPrice
	if k.large = total >= largeCircuit; k.large {
		size, price = max(largeBlock, total/maxCircuitBlocks), largeBlockPrice
	}
	seq, ends := k.sequence(price)
	k.sortTargets(seq)
	k.uses, k.piece = nil, make([]int32, k.c.Nodes.Len()) // each large
	var piece circuitPiece
	ops, next := 0, 0
	end := func() {
		if len(piece.nodes) > 0 || len(piece.targets) > 0 {
			k.pieces = append(k.pieces, piece)
		}
		piece, ops = circuitPiece{}, 0
	}
	for i, n := range seq {
		if ops++; k.kept[n] {
			piece.nodes = append(piece.nodes, n)
			k.piece[n] = int32(len(k.pieces))
		}
		closed := false
		for ; next < len(k.targets) && k.targets[next].last <= i; next++ {
			piece.targets = append(piece.targets, k.targets[next])
			closed = closed || k.targets[next].ends
		}
		if len(ends) > 0 && ends[0] == i+1 {
			ends, closed = ends[1:], true
		}
		if closed || ops >= size && k.kept[n] {
			end()
		}
	}
	piece.targets = append(piece.targets, k.targets[next:]...)
	end()
}

// sortTargets orders the targets by the places of their last nodes. A rescaled value has the place
// of the last node of its group.
func (k *circuitLowering) sortTargets(seq []circuit.Node) {
	at := make([]int32, k.c.Nodes.Len()) // by node: its place, counted from 1
	for i, n := range seq {
		at[n] = int32(i + 1)
	}
	group := map[ir.SpanID]int{}
	for _, t := range k.targets { // groups come first, each after those that it uses
		t.last = -1
		for _, n := range t.nodes {
			place, ok := group[ir.SpanID(k.home[n].span)]
			if !ok || k.c.Nodes.Op(n) != circuit.Input {
				place = int(at[n]) - 1
			}
			t.last = max(t.last, place)
		}
		group[t.span] = t.last
	}
	slices.SortStableFunc(k.targets, func(a, b *target) int { return a.last - b.last })
}

// emit writes the blocks.
func (k *circuitLowering) emit() {
	exported := k.exported()
	k.piece = nil
	for i := range k.pieces {
		p := &k.pieces[i]
		b := ir.Block{Name: "circuit"}
		if k.max {
			b.Name = "maxima"
		}
		if i > 0 {
			b.Name = fmt.Sprintf("%s%d", b.Name, i+1)
		}
		if len(p.nodes) > 0 {
			if k.large {
				k.order(p.nodes, exported)
			}
			b.Steps = append(b.Steps, k.nodes(p.nodes, exported))
		}
		for _, t := range p.targets {
			b.Steps = append(append(b.Steps, k.target(t)), t.after...)
		}
		k.p.Blocks = append(k.p.Blocks, b)
	}
}

// exported marks the kept nodes that other blocks, targets or walks use.
func (k *circuitLowering) exported() []bool {
	out := make([]bool, len(k.kept))
	for n, on := range k.walked {
		out[n] = on && k.kept[n]
	}
	var terms [][2]circuit.Node
	use := func(terms [][2]circuit.Node, piece int32) {
		for _, t := range terms {
			for _, x := range t {
				if x >= 0 && k.kept[x] && k.piece[x] != piece {
					out[x] = true
				}
			}
		}
	}
	for i := range k.pieces {
		for _, n := range k.pieces[i].nodes {
			terms = k.terms(terms[:0], n)
			use(terms, int32(i))
		}
		for _, t := range k.pieces[i].targets {
			for _, n := range t.nodes {
				use(k.targetTerms(terms[:0], n), -1)
			}
		}
	}
	return out
}

// targetTerms appends the terms of an element of a target. If the node has a place, that is the
// node itself.
func (k *circuitLowering) targetTerms(to [][2]circuit.Node, n circuit.Node) [][2]circuit.Node {
	if k.kept[n] {
		return append(to, [2]circuit.Node{n, -1})
	}
	return k.terms(to, n)
}

// nodes returns the step that computes kept nodes. The nodes that other blocks need go to one span,
// the others to a second one, which reuses its places.
func (k *circuitLowering) nodes(nodes []circuit.Node, exported []bool) ir.Step {
	shared, own := 0, 0
	for _, n := range nodes {
		if exported[n] {
			shared++
		} else {
			own++
		}
	}
	var out []ir.SpanID
	if shared > 0 {
		id := k.AddSpan(ir.Span{Name: "shared", Role: ir.RoleTemp, Len: shared, Var: -1})
		out = append(out, id)
		k.inTurn(id, nodes, func(n circuit.Node) bool { return exported[n] })
	}
	if own > 0 {
		id := k.AddSpan(ir.Span{Name: "own", Role: ir.RoleTemp, Var: -1})
		if k.large { // neighbours shall set consecutive elements
			k.p.Spans[id].Len = k.inTurn(id, nodes, func(n circuit.Node) bool { return !exported[n] })
		} else {
			k.p.Spans[id].Len = k.reuse(id, nodes, exported)
		}
		out = append(out, id)
	}
	s := newSums(k, out...)
	var terms [][2]circuit.Node
	for _, n := range nodes {
		terms = k.terms(terms[:0], n)
		s.add(k.home[n], terms)
	}
	return s.finish()
}

// target returns the step that fills a target.
func (k *circuitLowering) target(t *target) ir.Step {
	s := newSums(k, t.span)
	var terms [][2]circuit.Node
	for i, n := range t.nodes {
		terms = k.targetTerms(terms[:0], n)
		s.add(placeOf(t.span, i), terms)
	}
	return s.finish()
}

// entries adds the entries of the circuit. They run all of its blocks; program-chunk removes those
// that an entry does not need.
func (k *circuitLowering) entries() {
	var blocks []int
	for i := range k.pieces {
		blocks = append(blocks, k.first+i)
	}
	for i := range k.c.Entries {
		e := &k.c.Entries[i]
		entry := ir.Entry{Query: e.Query, Blocks: blocks, Root: k.root[e.Root], Exp: ir.NoSpan}
		if walks(e.Query) {
			name := map[ir.QueryKind]string{ir.MPE: "trace", ir.Sample: "draw"}[e.Query.Kind]
			k.p.Blocks = append(k.p.Blocks, ir.Block{Name: name, Steps: []ir.Step{k.walk(e)}})
			entry.Blocks = append(slices.Clip(blocks), len(k.p.Blocks)-1)
		}
		for _, o := range e.Outs {
			entry.Outs = append(entry.Outs, k.out[o.Var])
		}
		k.p.Entries = append(k.p.Entries, entry)
	}
}
