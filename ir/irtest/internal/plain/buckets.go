package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// buckets is a tree of mini-buckets, as the words of pgmrt.Buckets describe it. It eliminates by
// loops over joint states, with tables of numbers and not of logarithms.
type buckets struct {
	card, first, of, parent, axes, axis []int32
	operands, from, steps, stride       []int32
	tables                              []float64
	evidence                            [][]float64 // by variable: likelihoods, 0 for states that are impossible
	alone, slack                        float64
}

// newBuckets reads the words of a kernel and its evidence, and returns the words after them. Reads
// are the likelihoods of all variables, the tables, and the numbers of pgmrt.BoundSums and
// pgmrt.SearchStates that follow.
func newBuckets(m *Memory, s *ir.Kernel) (b *buckets, rest []int32) {
	w := s.Numbers
	n, boxes, axes, operands, strides := w[0], w[1], w[2], w[3], w[4]
	rest = w[9:]
	take := func(n int32) []int32 {
		part := rest[:n]
		rest = rest[n:]
		return part
	}
	b = &buckets{card: take(n), first: take(n + 1), of: take(boxes), parent: take(boxes), axes: take(boxes + 1), axis: take(axes),
		operands: take(boxes + 1), from: take(operands), steps: take(operands), stride: take(strides)}
	rest = rest[2*boxes+1:]
	b.tables = m.Numbers[s.Reads[n]]
	never := m.Numbers[s.Reads[n+1]]
	b.alone, b.slack = never[len(never)-2], never[len(never)-1]
	for v, id := range s.Reads[:n] {
		row, most := make([]float64, b.card[v]), 0.0
		for k := range row {
			if row[k] = 1; id != ir.NoSpan {
				row[k] = m.Numbers[id][k]
			}
			if never[int(b.first[v])+k] < -1e300 {
				row[k] = 0
			}
			if row[k] > 0 {
				most = math.Max(most, math.Abs(pgmrt.Ln(row[k])))
			}
		}
		b.evidence, b.slack = append(b.evidence, row), b.slack+math.Ldexp(most, -41)
	}
	return b, rest
}

// table returns the numbers of a box by joint state, the last axis fastest, without shifts.
func (b *buckets) table(i int, message [][]float64) []float64 {
	axes := b.axis[b.axes[i]:b.axes[i+1]]
	var out []float64
	state := make([]int32, len(axes))
	for {
		x := 1.0
		for o := b.operands[i]; o < b.operands[i+1]; o++ {
			at := 0
			for j, k := range state {
				at += int(k) * int(b.stride[int(b.steps[o])+j])
			}
			if from := b.from[o]; from >= 0 {
				x *= message[from][at]
			} else {
				x *= math.Exp(b.tables[-1-int(from)+at])
			}
		}
		if k := state[len(state)-1]; i == 0 || b.of[i-1] != b.of[i] {
			x *= b.evidence[b.of[i]][k]
		}
		out = append(out, x)
		j := len(state) - 1
		for ; j >= 0; j-- {
			if state[j]++; state[j] < b.card[axes[j]] {
				break
			}
			state[j] = 0
		}
		if j < 0 {
			return out
		}
	}
}

// bound eliminates by the weights and shifts in p, and returns ln of the result. With settle set, a
// state that a box of a split bucket calls impossible becomes so.
func (b *buckets) bound(p []float64, settle bool) float64 {
	weight, shift := p[:len(b.of)], p[len(b.of):]
	message := make([][]float64, len(b.of))
	sum := b.alone
	for i, v := range b.of {
		if settle && (i == 0 || b.of[i-1] != v) {
			for j := i; j < len(b.of) && b.of[j] == v && (j > i || j+1 < len(b.of) && b.of[j+1] == v); j++ {
				possible := make([]bool, b.card[v])
				for at, x := range b.table(j, message) {
					possible[at%len(possible)] = possible[at%len(possible)] || x > 0
				}
				for k, is := range possible {
					if !is {
						b.evidence[v][k] = 0
					}
				}
			}
		}
		n := int(b.card[v])
		table := b.table(i, message)
		for row := 0; row < len(table); row += n {
			message[i] = append(message[i], powerMean(table[row:row+n], shift[:n], b.evidence[v], weight[i]))
		}
		shift = shift[n:]
		if b.parent[i] < 0 {
			sum += pgmrt.Ln(message[i][0])
		}
	}
	return sum
}

// powerMean returns the sum of (x exp(shift))^(1/w) over the states with evidence, to the power w.
func powerMean(x, shift, evidence []float64, w float64) float64 {
	sum := 0.0
	for k, y := range x {
		if evidence[k] > 0 {
			sum += math.Pow(y*math.Exp(shift[k]), 1/w)
		}
	}
	if math.IsInf(sum, 1) {
		return 0
	}
	return math.Pow(sum, w)
}

