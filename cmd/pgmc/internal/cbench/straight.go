package cbench

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// The sizes of functions and of expressions, in operations. Of functions of 512, 2,048 and 8,192
// operations and one function for all, gcc 12 made the fastest code from the smallest, by up to a
// tenth, and compiled it up to ten times faster.
const (
	maxPart = 512
	maxExpr = 24
)

// Straight writes the entry e of p, which computes ln P(evidence) and perhaps posteriors of m, as
// straight-line code. It refuses a large program with an error that wraps [ErrTooLarge].
func Straight(p *ir.Program, e *ir.Entry, m *model.Model) (*Program, error) {
	src, err := newSource(p, e, m)
	if err != nil {
		return nil, err
	}
	first, likelihoods := map[ir.SpanID]int{}, 0
	for _, id := range src.inputs {
		first[id] = likelihoods
		likelihoods += p.Spans[id].Len
	}
	t, err := execute(p, e, first, src.reals)
	if err != nil {
		return nil, err
	}
	w := &straight{trace: t, root: t.x.Element(e.Root, 0)}
	for _, id := range e.Outs {
		for i := range p.Spans[id].Len {
			w.outs = append(w.outs, t.x.Element(id, i))
		}
	}
	for _, id := range e.Logs {
		w.logs = t.c.Sum(w.logs, t.x.Element(id, 0))
	}
	ops := t.c.Size(w.roots())
	if ops > maxOps {
		return nil, fmt.Errorf("%w: %d operations; at most %d are written out", ErrTooLarge, ops, maxOps)
	}
	w.arrange()
	w.cut()
	src.parts = w.print()
	src.at = func(id ir.SpanID) string { return fmt.Sprintf("L + %d", first[id]) }
	src.memories = memory("L", likelihoods) + memory("R", t.scaled) + memory("X", w.crossing)
	return &Program{Text: src.text(), Ops: ops, Outs: src.outs}, nil
}

// memory returns the declaration of an array of n numbers, or "" if n is 0: C has no empty arrays.
func memory(name string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("static double %s[%d];\n", name, n)
}

// statement defines a node, rescales or normalises a group, or sets the results.
type statement struct {
	kind  statementKind
	node  circuit.Node
	group int
	ops   int
}

type statementKind uint8

const (
	define statementKind = iota
	together
	result
)

// straight lays out the statements of a circuit and prints them.
type straight struct {
	*trace
	root     circuit.Node
	outs     []circuit.Node
	logs     circuit.Node // what ln P has besides the logarithm of the root
	local    []bool       // by node: it has a variable
	list     []statement
	parts    [][2]int // functions, as ranges of list
	part     []int    // by node: the function that defines it
	slot     []int    // by node: its index in X, if another function reads it; otherwise -1
	crossing int
	current  int // the function being printed
}

// roots returns the nodes that statements need: those of the results and of all groups.
func (w *straight) roots() []circuit.Node {
	list := w.results()
	for _, g := range w.groups {
		list = append(list, g.nodes...)
	}
	return list
}

// results returns the root, the addend of its logarithm, and the nodes of the other results.
func (w *straight) results() []circuit.Node { return append([]circuit.Node{w.root, w.logs}, w.outs...) }

// arrange assigns variables to nodes that are used more than once or whose expressions would be
// long, and lists the statements depth first: each follows the definitions that it reads.
func (w *straight) arrange() {
	n := w.c.Len()
	w.local = make([]bool, n)
	uses, size := w.c.Uses(w.roots()), make([]int, n)
	for i := range circuit.Node(n) {
		if w.c.Op(i) < circuit.Sum || uses[i] == 0 {
			continue
		}
		a, b := w.c.Args(i)
		if size[i] = size[a] + size[b] + 1; uses[i] > 1 || size[i] >= maxExpr {
			w.local[i], size[i] = true, 0
		}
	}
	done := make([]bool, n)
	for i, g := range w.groups {
		s := statement{kind: together, group: i}
		for _, x := range g.nodes {
			s.ops += w.visit(x, done)
		}
		w.list = append(w.list, s)
	}
	s := statement{kind: result}
	for _, x := range w.results() {
		s.ops += w.visit(x, done)
	}
	w.list = append(w.list, s)
}

// visit lists the definitions that the expression of n reads and returns its number of operations.
func (w *straight) visit(n circuit.Node, done []bool) (ops int) {
	if w.c.Op(n) < circuit.Sum || done[n] {
		return 0
	}
	if w.local[n] {
		done[n] = true
	}
	a, b := w.c.Args(n)
	ops = 1 + w.visit(a, done) + w.visit(b, done)
	if !w.local[n] {
		return ops
	}
	w.list = append(w.list, statement{kind: define, node: n, ops: ops})
	return 0
}

