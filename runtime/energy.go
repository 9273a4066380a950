package pgmrt

import "math"

// The instructions of methods that decode by energies, which are negated logarithms. They extend
// the instructions of loops. Offsets are in work memory; -1 means none.
const (
	tapeMinSum          = 128 + iota // offset of the result, axis of the result or -1, 1 if the table is in data memory, its offset, then for each axis: size, place of its fixed state or -1, offset of the operand or -1
	tapeSendMessages                 // number of states, offsets of base, belief, alive, bound, residual and rate, the share's two numbers, then for each factor: offsets in and out, divisor
	tapeEnergy                       // number of states, offset of the result, of the weight or -1, then for each operand: 1 if it is in data memory, offset
	tapeChoose                       // number of states, place of the state, number of final operands, offsets of the value, of ties and of the belief, then of each operand
	tapeUpdateIncumbent              // place of the states, of the best states, their number, then offsets of the eight numbers
	tapeEnvelope                     // see envelope.go
)

// impossible is the least energy that counts as infinite. Constants must be finite, and have the
// largest number for an infinite energy.
const impossible = 1e300

// maxAxes is the largest number of looping axes of a table: each has at least two states, and a
// table has at most 2^31 numbers.
const maxAxes = 31

// RunEnergies runs code that is only instructions of energies.
func RunEnergies(code []int32, s, p []float64, t []int32) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		runEnergy(ins, s, p, t)
	}
}

// runEnergy runs an instruction of energies. It reports false for any other instruction.
func runEnergy(ins []int32, s, p []float64, t []int32) bool {
	switch ins[0] {
	case tapeMinSum:
		tapeRunMinSum(ins, s, p, t)
	case tapeSendMessages:
		tapeRunSendMessages(ins, s)
	case tapeEnergy:
		tapeRunEnergy(ins, s, p)
	case tapeChoose:
		tapeRunChoose(ins, s, t)
	case tapeUpdateIncumbent:
		tapeRunUpdateIncumbent(ins, s, t)
	case tapeEnvelope:
		tapeRunEnvelope(ins, s, p, t)
	default:
		return false
	}
	return true
}

// The lengths of the header of a tapeMinSum instruction and of the record of an axis.
const (
	minSumHeader = 6
	minSumAxis   = 3
)

// tapeRunMinSum minimises over the table in one pass. It keeps partial sums of operands over the
// axes of its loop, so that an element takes one addition and one comparison. The function is long
// because its header and its loop share fixed arrays on the stack, which are not to be copied.
func tapeRunMinSum(ins []int32, s, p []float64, t []int32) {
	table, to := s, int(ins[3])
	if ins[4] != 0 {
		table = p
	}
	axes := ins[minSumHeader:]
	var size, stride, at [maxAxes]int
	var in [maxAxes]int32
	var sum [maxAxes + 1]float64
	n, place, result, step := 0, int(ins[5]), -1, 1
	for i := len(axes)/minSumAxis - 1; i >= 0; i-- { // the fastest first
		a := axes[minSumAxis*i:]
		if a[1] >= 0 {
			place += int(t[a[1]]) * step
			if a[2] >= 0 {
				sum[0] += s[int(a[2])+int(t[a[1]])]
			}
		} else {
			size[n], stride[n], in[n] = int(a[0]), step, a[2]
			if i == to {
				result = n
			}
			n++
		}
		step *= int(a[0])
	}
	out := s[ins[2]:]
	if result < 0 {
		out = out[:1]
	} else {
		out = out[:size[result]]
	}
	for i := range out {
		out[i] = math.Inf(1)
	}
	// sum[n-k] is the sum of the operands of the axes from k on, at their states.
	start := n
	for {
		for k := start - 1; k > 0; k-- {
			sum[n-k] = sum[n-k-1] + operand(s, in[k], at[k])
		}
		minSumRow(out, result, &at, table[place:], s, in[0], sum[max(0, n-1)], min(1, n)*size[0], stride[0])
		k := 1
		for ; k < n; k++ {
			at[k]++
			place += stride[k]
			if at[k] < size[k] {
				break
			}
			place -= at[k] * stride[k]
			at[k] = 0
		}
		if k >= n {
			break
		}
		start = k + 1
	}
	keepImpossible(out)
}

