// Package assemble turns the steps of an ir.Program into code for the tape machine of package
// runtime: a sequence of instructions. An instruction has its operation, its length in words, and
// the places of its operands in the three memories of the program. The interpreter ir/eval and the
// back-ends of codegen share the package; they differ only in where the spans of a program lie (see
// [New]).
//
// The package runs nothing and does not check programs, which Program.Verify does. The loop that
// runs the code is runtime.RunTape and its siblings. Prices of instructions are declared with their
// code.
//
// Each machine of the runtime has a file here with the operations that it runs and a row for each
// of its steps: the function that writes the instruction, and the function that returns its price.
// A new step is an operation, a row and these two functions in the file of its machine. Operations
// and layouts are constants with the names of those in the runtime. The runtime's are unexported,
// so that a generated package copies only the code that runs; a test compares the two.
//
// The design follows the flat arrays of Libra and ProbabilisticCircuits.jl. Its instructions are
// strided table operations instead of single sums and products.
package assemble
