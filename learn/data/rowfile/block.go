package rowfile

import (
	"cmp"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Block holds consecutive rows by variable.
type Block struct {
	Rows    int
	Columns []BlockValues // by variable of the binding
	Weights []float64     // by row; nil if all are 1
	// Scratch is memory of the functions that get the block. It stays when the block is filled
	// again.
	Scratch any

	files []fileFrom
	at    [][2]int    // by row: its line and column
	width int         // cells of a row, if they are kept; otherwise 0
	cells []data.Cell // of all rows
	room  int         // the capacity of the columns
	bad   []RowError
	piece *Reader   // of rows that are not decoded yet; nil if there are none
	end   error     // the error that ended the reading, after the rows
	err   error     // of the function that got the block
	done  chan bool // receives once the block is ready: false after a panic
}

// fileFrom is the name of the file of the rows from one on.
type fileFrom struct {
	row  int
	name string
}

// BlockValues holds the values of a variable by row, in one of its slices. All are nil if the file
// has no column of the variable.
type BlockValues struct {
	Bytes []uint8   // numbers of states from 1, and 0 for a missing value
	Words []uint16  // the same for a variable of more than 255 states
	Reals []float64 // values of a real variable, and NaN for a missing one
}

// blockRows is the room of a new block.
const blockRows = 1024

// newBlock returns an empty block for the variables of b. It keeps cells if cells is set.
func newBlock(b *Binding, cells bool) *Block {
	k := &Block{Columns: make([]BlockValues, len(b.dicts)), done: make(chan bool, 1)}
	if cells {
		k.width = len(b.r.Columns)
	}
	for v := range b.dicts {
		switch d, x := &b.dicts[v], &k.Columns[v]; {
		case b.Column[v] < 0:
		case d.Real:
			x.Reals = []float64{}
		case d.Count() > math.MaxUint8:
			x.Words = []uint16{}
		default:
			x.Bytes = []uint8{}
		}
	}
	return k
}

// clear removes all rows.
func (k *Block) clear() {
	k.Rows, k.Weights, k.files, k.at, k.cells = 0, nil, k.files[:0], k.at[:0], k.cells[:0]
	k.bad, k.piece, k.end, k.err = k.bad[:0], nil, nil, nil
}

// resize sets the length of the columns to a number of rows, and keeps the values of those before.
func (k *Block) resize(rows int) {
	for v := range k.Columns {
		x := &k.Columns[v]
		x.Bytes, x.Words, x.Reals = resized(x.Bytes, rows), resized(x.Words, rows), resized(x.Reals, rows)
	}
}

// resized returns list with another length, or nil if it is nil.
func resized[T any](list []T, n int) []T {
	if list == nil || n <= cap(list) {
		return list[:min(n, cap(list))]
	}
	return append(make([]T, 0, n), list...)[:n]
}

// makeRoom makes room for another row.
func (k *Block) makeRoom() {
	if k.Rows == k.room {
		k.room = max(blockRows, 2*k.room)
		k.resize(k.room)
	}
}

// set sets a row to a state, or to the value of a real variable that is not missing.
func (x *BlockValues) set(row, state int, value float64) {
	switch {
	case x.Bytes != nil:
		x.Bytes[row] = uint8(state + 1)
	case x.Words != nil:
		x.Words[row] = uint16(state + 1)
	case state == data.Missing:
		x.Reals[row] = math.NaN()
	default:
		x.Reals[row] = value
	}
}

// finish adds a row of a file after its values are set.
func (k *Block) finish(weight float64, file string, line, col int) {
	if n := len(k.files); n == 0 || k.files[n-1].name != file {
		k.files = append(k.files, fileFrom{k.Rows, file})
	}
	if weight != 1 && k.Weights == nil {
		k.Weights = make([]float64, k.Rows, k.room)
		for i := range k.Weights {
			k.Weights[i] = 1
		}
	}
	if k.Weights != nil {
		k.Weights = append(k.Weights, weight)
	}
	k.at = append(k.at, [2]int{line, col})
	k.Rows++
}

// add adds a row, with the states that b found last.
func (k *Block) add(b *Binding, rec *data.Record, states []int) {
	k.makeRoom()
	for v, c := range b.Column {
		if c >= 0 {
			k.Columns[v].set(k.Rows, states[v], b.Values[v])
		}
	}
	if k.width > 0 {
		k.cells = append(k.cells, rec.Cells...)
	}
	k.finish(rec.Weight, rec.Pos.File, rec.Pos.Line, rec.Pos.Col)
}

// drop removes rows, of which the numbers ascend.
func (k *Block) drop(rows []int) {
	to := rows[0]
	for row := rows[0]; row < k.Rows; row++ {
		if len(rows) > 0 && rows[0] == row {
			rows = rows[1:]
			continue
		}
		for v := range k.Columns {
			switch x := &k.Columns[v]; {
			case x.Bytes != nil:
				x.Bytes[to] = x.Bytes[row]
			case x.Words != nil:
				x.Words[to] = x.Words[row]
			case x.Reals != nil:
				x.Reals[to] = x.Reals[row]
			}
		}
		k.at[to] = k.at[row]
		to++
	}
	k.Rows, k.at = to, k.at[:to]
}

// Weight returns the weight of a row.
func (k *Block) Weight(row int) float64 {
	if k.Weights == nil {
		return 1
	}
	return k.Weights[row]
}

// Pointer returns a pointer to the slice of values of a variable, or nil if there are none.
func (k *Block) Pointer(v int) any {
	switch x := &k.Columns[v]; {
	case x.Bytes != nil:
		return &x.Bytes
	case x.Words != nil:
		return &x.Words
	case x.Reals != nil:
		return &x.Reals
	}
	return nil
}

// Scores returns Scratch as a list of numbers, one for each row.
func (k *Block) Scores() []float64 {
	list, _ := k.Scratch.([]float64)
	list = slices.Grow(list[:0], k.Rows)[:k.Rows]
	k.Scratch = list
	return list
}

// Pos returns the position of a row in the file.
func (k *Block) Pos(row int) diag.Pos {
	f, ok := slices.BinarySearchFunc(k.files, row, func(f fileFrom, row int) int { return cmp.Compare(f.row, row) })
	if !ok {
		f--
	}
	return diag.Pos{File: k.files[f].name, Line: k.at[row][0], Col: k.at[row][1]}
}

// Cells returns the cells of a row, of a block that keeps them.
func (k *Block) Cells(row int) []data.Cell { return k.cells[row*k.width:][:k.width] }

// State returns the state in a row, or [data.Missing]. The state of a real variable that has a
// value is 0.
func (x *BlockValues) State(row int) int {
	switch {
	case x.Bytes != nil:
		return int(x.Bytes[row]) - 1
	case x.Words != nil:
		return int(x.Words[row]) - 1
	case x.Reals != nil && x.Reals[row] == x.Reals[row]:
		return 0
	}
	return data.Missing
}

// Row stores the states of a row in states, [data.Missing] without one, and the values of real
// variables in values, 0 for others and for missing ones.
func (k *Block) Row(row int, states []int, values []float64) {
	for v := range k.Columns {
		x := &k.Columns[v]
		states[v], values[v] = x.State(row), 0
		if x.Reals != nil && states[v] != data.Missing {
			values[v] = x.Reals[row]
		}
	}
}