// keepImpossible makes the energies infinite that are so large that they stand for impossible
// states.
func keepImpossible(energies []float64) {
	for i, x := range energies {
		if x >= impossible {
			energies[i] = math.Inf(1)
		}
	}
}

// operand returns the energy of a state, or 0 if there is no operand.
func operand(s []float64, offset int32, state int) float64 {
	if offset < 0 {
		return 0
	}
	return s[int(offset)+state]
}

// minSumRow minimises over the states of the fastest axis, or over one element if no axis loops.
// Its parameters are scalars, and not a struct, so that they stay in registers in the inner loop of
// the tape.
func minSumRow(out []float64, result int, at *[maxAxes]int, row, s []float64, in int32, sum float64, states, stride int) {
	if states == 0 {
		out[0] = min(out[0], row[0]+sum)
		return
	}
	place := 0
	if result > 0 {
		place = at[result]
	}
	for i := range states {
		x := row[i*stride] + sum
		if in >= 0 {
			x += s[int(in)+i]
		}
		if result == 0 {
			place = i
		}
		if x < out[place] {
			out[place] = x
		}
	}
}

// The lengths of the header of a tapeSendMessages instruction and of the record of a factor.
const (
	sendHeader = 11
	sendFactor = 3
)

// tapeRunSendMessages adds up the incoming messages of a variable, and computes the outgoing ones.
func tapeRunSendMessages(ins []int32, s []float64) {
	sum, factors := s[ins[4]:][:ins[2]], ins[sendHeader:]
	damped := ins[8] >= 0
	if ins[7] >= 0 && !damped {
		s[ins[7]] = max(s[ins[7]], messageChange(ins, s))
	}
	copy(sum, s[ins[3]:][:ins[2]])
	for k := 0; k < len(factors); k += sendFactor {
		for i, x := range s[factors[k]:][:ins[2]] {
			sum[i] += x
		}
	}
	least := math.Inf(1)
	for _, x := range sum {
		least = min(least, x)
	}
	if least >= impossible {
		s[ins[5]] = 0
	}
	if ins[6] >= 0 && ins[9] > 0 {
		s[ins[6]] += float64(least*float64(ins[9])) / float64(ins[10])
	}
	for k := 0; k < len(factors); k += sendFactor {
		in, out, divide := s[factors[k]:][:ins[2]], s[factors[k+1]:][:ins[2]], float64(factors[k+2])
		if !damped {
			for i, x := range sum {
				out[i] = outgoing(x, in[i], divide)
			}
			continue
		}
		sendDamped(sum, in, out, divide, s[ins[8]], &s[ins[7]])
	}
}

// messageChange returns the largest difference between the belief from the incoming messages and
// the previous belief, both scaled to a maximum of 1.
func messageChange(ins []int32, s []float64) float64 {
	now := func(i int) float64 {
		x := s[int(ins[3])+i]
		for factors := ins[sendHeader:]; len(factors) > 0; factors = factors[sendFactor:] {
			x += s[int(factors[0])+i]
		}
		return x
	}
	old := s[ins[4]:][:ins[2]]
	least, before := math.Inf(1), math.Inf(1)
	for i, x := range old {
		least, before = min(least, now(i)), min(before, x)
	}
	if least >= impossible || before >= impossible {
		return 0
	}
	change := 0.0
	for i, x := range old {
		change = max(change, math.Abs(math.Exp(least-now(i))-math.Exp(before-x)))
	}
	return change
}

// sendDamped updates the message to one factor: damped energies with a least one of 0.
func sendDamped(sum, in, out []float64, divide, rate float64, residual *float64) {
	low := math.Inf(1)
	for i, x := range sum {
		low = min(low, outgoing(x, in[i], divide))
	}
	if low >= impossible {
		low = 0
	}
	for i, x := range sum {
		out[i] = dampEnergy(out[i], outgoing(x, in[i], divide)-low, rate, residual)
	}
}

