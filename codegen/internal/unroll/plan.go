package unroll

import "github.com/pgmc-go/pgmc/ir/circuit"

// The sizes of the code, in operations. Functions of 512 to 1024 operations build fastest and run
// as fast as any. Expressions nested deeper than 40 slow down the type checker, and longer lines
// are hard to read.
const (
	minChunk = 512
	maxChunk = 1024
	maxDepth = 40
	maxExpr  = 24
)

// stmt is one statement: the definition of a node, or an action.
type stmt struct {
	node circuit.Node   // the node that it defines, unless it is an action
	act  int            // the index of the action, or -1
	defs []circuit.Node // the locals that it defines
	uses []circuit.Node // the locals that it reads
	ops  int
}

// layout holds the order of the statements, the functions into which they are cut, and the places
// of values that several functions read.
type layout struct {
	stmts   []stmt
	chunks  [][2]int              // ranges of stmts
	local   []bool                // nodes that get a variable; the others are nested into expressions
	def     map[circuit.Node]int  // the chunk that defines a local
	last    map[circuit.Node]int  // the last chunk that reads it
	near    map[circuit.Node]bool // locals that are also read by the chunk that defines them
	home    map[circuit.Node]int  // the element of work memory to which a local is stored when it is computed
	slot    map[circuit.Node]int  // an element of scratch, likewise
	scratch int
}

func plan(t *trace) *layout {
	pl := &layout{home: t.homes()}
	pl.chooseLocals(t)
	pl.order(t)
	pl.cut()
	pl.assign()
	return pl
}

// homes returns the nodes that can be stored to their element as soon as they are computed, because
// no other action or input uses the element.
func (t *trace) homes() map[circuit.Node]int {
	touches := map[int]int{}
	for _, l := range t.leaves {
		if l.mem == "s" {
			touches[l.offset]++
		}
	}
	for _, a := range t.actions {
		if a.kind == store || a.kind == load {
			touches[a.at]++
		}
	}
	for id := range t.inMemory {
		sp := &t.p.Spans[id]
		for i := 0; t.inMemory[id] && !sp.ReadOnly() && i < sp.Len; i++ {
			touches[sp.Offset+i] += 2
		}
	}
	home := map[circuit.Node]int{}
	for _, a := range t.actions {
		if a.kind == store && touches[a.at] == 1 {
			if _, ok := home[a.nodes[0]]; !ok {
				home[a.nodes[0]] = a.at
			}
		}
	}
	return home
}

// chooseLocals makes a local of each node that is used several times, or with an expression that
// would exceed the limits of depth and length. Other nodes are nested.
func (pl *layout) chooseLocals(t *trace) {
	uses := t.c.Uses(t.roots())
	pl.local = make([]bool, t.c.Len())
	depth, size := make([]uint8, t.c.Len()), make([]uint8, t.c.Len())
	for n := range circuit.Node(t.c.Len()) {
		if t.c.Op(n) < circuit.Sum || uses[n] == 0 {
			continue
		}
		a, b := t.c.Args(n)
		d, s := max(depth[a], depth[b])+1, size[a]+size[b]+1
		if uses[n] > 1 || d >= maxDepth || s >= maxExpr {
			pl.local[n], d, s = true, 0, 0
		}
		depth[n], size[n] = d, s
	}
	for _, a := range t.actions {
		for _, r := range a.results {
			pl.local[r] = uses[r] > 0
		}
	}
}

// order lists the statements: each action after the definitions of the nodes that it needs, in
// depth-first order.
func (pl *layout) order(t *trace) {
	done := make([]bool, t.c.Len())
	for i, a := range t.actions {
		s := stmt{act: i}
		for _, n := range a.nodes {
			pl.visit(t, n, done, &s)
		}
		for _, r := range a.results {
			if pl.local[r] {
				s.defs, done[r] = append(s.defs, r), true
			}
		}
		pl.stmts = append(pl.stmts, s)
	}
}

// visit walks the expression of n for a statement that reads it.
func (pl *layout) visit(t *trace, n circuit.Node, done []bool, s *stmt) {
	switch {
	case pl.local[n]:
		if !done[n] {
			done[n] = true
			d := stmt{node: n, act: -1, defs: []circuit.Node{n}}
			pl.operands(t, n, done, &d)
			pl.stmts = append(pl.stmts, d)
		}
		s.uses = append(s.uses, n)
	case t.c.Op(n) >= circuit.Sum:
		pl.operands(t, n, done, s)
	}
}

func (pl *layout) operands(t *trace, n circuit.Node, done []bool, s *stmt) {
	a, b := t.c.Args(n)
	s.ops++
	pl.visit(t, a, done, s)
	pl.visit(t, b, done, s)
}

// cut makes the chunks. Each ends at the statement after which the fewest values are live.
func (pl *layout) cut() {
	alive := pl.alive()
	ops, start, best := 0, 0, -1
	for i := range pl.stmts {
		ops += pl.stmts[i].ops + 1
		if ops >= minChunk && (best < 0 || alive[i+1] <= alive[best]) {
			best = i + 1
		}
		if ops >= maxChunk {
			pl.chunks = append(pl.chunks, [2]int{start, best})
			start, ops = best, 0
			for _, s := range pl.stmts[best : i+1] {
				ops += s.ops + 1
			}
			best = -1
		}
	}
	if start < len(pl.stmts) || start == 0 {
		pl.chunks = append(pl.chunks, [2]int{start, len(pl.stmts)})
	}
}

// alive counts, before each statement, the locals that have been defined and are still to be read.
func (pl *layout) alive() []int {
	first, last := map[circuit.Node]int{}, map[circuit.Node]int{}
	for i, s := range pl.stmts {
		for _, n := range s.defs {
			first[n] = i
		}
		for _, n := range s.uses {
			last[n] = i
		}
	}
	alive := make([]int, len(pl.stmts)+2)
	for n, f := range first { // the order does not matter
		alive[f+1]++
		alive[max(last[n], f)+1]--
	}
	for i := 1; i < len(alive); i++ {
		alive[i] += alive[i-1]
	}
	return alive
}

// assign finds an element of scratch for each local that a later chunk reads, unless its home in
// work memory holds it. The element is free again after the last chunk that reads it.
func (pl *layout) assign() {
	pl.def, pl.last, pl.near = map[circuit.Node]int{}, map[circuit.Node]int{}, map[circuit.Node]bool{}
	pl.slot = map[circuit.Node]int{}
	pl.readers()
	release := make([][]int, len(pl.chunks)+1)
	var free []int
	for i, c := range pl.chunks {
		free = append(free, release[i]...)
		for _, s := range pl.stmts[c[0]:c[1]] {
			for _, n := range s.defs {
				_, home := pl.home[n]
				if home || pl.last[n] == i {
					continue
				}
				if len(free) == 0 {
					free = append(free, pl.scratch)
					pl.scratch++
				}
				pl.slot[n] = free[len(free)-1]
				free = free[:len(free)-1]
				release[pl.last[n]+1] = append(release[pl.last[n]+1], pl.slot[n])
			}
		}
	}
}

// readers finds the chunks that define and read each local.
func (pl *layout) readers() {
	for i, c := range pl.chunks {
		for _, s := range pl.stmts[c[0]:c[1]] {
			for _, n := range s.uses {
				pl.last[n] = i
				if pl.def[n] == i {
					pl.near[n] = true
				}
			}
			for _, n := range s.defs {
				pl.def[n], pl.last[n] = i, i
			}
		}
	}
}
