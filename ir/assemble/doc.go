// Package assemble turns the steps of an ir.Program into code for the tape machine of package
// runtime: a sequence of instructions, each of which is its operation, its length in words, and
// where in the three memories of the program its operands lie. The interpreter ir/eval and the
// back-ends of codegen share it; they differ only in where the spans of a program lie (see [New]).
//
// The package runs nothing itself and checks nothing about a program, which is Program.Verify's
// task. The loop that runs the code is runtime.RunTape and its siblings. Prices of instructions
// are declared with their code.
//
// Each machine of the runtime has a file here with the operations that it runs and a row for each
// of its steps: the function that writes the instruction, and the function that returns its price.
// A new step is an operation, a row and these two functions in the file of its machine. Operations
// and layouts are constants of the same names as in the runtime, which keeps its own unexported, so
// that a generated package copies no more than runs; a test compares them.
//
// The design is that of the flat arrays of Libra and ProbabilisticCircuits.jl, with strided table
// operations as instructions in place of single sums and products.
package assemble
