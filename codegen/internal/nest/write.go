package nest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// site is a place in the nest: the body of a loop, before or after the loop within it.
type site struct {
	level int
	post  bool
}

// after reports whether s comes after t in the text.
func (s site) after(t site) bool {
	return s.level > t.level || s.level == t.level && s.post && !t.post
}

// schedule holds where each node of a kernel is computed.
type schedule struct {
	natural []site   // the first site at which a node can be computed
	at      []site   // the site at which it is computed
	uses    []int    // number of uses; 0: not needed
	local   []bool   // the node has a variable
	name    []string // the name of the variable
}

// plan schedules the nodes, from those used last to those used first.
func (k *kernel) plan() *schedule {
	n := k.c.Len()
	s := &schedule{make([]site, n), make([]site, n), make([]int, n), make([]bool, n), make([]string, n)}
	for i := range circuit.Node(n) {
		switch k.c.Op(i) {
		case circuit.Const:
		case circuit.Input:
			s.natural[i] = k.leaves[k.c.Leaf(i)].site
		default:
			a, b := k.c.Args(i)
			s.natural[i] = s.natural[a]
			if s.natural[b].after(s.natural[a]) {
				s.natural[i] = s.natural[b]
			}
		}
	}
	for i := range k.sums {
		for _, v := range k.sums[i].values {
			s.use(v, site{k.results + i + 1, true})
		}
	}
	for _, v := range k.stores {
		s.use(v, site{k.results, true})
	}
	for i := circuit.Node(n - 1); i >= 0; i-- {
		if s.uses[i] == 0 || k.c.Op(i) < circuit.Sum {
			continue
		}
		s.local[i] = s.uses[i] > 1 || s.at[i].level > s.natural[i].level
		if s.at[i].level > s.natural[i].level {
			s.at[i] = s.natural[i]
		}
		a, b := k.c.Args(i)
		s.use(a, s.at[i])
		s.use(b, s.at[i])
	}
	return s
}

// use records that n is used at a site. If all uses are in one body, the node is computed at the
// first of them, otherwise as early as possible.
func (s *schedule) use(n circuit.Node, at site) {
	s.uses[n]++
	switch {
	case s.uses[n] == 1:
		s.at[n] = at
	case s.at[n].level != at.level:
		s.at[n] = site{max(s.at[n].level, at.level), false}
	case s.at[n].after(at):
		s.at[n] = at
	}
}

// write writes the loops and their contents.
func (k *kernel) write() {
	k.text = k.plan()
	k.body(0)
}

// body writes the body of a loop: windows and the variables that inner loops need, the loop within
// it, then the code that needs its results.
func (k *kernel) body(level int) {
	k.windows(level)
	k.locals(site{level, false})
	k.declare(level)
	if level < len(k.loops) {
		k.loop(level)
		k.body(level + 1)
		k.w.line("}")
	}
	k.locals(site{level, true})
	k.add(level)
	if level == k.results {
		k.store()
	}
}

// index returns the variable of a loop.
func (k *kernel) index(loop int) string { return "i" + strconv.Itoa(loop) }

// locals defines the variables of a site.
func (k *kernel) locals(at site) {
	for n := range circuit.Node(k.c.Len()) {
		if k.text.local[n] && k.text.at[n] == at {
			text := k.printer().Operation(n)
			k.text.name[n] = "v" + k.id + strconv.Itoa(int(n))
			k.w.line("%s := %s", k.text.name[n], text)
		}
	}
}

// declare declares the accumulators of the loops within the body of a level.
func (k *kernel) declare(level int) {
	for i := range k.sums {
		if k.sums[i].own && k.results+k.outermost(i+1)-1 == level {
			for _, n := range k.sums[i].leaves {
				zero := "0.0"
				if k.max {
					zero = "uint64(0)"
				}
				k.w.line("%s := %s", k.leaves[k.c.Leaf(n)].name, zero)
			}
		}
	}
}

// add adds the values of a reduced loop to its accumulators. The accumulators of maxima are bit
// patterns.
func (k *kernel) add(level int) {
	i := level - k.results - 1
	if i < 0 {
		return
	}
	p := k.printer()
	for n, v := range k.sums[i].values {
		name := k.leaves[k.c.Leaf(k.sums[i].leaves[n])].name
		if k.max {
			k.w.line("%s = max(%s, %s)", name, p.Bits(v), name) // the accumulator comes last, so that only one operation waits for the loop's previous pass
			continue
		}
		text := p.Text(v)
		if !k.text.local[v] && k.c.Op(v) == circuit.Prod {
			text = "float64(" + text + ")"
		}
		k.w.line("%s += %s", name, text)
	}
}

