//go:build !amd64 || purego

package pgmrt

// vectorKernels has no more than the kernel in Go.
func vectorKernels() map[string][2]func([]int32, []float64) {
	return map[string][2]func([]int32, []float64){"Go": {laneSumsPlain, laneMaximaPlain}}
}
