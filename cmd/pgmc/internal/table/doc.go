// Package table formats tables and numbers as text.
//
// The commands of pgmc print columns of names and numbers for people, and the same numbers as JSON
// for programs. Package table lays out the columns and has the number formats that several commands
// share. It does not interpret the cells.
package table
