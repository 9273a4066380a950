package cbench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The sizes of the text: the most contractions of a program, the lines after which a function ends,
// the most elements of a tile of sums, and the most elements of a tile that is one innermost axis.
const (
	maxSteps  = 20_000
	partLines = 300
	maxTile   = 16
	maxRow    = 64
)

// ErrNoLoops reports that a program is a circuit, which has no contractions.
var ErrNoLoops = errors.New("the query is computed by a circuit, which has no loops")

// Nests writes the entry e of p, which computes ln P(evidence) and perhaps posteriors, as loop
// nests. It refuses a circuit with [ErrNoLoops] and a
// large program with an error that wraps [ErrTooLarge].
func Nests(p *ir.Program, e *ir.Entry, m *model.Model) (*Program, error) {
	src, err := newSource(p, e, m)
	if err != nil {
		return nil, err
	}
	w := &nests{p: p, entry: e}
	list := steps(p, e)
	if len(list) > maxSteps {
		return nil, fmt.Errorf("%w: %d loop nests; at most %d are written", ErrTooLarge, len(list), maxSteps)
	}
	for _, step := range list {
		if err := w.step(step); err != nil {
			return nil, err
		}
		if strings.Count(w.text.String(), "\n") > partLines {
			w.take(src)
		}
	}
	w.line("root = %s;", w.element(e.Root, "0"))
	w.results()
	w.take(src)
	src.at = func(id ir.SpanID) string { return fmt.Sprintf("S + %d", p.Spans[id].Offset) }
	src.memories = memory("S", p.Work)
	out := &Program{Ops: w.ops, Outs: src.outs}
	if p.Data > 0 {
		src.memories += fmt.Sprintf("#define DATA %d\n", p.Data) + memory("P", p.Data)
		out.Data = make([]float64, p.Data)
		for i := range p.Spans {
			if span := &p.Spans[i]; span.ReadOnly() {
				copy(out.Data[span.Offset:], span.Data)
			}
		}
	}
	out.Text = src.text()
	return out, nil
}

// nests writes the text of steps.
type nests struct {
	p     *ir.Program
	entry *ir.Entry
	text  strings.Builder
	depth int // depth of the loops around the current line
	ops   int
}

// take ends the current function and begins the next.
func (w *nests) take(src *source) {
	src.parts = append(src.parts, w.text.String())
	w.text.Reset()
}

func (w *nests) line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("\t", w.depth+1))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

// results writes the copies of the posteriors.
func (w *nests) results() {
	at := 0
	for _, id := range w.entry.Outs {
		n := w.p.Spans[id].Len
		w.line("memcpy(out + %d, &%s, %d * sizeof out[0]);", at, w.element(id, "0"), n)
		at += n
	}
}

// element returns a C expression for an element of a span; index is a C expression.
func (w *nests) element(id ir.SpanID, index string) string {
	name := "S"
	if w.p.Spans[id].ReadOnly() {
		name = "P"
	}
	return fmt.Sprintf("%s[%d + %s]", name, w.p.Spans[id].Offset, index)
}

// step writes a step. It refuses steps that posteriors do not need.
func (w *nests) step(step ir.Step) error {
	switch s := step.(type) { // the steps of posteriors, each with its own text in C
	case *ir.Contract:
		if err := onlySums(s); err != nil {
			return err
		}
		newNest(w, s).write()
		return nil
	case *ir.Sums:
		return ErrNoLoops
	case *ir.Rescale:
		w.line("rescale(S + %d, %d);", w.p.Spans[s.Span].Offset, w.p.Spans[s.Span].Len)
		return nil
	case *ir.Normalize:
		w.line("normalize(S + %d, %d);", w.p.Spans[s.Span].Offset, w.p.Spans[s.Span].Len)
		return nil
	case *ir.Invert:
		w.line("%s = %s;\ninvert(&%[1]s, 1);", w.element(s.Out, "0"), w.element(s.In, "0"))
		return nil
	case *ir.Zero:
		if s.Span != w.entry.Exp { // C's logprob sets the exponent to 0 itself
			w.line("memset(S + %d, 0, %d * sizeof S[0]);", w.p.Spans[s.Span].Offset, w.p.Spans[s.Span].Len)
		}
		return nil
	}
	return refuse(fmt.Sprintf("a step of type %T", step))
}

// onlySums refuses contractions that posteriors do not have: maxima and fixed axes.
func onlySums(c *ir.Contract) error {
	if c.Reduce == ir.ReduceMax {
		return refuse("maxima")
	}
	for _, a := range c.Axes {
		if a.Kind == ir.AxisFixed {
			return refuse("an axis with a fixed index")
		}
	}
	return nil
}

// nest writes one contraction:
//
//	for each axis of the result that is not in the tile {
//		a sum for each element of the tile
//		for each reduced axis {
//			x = the product so far of the operands that no inner loop moves
//			for each element of the tile { its sum += x * the operands that depend on the tile }
//		}
//		for each element of the tile { result = its sum * the operands without reduced axes }
//	}
type nest struct {
	*nests
	c       *ir.Contract
	outer   []int // axes of the result, outermost first
	tile    []int // axes of the result, the innermost last
	reduced []int
}

