package pgmrt

// LaneKernels returns the kernels for sums and maxima that this machine can run, by name.
func LaneKernels() map[string][2]func([]int32, []float64) {
	kernels := vectorKernels()
	kernels["chosen"] = [2]func([]int32, []float64){laneSums, laneMaxima}
	return kernels
}

// LaneObservationsPlain is the kernel in Go that enters observations into lanes.
var LaneObservationsPlain = laneObservationsPlain
