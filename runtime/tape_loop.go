package pgmrt

import "math"

// The instructions of loops, which extend the tape's. A span is three words: 1 if it is in data
// memory, offset, length.
const (
	tapeDamp         = 64 + iota // spans: the old numbers, the new ones, the damping, the residual
	tapeBoltzmann                // spans: the result, the weight, of length 0 if there is none, then the energies
	tapeTallySum                 // spans: the total, none, the summand, none; then the bits of the factor, low and high
	tapeTallyLog                 // the same, with the span that is zero for impossible evidence as the second
	tapeTallyEntropy             // the same, with the reference as the fourth
	tapePowers                   // spans: the result, then the operands; then the bits of the powers, low and high
)

// RunLoopTape is RunTape for code with the instructions of loops.
func RunLoopTape(code []int32, s, p []float64, t []int32, r *Rand) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		switch ins[0] {
		case tapeDamp:
			residual := &tapeLoopSpan(ins, 3, s, p)[0]
			*residual = Damp(tapeLoopSpan(ins, 0, s, p), tapeLoopSpan(ins, 1, s, p), tapeLoopSpan(ins, 2, s, p)[0], *residual)
		case tapeBoltzmann:
			tapeRunBoltzmann(ins, s, p)
		case tapePowers:
			tapeRunPowers(ins, s, p)
		case tapeTallySum:
			TallySum(&tapeLoopSpan(ins, 0, s, p)[0], tapeFactor(ins), tapeLoopSpan(ins, 2, s, p))
		case tapeTallyLog:
			TallyLog(&tapeLoopSpan(ins, 0, s, p)[0], &tapeLoopSpan(ins, 1, s, p)[0], tapeFactor(ins), tapeLoopSpan(ins, 2, s, p))
		case tapeTallyEntropy:
			TallyEntropy(&tapeLoopSpan(ins, 0, s, p)[0], tapeFactor(ins), tapeLoopSpan(ins, 2, s, p), tapeLoopSpan(ins, 3, s, p))
		default:
			RunTape(ins, s, p, t, r)
		}
	}
}

// tapeLoopSpan returns span i of an instruction; nil if it is empty.
func tapeLoopSpan(ins []int32, i int, s, p []float64) []float64 {
	w := ins[2+3*i:]
	if w[2] == 0 {
		return nil
	}
	if w[0] != 0 {
		s = p
	}
	return s[w[1] : w[1]+w[2]]
}

// tapeFactor returns the number at the end of a tally.
func tapeFactor(ins []int32) float64 { return tapeBits(ins[14:]) }

// tapeBits returns the number with the first two words as bits.
func tapeBits(w []int32) float64 {
	return math.Float64frombits(uint64(uint32(w[0])) | uint64(uint32(w[1]))<<32)
}

// tapeRunPowers sets the result to the product of powers of the operands, by their logarithms.
func tapeRunPowers(ins []int32, s, p []float64) {
	out, n := tapeLoopSpan(ins, 0, s, p), (len(ins)-5)/5
	clear(out)
	for k := range n {
		addPower(out, tapeLoopSpan(ins, 1+k, s, p), tapeBits(ins[5+3*n+2*k:]))
	}
	ofLogarithms(out)
}

// tapeRunBoltzmann sets the result to a distribution, by the sum of the energies.
func tapeRunBoltzmann(ins []int32, s, p []float64) {
	out := tapeLoopSpan(ins, 0, s, p)
	clear(out)
	for k := 2; 2+3*k < len(ins); k++ {
		for i, e := range tapeLoopSpan(ins, k, s, p) {
			out[i] += e
		}
	}
	Boltzmann(out, tapeLoopSpan(ins, 1, s, p), out)
}
