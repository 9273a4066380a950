package pgmrt

// The instructions of a tape. Each starts with its operation and its length in words.
const (
	tapeSum       = iota // see contract.go
	tapeMax              // see contract.go
	tapePlain            // see contract_plain.go
	tapeArgmax           // see tape_pick.go
	tapeDraw             // see tape_pick.go
	tapeNormalize        // offset, length
	tapeRescale          // offset, length, place of the exponent or -1
	tapeZero             // offset, length
	tapeZeroInts         // offset, length
	tapeSums             // see tape_sums.go
	tapeMaxima           // see tape_sums.go
	tapeWalk             // see tape_walk.go
	tapeLookup           // offset of the result, length of a row, 1 if the table is in data memory, its offset, then for each fixed axis: place of its state, stride
	tapeInvert           // offset of the reciprocal, offset of the number
)

// RunTape runs code, which the compiler made: a sequence of instructions over work memory s, data
// memory p, which is only read, and state t. r is needed only where an instruction draws.
func RunTape(code []int32, s, p []float64, t []int32, r *Rand) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		switch ins[0] {
		case tapeSum:
			nestContract(ins, s, p, t, false)
		case tapeMax:
			nestContract(ins, s, p, t, true)
		case tapePlain:
			plainContract(ins, s, p, t)
		case tapeArgmax:
			w := newTapeRow(ins, s, p, t)
			t[w.state] = int32(w.argmax())
		case tapeDraw:
			w := newTapeRow(ins, s, p, t)
			t[w.state] = int32(w.draw(r))
		case tapeSums:
			tapeRunSums(ins[2:], s)
		case tapeMaxima:
			tapeRunMaxima(ins[2:], s)
		case tapeWalk:
			tapeRunWalk(ins, s, p, t, r)
		case tapeNormalize:
			Normalize(s[ins[2] : ins[2]+ins[3]])
		case tapeRescale:
			k := Rescale(s[ins[2] : ins[2]+ins[3]])
			if ins[4] >= 0 {
				t[ins[4]] += int32(k)
			}
		case tapeZero:
			clear(s[ins[2] : ins[2]+ins[3]])
		case tapeZeroInts:
			clear(t[ins[2] : ins[2]+ins[3]])
		case tapeLookup:
			tapeLookupRow(ins, s, p, t)
		case tapeInvert:
			s[ins[2]] = 1
			if x := s[ins[3]]; x != 0 {
				s[ins[2]] = 1 / x
			}
		}
	}
}

// tapeLookupRow copies the row of a table at the states of the fixed axes.
func tapeLookupRow(ins []int32, s, p []float64, t []int32) {
	from, at := s, int(ins[5])
	if ins[4] != 0 {
		from = p
	}
	for f := ins[6:]; len(f) > 1; f = f[2:] {
		at += int(t[f[0]]) * int(f[1])
	}
	n := int(ins[3])
	copy(s[ins[2]:int(ins[2])+n], from[at:at+n])
}