// cut divides the statements into functions, and assigns places in X to the nodes that another
// function reads. A place in X is free again after the last function that reads it.
func (w *straight) cut() {
	ops, start := 0, 0
	for i, s := range w.list {
		if ops += s.ops; ops >= maxPart || i == len(w.list)-1 {
			w.parts = append(w.parts, [2]int{start, i + 1})
			ops, start = 0, i+1
		}
	}
	w.part, w.slot = make([]int, w.c.Len()), make([]int, w.c.Len())
	last := make([]int, w.c.Len())
	for k, r := range w.parts {
		for _, s := range w.list[r[0]:r[1]] {
			w.reads(s, func(n circuit.Node) { last[n] = k })
			if s.kind == define {
				w.part[s.node], last[s.node] = k, k
			}
		}
	}
	var free []int
	ends := make([][]int, len(w.parts)+1)
	for k, r := range w.parts {
		free = append(free, ends[k]...)
		for _, s := range w.list[r[0]:r[1]] {
			if s.kind != define {
				continue
			}
			n := s.node
			if w.slot[n] = -1; last[n] == k {
				continue
			}
			if len(free) == 0 {
				free = append(free, w.crossing)
				w.crossing++
			}
			w.slot[n] = free[len(free)-1]
			free = free[:len(free)-1]
			ends[last[n]+1] = append(ends[last[n]+1], w.slot[n])
		}
	}
}

// reads calls f for each variable that a statement reads.
func (w *straight) reads(s statement, f func(circuit.Node)) {
	var walk func(n circuit.Node, top bool)
	walk = func(n circuit.Node, top bool) {
		switch {
		case w.c.Op(n) < circuit.Sum:
		case w.local[n] && !top:
			f(n)
		default:
			a, b := w.c.Args(n)
			walk(a, false)
			walk(b, false)
		}
	}
	switch s.kind {
	case define:
		walk(s.node, true)
	case together:
		for _, n := range w.groups[s.group].nodes {
			walk(n, false)
		}
	case result:
		for _, n := range w.results() {
			walk(n, false)
		}
	}
}

// print returns the bodies of the functions.
func (w *straight) print() []string {
	printer := &symbolic.Expressions{Circuit: w.c, Atom: w.atom}
	printer.Std = func(name string) string { return strings.ToLower(strings.TrimPrefix(name, "math.")) }
	printer.Runtime = func(name string) string { return strings.ToLower(strings.Replace(name, "Ln", "log", 1)) } // C's is right for subnormal numbers
	var bodies []string
	for k, r := range w.parts {
		w.current = k
		b := &strings.Builder{}
		for _, s := range w.list[r[0]:r[1]] {
			w.statement(b, printer, s)
		}
		bodies = append(bodies, b.String())
	}
	return bodies
}

func (w *straight) statement(b *strings.Builder, printer *symbolic.Expressions, s statement) {
	switch s.kind {
	case define:
		fmt.Fprintf(b, "\tconst double v%d = %s;\n", s.node, printer.Operation(s.node))
		if k := w.slot[s.node]; k >= 0 {
			fmt.Fprintf(b, "\tX[%d] = v%d;\n", k, s.node)
		}
	case together:
		g := w.groups[s.group]
		for i, n := range g.nodes {
			fmt.Fprintf(b, "\tR[%d] = %s;\n", g.first+i, printer.Text(n))
		}
		if len(g.nodes) > 0 {
			fmt.Fprintf(b, "\t%s(R + %d, %d);\n", g.function, g.first, len(g.nodes))
		}
	case result:
		fmt.Fprintf(b, "\troot = %s;\n", printer.Text(w.root))
		if w.logs != circuit.Zero {
			fmt.Fprintf(b, "\tmore = %s;\n", printer.Text(w.logs))
		}
		for i, n := range w.outs {
			fmt.Fprintf(b, "\tout[%d] = %s;\n", i, printer.Text(n))
		}
	}
}

// atom returns the text of a node that is not expanded: a number, an input or a variable.
func (w *straight) atom(n circuit.Node) (string, bool) {
	switch w.c.Op(n) {
	case circuit.Const:
		return literal(w.c.Value(n)), true
	case circuit.Input:
		return w.leaves[w.c.Leaf(n)], true
	}
	if !w.local[n] {
		return "", false
	}
	if w.part[n] == w.current {
		return fmt.Sprintf("v%d", n), true
	}
	return fmt.Sprintf("X[%d]", w.slot[n]), true
}
