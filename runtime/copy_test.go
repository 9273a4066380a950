package pgmrt

import (
	"slices"
	"testing"
)

// TestCopyVectors copies slices of all lengths up to three vectors and leaves their neighbours.
func TestCopyVectors(t *testing.T) {
	for n := range 13 {
		from, to := make([]float64, n), make([]float64, n+2)
		for i := range from {
			from[i] = float64(i + 1)
		}
		CopyVectors(to[1:n+1], from)
		if want := append(append([]float64{0}, from...), 0); !slices.Equal(to, want) {
			t.Errorf("%d numbers: %v; want %v", n, to, want)
		}
	}
}
