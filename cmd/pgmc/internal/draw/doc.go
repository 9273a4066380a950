// Package draw draws small graphs: as text for Graphviz ([Graph.WriteDOT]) and as pictures
// ([Graph.WriteSVG]).
//
// It knows nothing of models; a graph is labelled nodes and edges. Labels are text from outside and
// are escaped here. The pictures are layered: edges lead from a layer to one below it, but for some
// edge of each cycle. The same graph gives the same bytes.
//
// Layers are as close together as moving single vertices makes them; an edge over several layers
// bends at a vertex of its own in each; crossings are reduced by barycentres and by exchanging
// neighbours; the places within layers minimise the weighted squares of the horizontal distances
// along edges, one layer at a time, which is isotonic regression.
//
// Sources: Sugiyama, Tagawa and Toda 1981, Methods for visual understanding of hierarchical system
// structures; Gansner, Koutsofios, North and Vo 1993, A technique for drawing directed graphs
// (weights of edge parts, exchanges); Barth, Jünger and Mutzel 2002, Simple and efficient bilayer
// cross counting; Barlow, Bartholomew, Bremner and Brunk 1972, Statistical inference under order
// restrictions (pooling of adjacent violators).
package draw