// outgoing returns the message of a sum to a factor, without the factor's own incoming message.
func outgoing(sum, in, divide float64) float64 {
	switch {
	case sum >= impossible:
		return math.Inf(1)
	case divide == 0:
		return -in
	}
	return sum/divide - in
}

// dampEnergy moves an energy from old towards next, and raises residual to the difference of their
// exponentials.
func dampEnergy(old, next, rate float64, residual *float64) float64 {
	*residual = max(*residual, math.Abs(math.Exp(-next)-math.Exp(-old)))
	if rate == 0 || old >= impossible || next >= impossible {
		return next
	}
	return float64(rate*old) + float64((1-rate)*next)
}

func tapeRunEnergy(ins []int32, s, p []float64) {
	out := s[ins[3]:][:ins[2]]
	for i := range out {
		x := 0.0
		if ins[4] >= 0 {
			x = -Ln(s[int(ins[4])+i])
		}
		for in := ins[5:]; len(in) > 0; in = in[2:] {
			if in[0] != 0 {
				x += p[int(in[1])+i]
			} else {
				x += s[int(in[1])+i]
			}
		}
		if x >= impossible {
			x = math.Inf(1)
		}
		out[i] = x
	}
}

// Ties of energies: energies that differ by less than chooseTie, relative to their size, differ
// only by rounding. Beliefs are limits of messages, and count as equal if they differ by less than
// beliefTie.
const (
	chooseTie = 0x1p-40
	beliefTie = 1e-7
)

// chooseHeader is the length of the header of a tapeChoose instruction.
const chooseHeader = 8

func tapeRunChoose(ins []int32, s []float64, t []int32) {
	states, rows := int(ins[2]), ins[chooseHeader:]
	sum := func(rows []int32, i int) float64 {
		x := 0.0
		for _, at := range rows {
			x += s[int(at)+i]
		}
		return x
	}
	least := math.Inf(1)
	for i := range states {
		least = min(least, sum(rows, i))
	}
	most := least + float64(chooseTie*max(1, math.Abs(least)))
	for i := range states {
		if sum(rows, i) <= most {
			t[ins[3]] = int32(i)
			s[ins[5]] += sum(rows[:ins[4]], i)
			break
		}
	}
	belief := s[ins[7]:][:states]
	low, near := math.Inf(1), 0
	for _, x := range belief {
		low = min(low, x)
	}
	for _, x := range belief {
		if x <= low+beliefTie {
			near++
		}
	}
	if near > 1 {
		s[ins[6]] = 1
	}
}

// The numbers of a run, by their index in the instruction.
const (
	incumbentValue = 5 + iota
	incumbentBound
	incumbentGain
	incumbentGainBefore
	incumbentBoundBefore
	incumbentBest
	incumbentRounds
	incumbentResidual
)

func tapeRunUpdateIncumbent(ins []int32, s []float64, t []int32) {
	state, best := t[ins[2]:][:ins[4]], t[ins[3]:][:ins[4]]
	value, bound := s[ins[incumbentValue]], s[ins[incumbentBound]]
	least := &s[ins[incumbentBest]]
	if value < *least || *least >= impossible {
		*least = value
		copy(best, state)
	} else {
		copy(state, best)
	}
	s[ins[incumbentGainBefore]] = s[ins[incumbentGain]]
	s[ins[incumbentGain]] = bound - s[ins[incumbentBoundBefore]]
	s[ins[incumbentBoundBefore]] = bound
	s[ins[incumbentRounds]]++
	residual := max(s[ins[incumbentResidual]], s[ins[incumbentGain]], s[ins[incumbentGainBefore]])
	if s[ins[incumbentRounds]] < 3 {
		residual = min(*least-bound, math.MaxFloat64)
	}
	if bound >= impossible || *least < impossible && *least-bound <= proofGap {
		residual = 0
	}
	s[ins[incumbentResidual]] = residual
}
