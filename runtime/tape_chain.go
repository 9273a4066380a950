package pgmrt

// The instructions of samplers, which extend the tape's. A row is rowHeader words; two for each
// variable that is drawn (place of its state, number of states); one for each fixed variable (place
// of its state); for each table 1 if it is in data memory, its offset, the strides of the drawn and
// of the fixed variables; and for each tree 1 if its leaves are in data memory, their offset, the
// place of the child's state or -1, its stride, the number of words, and the nodes: the place of
// the tested state, then for each of its states the word of the next node, or -1 minus the offset
// of the leaf.
const (
	tapeResample   = 96 + iota // number of drawn variables, offset of the weights, 1 if these are scaled, offset of each drawn variable's tally or -1, then a row
	tapeFindStart              // offset of the outcome, number of levels, first words of the levels: offset of the weights, level to return to, row
	tapeStatsClear             // offset and length of the six statistics
	tapeStatsBatch             // the same, then offsets of the six numbers of the run
	tapeStatsHalf
	tapeStatsRun
	tapeStatsHalfReal
	tapeStatsRunReal
)

// The header of a row.
const (
	rowDrawn = iota
	rowStanding
	rowTables
	rowTrees
	rowHeader
)

// RunChainTape is RunTape for code with the instructions of samplers.
func RunChainTape(code []int32, s, p []float64, t []int32, r *Rand) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		switch ins[0] {
		case tapeResample:
			tapeRunResample(ins, s, p, t, r)
		case tapeFindStart:
			tapeRunFindStart(ins, s, p, t, r)
		case tapeStatsClear, tapeStatsBatch, tapeStatsHalf, tapeStatsRun, tapeStatsHalfReal, tapeStatsRunReal:
			tapeRunStats(ins, s)
		default:
			RunTape(ins, s, p, t, r)
		}
	}
}

// tapeRunResample draws the states of some variables given all others.
func tapeRunResample(ins []int32, s, p []float64, t []int32, r *Rand) {
	drawn := int(ins[2])
	tallies, row := ins[5:5+drawn], ins[5+drawn:]
	n := 1
	for i := range drawn {
		n *= int(row[rowHeader+2*i+1])
	}
	w := s[ins[3]:][:n]
	tapeFillRow(w, row, s, p, t, ins[4] != 0)
	if drawn == 1 && tallies[0] >= 0 {
		state := &t[row[rowHeader]]
		*state = Redraw(w, s[tallies[0]:][:n], *state, r)
		return
	}
	tapeRedrawJoint(w, tallies, row, s, t, r)
}

// tapeRedrawJoint is Redraw for the joint states of several variables.
func tapeRedrawJoint(w []float64, tallies, row []int32, s []float64, t []int32, r *Rand) {
	total, share := 0.0, 0.0
	for _, x := range w {
		total += x
	}
	at := tapeRowStates(row, t)
	if total >= chainLeast {
		share = 1 / total
		at = Draw(w, r)
	}
	for i, x := range w {
		if x *= share; share == 0 && i == at {
			x = 1
		}
		if x == 0 {
			continue
		}
		for k, left := len(tallies)-1, i; k >= 0; k-- {
			size := int(row[rowHeader+2*k+1])
			if tallies[k] >= 0 {
				s[int(tallies[k])+left%size] += x
			}
			left /= size
		}
	}
	tapeSetStates(row, t, at)
}

// tapeRowStates returns the number of the joint state of the drawn variables of a row.
func tapeRowStates(row, t []int32) (at int) {
	for k := range int(row[rowDrawn]) {
		at = at*int(row[rowHeader+2*k+1]) + int(t[row[rowHeader+2*k]])
	}
	return at
}

// tapeSetStates sets the drawn variables of a row to a joint state.
func tapeSetStates(row, t []int32, at int) {
	for k := int(row[rowDrawn]) - 1; k >= 0; k-- {
		size := int(row[rowHeader+2*k+1])
		t[row[rowHeader+2*k]] = int32(at % size)
		at /= size
	}
}

