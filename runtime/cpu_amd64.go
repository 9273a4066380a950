//go:build amd64 && !purego

package pgmrt

// hasAVX2 is the result of HasAVX2.
var hasAVX2 = avx2Of(cpuFeatures())

// HasAVX2 reports whether the processor has the instructions of AVX2 and the operating system saves
// their registers: generated assembly asks.
func HasAVX2() bool { return hasAVX2 }

// avx2Of returns HasAVX2 for the results of CPUID leaf 1 (ecx) and leaf 7 (ebx) and the low word of
// extended control register 0. The bits are as in Intel's manual, volume 1, section 14.7.
func avx2Of(leaf1, leaf7, control uint32) bool {
	const (
		avx     = 1<<27 | 1<<28 // of leaf 1: XGETBV can be used; AVX
		avx2    = 1 << 5        // of leaf 7
		keepYMM = 1<<1 | 1<<2   // of the control register
	)
	return leaf1&avx == avx && leaf7&avx2 != 0 && control&keepYMM == keepYMM
}

// cpuFeatures queries the processor. A leaf or register that it does not have is 0.
func cpuFeatures() (leaf1, leaf7, control uint32)
