package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

// polish is a local search that changes one variable at a time. It computes the energy of each
// change anew.
type polish struct {
	m       *Memory
	n       int
	card    []int32
	own     [][]float64
	tables  [][]float64
	scope   [][][2]int32 // by factor: its variables and their strides
	penalty float64
}

// newPolish reads the words of the kernel PolishStates.
func newPolish(m *Memory, s *ir.Kernel) *polish {
	n, factors, edges := int(s.Numbers[0]), int(s.Numbers[1]), int(s.Numbers[2])
	rest := s.Numbers[5:]
	c := &polish{m: m, n: n, card: rest[:n], scope: make([][][2]int32, factors)}
	scope := rest[2*n+1:][:factors+1]
	rest = rest[2*n+1+factors+1:]
	for f := range factors {
		for e := scope[f]; e < scope[f+1]; e++ {
			c.scope[f] = append(c.scope[f], [2]int32{rest[e], rest[edges+int(e)]})
		}
	}
	c.penalty = 1 + m.Numbers[s.Reads[n+factors]][0]
	for _, id := range s.Reads[:n] {
		c.own = append(c.own, m.Numbers[id])
	}
	for _, id := range s.Reads[n : n+factors] {
		c.tables = append(c.tables, m.Numbers[id])
	}
	return c
}

// polishStates follows the documentation of the kernel PolishStates.
func (m *Memory) polishStates(s *ir.Kernel) {
	c := newPolish(m, s)
	for _, row := range c.own {
		least, most := math.Inf(1), 0.0
		for _, e := range row {
			if least = math.Min(least, e); e < impossible {
				most = math.Max(most, e)
			}
		}
		if least >= impossible {
			return
		}
		c.penalty += most
	}
	tenure, budget, tie := int(s.Numbers[3]), int(s.Numbers[4]), 1e-10*c.penalty
	rounds, value := int(m.Numbers[s.Reads[len(s.Reads)-1]][0]), m.number(s.Writes[0])
	search := rounds&(rounds-1) == 0
	state := m.Ints[m.Program.State][:c.n]
	now := c.energy(state)
	least, best := now, append([]int32(nil), state...)
	until := map[[2]int]int{}
	for move := range budget {
		i, x, delta := -1, int32(0), math.Inf(1)
		for k := range c.n {
			v := (k + move) % c.n
			old := state[v]
			for y := range c.card[v] {
				state[v] = y
				d := c.energy(state) - now
				if state[v] = old; y != old && d < delta-tie && (until[[2]int{v, int(y)}] <= move || now+d < least-tie) {
					i, x, delta = v, y, d
				}
			}
		}
		if i < 0 || !search && delta >= -tie {
			break
		}
		until[[2]int{i, int(state[i])}] = move + tenure
		state[i] = x
		if now += delta; now < least-tie {
			least = now
			copy(best, state)
		}
	}
	copy(state, best)
	if *value = c.energy(state); *value > c.penalty-.5 {
		*value = math.Inf(1)
	}
}

func (c *polish) energy(state []int32) (sum float64) {
	for i, x := range state {
		sum += math.Min(c.own[i][x], c.penalty)
	}
	for f, table := range c.tables {
		at := int32(0)
		for _, edge := range c.scope[f] {
			if x := state[edge[0]]; edge[1] >= 0 {
				at += edge[1] * x
			} else {
				at -= edge[1] * (c.card[edge[0]] - 1 - x)
			}
		}
		sum += math.Min(table[at], c.penalty)
	}
	return sum
}
