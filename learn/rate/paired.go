package rate

// Paired is Student's paired t-test of two lists of numbers of the same rows. It returns the mean
// of a's less b's, and the probability p of a mean at least as far from 0 if there is no
// difference. Without rows the mean is 0; with fewer than two, or without any difference, p is 1.
func Paired(a, b []float64) (mean, p float64) {
	var d Mean
	for i, x := range a {
		d.Add(x-b[i], 1)
	}
	t, ok := d.Test()
	if !ok {
		return d.Value, 1
	}
	return d.Value, t.PValue
}
