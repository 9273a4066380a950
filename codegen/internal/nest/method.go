package nest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Programs with at least manyContracts contractions have a method for each shape of contraction,
// which takes the places of its operands. The messages of large networks have few shapes. Smaller
// contractions than leastShared products are no longer than a call.
const (
	manyContracts = 400
	leastShared   = 8
)

// methods holds the methods of one package that contractions and picks share.
type methods struct {
	names map[string]string // by their text
}

// call is a call of a method: the names of its parameters, and their values.
type call struct{ params, args []string }

// add adds a parameter, with a letter and an index as name. It returns the name.
func (c *call) add(letter string, index int, arg string) string {
	name := letter + strconv.Itoa(index)
	c.params = append(c.params, name)
	c.args = append(c.args, arg)
	return name
}

// forProgram returns the back-end b for the blocks of p, which shares methods if p is large.
func forProgram(p *ir.Program, b backend.Backend) backend.Backend {
	n := 0
	for i := range p.Blocks {
		for _, step := range p.Blocks[i].Steps {
			if _, ok := step.(*ir.Contract); ok {
				n++
			}
		}
	}
	if n >= manyContracts {
		return sharing(p, b)
	}
	return b
}

// sharing returns the back-end b for the blocks of one program, which shares methods.
func sharing(_ *ir.Program, b backend.Backend) backend.Backend {
	m := &methods{map[string]string{}}
	b.Emit = func(out *backend.Output, b *ir.Block) error { return emit(out, b, m) }
	return b
}

// callOf writes a call of the method that computes c, which has shape s.
func (w *writer) callOf(c *ir.Contract, s *shape) {
	in := &writer{out: w.out, p: w.p, call: &call{}}
	fixed := make([]bool, len(s.in)+1)
	for i, op := range s.operands() {
		start := in.call.add("a", i, w.base(op.view.Span, c.Axes, op.view.Stride))
		in.line("f%d := (*[%d]float64)(%s[%s:])", i, s.extent(op), in.memory(op.view.Span), start)
		fixed[i] = true
	}
	in.nests(c, s, fixed)
	w.share("nest", fmt.Sprintf("computes a table of %d products at a0, from tables at the other places", s.products()), in)
}

// share writes a call of the method with body in, and the method unless it has been written. Its
// name begins with kind, and its comment says that it does what.
func (w *writer) share(kind, what string, in *writer) {
	body := in.take()
	name, ok := w.methods.names[body.text]
	if !ok {
		name = kind + strconv.Itoa(len(w.methods.names)+1)
		w.methods.names[body.text] = name
		method(w.out, backend.Comment(name+" "+what), name+"("+strings.Join(in.call.params, ", ")+" int)", body)
	}
	w.line("e.%s(%s)", name, strings.Join(in.call.args, ", "))
}

// method adds a method of Engine with the given name and parameters.
func method(out *backend.Output, comment, signature string, body part) {
	text := ""
	for _, m := range []struct {
		bit  backend.Memory
		text string
	}{{backend.Work, "s := e.work()\n"}, {backend.Data, "p := e.data()\n"}, {backend.State, "t := e.state()\n"}} {
		if body.uses&m.bit != 0 {
			text += m.text
		}
	}
	out.File.Comment(comment)
	out.File.Func().Params(jen.Id("e").Op("*").Id("Engine")).Id(signature).Block(backend.Code(text + body.text))
	out.File.Line()
}
