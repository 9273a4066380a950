//go:build amd64 && !purego

package pgmrt

func copyVectors(to, from []float64) {
	if n := min(len(to), len(from)); hasAVX2 && n > 0 {
		copyVectors4(&to[0], &from[0], n)
	} else {
		copy(to, from)
	}
}

// copyVectors4 copies n numbers.
//
//go:noescape
func copyVectors4(to, from *float64, n int)
