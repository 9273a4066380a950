// Package price holds the prices by which pgmc predicts the time, the code and the memory of a
// program: of methods before they are compiled, of blocks by each back-end, of batches, and of
// packages. Package compiler chooses plans by them, package codegen back-ends, and the command
// reports predictions before it makes a package.
//
// Prices in nanoseconds matter relative to each other. They are constants of one table, the same on
// every machine, so that the same model gives the same package everywhere. Each group names the
// programs to which it was fitted. To compare all groups with the machine at hand, run
//
//	go test ./codegen -run xxx -bench Prices -benchtime 1x
//
// which prints the measured time of each group as a multiple of its predictions. If a group is far
// from 1 and the others are not, multiply its prices by its number here.
package price
