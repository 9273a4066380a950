package pgmrt

// AppendPick appends the instruction that sets the state at place state, of a variable with n states, by the product of
// in: the best one, or with draw a random one. The views have one stride, along the variable, for Axes[0]; the other
// axes are fixed.
func AppendPick(code []int32, axes []NestAxis, in []NestView, state int, draw bool) []int32 {
	start := len(code)
	op := int32(tapeArgmax)
	if draw {
		op = tapeDraw
	}
	code = append(code, op, 0, int32(state), int32(axes[0].Size), int32(len(in)))
	for _, v := range in {
		code = append(code, tapeBit(v.Data), int32(v.Offset), int32(v.Stride[0]))
	}
	for i, a := range axes[1:] {
		if a.Size == 1 {
			continue
		}
		code = append(code, int32(a.State))
		for _, v := range in {
			code = append(code, int32(v.Stride[1+i]))
		}
	}
	return closeTape(code, start)
}

// AppendNormalize appends the division of n numbers of work memory by their sum.
func AppendNormalize(code []int32, offset, n int) []int32 {
	return append(code, tapeNormalize, 4, int32(offset), int32(n))
}

// AppendRescale appends the rescaling of n numbers of work memory; the exponent is added to the state memory at exp, or
// forgotten where exp is negative.
func AppendRescale(code []int32, offset, n, exp int) []int32 {
	return append(code, tapeRescale, 5, int32(offset), int32(n), int32(max(exp, -1)))
}

// AppendZero appends the clearing of n elements of work memory, or with ints of state memory.
func AppendZero(code []int32, ints bool, offset, n int) []int32 {
	op := int32(tapeZero)
	if ints {
		op = tapeZeroInts
	}
	return append(code, op, 4, int32(offset), int32(n))
}

// AppendLookup appends the copying of a row of n numbers of table to work memory at out: the one that the fixed axes
// lead to by the table's strides.
func AppendLookup(code []int32, axes []NestAxis, table NestView, out, n int) []int32 {
	start := len(code)
	code = append(code, tapeLookup, 0, int32(out), int32(n), tapeBit(table.Data), int32(table.Offset))
	for i, a := range axes {
		if a.Size != 1 {
			code = append(code, int32(a.State), int32(table.Stride[i]))
		}
	}
	return closeTape(code, start)
}

// closeTape writes the length of the instruction that begins at start.
func closeTape(code []int32, start int) []int32 {
	code[start+1] = int32(len(code) - start)
	return code
}

func tapeBit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
