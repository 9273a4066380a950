//go:build amd64 && !purego

package pgmrt

// laneWidth is the number of lanes of one instruction of the processor: 8 with AVX-512, 4 with AVX,
// 1 without.
var laneWidth = laneWidthOf(cpuFeatures())

// laneWidthOf returns the width for the results of CPUID leaf 1 (ecx) and leaf 7 (ebx) and the low
// word of extended control register 0: the processor must have the instructions, and the operating
// system must save their registers. The bits are as in Intel's manual, volume 1, section 14.3.
func laneWidthOf(leaf1, leaf7, control uint32) int {
	const (
		avx     = 1<<27 | 1<<28 // of leaf 1: XGETBV can be used; AVX
		keepYMM = 1<<1 | 1<<2   // of the control register
	)
	switch {
	case avx512Of(leaf1, leaf7, control):
		return Lanes
	case leaf1&avx == avx && control&keepYMM == keepYMM:
		return 4
	}
	return 1
}

// WideLanes reports whether one instruction of the processor takes all lanes: generated assembly
// asks.
func WideLanes() bool { return laneWidth == Lanes }

func laneSums(ins []int32, l []float64) {
	switch laneWidth {
	case Lanes:
		laneSums8(ins, l)
	case 4:
		laneSums4(ins, l)
	default:
		laneSumsPlain(ins, l)
	}
}

func laneMaxima(ins []int32, l []float64) {
	switch laneWidth {
	case Lanes:
		laneMaxima8(ins, l)
	case 4:
		laneMaxima4(ins, l)
	default:
		laneMaximaPlain(ins, l)
	}
}

func laneObservations(ins []int32, l []float64) {
	if laneWidth == 1 {
		laneObservationsPlain(ins, l)
	} else {
		laneObservations4(ins, l)
	}
}

// laneSkip is how many numbers of l lie before the first one with an address that is a multiple of
// 64: a load that straddles such lines takes twice the time.
//
//go:noescape
func laneSkip(l []float64) int

// The kernels in assembly do not check bounds, and cannot be preempted.

//go:noescape
func laneSums8(ins []int32, l []float64)

//go:noescape
func laneSums4(ins []int32, l []float64)

//go:noescape
func laneMaxima8(ins []int32, l []float64)

//go:noescape
func laneMaxima4(ins []int32, l []float64)

//go:noescape
func laneObservations4(ins []int32, l []float64)
