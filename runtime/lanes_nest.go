package pgmrt

// The instructions of RunLaneSteps besides RunLanes'. They work on tables, which are consecutive
// slots.
const (
	laneNest      = laneApply + 1 + iota // see laneContract
	laneRescale                          // a table, its number of slots, a slot for the factor, the slot of exponents or -1
	laneNormalize                        // a table, its number of slots, a slot for the factor, a slot that marks lanes with extreme sums
)

// The largest contraction that a laneNest instruction can hold.
const (
	laneOperands = 16
	laneOuter    = 32
)

// RunLaneSteps runs lane code that reads numbers of data memory p where they are, the same for all
// lanes.
func RunLaneSteps(code []int32, l, p []float64) {
	for len(code) > 0 {
		ins := code[:code[1]]
		code = code[len(ins):]
		switch ins[0] {
		case laneNest:
			laneContract(ins, l, p)
		case laneRescale:
			table, factor := l[ins[2]:][:ins[3]*Lanes], laneSlot(l, ins[4])
			laneTop(table, factor)
			laneFactors(l, factor, factor, ins[5])
			laneTimes(table, factor)
		case laneNormalize:
			table, factor := l[ins[2]:][:ins[3]*Lanes], laneSlot(l, ins[4])
			laneTotal(table, factor)
			laneReciprocals(factor, factor, laneSlot(l, ins[5]))
			laneTimes(table, factor)
		default:
			RunLanes(ins, l)
		}
	}
}

// laneTile is the innermost part of a contraction: rows results, each the sum of n products of the
// first operands, times the other operands, which do not change along the sum. Operand 0 is the
// result. The tile of a matrix product has rows and columns: operand 1 changes from row to row,
// operand 2 from column to column, and there are no others. Places count numbers. The assembly
// knows the layout.
type laneTile struct {
	rows, n int
	add     int // 1 if the results are added to those that are there
	kind    int // one of tileNone to tileData
	first   int // the first operand that does not change along the sum
	still   int // the number of such operands
	at      [1 + laneOperands]int
	row     [1 + laneOperands]int // the distance from one row, of operand 2 of a matrix from one column, to the next
	data    [1 + laneOperands]int // 1 if the operand is in data memory
	step    [2]int                // the distance from one product to the next, of operands 1 and 2
	columns int                   // of a matrix
	column  int                   // the distance of results from one column to the next
}

// The kinds of tiles, by the operands that change along the sum.
const (
	tileNone   = iota // none; n is 1
	tileLanes         // operand 1, in lanes
	tileBoth          // operands 1 and 2, in lanes
	tileMixed         // operand 1 in data memory, operand 2 in lanes
	tileData          // operand 1 in data memory
	tileMatrix        // a matrix product, both operands in lanes
	tileTable         // a matrix product, operand 1 in data memory
)

// The header of a laneNest instruction. It is followed by the place of each operand, the result
// first; their distances from row to row; whether they are in data memory; and the records of the
// outer loops, innermost first: the size, whether the loop is reduced, and how far each operand
// moves when the loop advances and the inner ones start again.
const (
	laneNestRows = 2 + iota
	laneNestLen
	laneNestKind
	laneNestFirst
	laneNestOperands // with the result
	laneNestOuter
	laneNestColumns
	laneNestColumn
	laneNestStep  // two words
	laneNestWords = laneNestStep + 2
)

