package pgmrt

import "math"

// The layout of a tapeSum or tapeMax instruction: a header; three numbers for each operand (offset,
// step from row to row, step along a row); if the tile lists its positions, 1 + varying offsets for
// each position (result, varying operands); then a record of 2+operands numbers for each fixed axis
// (place of the state, stride of the result, strides of the operands), and a record of 4+2*operands
// for each outer axis, innermost first (size, place of the range that narrows it or -1, advance of
// the result, advances of the operands, stride of the result, strides of the operands). An advance
// takes an offset from the last position of the inner axes to their first position in the next
// iteration, as if none were narrowed.
const (
	nestKernel   = 2 + iota // the kernel of the tile
	nestClear               // number of elements of the result to clear, from its offset
	nestRows                // length of the second innermost axis
	nestLen                 // length of the innermost axis, a row; or number of positions of a gathering tile
	nestVarying             // operands [0,varying) step along a row, or are listed
	nestPerRow              // operands [varying,perRow) step from row to row only; the others step in outer axes only
	nestOperands            // number of operands
	nestData                // bit k is set if operand k is in data memory
	nestFixed               // number of fixed axes
	nestOuter               // number of outer axes
	nestOut                 // offset of the result
	nestOutRow              // its step from row to row
	nestOutStep             // its step along a row
	nestHeader              // number of words of the header
)

// The limits of one nest. Larger contractions use contract_plain.go. Every loop at least doubles
// the number of products, so that 32 outer axes never occur in practice.
const (
	nestMaxOperands = 16
	nestMaxOuter    = 32
)

// nestWalk is the state of a running contraction: a tile, and the positions of the operands.
type nestWalk struct {
	s, p                 []float64 // work and data memory
	in                   []int32   // offset and steps of each operand
	list                 []int32   // the offsets of a gathering tile
	data                 int32
	rows, n              int
	varying, perRow      int
	out, outRow, outStep int
	off                  [nestMaxOperands]int
}

// nestContract runs one instruction: the sum or the maximum of products over a nest of loops. All
// numbers are at least 0, so that both start at zero.
func nestContract(code []int32, s, p []float64, t []int32, maximum bool) {
	operands := int(code[nestOperands])
	in, rest := code[nestHeader:nestHeader+3*operands], code[nestHeader+3*operands:]
	w := nestWalk{
		s: s, p: p, in: in, data: code[nestData],
		rows: int(code[nestRows]), n: int(code[nestLen]),
		varying: int(code[nestVarying]), perRow: int(code[nestPerRow]),
		out: int(code[nestOut]), outRow: int(code[nestOutRow]), outStep: int(code[nestOutStep]),
	}
	kernel := code[nestKernel]
	if kernel >= nestGather1 {
		words := w.n * (1 + w.varying)
		w.list, rest = rest[:words], rest[words:]
	}
	for k := range operands {
		w.off[k&(nestMaxOperands-1)] = int(in[3*k])
	}
	for range code[nestFixed] {
		w.advance(rest[1:2+operands], int(t[rest[0]]))
		rest = rest[2+operands:]
	}
	clear(s[w.out : w.out+int(code[nestClear])])
	outer := int(code[nestOuter])
	if !w.enter(rest, outer, t) {
		return
	}
	var at [nestMaxOuter]int32
	for {
		if f := w.factor(operands); f != 0 {
			if maximum {
				w.maxTile(kernel, f)
			} else {
				w.sumTile(kernel, f)
			}
		}
		axis, record := 0, rest
		for ; axis < outer; axis++ {
			size := record[0]
			if place := record[1]; place >= 0 {
				size = t[place+1] - t[place]
			}
			if at[axis]++; at[axis] < size {
				break
			}
			at[axis] = 0
			if size < record[0] {
				w.advance(record[3+operands:4+2*operands], int(record[0]-size))
			}
			record = record[4+2*operands:]
		}
		if axis == outer {
			return
		}
		w.advance(record[2:3+operands], 1)
	}
}

// enter moves the result and the operands to the first states of narrowed axes, and reports whether
// each axis has a state.
func (w *nestWalk) enter(records []int32, outer int, t []int32) bool {
	n := len(w.in) / 3
	for ; outer > 0; outer-- {
		if place := records[1]; place >= 0 {
			first := t[place]
			if first >= t[place+1] {
				return false
			}
			w.advance(records[3+n:4+2*n], int(first))
		}
		records = records[4+2*n:]
	}
	return true
}

// advance moves the result and the operands by n times the given numbers.
func (w *nestWalk) advance(by []int32, n int) {
	w.out += n * int(by[0])
	for k, d := range by[1:] {
		w.off[k&(nestMaxOperands-1)] += n * int(d)
	}
}

// mem returns the memory of operand k.
func (w *nestWalk) mem(k int) []float64 {
	if w.data>>k&1 != 0 {
		return w.p
	}
	return w.s
}

// factor returns the product of the operands that are constant within the tile. If it is zero, as
// evidence may make it, the whole tile is skipped.
func (w *nestWalk) factor(operands int) float64 {
	f := 1.0
	for k := w.perRow; k < operands; k++ {
		f *= w.mem(k)[w.off[k&(nestMaxOperands-1)]]
	}
	return f
}

// rowFactor returns f times the operands that are constant along row i.
func (w *nestWalk) rowFactor(f float64, i int) float64 {
	for k := w.varying; k < w.perRow; k++ {
		f *= w.mem(k)[w.off[k&(nestMaxOperands-1)]+i*int(w.in[3*k+1])]
	}
	return f
}

// listed returns f times the varying operands at a position of a gathering tile.
func (w *nestWalk) listed(f float64, offsets []int32) float64 {
	for k, d := range offsets[1:] {
		f *= w.mem(k)[w.off[k&(nestMaxOperands-1)]+int(d)]
	}
	return f
}

// product returns f times the varying operands at element j of row i.
func (w *nestWalk) product(f float64, i, j int) float64 {
	for k := range w.varying {
		f *= w.mem(k)[w.off[k&(nestMaxOperands-1)]+i*int(w.in[3*k+1])+j*int(w.in[3*k+2])]
	}
	return f
}

// nestBits maps numbers of at least 0 to integers in the same order, with -0 first. The maximum of
// integers has a much shorter latency than the maximum of floating-point numbers, which matters in
// a chain of maxima.
func nestBits(x float64) int64 { return int64(math.Float64bits(x)) }

// nestNumber is the inverse of nestBits.
func nestNumber(bits int64) float64 { return math.Float64frombits(uint64(bits)) }

// The kernels of a tile: the result is constant along a row (fold) or varies (spread), or positions
// are listed (gather); and the number of varying operands.
const (
	nestFold1 = iota
	nestFold2
	nestFoldN
	nestSpread1
	nestSpread2
	nestSpreadN
	nestGather1
	nestGather2
	nestGather3
	nestGatherN
)
