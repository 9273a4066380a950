package pgmrt

import "math"

// Buckets is a tree of mini-buckets (Dechter and Rish 2003): an elimination of all variables in
// which a bucket is split into boxes if its table would be too large. Each box sends a message, a
// table of logarithms, to the box that multiplies it next. The weights of the boxes of a bucket are
// powers that Hölder's inequality allows, so that the product of the last messages is a bound of
// the sum of all joint states (Liu and Ihler 2011); with weights of 0 the variable is maximised
// out, and it is an upper bound of the largest. Shifts of a bucket's boxes sum to 0 for each state.
//
// Logarithms below impossibleLog stand for the logarithm of 0.
type Buckets struct {
	Card     []int32   // by variable: its number of states
	First    []int32   // by variable, and the end: the place of its states in Evidence
	Var      []int32   // by box, in the order of elimination: the variable that it eliminates
	Parent   []int32   // by box: the one that receives its message; -1 if the message is a number
	Axes     []int32   // by box, and the end: the place of its first axis
	Axis     []int32   // by axis: a variable of the box; the last and fastest is the one that it eliminates
	Operands []int32   // by box, and the end: the number of its first operand
	From     []int32   // by operand: the box whose message it is, or -1-i for the table at Numbers[i]
	Steps    []int32   // by operand: the place of its strides, one for each axis of its box
	Stride   []int32   // 0 along an axis that the operand lacks
	At       []int32   // by box, and the end: the place of its message
	Shifts   []int32   // by box: the place of its shifts, one for each state of its variable
	Numbers  []float64 // the tables
	Weight   []float64 // by box
	Shift    []float64
	Evidence []float64 // by variable and state: ln of its likelihood; -Inf for a state that is impossible
	Message  []float64
	Work     []float64 // the table of one box
}

// impossibleLog is less than the logarithm of any number except 0. Data has -math.MaxFloat64 for ln
// 0, and sums of it with others stay below.
const impossibleLog = -1e300

// mostBoxAxes is the largest number of axes of a box, all of at least two states.
const mostBoxAxes = 64

// alive reports whether a number is the logarithm of a positive one.
func alive(x float64) bool { return x > impossibleLog }

// states returns the logarithms of the likelihoods of variable v.
func (b *Buckets) states(v int32) []float64 { return b.Evidence[b.First[v]:b.First[v+1]] }

// message returns the message of box i.
func (b *Buckets) message(i int) []float64 { return b.Message[b.At[i]:b.At[i+1]] }

// Table computes the product of what box i holds and receives, with its shifts and, in the first
// box of a bucket, the evidence. It returns Work.
func (b *Buckets) Table(i int) []float64 {
	n := int(b.Card[b.Var[i]])
	work := b.Work[:int(b.At[i+1]-b.At[i])*n]
	clear(work)
	for o := b.Operands[i]; o < b.Operands[i+1]; o++ {
		b.multiply(work, b.Axis[b.Axes[i]:b.Axes[i+1]], int(o))
	}
	shift := b.Shift[b.Shifts[i]:][:n]
	for first := 0; first < len(work); first += n {
		row := work[first:][:n]
		for k, x := range shift {
			row[k] += x
		}
	}
	if i > 0 && b.Var[i-1] == b.Var[i] {
		return work
	}
	evidence := b.states(b.Var[i])
	for first := 0; first < len(work); first += n {
		row := work[first:][:n]
		for k, x := range evidence {
			row[k] += x
		}
	}
	return work
}

// multiply adds the logarithms of operand o to a table with the given axes.
func (b *Buckets) multiply(work []float64, axes []int32, o int) {
	stride, from := b.Stride[b.Steps[o]:][:len(axes)], b.Numbers
	if i := b.From[o]; i >= 0 {
		from = b.message(int(i))
	} else {
		from = from[-1-i:]
	}
	last := len(axes) - 1
	n, step := int(b.Card[axes[last]]), int(stride[last])
	var digit [mostBoxAxes]int32
	at := 0
	for first := 0; first < len(work); first += n {
		row, place := work[first:][:n], at
		for k := range row {
			row[k] += from[place]
			place += step
		}
		for j := last - 1; j >= 0; j-- {
			digit[j]++
			at += int(stride[j])
			if digit[j] < b.Card[axes[j]] {
				break
			}
			at -= int(digit[j]) * int(stride[j])
			digit[j] = 0
		}
	}
}

