package mle

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TallyBlock is Tally for the rows of a block, which has the variables of the model.
func (e *Estimator) TallyBlock(n Counts, k *rowfile.Block, missed []float64) {
	tables := !slices.ContainsFunc(e.cpds, func(c *cpd) bool { return c == nil || c.at != nil })
	if k.Weights != nil || !tables {
		states, values := make([]int, len(k.Columns)), make([]float64, len(k.Columns))
		for row := range k.Rows {
			k.Row(row, states, values)
			e.Tally(n, states, k.Weight(row), missed)
		}
		return
	}
	misses := make([]bool, len(k.Columns)) // by variable
	for v, x := range k.Columns {
		misses[v] = x.Bytes == nil && x.Words == nil || bytes.IndexByte(x.Bytes, 0) >= 0 || slices.Contains(x.Words, 0)
	}
	places := make([]uint32, min(k.Rows, placesAtOnce))
	var list []uint32
	for i, f := range e.m.Factors {
		if slices.ContainsFunc(f.Scope, func(v model.VarID) bool { return misses[v] }) {
			list = complete(k, f.Scope, e.m, list[:0])
			missed[i] += float64(k.Rows - len(list))
			countPlaces(n[i], list)
			continue
		}
		if e.countBytes(n[i], k, f.Scope) {
			continue
		}
		for at := 0; at < k.Rows; at += len(places) {
			some := places[:min(len(places), k.Rows-at)]
			clear(some)
			for _, v := range f.Scope {
				card, x := uint32(e.m.Card(v)), &k.Columns[v]
				if x.Bytes != nil {
					addStates(some, x.Bytes[at:], card)
				} else {
					addStates(some, x.Words[at:], card)
				}
			}
			countPlaces(n[i], some)
		}
	}
}

// placesAtOnce is the number of rows that TallyBlock looks at together. Their places and states fit
// into the first cache.
const placesAtOnce = 1024

// addStates adds the states of a variable, with numbers from 1, to places in a table in which it
// changes fastest.
func addStates[S uint8 | uint16](places []uint32, column []S, card uint32) {
	for row, s := range column[:len(places)] {
		places[row] = places[row]*card + uint32(s) - 1
	}
}

// complete appends the places of the rows that have all variables of scope to list.
func complete(k *rowfile.Block, scope []model.VarID, m *model.Model, list []uint32) []uint32 {
	for row := range k.Rows {
		at, ok := 0, true
		for _, v := range scope {
			s := k.Columns[v].State(row)
			at, ok = at*m.Card(v)+s, ok && s != data.Missing
		}
		if ok {
			list = append(list, uint32(at))
		}
	}
	return list
}

// countPlaces adds 1 to the counts at places.
func countPlaces(n []float64, places []uint32) {
	for _, at := range places {
		n[at]++
	}
}

// countBytes counts the joint states of scope in a block that misses none of its values. A word
// holds the places of eight rows, one a byte; countBytes reports false if places, with states from
// 1, exceed a byte. Rows count in turn in four lists, since an addition waits for the addition
// before it at the same place.
func (e *Estimator) countBytes(n []float64, k *rowfile.Block, scope []model.VarID) bool {
	columns, steps := make([][]uint8, len(scope)), make([]uint64, len(scope))
	step, first, last := 1, 0, 0
	for i, v := range slices.Backward(scope) {
		columns[i], steps[i] = k.Columns[v].Bytes, uint64(step)
		first, last = first+step, last+step*e.m.Card(v)
		if step *= e.m.Card(v); columns[i] == nil || last > math.MaxUint8 {
			return false
		}
	}
	var counts [4][256]uint32
	at := 0
	for ; at+8 <= k.Rows; at += 8 {
		var places uint64
		for i, c := range columns {
			places += steps[i] * binary.LittleEndian.Uint64(c[at:])
		}
		counts[0][uint8(places)]++
		counts[1][uint8(places>>8)]++
		counts[2][uint8(places>>16)]++
		counts[3][uint8(places>>24)]++
		counts[0][uint8(places>>32)]++
		counts[1][uint8(places>>40)]++
		counts[2][uint8(places>>48)]++
		counts[3][uint8(places>>56)]++
	}
	for ; at < k.Rows; at++ {
		place := uint8(0)
		for i, c := range columns {
			place += uint8(steps[i]) * c[at]
		}
		counts[0][place]++
	}
	for i := range n {
		place := first + i
		n[i] += float64(counts[0][place] + counts[1][place] + counts[2][place] + counts[3][place])
	}
	return true
}
