//go:build !amd64 || purego

package pgmrt

// vectorKernels lists no kernel besides the one in Go.
func vectorKernels() map[string][2]func([]int32, []float64) {
	return map[string][2]func([]int32, []float64){"Go": {laneSumsPlain, laneMaximaPlain}}
}

// kernelsOfTables lists no kernels besides those in Go.
func kernelsOfTables() map[string]tableKernels {
	return map[string]tableKernels{"Go": {laneProductsPlain, laneMatrixPlain, laneTopPlain, laneTimesPlain}}
}
