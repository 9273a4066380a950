package nest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// section is a loop over one variable: size steps of some states each, from the first state on.
type section struct {
	axis   int // of the contraction; -1 if the loop is not narrowed
	size   int
	states int
	from   int
}

// divide splits the product of sections into an outer one and an inner one of n steps. Both are nil
// if the boundary does not divide a section.
func divide(sections []section, n int) (outer, inner []section) {
	for i := len(sections) - 1; i >= 0; i-- {
		p := sections[i]
		switch {
		case n%p.size == 0:
			n /= p.size
			continue
		case p.size%n != 0:
			return nil, nil
		}
		outer, inner = slices.Clone(sections[:i+1]), slices.Clone(sections[i:])
		if n == 1 {
			return outer, inner[1:]
		}
		outer[i].size, outer[i].states = p.size/n, p.states*n
		inner[0].axis, inner[0].size = -1, n
		return outer, inner
	}
	return nil, sections
}

// cutSections returns size steps of sections, beginning with step number from. It returns nil if
// they are of more than one variable.
func cutSections(sections []section, from, size int) []section {
	if len(sections) != 1 {
		return nil
	}
	p := sections[0]
	p.from, p.size = p.from+from*p.states, size
	return []section{p}
}

// narrow splits the loops outside of the tile so that each variable that can be narrowed has a loop
// of its own.
func (t *tiled) narrow() {
	for i := 0; i < len(t.axes); i++ {
		sections := t.axes[i].sections
		if t.unrolled[i] || len(sections) == 0 || len(sections) == 1 || !slices.ContainsFunc(sections, narrows) {
			continue
		}
		n := 1 // one variable that is narrowed, or all before the next that is
		for !narrows(sections[0]) && n < len(sections) && !narrows(sections[n]) {
			n++
		}
		if n == len(sections) {
			continue
		}
		t.split(i, stepsOf(sections[n:]))
		t.unrolled = slices.Insert(t.unrolled, i, false)
	}
}

func narrows(p section) bool { return p.axis >= 0 }

func stepsOf(sections []section) int {
	n := 1
	for _, p := range sections {
		n *= p.size
	}
	return n
}

// narrowedBy returns the section that narrows loop i; ok is false if there is none.
func (t *tiled) narrowedBy(i int) (p section, ok bool) {
	if sections := t.axes[i].sections; len(sections) == 1 && narrows(sections[0]) {
		return sections[0], true
	}
	return section{}, false
}

// kernels cuts s into shapes with tiles, in which some loops are narrowed.
func (s *shape) kernels() []tiled {
	all := s.tiles()
	for i := range all {
		all[i].narrow()
	}
	return all
}

// exact reports, by axis of c that may be narrowed, whether its kernels read and write only the
// remaining states along it.
func exact(_ *ir.Program, c *ir.Contract, may []bool) []bool {
	loops, kernels := make([]int, len(c.Axes)), shapeOf(c, may).kernels()
	for _, t := range kernels {
		for i := range t.axes {
			if p, ok := t.narrowedBy(i); ok && !t.unrolled[i] && p.size == c.Axes[p.axis].Size {
				loops[p.axis]++
			}
		}
	}
	exact := make([]bool, len(c.Axes))
	for i, n := range loops {
		exact[i] = n == len(kernels)
	}
	return exact
}

// narrowing holds how one contraction is narrowed: some reports, by axis, whether a loop or kernel
// skips states.
type narrowing struct {
	w    *writer
	c    *ir.Contract
	some []bool
}

func (w *writer) narrowing(c *ir.Contract, kernels []tiled) *narrowing {
	n := &narrowing{w: w, c: c, some: make([]bool, len(c.Axes))}
	for _, t := range kernels {
		for i := range t.axes {
			if p, ok := t.narrowedBy(i); ok && (!t.unrolled[i] || n.partial(p)) {
				n.some[p.axis] = true
			}
		}
	}
	return n
}

// partial reports whether p covers only some of the variable's states.
func (n *narrowing) partial(p section) bool { return p.size*p.states < n.c.Axes[p.axis].Size }

// limits defines firstN and endN, the range of the remaining states along axis N of c. By max and
// min the Go compiler knows that they are within the axis.
func (w *writer) limits(c *ir.Contract, axis int) {
	a, r := &c.Axes[axis], w.out.Ranges
	at := w.p.Ints + r.Place(a.Var)
	w.uses |= backend.State
	if w.call != nil {
		name := w.call.add("r", axis, strconv.Itoa(at))
		w.line("first%d, end%d := max(int(t[%s]), 0), min(int(t[%s+1]), %d)", axis, axis, name, name, a.Size)
		return
	}
	w.line("first%d, end%d := max(int(t[%d]), 0), min(int(t[%d]), %d) %s", axis, axis, at, at+1, a.Size,
		backend.Comment("remaining states by "+w.p.Spans[r.Input(a.Var)].Name))
}

