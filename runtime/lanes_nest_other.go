//go:build !amd64 || purego

package pgmrt

func laneProducts(t *laneTile, l, p []float64) { laneProductsPlain(t, l, p) }

func laneMatrix(t *laneTile, l, p []float64) { laneMatrixPlain(t, l, p) }

func laneTop(table []float64, top *[Lanes]float64) { laneTopPlain(table, top) }

func laneTimes(table []float64, factor *[Lanes]float64) { laneTimesPlain(table, factor) }
