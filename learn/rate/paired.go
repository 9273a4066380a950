package rate

// Paired performs Student's paired t-test on two lists of numbers of the same rows. It returns the
// mean of a minus b, and the probability p of a mean at least as far from 0 if there is no
// difference. Without rows the mean is 0; with fewer than two, or if all differences are equal to
// 0, p is 1.
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
