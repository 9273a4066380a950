//go:build amd64 && !purego

package pgmrt

// hasAVX512 is the result of HasAVX512.
var hasAVX512 = avx512Of(cpuFeatures())

// HasAVX512 reports whether the processor has the foundation of AVX-512 and the operating system
// saves its registers: generated assembly asks.
func HasAVX512() bool { return hasAVX512 }

// avx512Of returns HasAVX512 for what avx2Of takes. The bits are as in Intel's manual, volume 1,
// section 15.2.
func avx512Of(leaf1, leaf7, control uint32) bool {
	const (
		avx     = 1<<27 | 1<<28 // of leaf 1: XGETBV can be used; AVX
		avx512  = 1 << 16       // of leaf 7
		keepZMM = 1<<1 | 1<<2 | 1<<5 | 1<<6 | 1<<7
	)
	return leaf1&avx == avx && leaf7&avx512 != 0 && control&keepZMM == keepZMM
}
