package pgmrt

// sumTile runs the row kernel for the number of varying operands, and for a constant or a varying
// result.
func (w *nestWalk) sumTile(kernel int32, f float64) {
	switch kernel {
	case nestFold1:
		w.sumFold1(f)
	case nestFold2:
		w.sumFold2(f)
	case nestFoldN:
		w.sumFoldN(f)
	case nestSpread1:
		w.sumSpread1(f)
	case nestSpread2:
		w.sumSpread2(f)
	case nestSpreadN:
		w.sumSpreadN(f)
	default:
		w.sumGather(kernel, f)
	}
}

func (w *nestWalk) sumFold1(f float64) {
	x, out, o := w.mem(0), w.s, w.out
	a, row, step := w.off[0], int(w.in[1]), int(w.in[2])
	for i := range w.rows {
		acc := 0.0
		for k, end := a, a+w.n*step; k < end; k += step {
			acc += x[k]
		}
		out[o] += float64(w.rowFactor(f, i) * acc)
		a, o = a+row, o+w.outRow
	}
}

func (w *nestWalk) sumFold2(f float64) {
	x, y, out, o := w.mem(0), w.mem(1), w.s, w.out
	a, aRow, aStep := w.off[0], int(w.in[1]), int(w.in[2])
	b, bRow, bStep := w.off[1], int(w.in[4]), int(w.in[5])
	for i := range w.rows {
		acc := 0.0
		for k, l, end := a, b, a+w.n*aStep; k < end; k, l = k+aStep, l+bStep {
			acc += float64(x[k] * y[l])
		}
		out[o] += float64(w.rowFactor(f, i) * acc)
		a, b, o = a+aRow, b+bRow, o+w.outRow
	}
}

func (w *nestWalk) sumFoldN(f float64) {
	for i := range w.rows {
		row, acc := w.rowFactor(f, i), 0.0
		for j := range w.n {
			acc += float64(w.product(row, i, j))
		}
		w.s[w.out+i*w.outRow] += acc
	}
}

func (w *nestWalk) sumSpread1(f float64) {
	x, out := w.mem(0), w.s
	a, row, step := w.off[0], int(w.in[1]), int(w.in[2])
	o, oStep := w.out, w.outStep
	for i := range w.rows {
		g := w.rowFactor(f, i)
		for k, q, end := a, o, a+w.n*step; k < end; k, q = k+step, q+oStep {
			out[q] += float64(g * x[k])
		}
		a, o = a+row, o+w.outRow
	}
}

func (w *nestWalk) sumSpread2(f float64) {
	x, y, out := w.mem(0), w.mem(1), w.s
	a, aRow, aStep := w.off[0], int(w.in[1]), int(w.in[2])
	b, bRow, bStep := w.off[1], int(w.in[4]), int(w.in[5])
	o, oStep := w.out, w.outStep
	for i := range w.rows {
		g := w.rowFactor(f, i)
		for k, l, q, end := a, b, o, a+w.n*aStep; k < end; k, l, q = k+aStep, l+bStep, q+oStep {
			out[q] += float64(g * x[k] * y[l])
		}
		a, b, o = a+aRow, b+bRow, o+w.outRow
	}
}

func (w *nestWalk) sumSpreadN(f float64) {
	for i := range w.rows {
		row, o := w.rowFactor(f, i), w.out+i*w.outRow
		for j := range w.n {
			w.s[o] += float64(w.product(row, i, j))
			o += w.outStep
		}
	}
}
