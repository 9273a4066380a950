package pgmrt

// TapeNode is a node of a circuit: the element of work memory that it sets, and its terms: each one element, the second one negative,
// or each the product of two.
type TapeNode struct {
	Set   int
	Terms [][2]int
}

// AppendSums appends the instruction that computes nodes, in order: sums of their terms, or with max their maxima.
func AppendSums(code []int32, nodes []TapeNode, max bool) []int32 {
	start := len(code)
	op := int32(tapeSums)
	if max {
		op = tapeMaxima
	}
	code = append(code, op, 0)
	for from := 0; from < len(nodes); {
		kind, to := nodes[from].kind(), from+1
		for to < len(nodes) && nodes[to].kind() == kind {
			to++
		}
		code = append(code, int32(kind), int32(to-from))
		for _, n := range nodes[from:to] {
			code = n.append(code)
		}
		from = to
	}
	return closeTape(code, start)
}

// kind is the number of terms, negative where they are single elements.
func (n *TapeNode) kind() int {
	if n.Terms[0][1] < 0 {
		return -len(n.Terms)
	}
	return len(n.Terms)
}

func (n *TapeNode) append(code []int32) []int32 {
	code = append(code, int32(n.Set))
	for _, t := range n.Terms {
		code = append(code, int32(t[0]))
		if t[1] >= 0 {
			code = append(code, int32(t[1]))
		}
	}
	return code
}
