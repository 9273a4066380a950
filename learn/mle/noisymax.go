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
	others := make([]model.Extreme, len(rows))
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
						to[at+k] += n * flat[at+k] * others[i].At / total
					}
					to[at+x] += n * flat[at+x] * (others[i].At + others[i].Short) / total
				}
			}
		}
		c.m.Next(c.f.Scope, state)
	}
}

// others sets, by contribution, the maximum of all other contributions in relation to state x, and
// returns the probability of x. rows holds the index of each contribution's first number.
func (c *cpd) others(flat []float64, rows []int, x int, out []model.Extreme) float64 {
	left, right := model.Extreme{Short: 1}, model.Extreme{Short: 1}
	own := func(i int) model.Extreme { return model.ExtremeOf(flat[rows[i]:rows[i]+x], flat[rows[i]+x]) }
	for i := range rows {
		out[i] = left
		left = left.With(own(i))
	}
	for i := len(rows) - 1; i >= 0; i-- {
		out[i] = out[i].With(right)
		right = right.With(own(i))
	}
	return left.At
}