// boundSums follows the documentation of the kernel BoundSums.
func (m *Memory) boundSums(s *ir.Kernel) {
	b, _ := newBuckets(m, s)
	n := len(b.card)
	up, down := m.Numbers[s.Reads[n+2]], m.Numbers[s.Reads[n+3]]
	alive, lower, upper, residual, rounds := m.number(s.Writes[0]), m.number(s.Writes[1]), m.number(s.Writes[2]), m.number(s.Writes[3]), m.number(s.Writes[4])
	m.Scratch[s.Writes[5]] = true
	least := func(v int) []float64 { return m.Numbers[s.Writes[6+v]] }
	most := func(v int) []float64 { return m.Numbers[s.Writes[6+n+v]] }
	hi := b.bound(up, true)
	low := math.Min(b.bound(down, false), hi)
	left := func(v int) (n int) {
		for _, x := range b.evidence[v] {
			if x > 0 {
				n++
			}
		}
		return n
	}
	if *rounds == 0 {
		*lower, *upper, *rounds, *residual = low-b.slack, hi+b.slack, 1, float64(n)
		if math.IsInf(hi, -1) {
			*alive, *residual = 0, 0
		}
		for v := range n {
			for k, x := range b.evidence[v] {
				least(v)[k], most(v)[k] = 0, math.Ceil(math.Min(x, 1))
				if left(v) == 1 {
					least(v)[k] = most(v)[k]
				}
			}
		}
		return
	}
	v := int(*rounds) - 1
	for v < n && left(v) < 2 {
		v++
	}
	if v < n {
		b.posterior(v, up, down, least(v), most(v), *lower, *upper)
		v++
	}
	*rounds, *residual = float64(v+1), float64(n-v)
}

// posterior bounds the posterior of v by eliminations with each single state.
func (b *buckets) posterior(v int, up, down, least, most []float64, lower, upper float64) {
	was := b.evidence[v]
	low, hi := make([]float64, len(was)), make([]float64, len(was))
	for k, x := range was {
		if low[k], hi[k] = math.Inf(-1), math.Inf(-1); x > 0 {
			b.evidence[v] = make([]float64, len(was))
			b.evidence[v][k] = x
			hi[k] = b.bound(up, false) + b.slack
			low[k] = math.Min(b.bound(down, false)-b.slack, hi[k])
		}
	}
	total := 0.0
	for _, x := range low {
		total += math.Exp(x)
	}
	wholeLeast, wholeMost := math.Max(math.Exp(lower), total), math.Exp(upper)
	for k := range low {
		others, above := 0.0, 0.0
		for j := range low {
			if j != k {
				others, above = others+math.Exp(low[j]), above+math.Exp(hi[j])
			}
		}
		if whole := math.Max(wholeLeast, math.Exp(hi[k])+others); whole > 0 {
			most[k] = math.Min(most[k], math.Exp(hi[k])/whole+1e-12)
		}
		if whole := math.Min(wholeMost, math.Exp(low[k])+above); whole > 0 {
			least[k] = math.Max(least[k], math.Exp(low[k])/whole-1e-12)
		}
		least[k], most[k] = math.Min(least[k], most[k]), math.Max(least[k], most[k])
	}
	sumLeast, sumMost := 0.0, 0.0
	for k := range low {
		sumLeast, sumMost = sumLeast+least[k], sumMost+most[k]
	}
	for k := range low {
		from, to := 1-(sumMost-most[k])-1e-12, 1-(sumLeast-least[k])+1e-12
		if from > least[k] && from <= most[k] {
			least[k] = from
		}
		if to < most[k] && to >= least[k] {
			most[k] = to
		}
	}
}

// searchStates follows the documentation of the kernel SearchStates for networks so small that one
// round ends the search after the first: it tries all joint states. Which of several best states
// the kernel finds is its own affair, and so is its knowledge before.
func (m *Memory) searchStates(s *ir.Kernel) {
	b, _ := newBuckets(m, s)
	m.Scratch[s.Writes[5]] = true
	rounds := m.number(s.Writes[4])
	if *rounds++; *rounds == 1 {
		return
	}
	state := m.Ints[m.Program.State][:len(b.card)]
	best, bestState, second := math.Inf(-1), make([]int32, len(state)), math.Inf(-1)
	clear(state)
	for more := true; more; {
		x := b.value(state)
		if x > best {
			best, second = x, best
			copy(bestState, state)
		} else {
			second = math.Max(second, x)
		}
		more = false
		for v := range state {
			if state[v]++; state[v] < b.card[v] {
				more = true
				break
			}
			state[v] = 0
		}
	}
	copy(state, bestState)
	*m.number(s.Writes[1]), *m.number(s.Writes[2]), *m.number(s.Writes[3]) = best, best+b.slack, 0
	if math.IsInf(best, -1) {
		*m.number(s.Writes[0]) = 0
		m.Brink = true // the states and the number of rounds mean nothing
	}
	m.Brink = m.Brink || second > best-1e-9
}

// value returns ln of the product of all tables and the evidence at a joint state. The tables of
// factors are the operands that are no messages.
func (b *buckets) value(state []int32) float64 {
	sum := b.alone
	for v, k := range state {
		sum += pgmrt.Ln(b.evidence[v][k])
	}
	for i := range b.of {
		axes := b.axis[b.axes[i]:b.axes[i+1]]
		for o := b.operands[i]; o < b.operands[i+1]; o++ {
			if b.from[o] >= 0 {
				continue
			}
			at := -1 - int(b.from[o])
			for j, v := range axes {
				at += int(state[v]) * int(b.stride[int(b.steps[o])+j])
			}
			sum += pgmrt.Ln(math.Exp(b.tables[at]))
		}
	}
	return sum
}
