package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

// cuts is a kernel that minimises energies by cuts. It enumerates all cuts of a small graph.
type cuts struct {
	m                   *Memory
	s                   *ir.Kernel
	n, pairs, labels    int
	mirror              bool
	penalty             float64
	card, from, to, at  []int32
	keep, change, fixed []int32
	forced              []float64 // by variable: energy of its second choice beyond that of its states
	inner, outer        []bool    // by variable: its node, or that of its opposite, is beyond every minimum cut
}

// cutMoves follows the documentation of the kernel CutMoves.
func (m *Memory) cutMoves(s *ir.Kernel) {
	c := &cuts{m: m, s: s, n: int(s.Numbers[1]), pairs: int(s.Numbers[2]), labels: int(s.Numbers[3]), mirror: s.Numbers[4] == 1}
	rest := s.Numbers[5:]
	c.card, c.from, c.to, c.at = rest[:c.n], rest[c.n:][:c.pairs], rest[c.n+c.pairs:][:c.pairs], rest[c.n+2*c.pairs:][:c.pairs]
	tables := m.Numbers[s.Reads[c.n]]
	c.penalty = 1 + tables[len(tables)-1]
	c.keep, c.change, c.forced = make([]int32, c.n), make([]int32, c.n), make([]float64, c.n)
	c.fixed = m.Ints[s.Ints][:c.n]
	alive, value, bound, residual, ties, rounds := m.number(s.Writes[0]), m.number(s.Writes[1]), m.number(s.Writes[2]), m.number(s.Writes[3]), m.number(s.Writes[4]), m.number(s.Writes[5])
	lower := 0.0
	for i := range c.n {
		least, most := math.Inf(1), 0.0
		for _, e := range m.Numbers[s.Reads[i]] {
			least = math.Min(least, e)
			if e < 1e300 {
				most = math.Max(most, e)
			}
		}
		if least >= 1e300 {
			*alive, *residual = 0, 0
			return
		}
		lower, c.penalty = lower+least, c.penalty+most
	}
	before := math.Inf(1)
	move := s.Numbers[0]
	if *rounds > 0 {
		before = c.energy(c.state())
		move = max(move, 1)
	} else {
		for i := range c.n {
			c.state()[i], c.fixed[i] = c.best(i), -1
		}
	}
	lower = c.round(move, lower)
	if *rounds == 0 {
		*bound = lower
		if lower > c.penalty-.5 {
			*alive = 0
		}
	}
	*rounds++
	*value = c.energy(c.state())
	*residual, *ties = math.Min(before-*value, math.MaxFloat64), 1
	if *value-*bound <= 1e-7 {
		*residual, *ties = 0, 0
	}
	if *value > c.penalty-.5 {
		*value = math.Inf(1)
	}
}

func (c *cuts) state() []int32 { return c.m.Ints[c.m.Program.State][:c.n] }

// round makes the moves of a round. It returns the bound of a choice among all states, and else
// lower.
func (c *cuts) round(move int32, lower float64) float64 {
	switch move {
	case 0:
		return c.chooseAll()
	case 1:
		for label := range int32(c.labels) {
			c.try(func(i int, x int32) (int32, int32) {
				if label < c.card[i] && c.fixed[i] < 0 {
					return x, label
				}
				return x, x
			})
		}
	case 2:
		for b := range int32(c.labels) {
			for a := range b {
				c.try(func(i int, x int32) (int32, int32) {
					if (x == a || x == b) && b < c.card[i] {
						return a, b
					}
					return x, x
				})
			}
		}
	}
	return lower
}

// chooseAll chooses among all states. What a mirrored graph leaves open is decided one variable
// after the other.
func (c *cuts) chooseAll() float64 {
	for i := range c.n {
		c.keep[i], c.change[i] = 0, min(1, c.card[i]-1)
	}
	bound := c.cut()
	for i := range c.n {
		if t := c.side(i); t >= 0 && c.mirror {
			c.fixed[i] = min(t, c.change[i])
		}
	}
	for i := range c.n {
		if c.side(i) < 0 {
			c.forced[i] = 1e6
			if c.best(i) != 0 {
				c.forced[i] = -1e6
			}
			c.cut()
		}
	}
	for i := range c.n {
		c.state()[i] = c.keep[i]
		if c.side(i) == 1 {
			c.state()[i] = c.change[i]
		}
	}
	return bound
}

