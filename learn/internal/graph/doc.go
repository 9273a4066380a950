// Package graph holds what searches for structures work on: structures without cycles, as the parents of each variable, and class graphs,
// in which an edge without a direction may have either.
//
// The class graph of a structure has its edges, directed where all structures that say the same independences agree, and undirected
// elsewhere. A structure gives its class ([Of]), and a class a structure ([Partial.Extend]).
//
// The package knows no data and no scores. Sources: Verma and Pearl 1990 (classes by colliders); Meek 1995, Causal inference and causal
// explanation with background knowledge (rules); Dor and Tarsi 1992, A simple algorithm to construct a consistent extension of a partially
// oriented graph.
package graph
