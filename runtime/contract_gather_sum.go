package pgmrt

// sumGather runs the kernel of a gathering tile for its number of varying operands.
func (w *nestWalk) sumGather(kernel int32, f float64) {
	switch kernel {
	case nestGather1:
		w.sumGather1(f)
	case nestGather2:
		w.sumGather2(f)
	case nestGather3:
		w.sumGather3(f)
	case nestGatherN:
		w.sumGatherN(f)
	}
}

func (w *nestWalk) sumGather1(f float64) {
	x, out := w.mem(0)[w.off[0]:], w.s[w.out:]
	for at := w.list; len(at) >= 2; at = at[2:] {
		out[at[0]] += float64(f * x[at[1]])
	}
}

func (w *nestWalk) sumGather2(f float64) {
	x, y, out := w.mem(0)[w.off[0]:], w.mem(1)[w.off[1]:], w.s[w.out:]
	for at := w.list; len(at) >= 3; at = at[3:] {
		out[at[0]] += float64(f * x[at[1]] * y[at[2]])
	}
}

func (w *nestWalk) sumGather3(f float64) {
	x, y, z, out := w.mem(0)[w.off[0]:], w.mem(1)[w.off[1]:], w.mem(2)[w.off[2]:], w.s[w.out:]
	for at := w.list; len(at) >= 4; at = at[4:] {
		out[at[0]] += float64(f * x[at[1]] * y[at[2]] * z[at[3]])
	}
}

func (w *nestWalk) sumGatherN(f float64) {
	out, n := w.s[w.out:], 1+w.varying
	for at := w.list; len(at) >= n; at = at[n:] {
		out[at[0]] += float64(w.listed(f, at[:n]))
	}
}
