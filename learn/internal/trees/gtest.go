package trees

import "github.com/pgmc-go/pgmc/learn/internal/independence"

// Dependent reports whether a G-test at a level finds variables i < j dependent: whether 2 N times
// their mutual information has a p-value below the level under the chi-square distribution. The
// degrees of freedom count the states that occur.
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
	df := (occurring(rows) - 1) * (occurring(columns) - 1)
	return independence.ChiSquareSurvival(float64(df), 2*total*mutual(table, nj, 0)) < level
}

func occurring(x []float64) (n int) {
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return n
}
