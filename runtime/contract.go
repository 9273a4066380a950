package pgmrt

// The layout of a tapeSum or tapeMax instruction: this header; three numbers an operand (offset,
// step from row to row, step along a row); where the tile lists its positions, 1+varying offsets a
// position (out, varying operands); then records of 2+operands numbers, one a fixed axis (where its
// state is, stride of out, strides of operands), and records of 4+2*operands, one an outer axis
// (size, where the range is that narrows it or -1, advance of out, advances of operands, stride of
// out, strides of operands), innermost first. An advance takes the offset from the last position of
// the axes further in to the first one of the next round, as if none were narrowed.
const (
	nestKernel   = 2 + iota // the kernel of the tile
	nestClear               // how many numbers of out to clear, from its offset
	nestRows                // length of the second innermost axis
	nestLen                 // length of the innermost axis, a row; positions of a tile that gathers
	nestVarying             // operands [0,varying) step along a row, or are listed
	nestPerRow              // operands [varying,perRow) step from row to row only; the others in outer axes only
	nestOperands            // number of operands
	nestData                // bit k is set where operand k lies in data memory
	nestFixed               // number of fixed axes
	nestOuter               // number of outer axes
	nestOut                 // offset of out
	nestOutRow              // its step from row to row
	nestOutStep             // its step along a row
	nestHeader              // number of words of the header
)

// What one nest can hold; larger contractions take the plain way, see contract_plain.go. Every loop
// multiplies the number of products by two at least, so that 32 outer axes are never reached in
// practice.
const (
	nestMaxOperands = 16
	nestMaxOuter    = 32
)

// nestWalk is a contraction while it runs: a tile, and where the operands stand.
type nestWalk struct {
	s, p                 []float64 // work and data memory
	in                   []int32   // offset and steps of each operand
	list                 []int32   // what a gathering tile lists
	data                 int32
	rows, n              int
	varying, perRow      int
	out, outRow, outStep int
	off                  [nestMaxOperands]int
}

// nestContract runs one instruction: the sum, or the maximum, of products over a nest of loops. All
// numbers are at least 0, so that zero is where both start.
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

// enter moves out and the operands to the first states of narrowed axes, and reports whether each
// has a state left.
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

// advance moves out and the operands by n times the given numbers.
func (w *nestWalk) advance(by []int32, n int) {
	w.out += n * int(by[0])
	for k, d := range by[1:] {
		w.off[k&(nestMaxOperands-1)] += n * int(d)
	}
}

// mem is the memory of operand k.
func (w *nestWalk) mem(k int) []float64 {
	if w.data>>k&1 != 0 {
		return w.p
	}
	return w.s
}

// factor is the product of the operands that stand still within the tile. A factor of zero, as
// evidence makes, lets the whole tile be skipped.
func (w *nestWalk) factor(operands int) float64 {
	f := 1.0
	for k := w.perRow; k < operands; k++ {
		f *= w.mem(k)[w.off[k&(nestMaxOperands-1)]]
	}
	return f
}

// rowFactor is f times the operands that stand still along row i.
func (w *nestWalk) rowFactor(f float64, i int) float64 {
	for k := w.varying; k < w.perRow; k++ {
		f *= w.mem(k)[w.off[k&(nestMaxOperands-1)]+i*int(w.in[3*k+1])]
	}
	return f
}

// listed is f times the operands that move, at a position of a tile that gathers.
func (w *nestWalk) listed(f float64, offsets []int32) float64 {
	for k, d := range offsets[1:] {
		f *= w.mem(k)[w.off[k&(nestMaxOperands-1)]+int(d)]
	}
	return f
}

// product is f times the operands that move, at element j of row i.
func (w *nestWalk) product(f float64, i, j int) float64 {
	for k := range w.varying {
		f *= w.mem(k)[w.off[k&(nestMaxOperands-1)]+i*int(w.in[3*k+1])+j*int(w.in[3*k+2])]
	}
	return f
}

// The kernels of a tile: whether out stands still along a row (fold) or moves (spread), or
// positions are listed (gather), and how many operands move.
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
