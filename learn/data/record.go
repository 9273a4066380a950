package data

import "github.com/pgmc-go/pgmc/ir/diag"

// Column is a column of a file.
type Column struct {
	Name   string
	States []string // as the file declares them, in its order; otherwise nil
	Pos    diag.Pos // position of its name
	Type   string   // as the file declares it; empty if the format has no types
	Alien  bool     // its type is neither of states nor of numbers, and its values are not read
	Time   bool     // it holds times, which become no states
}

// MaxStates bounds the states of one variable, so that a state and Missing fit 16 bits.
const MaxStates = 1<<16 - 1

// Cell is one value in a file, without quotes.
type Cell struct {
	Text      string
	Unknown   bool // missing, by a mark that cannot be a state
	Line, Col int
}

// Record is one row of a file.
type Record struct {
	Cells  []Cell  // by column
	Weight float64 // 1 if the file has none
	Pos    diag.Pos
}
