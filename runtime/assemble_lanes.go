package pgmrt

// laneWords is about how long an instruction of the lanes may be, in words: some ten microseconds, for which nothing interrupts the
// kernel.
const laneWords = 1 << 16

// AppendLaneSums appends the instructions that compute nodes, in order, sums of their terms, or with max their maxima, whose
// terms are single elements. Elements are slots.
func AppendLaneSums(code []int32, nodes []TapeNode, max bool) []int32 {
	op := int32(laneSum)
	if max {
		op = laneMax
	}
	for len(nodes) > 0 {
		start, words := len(code), 0
		code = append(code, op, 0)
		for len(nodes) > 0 && words < laneWords {
			kind, n := nodes[0].kind(), 0
			head := len(code)
			code = append(code, int32(kind), 0)
			for n < len(nodes) && nodes[n].kind() == kind && words < laneWords {
				words += 1 + 2*len(nodes[n].Terms)
				code = nodes[n].appendPlaces(code)
				n++
			}
			code[head+1] = int32(n)
			nodes = nodes[n:]
		}
		code = closeTape(code, start)
	}
	return code
}

// appendPlaces is append for slots.
func (n *TapeNode) appendPlaces(code []int32) []int32 {
	start := len(code)
	code = n.append(code)
	for i := range code[start:] {
		code[start+i] *= Lanes
	}
	return code
}

// AppendLaneScale appends the choice of the powers of two that bring the numbers of slot top into [1, 2). The exponents are added to
// slot exp, or forgotten where that is negative.
func AppendLaneScale(code []int32, top, factor, exp int) []int32 {
	return append(code, laneScale, 5, int32(top*Lanes), int32(factor*Lanes), int32(max(exp*Lanes, -1)))
}

// AppendLaneInvert appends the reciprocals of the sums of a slot; marks is the slot that is 1 where one has none.
func AppendLaneInvert(code []int32, sum, inverse, marks int) []int32 {
	return append(code, laneInvert, 5, int32(sum*Lanes), int32(inverse*Lanes), int32(marks*Lanes))
}

// AppendLaneClear appends the clearing of slots.
func AppendLaneClear(code []int32, slots ...int) []int32 {
	code = append(code, laneClear, int32(2+len(slots)))
	for _, s := range slots {
		code = append(code, int32(s*Lanes))
	}
	return code
}

// AppendLaneObserve appends the likelihoods of variables by what was observed: slots of states, which has 0 for none, the first slots of
// likelihoods, and how many states there are, at least one.
func AppendLaneObserve(code []int32, variables ...[3]int) []int32 {
	code = append(code, laneObserve, int32(2+3*len(variables)))
	for _, v := range variables {
		code = append(code, int32(v[0]*Lanes), int32(v[1]*Lanes), int32(v[2]))
	}
	return code
}
