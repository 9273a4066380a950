package pgmrt

// CopyVectors copies from to to, which have the same length. On processors with AVX2 it moves four
// numbers at a time, as the assembly of vectors does: a load of four numbers that were stored in
// smaller parts just before waits until all of them are in the cache.
func CopyVectors(to, from []float64) { copyVectors(to, from) }
