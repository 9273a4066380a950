// Package draw draws small graphs: as text for Graphviz ([Graph.WriteDOT]) and as pictures
// ([Graph.WriteSVG]).
//
// A graph has labelled nodes and edges; the package does not know models. Labels come from outside
// and are escaped here. Pictures are layered: edges lead from a layer to one below it, except for
// one edge of each cycle. The same graph gives the same bytes.
//
// The layout moves single vertices between layers to shorten edges. An edge over several layers
// bends at a vertex of its own in each of them. Barycentres and exchanges of neighbours reduce
// crossings. Within layers, positions minimise the weighted squares of the horizontal distances
// along edges, one layer at a time, by isotonic regression.
//
// Layers that are much wider than the picture would be high are divided into several.
//
// The slices of a sequence have one layout, side by side. An edge between two of them crosses its
// frame at the height of its node, or in a lane above the row if other nodes are in the way.
//
// Sources: Sugiyama, Tagawa and Toda 1981, Methods for visual understanding of hierarchical system
// structures; Gansner, Koutsofios, North and Vo 1993, A technique for drawing directed graphs
// (weights of edge parts, exchanges); Barth, Jünger and Mutzel 2002, Simple and efficient bilayer
// cross counting; Barlow, Bartholomew, Bremner and Brunk 1972, Statistical inference under order
// restrictions (pooling of adjacent violators).
package draw
