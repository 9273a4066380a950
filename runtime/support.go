package pgmrt

// Support returns the range of states that a likelihood leaves: the first that is not zero, and the
// one after the last. If all are zero, both are 0.
func Support(l []float64) (first, end int32) {
	for i, x := range l {
		if x == 0 {
			continue
		}
		if end == 0 {
			first = int32(i)
		}
		end = int32(i) + 1
	}
	return first, end
}
