package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

// tighten joins pairs of variables to cycles. It computes the energy of each joint state of a cycle
// anew.
type tighten struct {
	m                       *Memory
	rows, columns           []int32
	sides, list             []int32
	first, second           []ir.SpanID // by pair: messages of its variables, or NoSpan
	tables, shares          []ir.SpanID
	pairs, triplets, cycles int
}

// tightenBound follows the documentation of the kernel TightenBound.
func (m *Memory) tightenBound(s *ir.Kernel) {
	c := &tighten{m: m, pairs: int(s.Numbers[0]), triplets: int(s.Numbers[1]), cycles: int(s.Numbers[2])}
	rest := s.Numbers[5:]
	c.rows, c.columns, rest = rest[:c.pairs], rest[c.pairs:2*c.pairs], rest[2*c.pairs:]
	c.sides, c.list = rest[:3*c.triplets], rest[3*c.triplets:]
	for p := range c.pairs {
		c.first, c.second = append(c.first, s.Reads[2*p]), append(c.second, s.Reads[2*p+1])
	}
	run := s.Reads[2*c.pairs:]
	c.tables, c.shares = s.Writes[2:2+c.pairs], s.Writes[2+c.pairs:]
	residual, bound := m.number(s.Writes[0]), m.number(s.Writes[1])
	awake := m.Ints[s.Ints]
	if *m.number(run[3]) == 0 {
		clear(awake)
	}
	for p := range int32(c.pairs) {
		if c.first[p] == ir.NoSpan {
			*bound += c.least(p)
		}
	}
	gain, gap := *m.number(run[0]), *m.number(run[1])-*m.number(run[2])
	if *m.number(run[3]) >= 2 && gap > 1e-7 && gain <= gap/100 {
		c.wake(awake, int(s.Numbers[4]), residual)
	}
	for t := range c.triplets {
		if awake[c.cycles+t] != 0 {
			c.update(int32(t))
		}
	}
}

// places are the variables of the pairs of a triplet, by place.
var places = [3][2]int{{0, 1}, {0, 2}, {1, 2}}

// member is a pair of a cycle, with its variables among the cycle's.
type member struct {
	pair int32
	ends [2]int
}

// members returns the pairs of cycle i. The fourth variable is the variable of the second triplet
// that is not in the chord.
func (c *tighten) members(i int) (list []member) {
	cycle := c.list[4*i:][:4]
	for place, p := range c.sides[3*cycle[0]:][:3] {
		list = append(list, member{p, places[place]})
	}
	if cycle[1] < 0 {
		return list
	}
	name := [3]int{3, 3, 3}
	for k, end := range places[cycle[3]] {
		name[end] = places[cycle[2]][k]
	}
	for place, p := range c.sides[3*cycle[1]:][:3] {
		if int32(place) != cycle[3] {
			list = append(list, member{p, [2]int{name[places[place][0]], name[places[place][1]]}})
		}
	}
	return list
}

// each calls do for each joint state of up to four variables of pairs.
func (c *tighten) each(list []member, do func(at [4]int)) {
	card := [4]int{1, 1, 1, 1}
	for _, x := range list {
		card[x.ends[0]], card[x.ends[1]] = int(c.rows[x.pair]), int(c.columns[x.pair])
	}
	for k := range card[0] * card[1] * card[2] * card[3] {
		do([4]int{k % card[0], k / card[0] % card[1], k / card[0] / card[1] % card[2], k / card[0] / card[1] / card[2]})
	}
}

// gain returns the least energy of pairs together less the least energies of each by itself.
func (c *tighten) gain(list []member) float64 {
	least := math.Inf(1)
	c.each(list, func(at [4]int) {
		e := 0.0
		for _, x := range list {
			e += c.energy(x.pair, at[x.ends[0]], at[x.ends[1]])
		}
		least = math.Min(least, e)
	})
	for _, x := range list {
		least -= c.least(x.pair)
	}
	if math.IsInf(least, 0) || math.IsNaN(least) {
		return -1
	}
	return least
}

// wake wakes up the cycles with the largest gains, most of all cycles at most in a run.
func (c *tighten) wake(awake []int32, most int, residual *float64) {
	gains := make([]float64, c.cycles)
	left := most
	for i := range gains {
		if gains[i] = c.gain(c.members(i)); awake[i] != 0 {
			left--
			gains[i] = -1
		}
	}
	for range min(left, max(5, most/20)) {
		best := 0
		for i := range gains {
			if gains[i] > gains[best] {
				best = i
			}
		}
		if gains[best] < 1e-6 {
			return
		}
		*residual = math.Max(*residual, gains[best])
		gains[best], awake[best] = -1, 1
		for _, t := range c.list[4*best:][:2] {
			if t >= 0 {
				awake[c.cycles+int(t)] = 1
			}
		}
	}
}

// energy returns the energy of states of the variables of a pair, with their messages.
func (c *tighten) energy(p int32, x, y int) float64 {
	e := c.m.Numbers[c.tables[p]][x*int(c.columns[p])+y]
	if c.first[p] != ir.NoSpan {
		e += c.m.Numbers[c.first[p]][x] + c.m.Numbers[c.second[p]][y]
	}
	return e
}

// least returns the least energy of a pair.
func (c *tighten) least(p int32) float64 {
	least := math.Inf(1)
	for x := range int(c.rows[p]) {
		for y := range int(c.columns[p]) {
			least = math.Min(least, c.energy(p, x, y))
		}
	}
	return least
}

// update gives each pair of a triplet a third of what its states have at least in the triplet.
func (c *tighten) update(t int32) {
	var list []member
	var low [3][]float64
	for place, p := range c.sides[3*t:][:3] {
		list = append(list, member{p, places[place]})
		for range c.rows[p] * c.columns[p] {
			low[place] = append(low[place], math.Inf(1))
		}
	}
	cell := func(place int, at [4]int) int {
		return at[places[place][0]]*int(c.columns[list[place].pair]) + at[places[place][1]]
	}
	c.each(list, func(at [4]int) {
		e := 0.0
		for place, x := range list {
			e += c.energy(x.pair, at[x.ends[0]], at[x.ends[1]]) + c.m.Numbers[c.shares[3*int(t)+place]][cell(place, at)]
		}
		for place := range list {
			low[place][cell(place, at)] = math.Min(low[place][cell(place, at)], e)
		}
	})
	for place, x := range list {
		table, share := c.m.Numbers[c.tables[x.pair]], c.m.Numbers[c.shares[3*int(t)+place]]
		for i, e := range low[place] {
			if e >= impossible {
				table[i] = math.Inf(1)
				continue
			}
			change := e/3 - c.energy(x.pair, i/int(c.columns[x.pair]), i%int(c.columns[x.pair]))
			table[i] += change
			share[i] -= change
		}
	}
}