// store writes the tile's result.
func (k *kernel) store() {
	p := k.printer()
	for e, n := range k.stores {
		k.w.line("%s = %s", k.element(0, k.along(&k.out, e)), p.Text(n))
	}
}

func (k *kernel) printer() *symbolic.Expressions {
	return &symbolic.Expressions{Circuit: k.c, Atom: k.atom, Std: k.w.out.Std}
}

func (k *kernel) atom(n circuit.Node) (string, bool) {
	switch k.c.Op(n) {
	case circuit.Const:
		return strconv.FormatFloat(k.c.Value(n), 'g', -1, 64), true
	case circuit.Input:
		l := k.leaves[k.c.Leaf(n)]
		switch {
		case l.in >= 0:
			return k.element(l.in+1, l.offset), true
		case k.max:
			return k.w.out.Std("math.Float64frombits") + "(" + l.name + ")", true
		}
		return l.name, true
	}
	return k.text.name[n], k.text.local[n]
}

// base returns the memory of operand i, 0 being the result, and its start in it. The memory is a
// window if the start depends on states.
func (k *kernel) base(i int) (memory string, start int) {
	op := k.operands()[i]
	if k.fixed[i] {
		return "f" + strconv.Itoa(i), op.start
	}
	return k.w.memory(op.view.Span), op.start
}

// windows opens the windows of the operands that are constant in the body of a level but not
// outside of it. A window is a pointer to an array of constant size at an offset that the compiler
// can bound, so that no index is checked. If the window depends on several loops, each adds its own
// part to the offset once a step, because the compiler moves nothing out of a loop.
func (k *kernel) windows(level int) {
	for i, op := range k.operands() {
		last := k.windowLevel(i)
		if level == 0 || last < level || last > level && op.stride[k.loops[level-1]] == 0 {
			continue
		}
		memory, start := k.base(i)
		offset := k.offset(i, op, start, level)
		if last > level {
			k.w.line("o%s%d := %s", k.id, i, offset)
		} else {
			k.w.line("w%s%d := (*[%d]float64)(%s[%s:])", k.id, i, k.window(op), memory, offset)
		}
	}
}

// offset returns the offset of operand i in the body of a level. The last loop outside of it on
// which the operand depends has defined the part before.
func (k *kernel) offset(i int, op *operand, start, level int) string {
	var terms []string
	for n := range level - 1 {
		if op.stride[k.loops[n]] != 0 {
			terms = []string{fmt.Sprintf("o%s%d", k.id, i)}
		}
	}
	if terms == nil && start > 0 {
		terms = append(terms, strconv.Itoa(start))
	}
	return strings.Join(append(terms, times(k.index(level-1), op.stride[k.loops[level-1]])), "+")
}

// windowLevel returns the level with the body that opens the window of operand i, or 0 if it needs
// none.
func (k *kernel) windowLevel(i int) int {
	if i == 0 {
		return k.level(&k.out) // the result depends on no reduced loop
	}
	return k.level(&k.in[i-1])
}

// window returns the number of elements from the first to the last that the tile reaches.
func (k *kernel) window(op *operand) int {
	n := 1
	for _, axes := range k.tile {
		for _, i := range axes {
			n += (k.axes[i].size - 1) * op.stride[i]
		}
	}
	return n
}

// element returns the expression of an element of operand i at an offset from the current position
// of the loops.
func (k *kernel) element(i, offset int) string {
	if k.windowLevel(i) > 0 {
		return fmt.Sprintf("w%s%d[%d]", k.id, i, offset)
	}
	memory, start := k.base(i)
	return fmt.Sprintf("%s[%d]", memory, start+offset)
}

// terms returns the part of an offset that depends on the states of fixed axes, as in
// "+12*int(t[3])".
func (w *writer) terms(axes []ir.Axis, stride []int) (text string) {
	for i, a := range axes {
		if a.Kind == ir.AxisFixed && stride[i] != 0 {
			text += fmt.Sprintf("+%d*%s", stride[i], w.stateOf(a))
		}
	}
	return text
}
