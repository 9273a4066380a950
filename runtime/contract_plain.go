package pgmrt

// The layout of a tapePlain instruction, for contractions that exceed the limits of nestContract:
// the header; a record (memory, offset) for the result and for each operand; then records of
// 2+operands numbers (size, stride of the result, strides of the operands) for fixed axes, which
// have the place of the state instead of a size, for axes of the result, and for reduced axes.
const (
	plainMax      = 2 + iota // 1 for the maximum of products, 0 for their sum
	plainOperands            // number of operands
	plainFixed               // number of fixed axes
	plainOut                 // number of axes of the result
	plainReduced             // number of reduced axes
	plainHeader              // number of words of the header
)

// plainContract computes one element of the result after the other. It computes every offset from
// the index of the product, and so has no limits and needs no memory. Contractions of usual size do
// not use it.
func plainContract(code []int32, s, p []float64, t []int32) {
	record := 2 + int(code[plainOperands])
	views := code[plainHeader : plainHeader+2*(record-1)]
	fixed := code[plainHeader+len(views):]
	outer := fixed[int(code[plainFixed])*record:]
	reduced := outer[int(code[plainOut])*record:]
	fixed, outer = fixed[:len(fixed)-len(outer)], outer[:len(outer)-len(reduced)]
	for i := range plainSize(outer, record) {
		acc := 0.0
		for j := range plainSize(reduced, record) {
			v := 1.0
			for k := 1; k < record-1; k++ {
				at := int(views[2*k+1]) + plainBase(fixed, record, k, t) + plainOffset(outer, record, k, i) + plainOffset(reduced, record, k, j)
				if views[2*k] != 0 {
					v *= p[at]
				} else {
					v *= s[at]
				}
			}
			if code[plainMax] != 0 {
				acc = max(acc, v)
			} else {
				acc += float64(v)
			}
		}
		s[int(views[1])+plainBase(fixed, record, 0, t)+plainOffset(outer, record, 0, i)] = acc
	}
}

// plainSize returns the number of positions of axes.
func plainSize(axes []int32, record int) int {
	n := 1
	for ; len(axes) > 0; axes = axes[record:] {
		n *= int(axes[0])
	}
	return n
}

// plainOffset returns the offset of view k at position i of axes. The last axis varies fastest.
func plainOffset(axes []int32, record, k, i int) int {
	at := 0
	for l := len(axes) - record; l >= 0; l -= record {
		size := int(axes[l])
		at += i % size * int(axes[l+1+k])
		i /= size
	}
	return at
}

// plainBase returns the offset of view k at the states of the fixed axes.
func plainBase(fixed []int32, record, k int, t []int32) int {
	at := 0
	for ; len(fixed) > 0; fixed = fixed[record:] {
		at += int(t[fixed[0]]) * int(fixed[1+k])
	}
	return at
}
