// Package circuits is what the formats of probabilistic circuits share: nodes one a line, operands before what uses them, sums
// whose operands have logarithms of weights, and leaves over variables that no list declares.
//
// A [Builder] collects nodes while variables are still being discovered, and gives a model of one potential over all of them.
// Its circuit is in a canonical form: first the indicators of all states of all variables, in order, then what the root needs,
// in the order of the file. A weight is a number in a product; weights of one are left out. So what is written from it reads
// back as the same circuit. The layout of a file is for its format.
package circuits
