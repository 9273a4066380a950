package unroll

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// printer writes the chunks of a block as Go text.
type printer struct {
	*trace
	*layout
	out    *backend.Output
	e      symbolic.Expressions
	consts map[float64]int // places in data memory, by value
	names  map[circuit.Node]string
	at     map[circuit.Node]int // by local: the number of the statement that mentioned it last
	stmt   int                  // the number of the current statement
	now    int                  // the current chunk
	uses   backend.Memory
	work   map[int]string // expressions in place of elements of work memory; nil if there are none
	b      strings.Builder
	named  ir.SpanID // the span that the last comment names
}

func newPrinter(out *backend.Output, t *trace, pl *layout) *printer {
	pr := &printer{trace: t, layout: pl, out: out, consts: map[float64]int{}}
	pr.e = symbolic.Expressions{Circuit: t.c, Atom: pr.atom, Std: out.Std, Runtime: out.Runtime}
	for i := range out.Program.Spans {
		if sp := &out.Program.Spans[i]; sp.Role == ir.RoleConst {
			for j, v := range sp.Data {
				pr.addConst(v, sp.Offset+j)
			}
		}
	}
	for i, v := range *out.Pool {
		pr.addConst(v, out.Program.Data+i)
	}
	return pr
}

func (pr *printer) addConst(v float64, at int) {
	if _, ok := pr.consts[v]; !ok {
		pr.consts[v] = at
	}
}

// chunk returns the body of one function and the memories that it uses.
func (pr *printer) chunk(i int) (body string, uses backend.Memory) {
	pr.now, pr.names, pr.uses, pr.named = i, map[circuit.Node]string{}, 0, ir.NoSpan
	pr.at = map[circuit.Node]int{}
	pr.b.Reset()
	for _, s := range pr.stmts[pr.chunks[i][0]:pr.chunks[i][1]] {
		pr.stmt++
		if s.act >= 0 {
			pr.action(&pr.actions[s.act])
		} else {
			pr.define(s.node)
		}
	}
	return pr.b.String(), pr.uses
}

func (pr *printer) line(format string, args ...any) {
	fmt.Fprintf(&pr.b, format+"\n", args...)
}

// comment writes the name of a span before its elements, once for consecutive elements.
func (pr *printer) comment(id ir.SpanID) {
	if id == ir.NoSpan || id == pr.named {
		return
	}
	pr.named = id
	if pr.p.Spans[id].Name != "" {
		pr.b.WriteString(backend.Caption(pr.p, id))
	}
}

// define writes the definition of a local, and stores the local if another chunk or the caller
// reads it.
func (pr *printer) define(n circuit.Node) {
	if id := pr.originOf(n); id != ir.NoSpan {
		pr.comment(id)
	}
	place, far := pr.place(n)
	switch {
	case far && !pr.near[n]:
		pr.line("%s = %s", place, pr.e.Operation(n))
	case far:
		pr.line("%s := %s", pr.name(n), pr.e.Operation(n))
		pr.line("%s = %s", place, pr.names[n])
	default:
		pr.line("%s := %s", pr.name(n), pr.e.Operation(n))
	}
}

// place returns the element of memory that holds a local; ok is false if none does.
func (pr *printer) place(n circuit.Node) (text string, ok bool) {
	at, ok := pr.home[n]
	if !ok {
		at, ok = pr.slot[n]
		at += pr.p.Work
	}
	if !ok {
		return "", false
	}
	return pr.element(at), true
}

// element returns the text of an element of work memory.
func (pr *printer) element(at int) string {
	if text, ok := pr.work[at]; ok {
		return text
	}
	pr.uses |= backend.Work
	return fmt.Sprintf("s[%d]", at)
}

// name names the variable of a local.
func (pr *printer) name(n circuit.Node) string {
	pr.names[n] = "v" + strconv.Itoa(len(pr.names))
	pr.at[n] = pr.stmt
	return pr.names[n]
}

// result names the variable of an action's result. It is "_" if nothing reads it.
func (pr *printer) result(n circuit.Node) string {
	if !pr.local[n] {
		return "_"
	}
	return pr.name(n)
}

// keep stores the results of an action that other chunks read from memory.
func (pr *printer) keep(a *action) {
	for _, n := range a.results {
		if !pr.local[n] {
			continue
		}
		if place, ok := pr.place(n); ok {
			pr.line("%s = %s", place, pr.names[n])
		} else if !pr.near[n] {
			panic("unroll: result without a reader: " + pr.names[n])
		}
	}
}

// farUse is the number of statements after which a local that memory holds anyway is read from
// there. The Go compiler would store it a second time to keep it so long, and an element of memory
// is an operand of an instruction. On alarm and child this saves a twentieth of the time.
const farUse = 16

// atom returns the text of a node that is not nested: a variable, an element of memory, or a
// literal.
func (pr *printer) atom(n circuit.Node) (string, bool) {
	switch {
	case pr.c.Op(n) == circuit.Const:
		return pr.constant(pr.c.Value(n)), true
	case pr.local[n]:
		if name, ok := pr.names[n]; ok {
			if _, home := pr.home[n]; home && pr.stmt-pr.at[n] > farUse {
				return pr.place(n)
			}
			pr.at[n] = pr.stmt
			return name, true
		}
		return pr.place(n)
	case pr.c.Op(n) == circuit.Input:
		l := pr.leaves[pr.c.Leaf(n)]
		if l.mem == "s" {
			return pr.element(l.offset), true
		}
		pr.uses |= memory(l.mem)
		return fmt.Sprintf("%s[%d]", l.mem, l.offset), true
	}
	return "", false
}

// memory returns the memory that a local variable of a method points to.
func memory(local string) backend.Memory {
	if local == "p" {
		return backend.Data
	}
	return backend.Work
}

// constant returns the text of a number: a literal for some exact ones, otherwise an element of
// data memory.
func (pr *printer) constant(v float64) string {
	switch v {
	case 0, 1, 2, 3, 4, .5, .25:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	at, ok := pr.consts[v]
	if !ok {
		at = pr.out.Program.Data + len(*pr.out.Pool)
		*pr.out.Pool = append(*pr.out.Pool, v)
		pr.consts[v] = at
	}
	pr.uses |= backend.Data
	return fmt.Sprintf("p[%d]", at)
}
