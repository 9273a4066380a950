// Package vector plans contractions as operations on vectors of four numbers.
//
// A Graph holds the operations of a block: loads from spans, products, sums, maxima, and sums
// across the lanes of vectors. Equal operations are one node. The result of a contraction is a list
// of groups, which are the vectors at every fourth place of its span. A group may reach over the
// places that hold elements: its other lanes hold numbers of no meaning.
//
// The lanes of a group are neighbours in the order in which the result lies in memory, or states of
// a reduced axis, whichever takes fewer instructions. What a load costs depends on the places of
// its four numbers, so that the layouts of spans decide how many instructions a contraction takes.
// Cost counts them.
//
// A Twin computes the lanes of the groups as nodes of a circuit, with every sum in the order of the
// graph. Code that is written from the graph and code that is written from the circuit give the
// same bits, since products and sums of IEEE 754 are correctly rounded.
//
// The package emits no code. The lanes here lie within a query; package lanes has a row of evidence
// in each lane.
package vector
