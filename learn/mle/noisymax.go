package mle

import "github.com/pgmc-go/pgmc/ir/model"

// contributions adds the expected counts of the contributions of a noisy-max to to, given the
// counts of the joint states of its scope. Given the states of parents and child, a contribution is
// independent of all else in the network. With F for the product of the distribution functions of
// the other contributions,
//
//	P(contribution = k | child = x) ∝ p(k) (F(x) - F(x-1))  for k < x
//	P(contribution = x | child = x) ∝ p(x) F(x)
//
// Joint states of probability 0 are left out.
func (c *cpd) contributions(d model.Dist, counts, to []float64) {
	flat := d.Numbers()
	parents := c.f.Parents()
	first := make([]int, len(parents)) // by parent: the index of its first number
	for at, i := c.card, 0; i < len(parents); i++ {
		first[i], at = at, at+c.m.Card(parents[i])*c.card
	}
	rows := make([]int, 1+len(parents))
	others := make([][2]float64, len(rows))
	state := make([]int, len(c.m.Vars))
	for _, n := range counts {
		if n > 0 {
			x := state[c.f.ChildVar()]
			for i, p := range parents {
				rows[1+i] = first[i] + state[p]*c.card
			}
			if total := c.others(flat, rows, x, others); total > 0 {
				for i, at := range rows {
					for k := range x {
						to[at+k] += n * flat[at+k] * (others[i][0] - others[i][1]) / total
					}
					to[at+x] += n * flat[at+x] * others[i][0] / total
				}
			}
		}
		c.m.Next(c.f.Scope, state)
	}
}

// others sets, by contribution, the products of the distribution functions of all other
// contributions at x and at x-1, and returns the probability of x. rows holds the index of each
// contribution's first number.
func (c *cpd) others(flat []float64, rows []int, x int, out [][2]float64) float64 {
	function := func(at, x int) float64 {
		if x == c.card-1 {
			return 1 // the whole row, free of rounding errors
		}
		sum := 0.0
		for _, p := range flat[at : at+x+1] {
			sum += p
		}
		return sum
	}
	left := [2]float64{1, 1}
	for i, at := range rows {
		out[i] = left
		left[0] *= function(at, x)
		left[1] *= function(at, x-1)
	}
	right := [2]float64{1, 1}
	for i := len(rows) - 1; i >= 0; i-- {
		out[i][0] *= right[0]
		out[i][1] *= right[1]
		right[0] *= function(rows[i], x)
		right[1] *= function(rows[i], x-1)
	}
	return left[0] - left[1]
}
