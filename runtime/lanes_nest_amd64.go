//go:build amd64 && !purego

package pgmrt

// laneProducts computes a tile.
func laneProducts(t *laneTile, l, p []float64) {
	switch laneWidth {
	case Lanes:
		laneProducts8(t, l, p)
	case 4:
		laneProducts4(t, l, p)
	default:
		laneProductsPlain(t, l, p)
	}
}

// laneMatrix computes the tile of a matrix product.
func laneMatrix(t *laneTile, l, p []float64) {
	switch laneWidth {
	case Lanes:
		laneMatrix8(t, l, p)
	case 4:
		laneMatrix4(t, l, p)
	default:
		laneMatrixPlain(t, l, p)
	}
}

func laneTop(table []float64, top *[Lanes]float64) {
	switch laneWidth {
	case Lanes:
		laneTop8(table, top)
	case 4:
		laneTop4(table, top)
	default:
		laneTopPlain(table, top)
	}
}

func laneTimes(table []float64, factor *[Lanes]float64) {
	switch laneWidth {
	case Lanes:
		laneTimes8(table, factor)
	case 4:
		laneTimes4(table, factor)
	default:
		laneTimesPlain(table, factor)
	}
}

// The kernels in assembly do not check bounds, and cannot be preempted.

//go:noescape
func laneProducts8(t *laneTile, l, p []float64)

//go:noescape
func laneProducts4(t *laneTile, l, p []float64)

//go:noescape
func laneMatrix8(t *laneTile, l, p []float64)

//go:noescape
func laneMatrix4(t *laneTile, l, p []float64)

//go:noescape
func laneTop8(table []float64, top *[Lanes]float64)

//go:noescape
func laneTop4(table []float64, top *[Lanes]float64)

//go:noescape
func laneTimes8(table []float64, factor *[Lanes]float64)

//go:noescape
func laneTimes4(table []float64, factor *[Lanes]float64)
