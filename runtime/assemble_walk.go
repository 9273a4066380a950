package pgmrt

// WalkElement is a number that a walk looks at, and what it stands for.
type WalkElement struct {
	NestView     // where the number is; without strides
	Var      int // where the state of a variable goes, of an element that stands for one; otherwise negative
	State    int
}

// AppendWalk appends the instruction that walks down through nodes from the last one. Node i has the value of element node[i], and
// terms first[i] to first[i+1]-1: two elements each, or an element and -1. At stack, state memory has room for all that the walk
// has to remember.
func AppendWalk(code []int32, draw bool, stack int, elements []WalkElement, node, first []int32, terms [][2]int32) []int32 {
	start := len(code)
	code = append(code, tapeWalk, 0, tapeBit(draw), 0, int32(stack))
	record := make([]int32, len(elements)) // of those that have one
	at := int32(walkHeader)
	for i, e := range node {
		record[e] = at
		_, words := walkKind(terms[first[i]:first[i+1]])
		at += 2 + words
	}
	code[start+walkRoot] = record[node[len(node)-1]]
	var leaves []int32
	find := func(e int32) int32 {
		if record[e] == 0 {
			record[e] = at
			at += 4
			leaves = append(leaves, e)
		}
		return record[e]
	}
	for i, e := range node {
		list := terms[first[i]:first[i+1]]
		kind, _ := walkKind(list)
		code = append(code, elements[e].place(), kind)
		for _, t := range list {
			code = append(code, find(t[0]))
			if t[1] >= 0 {
				code = append(code, find(t[1]))
			}
		}
	}
	for _, e := range leaves {
		code = append(code, elements[e].place(), 0, int32(max(elements[e].Var, -1)), int32(elements[e].State))
	}
	return closeTape(code, start)
}

// walkKind is the number of terms, negative where they are single elements, and the number of these elements.
func walkKind(terms [][2]int32) (kind, words int32) {
	n := int32(len(terms))
	if terms[0][1] < 0 {
		return -n, n
	}
	return n, 2 * n
}

// place is where the number is, in data memory where negative.
func (e *WalkElement) place() int32 {
	if e.Data {
		return ^int32(e.Offset)
	}
	return int32(e.Offset)
}
