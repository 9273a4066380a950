package pgmrt

import "math"

// The limits of the sweeps that bound energies: their number, and the share of the gap to the
// energy of the states that a sweep has to close.
const (
	cutSweeps = 50
	cutGain   = 1e-2
)

// sweeps returns the best lower bound of the energy of all states that sequential tree-reweighted
// message passing finds in a few sweeps along the order of the variables and back (Kolmogorov 2006,
// Convergent tree-reweighted message passing for energy minimization). It begins with a known
// bound, and ends if that reaches value, the energy of some states, or rises slowly.
func (c *cutModel) sweeps(value, bound float64) float64 {
	clear(c.messages)
	for range cutSweeps {
		before := bound
		c.sweep(1)
		bound = max(bound, c.sweep(-1))
		if value-bound <= proofGap || bound-before < float64(cutGain*(value-bound)) {
			break
		}
	}
	return bound
}

// sweep sends messages along the order of the variables, or if step is -1 against it. It returns a
// lower bound of the energy of all states if the other direction came before.
func (c *cutModel) sweep(step int) (bound float64) {
	i := 0
	if step < 0 {
		i = c.n - 1
	}
	for ; i >= 0 && i < c.n; i += step {
		sum := c.sums[:c.card[i]]
		for x := range sum {
			sum[x] = c.own(i, int32(x))
		}
		ahead, behind := 0, 0
		arcs := c.arcs[c.maxFlow.first[i]:c.maxFlow.first[i+1]]
		for _, a := range arcs {
			for x, m := range c.message(a ^ 1)[:len(sum)] {
				sum[x] += m
			}
			if (int(c.head[a])-i)*step > 0 {
				ahead++
			} else {
				behind++
			}
		}
		bound += subtractLeast(sum)
		share := 1 / float64(max(ahead, behind, 1))
		for _, a := range arcs {
			if (int(c.head[a])-i)*step > 0 {
				bound += c.send(a, sum, share)
			}
		}
	}
	return bound
}

// message returns the message along arc a: a number for each state of its head.
func (c *cutModel) message(a int32) []float64 { return c.messages[int(a)*c.labels:][:c.labels] }

// send computes the message along arc a: for each state of its head the least share of the energies
// sum of its tail, less the message against it, plus the energy of the pair. It subtracts the least
// number, and returns it.
func (c *cutModel) send(a int32, sum []float64, share float64) (least float64) {
	e := a / cutArcs
	out, against := c.message(a)[:c.card[c.head[a]]], c.message(a^1)
	table, down, across := c.pairs[c.at[e]:], int(c.card[c.to[e]]), 1 // the steps of the states of the tail, and of the head
	if c.head[a] == c.from[e] {
		down, across = across, down
	}
	for y := range out {
		m := math.Inf(1)
		for x, s := range sum {
			m = min(m, float64(share*s)-against[x]+min(table[x*down+y*across], c.penalty))
		}
		out[y] = m
	}
	return subtractLeast(out)
}

// subtractLeast subtracts the least of numbers from all of them, and returns it.
func subtractLeast(numbers []float64) float64 {
	least := math.Inf(1)
	for _, x := range numbers {
		least = min(least, x)
	}
	for i := range numbers {
		numbers[i] -= least
	}
	return least
}
