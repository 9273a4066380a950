package pgmrt

import "math"

// TapeSpan is numbers in one of the memories; none where Len is 0.
type TapeSpan struct {
	Data        bool // in data memory
	Offset, Len int
}

func appendSpans(code []int32, spans ...TapeSpan) []int32 {
	for _, s := range spans {
		code = append(code, tapeBit(s.Data), int32(s.Offset), int32(s.Len))
	}
	return code
}

// AppendDamp appends the instruction that is Damp.
func AppendDamp(code []int32, old, next, rate, residual TapeSpan) []int32 {
	start := len(code)
	return closeTape(appendSpans(append(code, tapeDamp, 0), old, next, rate, residual), start)
}

// AppendBoltzmann appends the instruction that is Boltzmann.
func AppendBoltzmann(code []int32, out, weight TapeSpan, energies []TapeSpan) []int32 {
	start := len(code)
	code = appendSpans(append(code, tapeBoltzmann, 0), out, weight)
	return closeTape(appendSpans(code, energies...), start)
}

// AppendPowers appends the instruction that is Powers.
func AppendPowers(code []int32, out TapeSpan, powers []float64, in []TapeSpan) []int32 {
	start := len(code)
	code = appendSpans(append(code, tapePowers, 0), out)
	code = appendSpans(code, in...)
	for _, x := range powers {
		code = appendBits(code, x)
	}
	return closeTape(code, start)
}

// appendBits appends the bits of x, low and high.
func appendBits(code []int32, x float64) []int32 {
	bits := math.Float64bits(x)
	return append(code, int32(uint32(bits)), int32(uint32(bits>>32)))
}

// TapeTally is one of the tallies.
type TapeTally int32

// The tallies.
const (
	TapeTallySum     TapeTally = tapeTallySum
	TapeTallyLog     TapeTally = tapeTallyLog
	TapeTallyEntropy TapeTally = tapeTallyEntropy
)

// AppendTally appends the instruction that is TallySum, TallyLog or TallyEntropy; those that have no use for alive or ref ignore it.
func AppendTally(code []int32, kind TapeTally, factor float64, total, alive, x, ref TapeSpan) []int32 {
	start := len(code)
	code = appendSpans(append(code, int32(kind), 0), total, alive, x, ref)
	return closeTape(appendBits(code, factor), start)
}
