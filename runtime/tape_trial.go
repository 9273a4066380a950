package pgmrt

import "math"

// tapeTrial is the instruction of trials, which extends the samplers' instructions: its mode, the
// offsets of the numbers of the run, the numbers of levels and of listed variables, the first words
// of the levels, and for each listed variable the place of its state, the offsets of its two
// vectors (the second may be -1), and their length. A level is the offset of its weights, the
// number of neighbouring levels, these levels, and a row.
const tapeTrial = 112

// The header of the instruction.
const (
	trialKind = 2
	trialBeta = 2 + iota // the numbers of the run, in the order of TrialNumbers
	trialWeight
	trialScore
	trialBest
	trialTotal
	trialSquare
	trialCount
	trialError
	trialLevels
	trialVars
	trialHeader
)

// The modes of the instruction; see ir.TrialKind.
const (
	tapeTrialLogs = iota
	tapeTrialClear
	tapeTrialForward
	tapeTrialScore
	tapeTrialReject
	tapeTrialTemper
	tapeTrialTabu
	tapeTrialAdd
	tapeTrialError
	tapeTrialKeep
	tapeTrialRestore
)

// trialNone is the largest logarithm that counts as impossible: half of TrialZero, which is far
// below all numbers that occur.
const trialNone = TrialZero / 2

// trialTie is the least gain of a score that counts. Two rows round the same products differently,
// and a change back and forth must not go on for ever.
const trialTie = 1e-11

// RunTrialTape is RunChainTape for code with the instruction of trials.
func RunTrialTape(code []int32, s, p []float64, t []int32, r *Rand) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		if ins[0] == tapeTrial {
			tapeRunTrial(ins, s, p, t, r)
		} else {
			RunChainTape(ins, s, p, t, r)
		}
	}
}

func tapeRunTrial(ins []int32, s, p []float64, t []int32, r *Rand) {
	lists := ins[trialHeader+ins[trialLevels]:][:4*ins[trialVars]]
	switch ins[trialKind] {
	case tapeTrialLogs:
		for v := lists; len(v) > 0; v = v[4:] {
			tapeTrialLog(trialFirst(v, s), trialSecond(v, s), &s[ins[trialWeight]])
		}
	case tapeTrialClear:
		for v := lists; len(v) > 0; v = v[4:] {
			clear(trialFirst(v, s))
			clear(trialSecond(v, s))
		}
	case tapeTrialForward:
		s[ins[trialWeight]] = tapeTrialDraw(ins, s, p, t, r)
	case tapeTrialScore:
		s[ins[trialScore]] += tapeTrialSum(ins, s, p, t)
	case tapeTrialReject:
		if tapeTrialSum(ins, s, p, t) < trialNone {
			s[ins[trialWeight]] = TrialZero
		}
	case tapeTrialTemper:
		tapeTrialSweep(ins, s, p, t, r)
	case tapeTrialTabu:
		tapeTrialMove(ins, lists, s, p, t, r)
	case tapeTrialAdd:
		tapeTrialWeigh(ins, lists, s, t)
	case tapeTrialError:
		tapeTrialErrors(ins, lists, s)
	case tapeTrialKeep:
		if score := s[ins[trialScore]]; score > s[ins[trialBest]] {
			s[ins[trialBest]] = score
			for v := lists; len(v) > 0; v = v[4:] {
				s[v[1]] = float64(t[v[0]])
			}
		}
	case tapeTrialRestore:
		for v := lists; len(v) > 0; v = v[4:] {
			t[v[0]] = int32(s[v[1]])
		}
	}
}

// trialFirst and trialSecond return the vectors of a listed variable.
func trialFirst(v []int32, s []float64) []float64  { return s[v[1]:][:v[3]] }
func trialSecond(v []int32, s []float64) []float64 { return s[v[2]:][:v[3]] }

// tapeTrialLog sets out to the logarithms of x, and adds the logarithm of the number of non-zero
// elements to count.
func tapeTrialLog(x, out []float64, count *float64) {
	n := 0
	for i, y := range x {
		out[i] = TrialZero
		if y > 0 {
			out[i] = Ln(y)
			n++
		}
	}
	*count += Ln(float64(max(n, 1))) // if all are zero, the search for a start fails
}