// laneContract runs a contraction by tiles.
func laneContract(ins []int32, l, p []float64) {
	operands := int(ins[laneNestOperands])
	t := laneTile{
		rows: int(ins[laneNestRows]), n: int(ins[laneNestLen]), kind: int(ins[laneNestKind]),
		first: int(ins[laneNestFirst]), still: operands - int(ins[laneNestFirst]),
		step:    [2]int{int(ins[laneNestStep]), int(ins[laneNestStep+1])},
		columns: int(ins[laneNestColumns]), column: int(ins[laneNestColumn]),
	}
	at, row, data := ins[laneNestWords:][:operands], ins[laneNestWords+operands:][:operands], ins[laneNestWords+2*operands:][:operands]
	for k := range at {
		t.at[k], t.row[k], t.data[k] = int(at[k]), int(row[k]), int(data[k])
	}
	outer, records := int(ins[laneNestOuter]), ins[laneNestWords+3*operands:]
	var turns [laneOuter]int32
	late := 0 // the number of reduced outer loops that are beyond their first state
	for {
		t.add = min(late, 1)
		if t.kind >= tileMatrix {
			laneMatrix(&t, l, p)
		} else {
			laneProducts(&t, l, p)
		}
		loop, record := 0, records
		for ; loop < outer; loop++ {
			reduced := int(record[1])
			if turns[loop]++; turns[loop] < record[0] {
				if turns[loop] == 1 {
					late += reduced
				}
				break
			}
			turns[loop] = 0
			if record[0] > 1 {
				late -= reduced
			}
			record = record[2+operands:]
		}
		if loop == outer {
			return
		}
		for k, d := range record[2 : 2+operands] {
			t.at[k] += int(d)
		}
	}
}

// laneProductsPlain computes a tile in Go.
func laneProductsPlain(t *laneTile, l, p []float64) {
	for r := range t.rows {
		var sum [Lanes]float64
		a, b := t.at[1]+r*t.row[1], t.at[2]+r*t.row[2]
		for range t.n {
			switch t.kind {
			case tileNone:
				for j := range sum {
					sum[j] = 1
				}
			case tileLanes:
				laneAdd(&sum, laneSlot(l, int32(a)))
			case tileBoth:
				laneAddProduct(&sum, laneSlot(l, int32(a)), laneSlot(l, int32(b)))
			case tileMixed:
				laneAddMultiple(&sum, p[a], laneSlot(l, int32(b)))
			case tileData:
				for j := range sum {
					sum[j] += p[a]
				}
			}
			a += t.step[0]
			b += t.step[1]
		}
		for k := t.first; k < t.first+t.still; k++ {
			at := t.at[k] + r*t.row[k]
			if t.data[k] == 0 {
				laneProduct(&sum, &sum, laneSlot(l, int32(at)))
				continue
			}
			for j := range sum {
				sum[j] *= p[at]
			}
		}
		to := laneSlot(l, int32(t.at[0]+r*t.row[0]))
		if t.add != 0 {
			laneAdd(&sum, to)
		}
		*to = sum
	}
}

// laneMatrixPlain computes the tile of a matrix product in Go.
func laneMatrixPlain(t *laneTile, l, p []float64) {
	for c := range t.columns {
		for r := range t.rows {
			var sum [Lanes]float64
			a, b := t.at[1]+r*t.row[1], t.at[2]+c*t.row[2]
			for range t.n {
				if t.kind == tileTable {
					laneAddMultiple(&sum, p[a], laneSlot(l, int32(b)))
				} else {
					laneAddProduct(&sum, laneSlot(l, int32(a)), laneSlot(l, int32(b)))
				}
				a += t.step[0]
				b += t.step[1]
			}
			to := laneSlot(l, int32(t.at[0]+r*t.row[0]+c*t.column))
			if t.add != 0 {
				laneAdd(&sum, to)
			}
			*to = sum
		}
	}
}

func laneAddMultiple(sum *[Lanes]float64, x float64, a *[Lanes]float64) {
	for j, y := range a {
		sum[j] += float64(x * y)
	}
}

// laneTopPlain sets top to the largest number of each lane of a table.
func laneTopPlain(table []float64, top *[Lanes]float64) {
	*top = [Lanes]float64{}
	for ; len(table) >= Lanes; table = table[Lanes:] {
		for j, x := range laneSlot(table, 0) {
			top[j] = max(top[j], x)
		}
	}
}

// laneTotal sets sum to the sum of each lane of a table.
func laneTotal(table []float64, sum *[Lanes]float64) {
	*sum = [Lanes]float64{}
	for ; len(table) >= Lanes; table = table[Lanes:] {
		laneAdd(sum, laneSlot(table, 0))
	}
}

// laneTimesPlain multiplies each lane of a table by a factor.
func laneTimesPlain(table []float64, factor *[Lanes]float64) {
	for ; len(table) >= Lanes; table = table[Lanes:] {
		x := laneSlot(table, 0)
		laneProduct(x, x, factor)
	}
}
