//go:build amd64 && !purego

package pgmrt

func tapeRunSums(ins []int32, s []float64) {
	if hasAVX2 {
		tapeSums4(ins, s)
	} else {
		tapeSumsPlain(ins, s)
	}
}

// tapeSums4 is tapeSumsPlain with AVX2. It does not check bounds, and cannot be preempted.
//
//go:noescape
func tapeSums4(ins []int32, s []float64)
