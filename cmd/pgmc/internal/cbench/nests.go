package cbench

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
)

// The sizes of the text: contractions of a program, lines of a function, elements of a result that
// are summed side by side, and of the innermost axis where it alone is longer.
const (
	maxSteps  = 20_000
	partLines = 300
	maxTile   = 16
	maxRow    = 64
)

// ErrNoLoops says that a program is a circuit, which has no contractions.
var ErrNoLoops = errors.New("ln P(evidence) is computed by a circuit, which has no loops")

// Nests writes an entry that gives ln P(evidence), of a model with a number of variables, as loop
// nests.
func Nests(p *ir.Program, e *ir.Entry, vars int) (*Program, error) {
	src, err := newSource(p, e, vars)
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
	w.take(src)
	src.at = func(id ir.SpanID) string { return fmt.Sprintf("S + %d", p.Spans[id].Offset) }
	src.memories = memory("S", p.Work)
	out := &Program{Ops: w.ops}
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

// nests collects the text of steps.
type nests struct {
	p     *ir.Program
	entry *ir.Entry
	text  strings.Builder
	depth int // of the loops that the text is in
	ops   int
}

// take makes a function of what was written.
func (w *nests) take(src *source) {
	src.parts = append(src.parts, w.text.String())
	w.text.Reset()
}

func (w *nests) line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("\t", w.depth+1))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

// element is an element of a span; the index is C.
func (w *nests) element(id ir.SpanID, index string) string {
	name := "S"
	if w.p.Spans[id].ReadOnly() {
		name = "P"
	}
	return fmt.Sprintf("%s[%d + %s]", name, w.p.Spans[id].Offset, index)
}

func (w *nests) step(step ir.Step) error {
	switch s := step.(type) { // the steps of ln P(evidence), each with its own text in C
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
	case *ir.Zero:
		if s.Span != w.entry.Exp { // every query begins so
			w.line("memset(S + %d, 0, %d * sizeof S[0]);", w.p.Spans[s.Span].Offset, w.p.Spans[s.Span].Len)
		}
		return nil
	}
	return refuse(fmt.Sprintf("a step of type %T", step))
}

// onlySums refuses contractions that ln P(evidence) has none of.
func onlySums(c *ir.Contract) error {
	if c.Reduce == ir.ReduceMax {
		return refuse("maxima")
	}
	for _, a := range c.Axes {
		if a.Kind == ir.AxisFixed {
			return refuse("an axis that stands at a state")
		}
	}
	return nil
}

// nest writes one contraction:
//
//	for each axis of the result that is not in the tile {
//		a sum for each element of the tile
//		for each reduced axis {
//			x = the product so far of what no inner loop moves
//			for each element of the tile { its sum += x * what depends on it }
//		}
//		for each element of the tile { result = its sum * what depends on no reduced axis }
//	}
type nest struct {
	*nests
	c       *ir.Contract
	outer   []int // axes of the result, outermost first
	tile    []int // axes of the result, the innermost last
	reduced []int
}

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

// loopOrder gives the axes that loop as they lie in the largest operand, so that it is read in
// order; what it does not depend on loops outermost.
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
		moves := func(i int) int { return min(1, largest[i]) } // 0 comes first
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

// sums writes the sums of a tile and its result.
func (k *nest) sums() {
	size := 1
	for _, i := range k.tile {
		size *= k.c.Axes[i].Size
	}
	k.line("double a[%d] = {0};", size)
	x := ""
	for n, i := range k.reduced {
		k.open(k.reduced[n : n+1])
		still := k.operands(func(v ir.View) bool { // that stand still from here on, and did not before
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

// count adds operations that the given loops repeat.
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

// operands are the elements of the operands that fit, as C.
func (k *nest) operands(fits func(ir.View) bool) []string {
	var list []string
	for _, v := range k.c.In {
		if fits(v) {
			list = append(list, k.at(v))
		}
	}
	return list
}

// product multiplies operands with what was multiplied before; an empty product is 1.
func (k *nest) product(before string, in []string) string {
	if before != "" {
		in = append([]string{before}, in...)
	}
	if len(in) == 0 {
		return "1"
	}
	return strings.Join(in, " * ")
}

// open writes loops, close ends them.
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

// at is the element of v where the loops stand.
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

// tileIndex is the number of the tile's element.
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