// tapeFillRow sets w to the products of a row's tables and trees, the last drawn variable varying
// fastest. If the row is scaled, the largest product stays near 1.
func tapeFillRow(w []float64, row []int32, s, p []float64, t []int32, scaled bool) {
	drawn, standing := int(row[rowDrawn]), int(row[rowStanding])
	code := row[rowHeader:]
	loops, code := code[:2*drawn], code[2*drawn:]
	fixed, code := code[:standing], code[standing:]
	for i := range w {
		w[i] = 1
	}
	for range row[rowTables] {
		m, at := s, int(code[1])
		if code[0] != 0 {
			m = p
		}
		strides := code[2 : 2+drawn]
		for i, place := range fixed {
			at += int(t[place]) * int(code[2+drawn+i])
		}
		tapeTimesTable(w, m[at:], loops, strides)
		code = code[2+drawn+standing:]
		if scaled {
			Rescale(w)
		}
	}
	for range row[rowTrees] {
		tapeTimesTree(w, row, code, s, p, t)
		code = code[5+code[4]:]
		if scaled {
			Rescale(w)
		}
	}
}

// tapeTimesTable multiplies w by a table.
func tapeTimesTable(w, table []float64, loops, strides []int32) {
	if len(strides) == 1 {
		step := int(strides[0])
		for i := range w {
			w[i] *= table[i*step]
		}
		return
	}
	for i := range w {
		at, left := 0, i
		for k := len(strides) - 1; k >= 0; k-- {
			size := int(loops[2*k+1])
			at += left % size * int(strides[k])
			left /= size
		}
		w[i] *= table[at]
	}
}

// tapeTimesTree multiplies w by a tree, which it walks for each joint state of the drawn variables.
// It restores their states.
func tapeTimesTree(w []float64, row, tree []int32, s, p []float64, t []int32) {
	m := s
	if tree[0] != 0 {
		m = p
	}
	now := tapeRowStates(row, t)
	for i := range w {
		tapeSetStates(row, t, i)
		w[i] *= m[tapeLeaf(tree, t)]
	}
	tapeSetStates(row, t, now)
}

// tapeLeaf returns the offset of the number to which the states lead in a tree.
func tapeLeaf(tree, t []int32) int {
	nodes, leaf := tree[5:5+tree[4]], 0
	for at := int32(0); len(nodes) > 0; {
		if at = nodes[at+1+t[nodes[at]]]; at < 0 {
			leaf = int(-1 - at)
			break
		}
	}
	if tree[2] >= 0 {
		leaf += int(t[tree[2]]) * int(tree[3])
	}
	return int(tree[1]) + leaf
}

// maxStartRows is the largest number of rows that a search for a start computes: about a second if
// it needs them all.
const maxStartRows = 1 << 22

// tapeRunFindStart sets all variables to states with a product that is not zero. It draws one after
// the other, each from the product of the factors that are then complete. If no state is left, it
// returns to the last variable that may be the reason, and excludes that state until an earlier
// variable has changed (graph-based backjumping, Dechter 1990). The outcome is 1 for success, 0 if
// there is no such joint state, or 2 if it gave up.
func tapeRunFindStart(ins []int32, s, p []float64, t []int32, r *Rand) {
	outcome := &s[ins[2]]
	n := int(ins[3])
	level, fresh := 0, true
	for steps := 0; level < n; {
		l := ins[ins[4+level]:]
		row := l[2:]
		w := s[l[0]:][:row[rowHeader+1]]
		if fresh {
			if steps++; steps > maxStartRows {
				*outcome = 2
				return
			}
			t[row[rowHeader]] = 0
			tapeFillRow(w, row, s, p, t, true)
		}
		if Top(w) > 0 {
			t[row[rowHeader]] = int32(Draw(w, r))
			level++
			fresh = true
			continue
		}
		level = int(l[1])
		if level < 0 {
			*outcome = 0
			return
		}
		back := ins[ins[4+level]:]
		s[back[0]+t[back[2+rowHeader]]] = 0
		fresh = false
	}
	*outcome = 1
}

// tapeRunStats updates the statistics of a variable.
func tapeRunStats(ins []int32, s []float64) {
	n := int(ins[2])
	at := func(i int) []float64 { return s[ins[3+i]:][:n] }
	stats := ChainStats{at(0), at(1), at(2), at(3), at(4), at(5)}
	run := ins[9:]
	switch ins[0] {
	case tapeStatsClear:
		stats.Clear()
	case tapeStatsBatch:
		stats.EndBatch(s[run[0]])
	case tapeStatsHalf:
		stats.EndHalf()
	case tapeStatsRun:
		stats.EndRun(s[run[1]], s[run[2]], &s[run[3]], &s[run[4]], &s[run[5]])
	case tapeStatsHalfReal:
		stats.EndHalfReal()
	case tapeStatsRunReal:
		stats.EndRunReal(s[run[1]], s[run[2]], &s[run[3]], &s[run[4]], &s[run[5]])
	}
}
