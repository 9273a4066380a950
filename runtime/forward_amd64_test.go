//go:build amd64 && !purego

package pgmrt

func init() {
	if HasAVX2() {
		forwardKernels["AVX2"] = func(f *Forward, in *[ForwardRows]ForwardRow) {
			forwardRows4(&f.table[0], &f.rows[0], &f.sums, in, f.states)
			forwardRoots(f)
		}
	}
}
