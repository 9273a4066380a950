package data

// Source is an open file in a format that another package reads, such as package parquet. Its rows
// lie in groups, and each group can be read apart from the others.
type Source interface {
	Columns() []Column
	// Groups returns the number of rows of each group, in the order of the file.
	Groups() []int64
	// Open returns a cursor at the first row of a group. It reads the given columns, numbers in
	// Columns, and no others. Cursors of one source may be used by several goroutines, one each.
	Open(group int, columns []int) (Cursor, error)
	Close() error
}

// Cursor reads the rows of a group, one by one or in blocks.
type Cursor interface {
	// Next reads the next row, with a cell for each column of the source; those of columns that
	// the cursor does not read are Unknown, as missing values are. It returns io.EOF after the
	// last row.
	Next(rec *Record) error
	// Block reads the next rows of the given columns, at most most of them, and returns how many.
	// It returns io.EOF after the last row.
	Block(columns []BlockColumn, most int) (rows int, err error)
	Close() error
}

// BlockColumn takes the values of one column of consecutive rows. Exactly one of Bytes, Words and
// Reals is not nil, and has room for all rows.
type BlockColumn struct {
	Column int // its number in the source
	// State returns the number of a state by its text, from 1, or 0 if the text marks a missing
	// value, and false if it is no state. A cursor calls it once for each text of a dictionary, so
	// that its answers for a column must not change while the cursor is open.
	State func(text string) (state int, ok bool)
	Bytes []uint8   // numbers of states, and 0 for a missing value
	Words []uint16  // the same for variables with more than 255 states
	Reals []float64 // values of a real variable, and NaN for a missing one
	// Bad, if not nil, is called for each value that is no state or no number, with its row in the
	// block; the cursor stores a missing value and goes on. Texts in a column of Reals are numbers
	// if they read as such; marks of missing values are not known.
	Bad func(row int, text string)
}

// Sink takes the rows of a file value by value: in each row one for each column, in order, then
// End. Errors appear at the latest in Flush, which ends the file.
type Sink interface {
	Text(s string)    // a state, or a number in a column of such
	Number(x float64) // NaN is missing
	Missing()
	End() error
	Flush() error
}

// Kind is what a column of a [Sink] holds. Formats without types ignore it.
type Kind uint8

// The kinds.
const (
	Texts Kind = iota
	Reals
	Integers // of 64 bits
)

// Output is a column that a [Sink] writes.
type Output struct {
	Name string
	Kind Kind
	Mark string // of a missing value, in a format that has no other way to say so
}
