package nest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// assembly writes the kernels of one contraction as a function in assembly. Its loops have
// constant strides. Each operand has a register that points to its elements at the current position
// of the loops, or ahead of it by a constant.
//
// The stack holds, from its bottom, the counters and the steps back of narrowed loops, and then
// vectors for which there is no register.
type assembly struct {
	b       strings.Builder
	words   int      // of eight bytes, at the bottom of the stack
	vectors int      // on the stack of the current kernel
	most    int      // vectors on the stack of any kernel
	ints    []string // the arguments that limit loops
	labels  int
}

// tile writes the contraction as a call of a function in assembly, and returns the condition that
// it has not run. It returns "" if the contraction has no tiles of vectors.
func (w *writer) tile(c *ir.Contract, s *shape, fixed []bool) string {
	if w.out.Tiles == nil || !s.vectors {
		return ""
	}
	// Vectors reach beyond the ends of tables, by less than a vector.
	*w.out.Scratch = max(*w.out.Scratch, lanes)
	for len(*w.out.Pool) < lanes {
		*w.out.Pool = append(*w.out.Pool, 0)
	}
	f := backend.Tile{Comment: fmt.Sprintf("computes a table of %d products at a0, from tables at the other places", s.products())}
	var args []string
	base := &kernel{tiled: tiled{shape: s}, w: w, fixed: fixed}
	for i := range s.operands() {
		memory, start := base.base(i)
		f.Numbers = append(f.Numbers, "a"+strconv.Itoa(i))
		args = append(args, fmt.Sprintf("&%s[%d]", memory, start))
	}
	a := &assembly{}
	tiles := s.vectorTiles()
	for _, t := range tiles {
		k := &kernel{tiled: t.tiled, w: w, of: c, fixed: fixed, c: circuit.New()}
		k.arrange()
		k.build()
		a.kernel(k, &t, s)
	}
	for i := range a.ints {
		f.Ints = append(f.Ints, "n"+strconv.Itoa(i))
	}
	body, names := a.b.String(), []string{}
	for i, name := range f.Numbers {
		names = append(names, fmt.Sprintf("$arg%d$", i), fmt.Sprintf("%s+%d(FP)", name, 8*i))
	}
	for i := range a.ints {
		names = append(names, fmt.Sprintf("$int%d$", i), fmt.Sprintf("n%d+%d(FP)", i, 8*(i+len(f.Numbers))))
	}
	f.Body = strings.NewReplacer(names...).Replace(body)
	f.Frame = 8*a.words + 32*a.most
	f.Body = strings.ReplaceAll(f.Body, "$words$", strconv.Itoa(8*a.words))
	return fmt.Sprintf("!%s(%s)", w.out.Tiles.Add(f), strings.Join(append(args, a.ints...), ", "))
}

// argument returns the place of an argument that limits loops.
func (a *assembly) argument(text string) string {
	i := slices.Index(a.ints, text)
	if i < 0 {
		i = len(a.ints)
		a.ints = append(a.ints, text)
	}
	return fmt.Sprintf("$int%d$", i)
}

// word returns a further word of the stack.
func (a *assembly) word() string {
	a.words++
	return fmt.Sprintf("%d(SP)", 8*(a.words-1))
}

func (a *assembly) line(format string, args ...any) {
	fmt.Fprintf(&a.b, "\t"+format+"\n", args...)
}

// pointers are the registers of operands and, from the last one on, of counters. AX, BX and CX are
// for what does not last.
var pointers = [...]string{"DI", "SI", "DX", "R8", "R9", "R10", "R11", "R12", "R13", "R15"}

// nestWriter writes one kernel.
type nestWriter struct {
	*assembly
	*kernel
	of    *vectorTile
	shift []int      // by operand: the elements by which its pointer is ahead of the loops
	loop  []loopText // by level
	next  int        // the segment to be written
	regs  *vectorRegisters
}

// loopText holds how a loop is written.
type loopText struct {
	counter string
	back    []string // by operand: the word with the number of bytes to go back after a narrowed loop; nil for other loops
	lo, hi  string   // of a narrowed loop: its limits, as arguments
}

