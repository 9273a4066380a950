package ir

import (
	"fmt"
	"strings"
)

// Walk sets states by a walk down a circuit with node values that are still in memory. It begins at
// the last node, chooses one of the node's terms, by its value at random or the best, and continues
// with the elements of that term that are nodes. An element of an input represents a state of the
// input's variable; the walk sets the variable to it.
//
// Elements are numbered through In, one span after another. Terms are as in [Sums]. The lowering of
// circuits makes Walk.
type Walk struct {
	In    []SpanID
	Stack SpanID // Depth integers, for nodes still to visit
	Mode  PickMode
	Node  []int32    // by node, operands before their users: the element that holds its value
	First []int32    // by node, and one more: the index of its first term
	Terms [][2]int32 // two elements, or an element and -1; all terms of a node are of one kind
}

// Refs implements [Step].
func (w *Walk) Refs(visit RefVisitor) {
	visit.all(w.In, Read)
	visit.one(&w.Stack, Write)
}

// States implements [Step].
func (w *Walk) States(p *Program, visit StateVisitor) {
	for _, id := range w.In {
		if span := &p.Spans[id]; span.Role == RoleIn {
			visit(span.Var, Write)
		}
	}
}

// Products implements [Step].
func (*Walk) Products() int { return 0 }

// Places returns the place of every element.
func (w *Walk) Places(p *Program) []Place { return placesOf(p, w.In) }

// Depth returns the largest number of nodes that the walk has to remember at a time. The second
// element of a term waits until the first is done. The walk skips elements that are neither nodes
// nor inputs.
func (w *Walk) Depth(p *Program) int {
	places := w.Places(p)
	need := make([]int32, len(places))
	for i, at := range places {
		if p.Spans[w.In[at.Span]].Role == RoleIn {
			need[i] = 1
		}
	}
	for i, e := range w.Node {
		most := int32(1)
		for _, t := range w.Terms[w.First[i]:w.First[i+1]] {
			first, second := need[t[0]], int32(0)
			if t[1] >= 0 {
				second = need[t[1]]
			}
			if first > 0 && second > 0 {
				first++
			}
			most = max(most, first, second)
		}
		need[e] = most
	}
	return int(need[w.Node[len(w.Node)-1]])
}

// placesOf returns the place of every element of spans.
func placesOf(p *Program, spans []SpanID) []Place {
	n := 0
	for _, id := range spans {
		n += p.Spans[id].Len
	}
	out := make([]Place, 0, n)
	for k, id := range spans {
		for i := range p.Spans[id].Len {
			out = append(out, Place{k, i})
		}
	}
	return out
}

// String writes `walk draw s3 s4 stack s5 : 5=0*3+1*2 6=5*4`.
func (w *Walk) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "walk %s", w.Mode)
	for _, id := range w.In {
		b.WriteString(" " + spanName(id))
	}
	b.WriteString(" stack " + spanName(w.Stack) + " :")
	writeNodes(b, w.Node, w.First, w.Terms)
	return b.String()
}

func parseWalk(ps *parser, _ int) Step {
	w := &Walk{}
	for mode := ps.oneOf(pickNames[:]...); pickNames[w.Mode] != mode; {
		w.Mode++
	}
	for word := ps.word(); word != "stack"; word = ps.word() {
		w.In = append(w.In, SpanID(ps.after("s", word)))
	}
	w.Stack = ps.spanID()
	ps.expect(":")
	w.Node, w.First, w.Terms = ps.nodes()
	return w
}

// verify checks that elements exist, that nodes use only earlier ones, and that the stack is deep
// enough.
func (w *Walk) verify(v *verifier) {
	total := 0
	for _, id := range w.In {
		if !v.numbers(id, "operand", false) {
			return
		}
		s := &v.p.Spans[id]
		total += s.Len
		if s.Role == RoleIn {
			v.stateOf(s.Var)
		}
	}
	if len(w.Node) == 0 || len(w.First) != len(w.Node)+1 || w.First[0] != 0 || int(w.First[len(w.Node)]) != len(w.Terms) {
		v.errorf("a walk whose %d nodes do not share %d terms", len(w.Node), len(w.Terms))
		return
	}
	if !w.verifyNodes(v, total) {
		return
	}
	if !v.known(w.Stack) || v.p.Spans[w.Stack].Elem != Int32 || w.Stack == v.p.State || v.p.Spans[w.Stack].Len < w.Depth(v.p) {
		v.errorf("the stack is s%d; want a span of %d integers", w.Stack, w.Depth(v.p))
	}
}

// verifyNodes checks the nodes of a walk over total elements, and reports whether all are valid.
func (w *Walk) verifyNodes(v *verifier, total int) bool {
	input := make([]bool, total)
	for i, at := range w.Places(v.p) {
		input[i] = v.p.Spans[w.In[at.Span]].Role == RoleIn
	}
	later := make([]bool, total)
	for i, e := range w.Node {
		if e < 0 || int(e) >= total || later[e] || input[e] {
			v.errorf("node %d is element %d, which is an input, another node or not there", i, e)
			return false
		}
		later[e] = true
	}
	for i, e := range w.Node {
		if w.First[i] >= w.First[i+1] {
			v.errorf("node %d has terms %d to %d", i, w.First[i], w.First[i+1])
			return false
		}
		terms := w.Terms[w.First[i]:w.First[i+1]]
		for _, t := range terms {
			if (t[1] < 0) != (terms[0][1] < 0) {
				v.errorf("node %d has single elements and products for terms", i)
				return false
			}
			for k, x := range t {
				if alone := k == 1 && x == -1; !alone && (x < 0 || int(x) >= total || later[x]) {
					v.errorf("node %d leads to element %d, which is itself, a later node or not there", i, x)
					return false
				}
			}
		}
		later[e] = false
	}
	return true
}
