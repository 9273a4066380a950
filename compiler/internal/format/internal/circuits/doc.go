// Package circuits holds the parts that the formats of probabilistic circuits share: one node on
// each line, operands before the nodes that use them, sums whose operands have logarithms of
// weights, and leaves over variables that no list declares.
//
// A [Builder] collects nodes while variables are still being discovered, and builds a model with
// one potential over all of them. Its circuit has a canonical form: first the indicators of all
// states of all variables, in order, then the nodes that the root reaches, in the order of the
// file. A weight is a number in a product; weights of 1 are left out. Therefore a file that is
// written from a circuit reads back as the same circuit.
//
// The layout of a file belongs to its format.
package circuits
