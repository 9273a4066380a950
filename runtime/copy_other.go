//go:build !amd64 || purego

package pgmrt

func copyVectors(to, from []float64) { copy(to, from) }