// kernel writes a kernel with pointers that begin where s's do.
func (a *assembly) kernel(k *kernel, t *vectorTile, s *shape) {
	a.vectors = 0
	w := &nestWriter{assembly: a, kernel: k, of: t}
	k.text = k.plan()
	w.regs = newVectorRegisters(w)
	w.regs.segment(0)
	for i, op := range k.operands() {
		a.line("MOVQ $arg%d$, %s", i, pointers[i])
		w.shift = append(w.shift, s.operands()[i].start-op.start)
	}
	w.prepare()
	w.level(0)
	a.most = max(a.most, a.vectors)
}

// prepare gives counters to the loops, registers to the inner ones, and prepares the narrowed ones.
func (w *nestWriter) prepare() {
	w.loop = make([]loopText, len(w.kernel.loops))
	free := pointers[len(w.in)+1:]
	for level := len(w.loop) - 1; level >= 0; level-- {
		l, i := &w.loop[level], w.kernel.loops[level]
		if n := len(free); n > 0 {
			l.counter, free = free[n-1], free[:n-1]
		} else {
			l.counter = w.word()
		}
		p, ok := w.narrowedBy(i)
		if !ok {
			continue
		}
		if w.whole(p) {
			l.lo, l.hi = fmt.Sprintf("first%d", p.axis), fmt.Sprintf("end%d", p.axis)
		} else {
			l.lo = fmt.Sprintf("max(first%d-%d, 0)/%d", p.axis, p.from, p.states)
			l.hi = fmt.Sprintf("min((end%d-%d+%d)/%d, %d)", p.axis, p.from, p.states-1, p.states, p.size)
		}
		l.back = make([]string, len(w.in)+1)
		w.line("MOVQ %s, AX", w.argument(l.lo))
		w.line("MOVQ %s, BX", w.argument(l.hi))
		w.line("SUBQ AX, BX")
		for k, op := range w.operands() {
			if op.stride[i] != 0 {
				w.line("IMUL3Q $%d, AX, CX", 8*op.stride[i])
				w.line("ADDQ CX, %s", pointers[k])
				w.line("IMUL3Q $%d, BX, CX", -8*op.stride[i])
				l.back[k] = w.word()
				w.line("MOVQ CX, %s", l.back[k])
			}
		}
	}
}

// level writes the body of a loop.
func (w *nestWriter) level(level int) {
	w.zero(level)
	if level < len(w.loop) {
		w.regs.write(w.pop())
		w.oneLoop(level)
	}
	w.regs.write(w.pop())
}

// pop returns the next segment.
func (w *nestWriter) pop() *segment {
	w.next++
	return w.regs.segs[w.next-1]
}

// oneLoop writes the loop of a level.
func (w *nestWriter) oneLoop(level int) {
	l, i := &w.loop[level], w.kernel.loops[level]
	w.labels++
	label := w.labels
	if l.back == nil {
		w.line("MOVQ $%d, %s", w.axes[i].size, l.counter)
	} else {
		w.line("MOVQ %s, AX", w.argument(l.hi))
		w.line("SUBQ %s, AX", w.argument(l.lo))
		w.line("JLE done%d", label)
		w.line("MOVQ AX, %s", l.counter)
	}
	fmt.Fprintf(&w.b, "loop%d:\n", label)
	before := slices.Clone(w.shift)
	w.level(level + 1)
	for k, op := range w.operands() {
		if n := op.stride[i] - (w.shift[k] - before[k]); n != 0 {
			w.line("ADDQ $%d, %s", 8*n, pointers[k])
		}
		w.shift[k] = before[k]
	}
	w.line("DECQ %s", l.counter)
	w.line("JNZ loop%d", label)
	for k, op := range w.operands() {
		switch {
		case l.back == nil:
			w.shift[k] += w.axes[i].size * op.stride[i]
		case op.stride[i] != 0:
			w.line("ADDQ %s, %s", l.back[k], pointers[k])
		}
	}
	if l.back != nil {
		fmt.Fprintf(&w.b, "done%d:\n", label)
	}
}

// element returns the operand of an element of operand i, 0 being the result, at an offset from the
// current position of the loops.
func (w *nestWriter) element(i, offset int) string {
	return fmt.Sprintf("%d(%s)", 8*(offset-w.shift[i]), pointers[i])
}

// lanesOf returns the number of lanes that hold elements in the vector of element e of the tile's
// result.
func (w *nestWriter) lanesOf(e int) int {
	if d := w.tile[0][len(w.tile[0])-1]; w.of.last > 0 && e%w.axes[d].size == w.axes[d].size-1 {
		return w.of.last
	}
	return lanes
}
