//go:build amd64 && !purego

package pgmrt

func topOfVectors(x []float64) int64 {
	if hasAVX2 {
		return topOfVectors4(x)
	}
	return Top(x)
}

func multiplyVectors(x []float64, f float64) {
	if hasAVX2 {
		multiplyVectors4(x, f)
	} else {
		multiply(x, f)
	}
}

// topOfVectors4 is Top of a multiple of tableStep numbers.
//
//go:noescape
func topOfVectors4(x []float64) int64

// multiplyVectors4 is multiply of a multiple of tableStep numbers.
//
//go:noescape
func multiplyVectors4(x []float64, f float64)
