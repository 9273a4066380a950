package unroll

import (
	"maps"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// Formula returns statements that do what block b does without work memory: element i has the
// expression names[i]. ok is false if b uses other elements, does more than arithmetic, or takes
// more than about the given number of operations.
func Formula(out *backend.Output, b *ir.Block, names map[int]string, most int) (body string, ok bool) {
	t, err := execute(out.Program, b, backend.ReadersOf(out.Program), nil, inputsPerOp*most)
	if err != nil || len(t.last) > 0 || !t.arithmetic(names) {
		return "", false
	}
	pl := plan(t)
	if len(pl.chunks) != 1 || pl.scratch > 0 {
		return "", false
	}
	pr := newPrinter(out, t, pl)
	pr.work = names
	body, uses := pr.chunk(0)
	for _, local := range pr.names {
		if slices.Contains(slices.Collect(maps.Values(names)), local) {
			return "", false
		}
	}
	if uses&backend.Data != 0 {
		body = "p := e.data()\n" + body
	}
	return body, true
}

// arithmetic reports whether t only stores expressions, and has a name for each element of work
// memory that it uses.
func (t *trace) arithmetic(names map[int]string) bool {
	used := t.c.Uses(t.roots())
	for i, l := range t.leaves {
		if l.mem == "s" && names[l.offset] == "" && used[t.c.Input(int32(i))] > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(t.actions, func(a action) bool {
		return a.kind != store || names[a.at] == "" || t.c.Op(a.nodes[0]) == circuit.Max
	})
}