// clear clears the elements of the result that are skipped, if some step reads them.
func (n *narrowing) clear() {
	var missing []string
	for i, a := range n.c.Axes {
		if n.some[i] && a.Kind == ir.AxisOut && n.w.out.Ranges.SeenWhole(n.c.Out.Span, a.Var) {
			missing = append(missing, fmt.Sprintf("first%d > 0 || end%d < %d", i, i, a.Size))
		}
	}
	if missing == nil {
		return
	}
	n.w.line("if %s {", strings.Join(missing, " || "))
	n.clearBlocks()
	n.w.line("}")
}

// clearBlocks clears the blocks of the result that some step reads.
func (n *narrowing) clearBlocks() {
	n.w.blocks(n.c, func(block string) { n.w.line("clear(%s)", block) })
}

// blocks writes the loops over the blocks of the result of c that some step reads. In the innermost
// loop, each writes the statements for one block.
func (w *writer) blocks(c *ir.Contract, each func(block string)) {
	loops, size := w.out.Ranges.Blocks(c)
	at := strconv.Itoa(w.p.Spans[c.Out.Span].Offset)
	if w.call != nil {
		at = w.call.params[0]
	}
	for n, i := range loops {
		w.line("for i%d := first%d; i%d < end%d; i%d++ {", n, i, n, i, n)
		at += fmt.Sprintf("+i%d*%d", n, c.Out.Stride[i])
	}
	each(fmt.Sprintf("(*[%d]float64)(%s[%s:])[:]", size, w.memory(c.Out.Span), at))
	for range loops {
		w.line("}")
	}
}

// rescaleBlocks writes the rescaling of the blocks of a table that some step reads. It reports
// whether the table has such blocks.
func (w *writer) rescaleBlocks(s *ir.Rescale) bool {
	c := w.out.Ranges.Maker(s.Span)
	if c == nil {
		return false
	}
	loops, size := w.out.Ranges.Blocks(c)
	if len(loops) == 0 {
		return false
	}
	top, scale := "Top", "ScaleBy"
	if table(size) != "" {
		top, scale = "TopOfTable", "ScaleTable"
	}
	w.line("{")
	for _, i := range loops {
		w.limits(c, i)
	}
	w.line("top := int64(0)")
	w.blocks(c, func(block string) { w.line("top = max(top, "+w.out.Runtime(top)+"(%s))", block) })
	w.line("k := %s(top)", w.out.Runtime("Exponent"))
	w.blocks(c, func(block string) { w.line(w.out.Runtime(scale)+"(%s, k)", block) })
	if s.Exp != ir.NoSpan {
		w.line("%s[%d] += int32(k)", w.memory(s.Exp), w.p.Spans[s.Exp].Offset)
	}
	w.line("}")
	return true
}

// guard returns the condition under which a kernel must run, if its tile covers only some states of
// a variable. It is empty for other kernels.
func (n *narrowing) guard(t *tiled) string {
	var when []string
	for i := range t.axes {
		if p, ok := t.narrowedBy(i); ok && t.unrolled[i] && n.partial(p) {
			when = append(when, fmt.Sprintf("first%d < %d && end%d > %d", p.axis, p.from+p.size*p.states, p.axis, p.from))
		}
	}
	return strings.Join(when, " && ")
}

// steps defines the limits of the loops of a kernel that take several states a step, or run over
// some of the states only.
func (k *kernel) steps() {
	for level, i := range k.loops {
		if p, ok := k.narrowedBy(i); ok && !k.whole(p) {
			k.w.line("from%s%d, to%s%d := max(first%d-%d, 0)/%d, min((end%d-%d+%d)/%d, %d)", k.id, level, k.id, level,
				p.axis, p.from, p.states, p.axis, p.from, p.states-1, p.states, p.size)
		}
	}
}

// whole reports whether p takes all states of its variable, one by one.
func (k *kernel) whole(p section) bool { return p.size == k.of.Axes[p.axis].Size }

// loop writes the head of the loop of a level.
func (k *kernel) loop(level int) {
	name := k.index(level)
	p, ok := k.narrowedBy(k.loops[level])
	switch {
	case !ok:
		k.w.line("for %s := range %d {", name, k.axes[k.loops[level]].size)
	case k.whole(p):
		k.w.line("for %s := first%d; %s < end%d; %s++ {", name, p.axis, name, p.axis, name)
	default:
		k.w.line("for %s := from%s%d; %s < to%s%d; %s++ {", name, k.id, level, name, k.id, level, name)
	}
}
