package pgmrt

// The layout of a tapeWalk instruction: the header, then a record for each element that the walk
// may visit. A record is the place of the element's number, complemented if it is in data memory;
// the number of terms, negative if they are single elements; and the records of the elements of its
// terms. For an element without terms these are the place of a state to set, or -1, and the state.
const (
	walkDraw   = 2 + iota // 1 if terms are chosen at random
	walkRoot              // the first record
	walkStack             // the place in state memory of a stack of records
	walkHeader            // number of words of the header
)

// tapeWalker is the state of a walk.
type tapeWalker struct {
	ins   []int32
	s, p  []float64
	terms []int32 // of the current node
	size  int     // words of a term: 2, or 1 for single elements
}

// tapeRunWalk walks down from the root. At a node it visits the elements of one term; the second of
// them after everything below the first.
func tapeRunWalk(ins []int32, s, p []float64, t []int32, r *Rand) {
	w := tapeWalker{ins: ins, s: s, p: p}
	stack := t[ins[walkStack]:]
	stack[0] = ins[walkRoot]
	for n := 1; n > 0; {
		n--
		record := ins[stack[n]:]
		terms := int(record[1])
		switch {
		case terms == 0:
			t[record[2]] = record[3]
			continue
		case terms > 0:
			w.terms, w.size = record[2:2+2*terms], 2
		default:
			w.terms, w.size = record[2:2-terms], 1
		}
		i := 0
		switch {
		case len(w.terms) == w.size:
		case ins[walkDraw] != 0:
			i = w.draw(r)
		default:
			i = w.argmax()
		}
		for k := (i + 1) * w.size; k > i*w.size; k-- {
			if to := w.terms[k-1]; ins[to+1] != 0 || ins[to+2] >= 0 {
				stack[n] = to
				n++
			}
		}
	}
}

// number returns the value of an element.
func (w *tapeWalker) number(record int32) float64 {
	at := w.ins[record]
	if at < 0 {
		return w.p[^at]
	}
	return w.s[at]
}

// weight returns the value of term i.
func (w *tapeWalker) weight(i int) float64 {
	if w.size == 1 {
		return w.number(w.terms[i])
	}
	return w.number(w.terms[2*i]) * w.number(w.terms[2*i+1])
}

// argmax chooses as Argmax does.
func (w *tapeWalker) argmax() int {
	n, top := len(w.terms)/w.size, 0.0
	for i := range n {
		top = max(top, w.weight(i))
	}
	top *= pickTie
	for i := range n {
		if w.weight(i) >= top {
			return i
		}
	}
	return 0
}

// draw chooses as Draw does.
func (w *tapeWalker) draw(r *Rand) int {
	n, sum := len(w.terms)/w.size, 0.0
	for i := range n {
		sum += float64(w.weight(i))
	}
	u, below, last := r.Float64()*sum, 0.0, 0
	for i := range n {
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
