package nest

import "github.com/pgmc-go/pgmc/ir/circuit"

// store stores a value as element e of the tile's result.
func (r *vectorRegisters) store(n circuit.Node, e int) {
	x := r.load(n)
	r.Pin(x)
	w, offset, step := r.w, r.w.along(&r.w.out, e), r.w.of.lane[0]
	at := func(lane int) string { return w.element(0, offset+lane*step) }
	count := w.lanesOf(e)
	if step == 1 && count == lanes {
		w.line("VMOVUPD Y%d, %s", x, at(0))
	} else {
		w.halfStore(x, min(count, 2), step, at)
		if count > 2 {
			high := r.take()
			w.line("VEXTRACTF128 $1, Y%d, X%d", x, high)
			w.halfStore(high, count-2, step, func(lane int) string { return at(lane + 2) })
		}
	}
	r.Unpin(x)
	r.Used(int(n))
}

// halfStore stores one or two numbers of a register.
func (w *nestWriter) halfStore(x, count, step int, at func(lane int) string) {
	switch {
	case count == 2 && step == 1:
		w.line("VMOVUPD X%d, %s", x, at(0))
	default:
		w.line("VMOVSD X%d, %s", x, at(0))
		if count == 2 {
			w.line("VMOVHPD X%d, %s", x, at(1))
		}
	}
}

// loadLeaf loads one number into all lanes, or numbers that are not neighbours.
func (r *vectorRegisters) loadLeaf(n circuit.Node, x int) {
	l, _ := r.leaf(n)
	w, i := r.w, l.in+1
	step := w.of.lane[i]
	if step == 0 {
		w.line("VBROADCASTSD %s, Y%d", w.element(i, l.offset), x)
		return
	}
	at := func(lane int) (text string, ok bool) {
		offset := l.offset + lane*step
		return w.element(i, offset), offset <= w.reach(&w.in[l.in], step)
	}
	w.halfLoad(x, 0, at)
	if _, ok := at(2); ok {
		r.Pin(x)
		high := r.take()
		r.Unpin(x)
		w.halfLoad(high, 2, at)
		w.line("VINSERTF128 $1, X%d, Y%d, Y%d", high, x, x)
	}
}

// halfLoad loads two numbers, or one if the other is no element.
func (w *nestWriter) halfLoad(x, first int, at func(lane int) (string, bool)) {
	text, _ := at(first)
	w.line("VMOVSD %s, X%d", text, x)
	if text, ok := at(first + 1); ok {
		w.line("VMOVHPD %s, X%d, X%d", text, x, x)
	}
}

// reach returns the offset of the last element of an operand in the tile. The operand's lanes are
// step apart.
func (w *nestWriter) reach(op *operand, step int) int {
	n := (lanes - 1) * step
	if w.of.last > 0 {
		n = (w.of.last - 1) * step
	}
	for _, axes := range w.tile {
		for _, i := range axes {
			n += (w.axes[i].size - 1) * op.stride[i]
		}
	}
	return n
}