// newNest plans the loops of c. The innermost axes of the result become the tile, as far as it
// stays within maxTile elements, or maxRow if it is one axis.
func newNest(w *nests, c *ir.Contract) *nest {
	k := &nest{nests: w, c: c}
	for _, i := range loopOrder(c) {
		if c.Axes[i].Kind == ir.AxisReduced {
			k.reduced = append(k.reduced, i)
		} else {
			k.outer = append(k.outer, i)
		}
	}
	size := 1
	for n := len(k.outer) - 1; n >= 0; n-- {
		axis := c.Axes[k.outer[n]].Size
		if size*axis > maxTile && (size > 1 || axis > maxRow) {
			break
		}
		size *= axis
		k.tile = append([]int{k.outer[n]}, k.tile...)
		k.outer = k.outer[:n]
	}
	return k
}

// loopOrder returns the axes of more than one element, outermost first. The axes of the largest
// operand follow its layout, so that it is read in order, and all others are outside them.
func loopOrder(c *ir.Contract) []int {
	largest, most := c.Out.Stride, 0
	for _, v := range c.In {
		n := 1
		for i, a := range c.Axes {
			if v.Stride[i] != 0 {
				n *= a.Size
			}
		}
		if n > most {
			largest, most = v.Stride, n
		}
	}
	var order []int
	for i, a := range c.Axes {
		if a.Size > 1 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		moves := func(i int) int { return min(1, largest[i]) } // 0 sorts first
		return cmp.Or(cmp.Compare(moves(i), moves(j)), cmp.Compare(largest[j], largest[i]))
	})
	return order
}

func (k *nest) write() {
	k.line("{")
	k.depth++
	k.open(k.outer)
	if len(k.reduced) == 0 {
		k.open(k.tile)
		k.line("%s = %s;", k.at(k.c.Out), k.product("", k.operands(func(ir.View) bool { return true })))
		k.count(len(k.c.In)-1, k.outer, k.tile)
		k.close(k.tile)
	} else {
		k.sums()
	}
	k.close(k.outer)
	k.depth--
	k.line("}")
}

// sums writes the accumulation of a tile's sums and the result.
func (k *nest) sums() {
	size := 1
	for _, i := range k.tile {
		size *= k.c.Axes[i].Size
	}
	k.line("double a[%d] = {0};", size)
	x := ""
	for n, i := range k.reduced {
		k.open(k.reduced[n : n+1])
		still := k.operands(func(v ir.View) bool { // operands that move with this loop and with no inner one
			return v.Stride[i] != 0 && !moves(v, k.reduced[n+1:]) && !moves(v, k.tile)
		})
		if len(still) == 0 {
			continue
		}
		k.line("const double x%d = %s;", n, k.product(x, still))
		k.count(len(still)-1+min(1, len(x)), k.outer, k.reduced[:n+1])
		x = fmt.Sprintf("x%d", n)
	}
	in := k.operands(func(v ir.View) bool { return moves(v, k.reduced) && moves(v, k.tile) })
	k.open(k.tile)
	k.line("a[%s] += %s;", k.tileIndex(), k.product(x, in))
	k.count(len(in)+min(1, len(x)), k.outer, k.reduced, k.tile)
	k.close(k.tile)
	k.close(k.reduced)
	after := k.operands(func(v ir.View) bool { return !moves(v, k.reduced) })
	k.open(k.tile)
	k.line("%s = %s;", k.at(k.c.Out), k.product("a["+k.tileIndex()+"]", after))
	k.count(len(after), k.outer, k.tile)
	k.close(k.tile)
}

// count adds operations that the given loops repeat to the number of operations.
func (k *nest) count(ops int, loops ...[]int) {
	n := max(0, ops)
	for _, axes := range loops {
		for _, i := range axes {
			n *= k.c.Axes[i].Size
		}
	}
	k.ops += n
}

// moves reports whether v depends on one of the axes.
func moves(v ir.View, axes []int) bool {
	return slices.ContainsFunc(axes, func(i int) bool { return v.Stride[i] != 0 })
}

// operands returns C expressions for the current elements of the operands that fit.
func (k *nest) operands(fits func(ir.View) bool) []string {
	var list []string
	for _, v := range k.c.In {
		if fits(v) {
			list = append(list, k.at(v))
		}
	}
	return list
}

// product returns the product of before, if not empty, and the operands. An empty product is 1.
func (k *nest) product(before string, in []string) string {
	if before != "" {
		in = append([]string{before}, in...)
	}
	if len(in) == 0 {
		return "1"
	}
	return strings.Join(in, " * ")
}

// open opens loops over axes, and close closes them.
func (k *nest) open(axes []int) {
	for _, i := range axes {
		k.line("for (int i%d = 0; i%d < %d; i%d++) {", i, i, k.c.Axes[i].Size, i)
		k.depth++
	}
}

func (k *nest) close(axes []int) {
	for range axes {
		k.depth--
		k.line("}")
	}
}

// at returns the C expression for the element of v at the current loop variables.
func (k *nest) at(v ir.View) string {
	terms := []string{}
	for i, stride := range v.Stride {
		if stride != 0 && k.c.Axes[i].Size > 1 {
			terms = append(terms, fmt.Sprintf("i%d * %d", i, stride))
		}
	}
	if len(terms) == 0 {
		return k.element(v.Span, "0")
	}
	return k.element(v.Span, strings.Join(terms, " + "))
}

// tileIndex returns the C expression for the index of the current element within the tile.
func (k *nest) tileIndex() string {
	if len(k.tile) == 0 {
		return "0"
	}
	text := ""
	for n, i := range k.tile {
		if n == 0 {
			text = fmt.Sprintf("i%d", i)
			continue
		}
		text = fmt.Sprintf("(%s) * %d + i%d", text, k.c.Axes[i].Size, i)
	}
	return text
}