// trialLevel returns level i of an instruction: its weights, its neighbouring levels, and its row.
func trialLevel(ins []int32, i int, s []float64) (w []float64, near, row []int32) {
	l := ins[ins[trialHeader+i]:]
	near, row = l[2:2+l[1]], l[2+l[1]:]
	n := 1
	for k := range int(row[rowDrawn]) {
		n *= int(row[rowHeader+2*k+1])
	}
	return s[l[0]:][:n], near, row
}

// tapeTrialDraw draws the variables of the levels in turn, and returns the logarithm of the product
// of the sums of their rows.
func tapeTrialDraw(ins []int32, s, p []float64, t []int32, r *Rand) float64 {
	logs, product := 0.0, 1.0
	for i := range int(ins[trialLevels]) {
		w, _, row := trialLevel(ins, i, s)
		t[row[rowHeader]] = 0
		tapeFillRow(w, row, s, p, t, false)
		total := 0.0
		for _, x := range w {
			total += x
		}
		if total == 0 {
			return TrialZero
		}
		if product *= total; product < chainLeast {
			logs, product = logs+Ln(product), 1
		}
		t[row[rowHeader]] = int32(Draw(w, r))
	}
	return logs + Ln(product)
}

// tapeTrialSum returns the sum of the elements of rows at the present states.
func tapeTrialSum(ins []int32, s, p []float64, t []int32) float64 {
	sum := 0.0
	for i := range int(ins[trialLevels]) {
		w, _, row := trialLevel(ins, i, s)
		tapeSumRow(w, row, s, p, t)
		sum += w[tapeRowStates(row, t)]
	}
	return sum
}

// tapeSumRow sets w to the sums of a row's tables and trees, the last drawn variable varying
// fastest.
func tapeSumRow(w []float64, row []int32, s, p []float64, t []int32) {
	drawn, standing := int(row[rowDrawn]), int(row[rowStanding])
	code := row[rowHeader:]
	loops, code := code[:2*drawn], code[2*drawn:]
	fixed, code := code[:standing], code[standing:]
	clear(w)
	for range row[rowTables] {
		m, at := s, int(code[1])
		if code[0] != 0 {
			m = p
		}
		for i, place := range fixed {
			at += int(t[place]) * int(code[2+drawn+i])
		}
		tapePlusTable(w, m[at:], loops, code[2:2+drawn])
		code = code[2+drawn+standing:]
	}
	for range row[rowTrees] {
		m, now := s, tapeRowStates(row, t)
		if code[0] != 0 {
			m = p
		}
		for i := range w {
			tapeSetStates(row, t, i)
			w[i] += m[tapeLeaf(code, t)]
		}
		tapeSetStates(row, t, now)
		code = code[5+code[4]:]
	}
}

