// Package bif reads and writes the Interchange Format for Bayesian networks (BIF), the text format of the
// bnlearn repository, JavaBayes and many other tools.
//
//	network asia { }
//	variable smoke { type discrete [ 2 ] { yes, no }; }
//	variable lung { type discrete [ 2 ] { yes, no }; }
//	probability ( smoke ) { table 0.5, 0.5; }
//	probability ( lung | smoke ) {
//	  (yes) 0.1, 0.9;
//	  (no) 0.01, 0.99;
//	}
//
// The reader takes the dialects in use. Quotes around names are optional, and names may hold nearly anything but
// blanks, brackets, quotes and ";". "," and "|" are blanks. Comments are // and /* */. Properties may lack their
// ";" at the end of a line; blocks may come in any order. The numbers of a CPD come as
//
//   - rows (s1, s2) v v ...; labelled by states of the parents, in any order;
//   - default v v ...; for all rows that are not given;
//   - table v v ...; in the order of the header, child first, with the last variable fastest; so for a node with
//     parents, the child is slowest;
//   - rows under "property function max;", which make a noisy-max: the row whose parents are all in their first state
//     is the leak, a row with one parent in another state is the contribution of that cause, without the leak; a
//     cause in its first state contributes the first state of the child.
//
// A later row wins over an earlier one for the same states, with a warning. Of properties, "function" and "latent"
// mean something, the second ours: "property latent = true;" in a variable. The others are skipped.
//
// Some networks in circulation contradict themselves. The reader takes the following, with a warning each time:
//
//   - two states of one name, where that has "__", the mark of a converter that merged two names: the second state gets
//     the first free name of name2, name3 and so on; of two rows with the same label, the second is for it;
//   - a block with parents after one without for the same variable: it wins;
//   - a row whose label is that of another row, while the row of its place is missing: it is taken by its place, if all
//     other rows stand in order, first parent slowest, and the labels differ in one of several states and are not those
//     of neighbours;
//   - no block that mentions a certain variable, one at most, in a file with a noisy-max: a root with equal
//     probabilities.
//
// It is not a reader for the XML format of the same name, nor for prose between blocks, which the first
// description allowed: such text is an error.
//
// The writer writes labelled rows, and "table" for roots; numbers read back exactly. A deterministic CPD, a tree,
// and a noisy-max that BIF cannot state become tables.
//
// Sources: Cozman, The Interchange Format for Bayesian Networks, version 0.15 (1998), and files of bnlearn, aGrUM,
// Libra, Hugin's converter and pgmpy. Noisy-max: Díez, Parameter adjustment in Bayes networks (UAI 1993).
package bif

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is BIF.
var Format = format.Format{
	Name:  "bif",
	Doc:   "Bayesian networks, the text format of the bnlearn repository",
	Exts:  []string{".bif"},
	Read:  read,
	Write: write,
}