// Eliminate computes the message of box i from those that it receives.
func (b *Buckets) Eliminate(i int) {
	work, n, evidence := b.Table(i), int(b.Card[b.Var[i]]), b.states(b.Var[i])
	message, weight := b.message(i), b.Weight[i]
	for row := range message {
		message[row] = PowerSum(work[row*n:][:n], evidence, weight)
	}
}

// PowerSum returns w ln of the sum of exp(x/w) over the states that the evidence leaves possible,
// and the largest x if w is 0.
func PowerSum(x, evidence []float64, w float64) float64 {
	most := math.Inf(-1)
	for k, y := range x {
		if alive(evidence[k]) {
			most = max(most, unweighed(y, w))
		}
	}
	switch {
	case math.IsInf(most, 0): // a negative power of 0 is infinite, and the bound is 0
		return math.Inf(-1)
	case w == 0:
		return most
	}
	sum := 0.0
	for k, y := range x {
		if alive(evidence[k]) {
			sum += math.Exp(y/w - most)
		}
	}
	return w * (most + Ln(sum))
}

// unweighed returns x/w, and x if w is 0.
func unweighed(x, w float64) float64 {
	if w == 0 {
		return x
	}
	return x / w
}

// settle marks the states of a split bucket that one of its boxes, those from first to before end,
// calls impossible: they stay out of all.
func (b *Buckets) settle(first, end int) {
	evidence := b.states(b.Var[first])
	for i := first; i < end; i++ {
		work, n := b.Table(i), len(evidence)
		for k := range evidence {
			most := math.Inf(-1)
			for at := k; at < len(work); at += n {
				most = max(most, work[at])
			}
			if !alive(most) {
				evidence[k] = math.Inf(-1)
			}
		}
	}
}

// value returns the product of the last messages.
func (b *Buckets) value() float64 {
	sum := 0.0
	for i, p := range b.Parent {
		if p < 0 {
			sum += b.Message[b.At[i]]
		}
	}
	if !alive(sum) {
		return math.Inf(-1)
	}
	return sum
}

// The words of Buckets: the numbers of variables, boxes, axes, operands and strides, of states of
// all variables, of states by box, of a message and of the largest box; then the arrays of int32 in
// the order of the fields.
const (
	bucketVars = iota
	bucketBoxes
	bucketAxes
	bucketOperands
	bucketStrides
	bucketStates
	bucketShifts
	bucketMessages
	bucketWork
	bucketHeader
)

// bucketsOf reads the words of Buckets, and returns those after them.
func bucketsOf(k []int32) (b Buckets, rest []int32) {
	n, boxes, operands := k[bucketVars], k[bucketBoxes], k[bucketOperands]
	rest = k[bucketHeader:]
	take := func(n int32) []int32 {
		part := rest[:n]
		rest = rest[n:]
		return part
	}
	b.Card, b.First = take(n), take(n+1)
	b.Var, b.Parent, b.Axes, b.Axis = take(boxes), take(boxes), take(boxes+1), take(k[bucketAxes])
	b.Operands, b.From, b.Steps, b.Stride = take(boxes+1), take(operands), take(operands), take(k[bucketStrides])
	b.At, b.Shifts = take(boxes+1), take(boxes)
	return b, rest
}

// parameters sets the weights and shifts to those in p.
func (b *Buckets) parameters(p []float64) {
	b.Weight, b.Shift = p[:len(b.Var)], p[len(b.Var):]
}

// enter sets the evidence: by variable, at[v] is the place of its likelihoods in s, negative if it
// has none. never has -math.MaxFloat64 for states that are impossible for any evidence, and 0 for
// others.
func (b *Buckets) enter(at []int32, s, never []float64) {
	for v, place := range at {
		evidence := b.states(int32(v))
		for k := range evidence {
			x := never[int(b.First[v])+k]
			if place >= 0 {
				x += Ln(s[int(place)+k])
			}
			if !alive(x) {
				x = math.Inf(-1)
			}
			evidence[k] = x
		}
	}
}

// rounding returns how far rounding of the logarithms of the likelihoods may move a bound.
func (b *Buckets) rounding() float64 {
	sum := 0.0
	for v := range b.Card {
		most := 0.0
		for _, x := range b.states(int32(v)) {
			if alive(x) {
				most = max(most, math.Abs(x))
			}
		}
		sum += most
	}
	return 0x1p-41 * sum
}
