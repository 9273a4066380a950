package nest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// methodLines is the number of lines after which a further method begins. The time to build a
// method grows faster than linearly with its length.
const methodLines = 600

// emit writes the block. Its contractions call the methods of m if m is not nil.
func emit(out *backend.Output, b *ir.Block, m *methods) error {
	var parts []part
	w := &writer{out: out, p: out.Program, methods: m}
	for _, s := range b.Steps {
		w.step(s)
		if strings.Count(w.text.String(), "\n") > methodLines {
			parts = append(parts, w.take())
		}
	}
	if w.text.Len() > 0 || len(parts) == 0 {
		parts = append(parts, w.take())
	}
	if len(parts) == 1 {
		out.Method(out.Func, backend.Comment(out.Func+" runs "+b.Name), parts[0].uses, backend.Code(parts[0].text))
		return nil
	}
	calls := ""
	for i, p := range parts {
		name := out.Helper()
		comment := fmt.Sprintf("%s runs %s, part %d of %d", name, b.Name, i+1, len(parts))
		out.Method(name, backend.Comment(comment), p.uses, backend.Code(p.text))
		calls += "e." + name + "()\n"
	}
	out.Method(out.Func, backend.Comment(out.Func+" runs "+b.Name), 0, backend.Code(calls))
	return nil
}

// part is the body of one method.
type part struct {
	text string
	uses backend.Memory
}

// writer collects the text of steps.
type writer struct {
	out  *backend.Output
	p    *ir.Program
	text strings.Builder
	uses backend.Memory

	methods *methods // nil if contractions are written in place
	call    *call    // the call of the method whose body is written; nil for other text
}

// take returns the text so far as the body of a method, and begins another.
func (w *writer) take() part {
	p := part{strings.TrimSuffix(w.text.String(), "\n"), w.uses}
	w.text.Reset()
	w.uses = 0
	return p
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

// step writes a step. It is a switch over the kinds of step because each has its own text in this
// back-end. With one line for each, it shows which kinds have one.
func (w *writer) step(step ir.Step) {
	switch s := step.(type) {
	case *ir.Contract:
		w.contract(s)
	case *ir.Pick:
		w.pick(s)
	case *ir.Normalize:
		w.line(w.out.Runtime("Normalize")+"(%s)", w.slice(s.Span))
	case *ir.Invert:
		w.invert(s)
	case *ir.Rescale:
		w.rescale(s)
	case *ir.Zero:
		w.line("clear(%s)", w.slice(s.Span))
	case *ir.Lookup:
		w.lookup(s)
	default:
		text, uses, ok := backend.Call(w.out, step)
		if !ok {
			panic(fmt.Sprintf("nest: unknown step %T", step))
		}
		w.line("%s", text)
		w.uses |= uses
	}
}

// memory returns the local variable for a span's memory, and records that the method uses it.
func (w *writer) memory(id ir.SpanID) string {
	s := &w.p.Spans[id]
	switch {
	case s.Elem == ir.Int32:
		w.uses |= backend.State
		return "t"
	case s.ReadOnly():
		w.uses |= backend.Data
		return "p"
	}
	w.uses |= backend.Work
	return "s"
}

// slice returns the expression of a whole span.
func (w *writer) slice(id ir.SpanID) string {
	s := &w.p.Spans[id]
	return fmt.Sprintf("%s[%d:%d]", w.memory(id), s.Offset, s.Offset+s.Len)
}

func (w *writer) invert(s *ir.Invert) {
	out := fmt.Sprintf("%s[%d]", w.memory(s.Out), w.p.Spans[s.Out].Offset)
	w.line("%s = 1\nif x := %s[%d]; x != 0 {\n%s = 1 / x\n}", out, w.memory(s.In), w.p.Spans[s.In].Offset, out)
}

func (w *writer) rescale(s *ir.Rescale) {
	if w.rescaleBlocks(s) {
		return
	}
	rescale := w.out.Runtime("Rescale" + table(w.p.Spans[s.Span].Len))
	if s.Exp == ir.NoSpan {
		w.line(rescale+"(%s)", w.slice(s.Span))
		return
	}
	w.line("%s[%d] += int32("+rescale+"(%s))", w.memory(s.Exp), w.p.Spans[s.Exp].Offset, w.slice(s.Span))
}

// table returns how the names of functions of the runtime end that rescale n numbers.
func table(n int) string {
	if n >= pgmrt.LeastTable {
		return "Table"
	}
	return ""
}

// stateOf returns the expression of the state of a fixed axis's variable.
func (w *writer) stateOf(a ir.Axis) string {
	return fmt.Sprintf("int(%s[%d])", w.memory(w.p.State), w.p.Spans[w.p.State].Offset+int(a.Var))
}

// base returns the offset at which a view begins, with its fixed axes at their states.
func (w *writer) base(id ir.SpanID, axes []ir.Axis, stride []int) string {
	return fmt.Sprint(w.p.Spans[id].Offset) + w.terms(axes, stride)
}

// maxRow is the largest number of weights that a pick keeps on the stack. Longer rows use scratch
// memory.
const maxRow = 128

func (w *writer) pick(s *ir.Pick) {
	at := strconv.Itoa(w.p.Spans[w.p.State].Offset + int(s.Axes[0].Var))
	starts := make([]string, len(s.In))
	for i, v := range s.In {
		starts[i] = w.base(v.Span, s.Axes, v.Stride)
	}
	if w.methods == nil {
		w.line("{")
		w.choose(s, at, starts)
		w.line("}")
		return
	}
	in := &writer{out: w.out, p: w.p, call: &call{}}
	at = in.call.add("at", 0, at)
	for i, start := range starts {
		starts[i] = in.call.add("a", i, start)
	}
	in.choose(s, at, starts)
	w.share("pick", fmt.Sprintf("picks a state of %d for the variable at at0", s.Axes[0].Size), in)
}

// choose writes the choice of a state, which goes to t[at]. Its weights are the products of numbers
// that begin at starts.
func (w *writer) choose(s *ir.Pick, at string, starts []string) {
	n := s.Axes[0].Size
	row, terms := "w[:]", ""
	for i, v := range s.In {
		w.line("f%d := (*[%d]float64)(%s[%s:])", i, (n-1)*v.Stride[0]+1, w.memory(v.Span), starts[i])
		if i > 0 {
			terms += " * "
		}
		terms += fmt.Sprintf("f%d[%s]", i, times("i", v.Stride[0]))
	}
	if terms == "" {
		terms = "1"
	}
	if n <= maxRow {
		w.line("var w [%d]float64", n)
	} else {
		w.uses |= backend.Work
		*w.out.Scratch = max(*w.out.Scratch, n)
		w.line("w := s[%d:%d]", w.p.Work, w.p.Work+n)
		row = "w"
	}
	w.line("for i := range w {\nw[i] = %s\n}", terms)
	w.line("t[%s] = int32(%s)", at, w.out.Choice(s.Mode, row))
	w.uses |= backend.State
}

// times returns name*n as an index.
func times(name string, n int) string {
	switch n {
	case 0:
		return "0"
	case 1:
		return name
	}
	return fmt.Sprintf("%s*%d", name, n)
}

func (w *writer) lookup(s *ir.Lookup) {
	out := &w.p.Spans[s.Out]
	stride, step := make([]int, len(s.Axes)), out.Len
	for i := len(s.Axes) - 1; i >= 0; i-- {
		stride[i] = step
		step *= s.Axes[i].Size
	}
	w.line("copy(%s, %s[%s:])", w.slice(s.Out), w.memory(s.Table), w.base(s.Table, s.Axes, stride))
}
