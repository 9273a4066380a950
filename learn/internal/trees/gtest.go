package trees

import "math"

// Dependent reports whether a G-test finds variables i < j dependent at a level: 2 N times their mutual information is larger than what the chi-square
// distribution exceeds with that probability. Degrees of freedom are those of the states that occur.
func (c *Counts) Dependent(i, j int, level float64) bool {
	ni, nj := c.States(i), c.States(j)
	table := make([]float64, ni*nj)
	c.Pair(i, j, table)
	rows, columns, total := make([]float64, ni), make([]float64, nj), 0.0
	for k, x := range table {
		rows[k/nj] += x
		columns[k%nj] += x
		total += x
	}
	free := (occurring(rows) - 1) * (occurring(columns) - 1)
	if free < 1 {
		return false
	}
	return chiSquareTail(2*total*mutual(table, nj, 0), free) < level
}

func occurring(x []float64) (n int) {
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return n
}

// chiSquareTail is the probability that a chi-square variable with n degrees of freedom exceeds x: Q(n/2, x/2), whose recurrence in steps of one
// begins at an error function or an exponential (Abramowitz and Stegun 26.4.4 and 26.4.5).
func chiSquareTail(x float64, n int) float64 {
	if x <= 0 {
		return 1
	}
	half := x / 2
	tail, a := math.Exp(-half), 1.0
	if n%2 == 1 {
		tail, a = math.Erfc(math.Sqrt(half)), 0.5
	}
	for ; a < float64(n)/2; a++ {
		lg, _ := math.Lgamma(a + 1)
		tail += math.Exp(a*math.Log(half) - half - lg)
	}
	return min(1, tail)
}
