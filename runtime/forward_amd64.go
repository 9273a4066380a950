//go:build amd64 && !purego

package pgmrt

func forwardRun(f *Forward, in *[ForwardRows]ForwardRow) {
	switch {
	case HasAVX512():
		forwardRows8(&f.table[0], &f.rows[0], &f.roots, &f.inverse, in, f.states)
	case HasAVX2():
		forwardRows4(&f.table[0], &f.rows[0], &f.sums, in, f.states)
		forwardRoots(f)
	default:
		forwardPlain(f, in)
	}
}

func forwardScale(to, from []float64, by float64) {
	if HasAVX2() {
		forwardScale4(&to[0], &from[0], len(from), by)
	} else {
		forwardScalePlain(to, from, by)
	}
}

// The kernels in assembly do not check bounds, and cannot be preempted.

//go:noescape
func forwardRows8(table, rows *float64, roots, inverse *[ForwardRows]float64, in *[ForwardRows]ForwardRow, states int)

//go:noescape
func forwardRows4(table, rows *float64, sums *[ForwardRows * ForwardRows]float64, in *[ForwardRows]ForwardRow, states int)

//go:noescape
func forwardScale4(to, from *float64, n int, by float64)
