// Package counting is the work of pgmc count, and of the flags that give other commands counts in
// place of rows: it reads and writes files of counts, and asks the client of a database for them.
//
// It has no driver of a database. The user's own client gets SQL on its standard input and prints
// CSV.
package counting