// side returns the choice of a variable: 0, 1, or -1 if not all minimum cuts of a mirrored graph
// agree.
func (c *cuts) side(i int) int32 {
	switch {
	case c.inner[i]:
		return 1
	case c.mirror && !c.outer[i]:
		return -1
	}
	return 0
}

// try takes a move if it lowers the energy.
func (c *cuts) try(choice func(i int, now int32) (keep, change int32)) {
	for i, x := range c.state() {
		c.keep[i], c.change[i] = choice(i, x)
	}
	c.cut()
	next := make([]int32, c.n)
	for i := range next {
		next[i] = c.keep[i]
		if c.side(i) == 1 {
			next[i] = c.change[i]
		}
	}
	now := c.energy(c.state())
	if c.energy(next) < now-1e-12*math.Max(1, now) {
		copy(c.state(), next)
	}
}

// cut enumerates the choices x, and with a mirrored graph also the choices y of the opposites: the
// least of the mean of the energies of both, where a pair that is not submodular joins the x of one
// variable with the y of the other. It returns the least energy.
func (c *cuts) cut() float64 {
	least := math.Inf(1)
	others := 1
	if c.mirror {
		others = 1 << c.n
	}
	for x := range 1 << c.n {
		for k := range others {
			y := k
			if !c.mirror {
				y = x
			}
			e := c.relaxed(x, y)
			if e < least-1e-9 {
				least = e
				c.inner, c.outer = make([]bool, c.n), make([]bool, c.n)
				for i := range c.n {
					c.inner[i], c.outer[i] = true, true
				}
			}
			if e > least+1e-9 {
				continue
			}
			for i := range c.n {
				c.inner[i] = c.inner[i] && x>>i&1 == 1
				c.outer[i] = c.outer[i] && y>>i&1 == 0
			}
		}
	}
	return least
}

// relaxed returns the energy of the choices x and y.
func (c *cuts) relaxed(x, y int) float64 {
	bit := func(x int, i int32) int { return x >> i & 1 }
	e := 0.0
	for i := range c.n {
		own := [2]float64{c.own(i, c.keep[i]), c.own(i, c.change[i]) + c.forced[i]}
		e += (own[bit(x, int32(i))] + own[bit(y, int32(i))]) / 2
	}
	for p, u := range c.from {
		v, t := c.to[p], c.table(p)
		if w := t[0][1] + t[1][0] - t[0][0] - t[1][1]; w >= 0 {
			e += (t[bit(x, u)][bit(x, v)] + t[bit(y, u)][bit(y, v)]) / 2
		} else if c.mirror {
			e += (t[bit(x, u)][bit(y, v)] + t[bit(y, u)][bit(x, v)]) / 2
		} else {
			t[0][0] += w
			e += t[bit(x, u)][bit(x, v)]
		}
	}
	return e
}

// table returns the energies of the choices of a pair.
func (c *cuts) table(p int) (t [2][2]float64) {
	u, v := c.from[p], c.to[p]
	for i, x := range []int32{c.keep[u], c.change[u]} {
		for k, y := range []int32{c.keep[v], c.change[v]} {
			t[i][k] = c.pair(p, x, y)
		}
	}
	return t
}

func (c *cuts) own(i int, x int32) float64 {
	return math.Min(c.m.Numbers[c.s.Reads[i]][x], c.penalty)
}

func (c *cuts) pair(p int, x, y int32) float64 {
	return math.Min(c.m.Numbers[c.s.Reads[c.n]][c.at[p]+x*c.card[c.to[p]]+y], c.penalty)
}

// best returns the first state of least energy of a variable by itself.
func (c *cuts) best(i int) (state int32) {
	row := c.m.Numbers[c.s.Reads[i]]
	for x := range row {
		if row[x] < row[state] {
			state = int32(x)
		}
	}
	return state
}

func (c *cuts) energy(state []int32) (sum float64) {
	for i, x := range state {
		sum += c.own(i, x)
	}
	for p, u := range c.from {
		sum += c.pair(p, state[u], state[c.to[p]])
	}
	return sum
}
