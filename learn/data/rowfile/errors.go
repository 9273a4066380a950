package rowfile

import "github.com/pgmc-go/pgmc/ir/diag"

// RowError is an error in one row, after which reading can continue.
type RowError struct {
	diag.Diagnostic
	// Column is the name of the column with the wrong value, which Text is. Both are empty if the
	// row as a whole is wrong.
	Column, Text string
}

// Unwrap returns the diagnostic.
func (e RowError) Unwrap() error { return e.Diagnostic }
