//go:build !amd64 || purego

package pgmrt

func tapeRunSums(ins []int32, s []float64) { tapeSumsPlain(ins, s) }
