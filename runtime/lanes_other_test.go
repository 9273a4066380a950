//go:build !amd64 || purego

package pgmrt

// vectorKernels lists no kernel besides the one in Go.
func vectorKernels() map[string][2]func([]int32, []float64) {
	return map[string][2]func([]int32, []float64){"Go": {laneSumsPlain, laneMaximaPlain}}
}