// tapePlusTable adds a table to w.
func tapePlusTable(w, table []float64, loops, strides []int32) {
	if len(strides) == 1 {
		step := int(strides[0])
		for i := range w {
			w[i] += table[i*step]
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
		w[i] += table[at]
	}
}

// tapeTrialSweep draws the variables of the levels in turn, given all others, at the inverse
// temperature of the run.
func tapeTrialSweep(ins []int32, s, p []float64, t []int32, r *Rand) {
	beta, score := s[ins[trialBeta]], &s[ins[trialScore]]
	for i := range int(ins[trialLevels]) {
		w, _, row := trialLevel(ins, i, s)
		tapeSumRow(w, row, s, p, t)
		at := tapeRowStates(row, t)
		if next := trialPick(w, at, beta, r); next != at {
			*score += w[next] - w[at]
			tapeSetStates(row, t, next)
		}
	}
}

// trialPick draws a possible state in proportion to the exponentials of beta times w. If beta is
// infinite it returns the best state, or the present one if that is as good.
func trialPick(w []float64, at int, beta float64, r *Rand) int {
	top := at
	for i, x := range w {
		if x > w[top] {
			top = i
		}
	}
	if math.IsInf(beta, 1) {
		if w[top]-w[at] > trialTie {
			return top
		}
		return at
	}
	share := func(i int) float64 { // the exponential of i relative to the largest
		if i == top {
			return 1
		}
		return math.Exp(float64(beta * (w[i] - w[top])))
	}
	total := 0.0
	for i, x := range w {
		if x > trialNone {
			total += share(i)
		}
	}
	u, below, last := float64(r.Float64()*total), 0.0, at
	for i, x := range w {
		if x > trialNone {
			below += share(i)
			if last = i; u < below {
				break
			}
		}
	}
	return last
}

// tapeTrialMove makes one move of tabu search (Glover 1989). It keeps rows from move to move, and
// recomputes only those near the level that moved. A state that was left is tabu for as many moves
// as the tenure says, unless it leads to the best score so far. Among equally good moves one is
// drawn.
func tapeTrialMove(ins, lists []int32, s, p []float64, t []int32, r *Rand) {
	score, best, moves := &s[ins[trialScore]], s[ins[trialBest]], &s[ins[trialCount]]
	if *moves == 0 {
		for i := range int(ins[trialLevels]) {
			w, _, row := trialLevel(ins, i, s)
			tapeSumRow(w, row, s, p, t)
			clear(trialFirst(lists[4*i:], s))
		}
	}
	level, state, gain, ties := -1, 0, math.Inf(-1), 0.0
	for i := range int(ins[trialLevels]) {
		w, _, row := trialLevel(ins, i, s)
		until, at := trialFirst(lists[4*i:], s), tapeRowStates(row, t)
		for k, x := range w {
			delta := x - w[at]
			if k == at || x < trialNone || delta < gain || until[k] > *moves && *score+delta <= best+trialTie {
				continue
			}
			if delta > gain {
				ties = 0
			}
			if ties++; ties == 1 || float64(r.Float64()*ties) < 1 {
				level, state, gain = i, k, delta
			}
		}
	}
	*moves++
	if level < 0 {
		return
	}
	_, near, row := trialLevel(ins, level, s)
	trialFirst(lists[4*level:], s)[tapeRowStates(row, t)] = *moves + s[ins[trialTotal]]
	tapeSetStates(row, t, state)
	*score += gain
	for _, i := range near {
		w, _, row := trialLevel(ins, int(i), s)
		tapeSumRow(w, row, s, p, t)
	}
}

// tapeTrialWeigh adds the weight of a sample to the sums of the run and of its states. Sums are
// relative to the largest weight, and are rescaled when a larger one comes.
func tapeTrialWeigh(ins, lists []int32, s []float64, t []int32) {
	weight, top := s[ins[trialWeight]], &s[ins[trialBest]]
	if weight < trialNone {
		return
	}
	total, square := &s[ins[trialTotal]], &s[ins[trialSquare]]
	if weight > *top {
		by := math.Exp(*top - weight)
		*top = weight
		*total *= by
		*square *= float64(by * by)
		for v := lists; len(v) > 0; v = v[4:] {
			first, second := trialFirst(v, s), trialSecond(v, s)
			for i := range first {
				first[i] *= by
				second[i] *= float64(by * by)
			}
		}
	}
	x := math.Exp(weight - *top)
	xx := float64(x * x)
	*total += x
	*square += xx
	for v := lists; len(v) > 0; v = v[4:] {
		at := t[v[0]]
		trialFirst(v, s)[at] += x
		trialSecond(v, s)[at] += xx
	}
}

// tapeTrialErrors raises the error of the run to the largest standard error of a share of the
// weights, by the delta method.
func tapeTrialErrors(ins, lists []int32, s []float64) {
	total, square, most := s[ins[trialTotal]], s[ins[trialSquare]], &s[ins[trialError]]
	if total == 0 {
		return
	}
	for v := lists; len(v) > 0; v = v[4:] {
		second := trialSecond(v, s)
		for i, x := range trialFirst(v, s) {
			p := x / total
			*most = max(*most, math.Sqrt(max(0, float64(second[i]*(1-2*p))+float64(float64(p*p)*square)))/total)
		}
	}
}
