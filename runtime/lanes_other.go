//go:build !amd64 || purego

package pgmrt

func laneSums(ins []int32, l []float64) { laneSumsPlain(ins, l) }

func laneMaxima(ins []int32, l []float64) { laneMaximaPlain(ins, l) }

func laneObservations(ins []int32, l []float64) { laneObservationsPlain(ins, l) }

// laneSkip returns 0: there is nothing to align.
func laneSkip([]float64) int { return 0 }
