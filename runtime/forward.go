package pgmrt

// ForwardRows is the number of filters whose steps a [Forward] makes at once, and the number of
// states of a block of its table.
const ForwardRows = 8

// Forward makes steps of a hidden Markov model for several filters at once, for which it reads the
// transition once. A new belief is the column of an observation times the product of the transition
// and the belief before, divided by its sum. All kernels add the products of a sum in the order of
// the states before, and sums over the new states as forwardRoots does: they compute the same bits.
type Forward struct {
	states  int
	size    int                                // states rounded up to whole blocks
	table   []float64                          // by block and state before: the elements of the transition for the new states of the block
	rows    []float64                          // by filter: the new belief times its root, in whole blocks
	sums    [ForwardRows * ForwardRows]float64 // by filter: sums over the first, second and so on states of all blocks
	roots   [ForwardRows]float64
	inverse [ForwardRows]float64 // of roots
}

// ForwardRow is what the step of a filter reads: its belief, and the column of its observation,
// which has a number for each state.
type ForwardRow struct{ Belief, Column []float64 }

// NewForward returns the memory of steps with a number of states. The element of the transition for
// a new state and one before is number to*new + from*before of p.
func NewForward(p []float64, states, to, from int) *Forward {
	size := (states + ForwardRows - 1) / ForwardRows * ForwardRows
	f := &Forward{states: states, size: size, table: make([]float64, size*states), rows: make([]float64, size*ForwardRows)}
	for i := range states {
		for j := range states {
			f.table[(i/ForwardRows*states+j)*ForwardRows+i%ForwardRows] = p[i*to+j*from]
		}
	}
	return f
}

// Run makes the steps of the first n filters of in, at least one.
func (f *Forward) Run(in *[ForwardRows]ForwardRow, n int) {
	for i := range in {
		if i >= n {
			in[i] = in[0]
		}
		in[i].Belief, in[i].Column = in[i].Belief[:f.states], in[i].Column[:f.states]
	}
	forwardRun(f, in)
}

// Root returns the sum by which the new belief of filter i is divided.
func (f *Forward) Root(i int) float64 { return f.roots[i] }

// Leave sets belief to the new belief of filter i, whose root has a finite reciprocal.
func (f *Forward) Leave(i int, belief []float64) {
	forwardScale(belief[:f.states], f.rows[i*f.size:][:f.states], f.inverse[i])
}

// forwardPlain makes the steps in Go.
func forwardPlain(f *Forward, in *[ForwardRows]ForwardRow) {
	for i := range in {
		table, column, row := f.table, in[i].Column, f.rows[i*f.size:][:f.size]
		sums := (*[ForwardRows]float64)(f.sums[i*ForwardRows:])
		clear(sums[:])
		for len(row) > 0 {
			forwardBlock((*[ForwardRows]float64)(row), table, in[i].Belief)
			for j := range sums {
				if j < len(column) {
					row[j] = float64(row[j] * column[j])
				}
				sums[j] += row[j]
			}
			table, row = table[f.states*ForwardRows:], row[ForwardRows:]
			column = column[min(ForwardRows, len(column)):]
		}
	}
	forwardRoots(f)
}

// forwardBlock sets sum to the product of a block of the transition and a belief.
func forwardBlock(sum *[ForwardRows]float64, table, belief []float64) {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64 // in registers
	for _, x := range belief {
		t := (*[ForwardRows]float64)(table)
		s0 += float64(x * t[0])
		s1 += float64(x * t[1])
		s2 += float64(x * t[2])
		s3 += float64(x * t[3])
		s4 += float64(x * t[4])
		s5 += float64(x * t[5])
		s6 += float64(x * t[6])
		s7 += float64(x * t[7])
		table = table[ForwardRows:]
	}
	*sum = [ForwardRows]float64{s0, s1, s2, s3, s4, s5, s6, s7}
}

// forwardRoots sets roots to the sums over all new states, added in pairs, and inverse to their
// reciprocals.
func forwardRoots(f *Forward) {
	for i := range f.roots {
		s := (*[ForwardRows]float64)(f.sums[i*ForwardRows:])
		f.roots[i] = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
		f.inverse[i] = 1 / f.roots[i]
	}
}

// forwardScalePlain sets to to a multiple of from.
func forwardScalePlain(to, from []float64, by float64) {
	for j, x := range from {
		to[j] = x * by
	}
}
