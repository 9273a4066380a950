// Package dne reads and writes DNET-1, the text format of Netica.
//
//	// ~->[DNET-1]->~
//	bnet clinic {
//	node smoke { kind = NATURE; discrete = TRUE; chance = CHANCE;
//	  states = (yes, no); parents = (); probs = (0.5, 0.5); };
//	node dose { discrete = FALSE; levels = (0, 0.5, 1); parents = (smoke);
//	  probs = ((0.2, 0.8), (0.6, 0.4)); };
//	node alarm { states = (on, off); chance = DETERMIN; parents = (smoke, dose);
//	  functable = ((on, off), (off, #1)); };
//	};
//
// The numbers of probs go through the joint states of the parents, in their order, and then of the
// node, which is fastest. Lists may be nested or flat. "#k" is the state of number k, from 0: it is
// an entry of functable, and in probs it stands for a whole row. "@imposs" marks the row of a joint
// state of the parents that cannot occur. It is read as a zero, and a row of zeros that it leaves
// as a uniform one, with a warning.
//
// Levels of a node that is not discrete are the bounds of its intervals. Without states, these are
// called as pgmc calls intervals, so that a number is evidence; the outer bounds are then not kept,
// and a number outside them belongs to the first or last interval. Levels of a discrete node are
// the numbers that its states stand for, and their names if it has none. A functable may name a
// state by such a number, or an interval by a number inside. Nodes without states and levels have
// the names in statetitles or, by numstates, "#0", "#1" and so on.
//
// The reader skips what only concerns the display, equations beside a table, counts of cases, and
// nodes of the kind CONSTANT that are nobody's parent. It warns of findings, which are no part of a
// model. It rejects, by name, constants as parents, disconnected parents, nodes with delays,
// equations without a table, and continuous nodes without levels. It does not know the inheritance
// of nodes.
//
// A node of the kind DECISION has the variables that are known when it is chosen as parents. The
// functable of a node of the kind UTILITY has a number for each joint state of its parents, the
// last fastest. Both become a [model.Diagram], and are only read.
//
// The writer writes tables, and deterministic CPDs as a functable. Intervals have levels. Names in
// Netica are a letter and then letters, digits and underscores, at most 30; for others the writer
// makes one up and keeps the true name as a title. The reader uses titles only if the comment of
// the network says that pgmc wrote them; names of Netica are then as they are in its equations.
//
// Sources: Norsys, DNET-1 file format (1998); its notes on levels in the manual of the Netica API;
// files of Netica. That "@imposs" stands for one number is an inference.
package dne

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is DNET-1.
var Format = format.Format{
	Name:  "dne",
	Doc:   "Bayesian networks of Netica",
	Exts:  []string{".dne", ".dnet"},
	Read:  read,
	Write: write,
}
