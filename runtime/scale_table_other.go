//go:build !amd64 || purego

package pgmrt

func topOfVectors(x []float64) int64 { return Top(x) }

func multiplyVectors(x []float64, f float64) { multiply(x, f) }
