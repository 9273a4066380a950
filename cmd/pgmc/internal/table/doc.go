// Package table writes tables and numbers as text.
//
// The commands of pgmc print columns of names and numbers for people, and the same numbers as JSON
// for programs. Package table lays out the columns and holds the ways to write a number that
// several commands share. It does not know what the cells mean.
package table
