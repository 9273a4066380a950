package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// The header of a walk.
const (
	walkDraw = 2 + iota
	walkRoot
	walkStack
	walkHeader
)

// walk writes: 1 if terms are chosen at random, the record of the root, the place of the stack;
// then a record for each element that the walk looks at. A record is where the element's number
// lies, the number of terms, negative if they are single elements, and the records of the elements
// of the terms. The record of an element without terms has in their place where a state is set, or
// -1, and which.
func (a *Assembler) walk(w *ir.Walk) {
	start := a.begin(tapeWalk)
	x := &walkCode{a: a, w: w, places: w.Places(a.program), start: start}
	x.record, x.size = make([]int, len(x.places)), walkHeader
	for i, e := range w.Node {
		x.record[e] = x.size
		_, words := walkKind(x.terms(i))
		x.size += 2 + words
	}
	a.words(bit(w.Mode == ir.PickDraw), x.record[w.Node[len(w.Node)-1]], a.at(w.Stack))
	a.code.Draws = a.code.Draws || w.Mode == ir.PickDraw
	a.code.State = true
	for i := range w.Node {
		x.node(i)
	}
	for _, e := range x.leaves {
		x.leaf(e)
	}
	a.end(start)
}

// walkCode is a walk with records that are being written.
type walkCode struct {
	a      *Assembler
	w      *ir.Walk
	places []ir.Place
	start  int
	record []int // by element: its record; 0 if it has none yet
	size   int   // words up to the end of the last record
	leaves []int32
}

func (x *walkCode) terms(i int) [][2]int32 { return x.w.Terms[x.w.First[i]:x.w.First[i+1]] }

// node writes the record of node i.
func (x *walkCode) node(i int) {
	kind, _ := walkKind(x.terms(i))
	x.a.words(x.place(x.w.Node[i]), kind)
	for _, t := range x.terms(i) {
		x.a.words(x.find(t[0]))
		if t[1] >= 0 {
			x.a.words(x.find(t[1]))
		}
	}
}

// find returns the record of an element, and makes one for an element without terms.
func (x *walkCode) find(e int32) int {
	if x.record[e] == 0 {
		x.record[e] = x.size
		x.size += 4
		x.leaves = append(x.leaves, e)
	}
	return x.record[e]
}

// leaf writes the record of an element without terms.
func (x *walkCode) leaf(e int32) {
	at := x.places[e]
	span := &x.a.program.Spans[x.w.In[at.Span]]
	state, value := -1, 0
	if span.Role == ir.RoleIn {
		state, value = x.a.state(span.Var), at.At
	}
	x.a.words(x.place(e), 0, state, value)
}

// place returns the place of an element's number. In data memory it is negative: the complement of
// the offset.
func (x *walkCode) place(e int32) int {
	id := x.w.In[x.places[e].Span]
	at := x.a.at(id) + x.places[e].At
	if x.a.data(id) != 0 {
		return ^at
	}
	return at
}

// walkKind returns the number of terms, negative if they are single elements, and the number of
// their elements.
func walkKind(terms [][2]int32) (kind, words int) {
	if terms[0][1] < 0 {
		return -len(terms), len(terms)
	}
	return len(terms), 2 * len(terms)
}

func walkPrice(p *ir.Program, w *ir.Walk) Price {
	n := Visits(p, w)
	return Price{NS: float64(price.Step.Visit * n), Ops: int(min(n, float64(len(w.Terms))))}
}

// Visits returns the mean number of nodes and inputs that a walk visits if each term of a node is
// equally likely.
func Visits(p *ir.Program, w *ir.Walk) float64 {
	places := w.Places(p)
	visits := make([]float64, len(places))
	for i, at := range places {
		if p.Spans[w.In[at.Span]].Role == ir.RoleIn {
			visits[i] = 1
		}
	}
	for i, e := range w.Node {
		terms, sum := w.Terms[w.First[i]:w.First[i+1]], 0.0
		for _, t := range terms {
			sum += visits[t[0]]
			if t[1] >= 0 {
				sum += visits[t[1]]
			}
		}
		visits[e] = 1 + sum/float64(len(terms))
	}
	return visits[w.Node[len(w.Node)-1]]
}
