// Package graph holds the graphs that structure searches work on: structures without cycles, given
// by the parents of each variable, and class graphs, in which undirected edges may have either
// direction.
//
// The class graph of a structure has the same edges. An edge is directed if all structures with the
// same independences agree on its direction. [Of] returns the class of a structure,
// [Partial.Extend] a structure of a class.
//
// The package reads no data and computes no scores. Sources: Verma and Pearl 1990 (classes by
// colliders); Meek 1995, Causal inference and causal explanation with background knowledge (rules);
// Dor and Tarsi 1992, A simple algorithm to construct a consistent extension of a partially
// oriented graph.
package graph
