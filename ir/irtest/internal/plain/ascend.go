package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
)

// ascend takes subgradient steps. It keeps the states that a factor chose in a list.
type ascend struct {
	m             *Memory
	s             *ir.Kernel
	card          []int32
	scope         [][]ascendEdge // by factor
	edges         [][]ascendEdge // by variable
	own           [][]float64    // by variable
	tables        [][]float64
	visits        [][]int32
	chosen, place []int32
}

// ascendEdge is an edge, by its number, of a factor and a variable.
type ascendEdge struct{ number, factor, v, stride int32 }

func newAscend(m *Memory, s *ir.Kernel) *ascend {
	n, factors, edges := int(s.Numbers[0]), int(s.Numbers[1]), int(s.Numbers[2])
	rest := s.Numbers[4:]
	c := &ascend{m: m, s: s, card: rest[:n], scope: make([][]ascendEdge, factors), edges: make([][]ascendEdge, n)}
	scope, vars := rest[2*n+1:][:factors+1], rest[2*n+1+factors+1:]
	stride, cell := vars[edges:], vars[3*edges+1:][:factors+1]
	visits := m.Ints[s.Ints]
	for f := range factors {
		for e := scope[f]; e < scope[f+1]; e++ {
			x := ascendEdge{e, int32(f), vars[e], stride[e]}
			c.scope[f], c.edges[x.v] = append(c.scope[f], x), append(c.edges[x.v], x)
		}
		id := s.Reads[n+f]
		if id == ir.NoSpan {
			id = s.Reads[n+factors+f]
		}
		c.tables = append(c.tables, m.Numbers[id])
		c.visits = append(c.visits, visits[cell[f]:cell[f+1]])
	}
	for _, id := range s.Reads[:n] {
		c.own = append(c.own, m.Numbers[id])
	}
	ints := visits[cell[factors]:]
	c.chosen, c.place = ints[:n], ints[2*n:]
	return c
}

// ascendDual follows the documentation of the kernel AscendDual.
func (m *Memory) ascendDual(s *ir.Kernel) {
	c := newAscend(m, s)
	n, factors, edges := len(c.card), len(c.scope), int(s.Numbers[2])
	run := s.Reads[n+2*factors:]
	gain, least, rounds := *m.number(run[0]), *m.number(run[1]), *m.number(run[3])
	gap, residual := least-*m.number(run[2]), m.number(s.Writes[0])
	messages, own := s.Writes[2:2+edges], s.Writes[2+edges:]
	halvings := &c.place[factors]
	if rounds == 0 {
		*halvings = 0
	}
	if rounds < 2 || gap <= 1e-7 || least >= impossible || gain > gap/100 || *halvings >= 20 {
		return
	}
	c.forget()
	best := c.dual(messages)
	if best >= impossible {
		return
	}
	mean := c.slope()
	for i, failed := int32(0), 0; i < s.Numbers[3] && *halvings < 20 && c.step(own, messages, mean, (least-best)/math.Pow(2, float64(*halvings))); i++ {
		now := c.dual(own)
		for e, row := range c.slope() {
			for x, y := range row {
				mean[e][x] = mean[e][x]*(1-.01) + .01*y
			}
		}
		if failed++; now > best {
			best, failed = now, 0
			c.copy(messages, own)
			*halvings = max(0, *halvings-1)
		} else if failed == 50 {
			failed = 0
			*halvings++
		}
	}
	c.round(m.number(s.Writes[1]))
	if *halvings < 20 {
		*residual = math.Max(*residual, least-best)
	}
}

func (c *ascend) forget() {
	for _, list := range c.visits {
		clear(list)
	}
}

func (c *ascend) copy(to, from []ir.SpanID) {
	for e := range to {
		copy(c.m.Numbers[to[e]], c.m.Numbers[from[e]])
	}
}

// state returns the state of an edge's variable at a place of its factor's table.
func (c *ascend) state(e ascendEdge, place int) int32 { return int32(place) / e.stride % c.card[e.v] }

func (c *ascend) dual(message []ir.SpanID) (sum float64) {
	for v, row := range c.own {
		least := math.Inf(1)
		for x, y := range row {
			for _, e := range c.edges[v] {
				y -= c.m.Numbers[message[e.number]][x]
			}
			if y < least && y > -impossible {
				least, c.chosen[v] = y, int32(x)
			}
		}
		sum += least
	}
	for f, table := range c.tables {
		least := math.Inf(1)
		for i, y := range table {
			for _, e := range c.scope[f] {
				y += c.m.Numbers[message[e.number]][c.state(e, i)]
			}
			if table[i] < impossible && y < least {
				least, c.place[f] = y, int32(i)
			}
		}
		c.visits[f][c.place[f]]++
		sum += least
	}
	return sum
}

// slope returns the subgradient of the last choices, by edge and state.
func (c *ascend) slope() (list [][]float64) {
	for f, edges := range c.scope {
		for _, e := range edges {
			row := make([]float64, c.card[e.v])
			row[c.state(e, int(c.place[f]))]++
			row[c.chosen[e.v]]--
			list = append(list, row)
		}
	}
	return list
}

func (c *ascend) step(own, messages []ir.SpanID, mean [][]float64, gain float64) bool {
	norm := 0.0
	for _, row := range mean {
		for _, x := range row {
			norm += x * x
		}
	}
	if norm <= 1e-12 {
		return false
	}
	for e, row := range mean {
		for x, y := range row {
			c.m.Numbers[own[e]][x] = c.m.Numbers[messages[e]][x] + gain/norm*y
		}
	}
	return true
}

// round rounds the choices of factors to a joint state.
func (c *ascend) round(value *float64) {
	fixed := map[int32]int32{}
	sum := 0.0
	for v := range int32(len(c.card)) {
		least, best := math.Inf(1), int32(-1)
		for x := range c.card[v] {
			fixed[v] = x
			e := c.own[v][x]
			for _, edge := range c.edges[v] {
				e += c.reduced(int(edge.factor), fixed)
			}
			if e < least {
				least, best = e, x
			}
		}
		if fixed[v] = best; best < 0 || least >= impossible {
			return
		}
		sum += c.own[v][best]
	}
	for f := range c.scope {
		sum += c.reduced(f, fixed)
	}
	if sum < *value {
		*value = sum
		for v, x := range fixed {
			c.m.Ints[c.m.Program.State][v] = x
		}
	}
}

func (c *ascend) reduced(f int, fixed map[int32]int32) float64 {
	count, sum, least := 0.0, 0.0, math.Inf(1)
	for i, y := range c.tables[f] {
		agrees := true
		for _, e := range c.scope[f] {
			x, known := fixed[e.v]
			agrees = agrees && (!known || x == c.state(e, i))
		}
		if agrees {
			least = math.Min(least, y)
			if n := float64(c.visits[f][i]); n > 0 {
				count, sum = count+n, sum+n*y
			}
		}
	}
	if count == 0 {
		return least
	}
	return sum / count
}
