package pgmrt

import "math"

// maxTile runs the row kernel for the number of varying operands, and for a constant or a varying
// result.
func (w *nestWalk) maxTile(kernel int32, f float64) {
	switch kernel {
	case nestFold1:
		w.maxFold1(f)
	case nestFold2:
		w.maxFold2(f)
	case nestFoldN:
		w.maxFoldN(f)
	case nestSpread1:
		w.maxSpread1(f)
	case nestSpread2:
		w.maxSpread2(f)
	case nestSpreadN:
		w.maxSpreadN(f)
	default:
		w.maxGather(kernel, f)
	}
}

// nestBits maps numbers of at least 0 to integers in the same order, with -0 first. The maximum of
// integers has a much shorter latency than the maximum of floating-point numbers, which matters in
// a chain of maxima.
func nestBits(x float64) int64 { return int64(math.Float64bits(x)) }

func (w *nestWalk) maxFold1(f float64) {
	x, out, o := w.mem(0), w.s, w.out
	a, row, step := w.off[0], int(w.in[1]), int(w.in[2])
	for i := range w.rows {
		acc := int64(0)
		for k, end := a, a+w.n*step; k < end; k += step {
			acc = max(acc, nestBits(x[k]))
		}
		out[o] = max(out[o], w.rowFactor(f, i)*math.Float64frombits(uint64(acc)))
		a, o = a+row, o+w.outRow
	}
}

func (w *nestWalk) maxFold2(f float64) {
	x, y, out, o := w.mem(0), w.mem(1), w.s, w.out
	a, aRow, aStep := w.off[0], int(w.in[1]), int(w.in[2])
	b, bRow, bStep := w.off[1], int(w.in[4]), int(w.in[5])
	for i := range w.rows {
		acc := int64(0)
		for k, l, end := a, b, a+w.n*aStep; k < end; k, l = k+aStep, l+bStep {
			acc = max(acc, nestBits(x[k]*y[l]))
		}
		out[o] = max(out[o], w.rowFactor(f, i)*math.Float64frombits(uint64(acc)))
		a, b, o = a+aRow, b+bRow, o+w.outRow
	}
}

func (w *nestWalk) maxFoldN(f float64) {
	for i := range w.rows {
		row, acc := w.rowFactor(f, i), 0.0
		for j := range w.n {
			acc = max(acc, w.product(row, i, j))
		}
		o := w.out + i*w.outRow
		w.s[o] = max(w.s[o], acc)
	}
}

func (w *nestWalk) maxSpread1(f float64) {
	x, out := w.mem(0), w.s
	a, row, step := w.off[0], int(w.in[1]), int(w.in[2])
	o, oStep := w.out, w.outStep
	for i := range w.rows {
		g := w.rowFactor(f, i)
		for k, q, end := a, o, a+w.n*step; k < end; k, q = k+step, q+oStep {
			out[q] = max(out[q], g*x[k])
		}
		a, o = a+row, o+w.outRow
	}
}

func (w *nestWalk) maxSpread2(f float64) {
	x, y, out := w.mem(0), w.mem(1), w.s
	a, aRow, aStep := w.off[0], int(w.in[1]), int(w.in[2])
	b, bRow, bStep := w.off[1], int(w.in[4]), int(w.in[5])
	o, oStep := w.out, w.outStep
	for i := range w.rows {
		g := w.rowFactor(f, i)
		for k, l, q, end := a, b, o, a+w.n*aStep; k < end; k, l, q = k+aStep, l+bStep, q+oStep {
			out[q] = max(out[q], g*x[k]*y[l])
		}
		a, b, o = a+aRow, b+bRow, o+w.outRow
	}
}

func (w *nestWalk) maxSpreadN(f float64) {
	for i := range w.rows {
		row, o := w.rowFactor(f, i), w.out+i*w.outRow
		for j := range w.n {
			w.s[o] = max(w.s[o], w.product(row, i, j))
			o += w.outStep
		}
	}
}
