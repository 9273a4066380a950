package unroll

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/price"
)

// A walk of up to walkTerms terms is written out. A choice is a switch. The part below a node is a
// method if several terms lead to the node, or if it is nested in walkNesting switches. The runtime
// runs longer walks in a loop.
const (
	walkTerms   = 2000
	walkNesting = 4
)

// Walk implements symbolic.Client. Memory holds the spans that a walk reads.
func (t *trace) Walk(w *ir.Walk) error {
	for _, id := range w.In {
		if !t.p.Spans[id].ReadOnly() {
			t.flush(id)
		}
		t.inMemory[id] = true
	}
	t.actions = append(t.actions, action{kind: descend, walk: w, span: ir.NoSpan})
	return nil
}

// descend writes a walk.
func (pr *printer) descend(w *ir.Walk) {
	if len(w.Terms) > walkTerms {
		pr.walkLoop(w)
		return
	}
	x := &walkPrinter{printer: pr, w: w, places: w.Places(pr.p), method: map[int32]string{}}
	x.node, x.uses = make([]int, len(x.places)), make([]int, len(x.places))
	for i, e := range w.Node {
		x.node[e] = i + 1
	}
	for _, t := range w.Terms {
		for _, e := range t {
			if e >= 0 {
				x.uses[e]++
			}
		}
	}
	text := &walkText{}
	x.below(text, w.Node[len(w.Node)-1], 0)
	pr.b.WriteString(text.String())
	pr.uses |= text.uses
}

// walkLoop writes a call of the tape machine.
func (pr *printer) walkLoop(w *ir.Walk) {
	code, err := assemble.LaidOut(pr.p, nil).Steps(w)
	if err != nil {
		panic("unroll: " + err.Error()) // layout has placed all spans
	}
	start := len(*pr.out.Ints)
	*pr.out.Ints = append(*pr.out.Ints, code.Words...)
	work, data, rng := "nil", "nil", "nil"
	if code.Data {
		pr.uses |= backend.Data
		data = "p[:]"
	}
	if code.Work {
		pr.uses |= backend.Work
	}
	if pr.uses&backend.Work != 0 {
		work = "s[:]"
	}
	if code.Draws {
		rng = "e.rng"
	}
	pr.line("%s(e.k[%d:%d], %s, %s, t[:], %s)", pr.out.Runtime(code.Func), start, len(*pr.out.Ints), work, data, rng)
	pr.uses |= backend.State
}

// walkText is the text of a part of a walk, and the memories that it uses.
type walkText struct {
	strings.Builder
	uses backend.Memory
}

// walkPrinter writes out a walk.
type walkPrinter struct {
	*printer
	w      *ir.Walk
	places []ir.Place
	node   []int // by element: 1 plus the index of the node that it is, or 0
	uses   []int // by element: the number of terms that lead to it
	method map[int32]string
}

// visit writes the part below an element, inside of the given number of switches.
func (x *walkPrinter) visit(text *walkText, e int32, nesting int) {
	span := &x.p.Spans[x.w.In[x.places[e].Span]]
	switch {
	case span.Role == ir.RoleIn:
		text.uses |= backend.State
		fmt.Fprintf(text, "t[%d] = %d\n", x.stateOf(e), x.places[e].At)
	case x.node[e] == 0:
	case nesting >= walkNesting || x.uses[e] > 1 && !x.short(e):
		fmt.Fprintf(text, "e.%s()\n", x.methodOf(e))
	default:
		x.below(text, e, nesting)
	}
}

// walkCost returns the predicted time of a walk in nanoseconds, and the size of its text in
// operations.
func walkCost(p *ir.Program, w *ir.Walk) (ns float64, ops int) {
	if len(w.Terms) > walkTerms {
		return price.Straight.Loop * assemble.Visits(p, w), 1
	}
	return price.Straight.Visit * assemble.Visits(p, w), 4 * len(w.Terms)
}

// short reports whether a node has a single term, of inputs only.
func (x *walkPrinter) short(e int32) bool {
	terms := x.terms(e)
	return len(terms) == 1 && x.node[terms[0][0]] == 0 && (terms[0][1] < 0 || x.node[terms[0][1]] == 0)
}

// methodOf returns the name of the method for the part below a node. The first call writes the
// method.
func (x *walkPrinter) methodOf(e int32) string {
	name, ok := x.method[e]
	if !ok {
		name = x.out.Helper()
		x.method[e] = name
		text := &walkText{}
		x.below(text, e, 0)
		x.out.Method(name, backend.Comment(name+" continues a walk"), text.uses, backend.Code(strings.TrimSpace(text.String())))
	}
	return name
}

func (x *walkPrinter) terms(e int32) [][2]int32 {
	i := x.node[e] - 1
	return x.w.Terms[x.w.First[i]:x.w.First[i+1]]
}

// below writes the choice at a node, and the parts below its terms.
func (x *walkPrinter) below(text *walkText, e int32, nesting int) {
	terms := x.terms(e)
	if len(terms) == 1 {
		x.term(text, terms[0], nesting)
		return
	}
	weights := make([]string, len(terms))
	parts := make([]string, len(terms))
	for i, t := range terms {
		weights[i] = x.number(text, t[0])
		if t[1] >= 0 {
			weights[i] += " * " + x.number(text, t[1])
		}
		part := &walkText{}
		x.term(part, t, nesting+1)
		parts[i] = part.String()
		text.uses |= part.uses
	}
	choose := x.out.Choice(x.w.Mode, "w[:]")
	row := fmt.Sprintf("w := [...]float64{%s}", strings.Join(weights, ", "))
	if at, ok := x.statesInTurn(terms); ok {
		fmt.Fprintf(text, "{\n%s\nt[%d] = int32(%s)\n}\n", row, at, choose)
		return
	}
	fmt.Fprintf(text, "switch %s; %s {\n", row, choose)
	for i, part := range parts {
		fmt.Fprintf(text, "case %d:\n%s", i, part)
	}
	text.WriteString("}\n")
}

// term writes the part below a term.
func (x *walkPrinter) term(text *walkText, t [2]int32, nesting int) {
	x.visit(text, t[0], nesting)
	if t[1] >= 0 {
		x.visit(text, t[1], nesting)
	}
}

// statesInTurn reports whether the terms lead to the states of one variable, in order, and to
// nothing else. The choice is then the state, which is at t[at].
func (x *walkPrinter) statesInTurn(terms [][2]int32) (at int, ok bool) {
	for i, t := range terms {
		input := int32(-1)
		for _, e := range t {
			switch {
			case e < 0 || x.node[e] == 0 && x.p.Spans[x.w.In[x.places[e].Span]].Role != ir.RoleIn:
			case x.node[e] > 0 || input >= 0:
				return 0, false
			default:
				input = e
			}
		}
		if input < 0 || x.places[input].At != i || i > 0 && x.stateOf(input) != at {
			return 0, false
		}
		at = x.stateOf(input)
	}
	return at, true
}

// stateOf returns the place of the state that an input sets.
func (x *walkPrinter) stateOf(e int32) int {
	return x.p.Spans[x.p.State].Offset + int(x.p.Spans[x.w.In[x.places[e].Span]].Var)
}

// number returns the expression of the value of an element.
func (x *walkPrinter) number(text *walkText, e int32) string {
	span := &x.p.Spans[x.w.In[x.places[e].Span]]
	mem := memoryOf(span)
	text.uses |= memory(mem)
	return fmt.Sprintf("%s[%d]", mem, span.Offset+x.places[e].At)
}
