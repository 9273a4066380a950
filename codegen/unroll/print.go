package unroll

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// printer writes the chunks of a block as Go text.
type printer struct {
	*trace
	*layout
	out    *backend.Output
	e      backend.Expressions
	consts map[float64]int // numbers of data memory, by value
	names  map[circuit.Node]string
	now    int // the chunk
	uses   backend.Memory
	b      strings.Builder
	said   ir.SpanID // the span that the last comment names
}

func newPrinter(out *backend.Output, t *trace, pl *layout) *printer {
	pr := &printer{trace: t, layout: pl, out: out, consts: map[float64]int{}}
	pr.e = backend.Expressions{Circuit: t.c, Atom: pr.atom, Std: out.Std}
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

// chunk writes the body of one function and says which memories it uses.
func (pr *printer) chunk(i int) (body string, uses backend.Memory) {
	pr.now, pr.names, pr.uses, pr.said = i, map[circuit.Node]string{}, 0, ir.NoSpan
	pr.b.Reset()
	for _, s := range pr.stmts[pr.chunks[i][0]:pr.chunks[i][1]] {
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

// comment names a span before its elements, once for a run of them.
func (pr *printer) comment(id ir.SpanID) {
	if id == ir.NoSpan || id == pr.said {
		return
	}
	pr.said = id
	if name := pr.p.Spans[id].Name; name != "" {
		pr.line("%s", backend.Comment(name))
	}
}

// define writes the definition of a local, and stores it where others find it.
func (pr *printer) define(n circuit.Node) {
	if id, ok := pr.origin[n]; ok {
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

// place gives the element of memory where a local lies, if it lies there at all.
func (pr *printer) place(n circuit.Node) (text string, ok bool) {
	at, ok := pr.home[n]
	if !ok {
		at, ok = pr.slot[n]
		at += pr.p.Work
	}
	if !ok {
		return "", false
	}
	pr.uses |= backend.Work
	return fmt.Sprintf("s[%d]", at), true
}

// name makes the variable of a local.
func (pr *printer) name(n circuit.Node) string {
	pr.names[n] = "v" + strconv.Itoa(len(pr.names))
	return pr.names[n]
}

// result makes the variables of an action's results; those without readers are "_".
func (pr *printer) result(n circuit.Node) string {
	if !pr.local[n] {
		return "_"
	}
	return pr.name(n)
}

// keep stores the results of an action that others find in memory.
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

// atom gives the text of a node that is not nested: a name, an element, or a literal.
func (pr *printer) atom(n circuit.Node) (string, bool) {
	switch {
	case pr.c.Op(n) == circuit.Const:
		return pr.constant(pr.c.Value(n)), true
	case pr.local[n]:
		if name, ok := pr.names[n]; ok {
			return name, true
		}
		return pr.place(n)
	case pr.c.Op(n) == circuit.Input:
		l := pr.leaves[pr.c.Leaf(n)]
		pr.uses |= memory(l.mem)
		return fmt.Sprintf("%s[%d]", l.mem, l.offset), true
	}
	return "", false
}

func memory(local string) backend.Memory {
	if local == "p" {
		return backend.Data
	}
	return backend.Work
}

// constant gives a number: some exact ones as literals, all others from data memory.
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
