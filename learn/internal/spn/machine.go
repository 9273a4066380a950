package spn

import (
	"math"

	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// lanes is the number of rows that are evaluated at once.
const lanes = 8

// lane holds a number for each of them.
type lane [lanes]float64

// tiny is the bound of a block's largest number below which the block is rescaled. The product of
// two numbers above it is far from underflow.
const tiny = 1e-60

// machine evaluates a network on some rows. It does not use circuit.Flat: the edges of a block are
// one matrix, which is neither expanded nor indexed, and its lanes are rows.
type machine struct {
	n       *Network
	columns []data.States
	value   []lane // by node: the value divided by e^scale of its block
	flow    []lane // by node: its expected number of uses by the rows
	scale   []lane // by block
	factor  []lane // by block: the factor by which rescaling multiplied a sum
	inputs  []lane // scratch: the operands of a sum in one scale
	ratio   []lane // scratch: flow over value of a sum
	counts  [][]float64
}

func newMachine(n *Network, set *data.Set) *machine {
	m := &machine{n: n, value: make([]lane, n.nodes), scale: make([]lane, len(n.blocks)), factor: make([]lane, len(n.blocks))}
	for v := range set.Vars {
		m.columns = append(m.columns, set.Column(v))
	}
	width, size := 0, 0
	for i := range n.blocks {
		if b := &n.blocks[i]; b.kind == sum {
			width, size = max(width, len(b.weights)/b.size), max(size, b.size)
		}
	}
	m.inputs, m.ratio = make([]lane, width), make([]lane, size)
	return m
}

// up computes all values for the rows start, start+1, ... before end, at most lanes of them, and
// returns the logarithm of the root's value.
func (m *machine) up(start, end int) (log lane) {
	for i := range m.n.blocks {
		switch m.n.blocks[i].kind {
		case leaf:
			m.leaf(i, start, end)
		case product:
			m.product(i)
		case sum:
			m.sum(i)
		}
	}
	root := len(m.n.blocks) - 1
	x := m.value[m.n.blocks[root].start]
	for k := range log {
		log[k] = pgmrt.Ln(x[k]) + m.scale[root][k]
	}
	return log
}

// values returns the numbers of a block's nodes.
func (m *machine) values(b Block) []lane {
	x := &m.n.blocks[b]
	return m.value[x.start : x.start+x.size]
}

// state returns the state of a leaf's variable in a row, and Missing from row end on.
func (m *machine) state(v, row, end int) int {
	if row >= end {
		return data.Missing
	}
	return m.columns[v].At(row)
}

func (m *machine) leaf(i, start, end int) {
	b := &m.n.blocks[i]
	out := m.values(Block(i))
	card := m.n.card(b.v)
	m.scale[i] = lane{}
	for k := range lanes {
		s := m.state(b.v, start+k, end)
		if s == data.Missing {
			for j := range out {
				out[j][k] = 1
			}
			continue
		}
		for j := range out {
			out[j][k] = b.weights[j*card+s]
		}
	}
}

func (m *machine) product(i int) {
	b := &m.n.blocks[i]
	out := m.values(Block(i))
	copy(out, m.values(b.args[0]))
	m.scale[i] = m.scale[b.args[0]]
	for _, a := range b.args[1:] {
		multiply(out, m.values(a))
		for k, s := range m.scale[a] {
			m.scale[i][k] += s
		}
		m.rescale(i, out)
	}
}

// gather brings the operands of a sum to one scale and returns them with it.
func (m *machine) gather(b *block) ([]lane, lane) {
	if len(b.args) == 1 {
		return m.values(b.args[0]), m.scale[b.args[0]]
	}
	base := m.scale[b.args[0]]
	for _, a := range b.args[1:] {
		for k, s := range m.scale[a] {
			base[k] = max(base[k], s)
		}
	}
	in := m.inputs[:0]
	for _, a := range b.args {
		factor := lane{}
		for k, s := range m.scale[a] {
			if s == base[k] {
				factor[k] = 1
			} else {
				factor[k] = math.Exp(s - base[k])
			}
		}
		for _, x := range m.values(a) {
			for k := range x {
				x[k] *= factor[k]
			}
			in = append(in, x)
		}
	}
	return in, base
}

func (m *machine) sum(i int) {
	b := &m.n.blocks[i]
	in, base := m.gather(b)
	out := m.values(Block(i))
	for j := range out {
		out[j] = weighted(b.weights[j*len(in):(j+1)*len(in)], in)
	}
	m.scale[i] = base
	m.factor[i] = m.rescale(i, out)
}

// rescale divides the numbers of a block by their largest one in the rows in which that is tiny. If
// all are 0, the scale is minus infinity, so that no other block must check for it.
func (m *machine) rescale(i int, x []lane) (factor lane) {
	largest := x[0]
	for j := 1; j < len(x); j++ {
		for k, v := range &x[j] {
			largest[k] = max(largest[k], v)
		}
	}
	for k, v := range largest {
		factor[k] = 1
		switch {
		case v >= tiny:
		case v == 0:
			m.scale[i][k] = math.Inf(-1)
		default:
			factor[k] = 1 / v
			m.scale[i][k] += pgmrt.Ln(v)
			for j := range x {
				x[j][k] *= factor[k]
			}
		}
	}
	return factor
}

// down adds the expected counts of the rows of the last call of up, times their weights.
func (m *machine) down(start, end int, weight lane) {
	clear(m.flow)
	root := m.n.blocks[len(m.n.blocks)-1].start
	for k, x := range m.value[root] {
		if x > 0 {
			m.flow[root][k] = weight[k]
		}
	}
	for i := len(m.n.blocks) - 1; i >= 0; i-- {
		b := &m.n.blocks[i]
		flow := m.flow[b.start : b.start+b.size]
		switch b.kind {
		case leaf:
			if !b.fixed {
				m.countLeaf(i, flow, start, end)
			}
		case product:
			for _, a := range b.args {
				add(m.flow[m.n.blocks[a].start:][:b.size], flow)
			}
		case sum:
			m.countSum(i, flow)
		}
	}
}

// countLeaf counts the states of the rows. Missing values are not counted.
func (m *machine) countLeaf(i int, flow []lane, start, end int) {
	b := &m.n.blocks[i]
	card := m.n.card(b.v)
	for k := range lanes {
		if s := m.state(b.v, start+k, end); s != data.Missing {
			for j := range flow {
				m.counts[i][j*card+s] += flow[j][k]
			}
		}
	}
}

// countSum counts the contribution of each operand to each sum and passes the flow on. Counts lack
// the factor of the weight; Expected multiplies by it at the end.
func (m *machine) countSum(i int, flow []lane) {
	b := &m.n.blocks[i]
	in, _ := m.gather(b)
	ratio, used := m.ratio[:b.size], false
	for j, v := range m.values(Block(i)) {
		ratio[j] = lane{}
		for k, f := range &flow[j] {
			if f > 0 && v[k] > 0 {
				ratio[j][k], used = f*m.factor[i][k]/v[k], true
			}
		}
	}
	if !used {
		return
	}
	width := len(in)
	for j := range ratio {
		dots(m.counts[i][j*width:(j+1)*width], &ratio[j], in)
	}
	at := 0
	for _, a := range b.args {
		below := m.flow[m.n.blocks[a].start:][:m.n.blocks[a].size]
		for h := range below {
			x := column(b.weights[at:], width, ratio)
			for k := range x {
				below[h][k] += x[k] * in[at][k]
			}
			at++
		}
	}
}
