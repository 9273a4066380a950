package pgmrt

// The layout of a tapeArgmax or tapeDraw instruction: the header, a record for each operand
// (memory, offset, stride along the row), then a record for each fixed axis (place of its state,
// strides of the operands).
const (
	pickState    = 2 + iota // place of the result
	pickLen                 // number of states
	pickOperands            // number of operands
	pickHeader              // number of words of the header
)

// tapeRow is a row of weights, products of operands along one variable. It computes a weight each
// time it is needed: rows have up to 65535 states, and there is no memory for them.
type tapeRow struct {
	s, p     []float64
	t        []int32
	in       []int32
	fixed    []int32
	operands int
	n        int
	state    int32
}

func newTapeRow(ins []int32, s, p []float64, t []int32) tapeRow {
	operands := int(ins[pickOperands])
	return tapeRow{
		s: s, p: p, t: t,
		in:       ins[pickHeader : pickHeader+3*operands],
		fixed:    ins[pickHeader+3*operands:],
		operands: operands,
		n:        int(ins[pickLen]),
		state:    ins[pickState],
	}
}

// weight returns the product of the operands at state i.
func (w *tapeRow) weight(i int) float64 {
	v := 1.0
	for k := range w.operands {
		at := int(w.in[3*k+1]) + i*int(w.in[3*k+2])
		for f := w.fixed; len(f) > 0; f = f[1+w.operands:] {
			at += int(w.t[f[0]]) * int(f[1+k])
		}
		if w.in[3*k] != 0 {
			v *= w.p[at]
		} else {
			v *= w.s[at]
		}
	}
	return v
}

// argmax chooses as Argmax does.
func (w *tapeRow) argmax() int {
	top := 0.0
	for i := range w.n {
		top = max(top, w.weight(i))
	}
	top *= pickTie
	for i := range w.n {
		if w.weight(i) >= top {
			return i
		}
	}
	return 0
}

// draw chooses as Draw does.
func (w *tapeRow) draw(r *Rand) int {
	sum := 0.0
	for i := range w.n {
		sum += float64(w.weight(i))
	}
	u, below, last := r.Float64()*sum, 0.0, 0
	for i := range w.n {
		x := w.weight(i)
		if x == 0 {
			continue
		}
		below += x
		if u < below {
			return i
		}
		last = i
	}
	return last
}
