// Package assemble turns the steps of an ir.Program into code for the tape machine of package
// runtime: a sequence of instructions, each of which is its operation, its length in words, and
// where in the three memories of the program its operands lie. The interpreter ir/eval and the
// back-ends of codegen share it; they differ only in where the spans of a program lie (see [New]).
//
// The package runs nothing itself and checks nothing about a program, which is Program.Verify's
// task. The loop that runs the code is runtime.RunTape and its siblings. Prices of instructions
// stand beside their code.
//
// Each kind of step has one row in the table of rows.go, and one file with the function that writes
// its instruction and the function that gives its price. A new step needs an operation in
// format.go and in the runtime, a file here, and a row.
//
// The design is that of the flat arrays of Libra and ProbabilisticCircuits.jl, with strided table
// operations as instructions in place of single sums and products.
package assemble
