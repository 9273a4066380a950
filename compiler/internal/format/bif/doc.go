// Package bif reads and writes the Interchange Format for Bayesian networks (BIF), the text format
// of the bnlearn repository, JavaBayes and many other tools.
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
// The reader accepts the dialects in use. Quotes around names are optional, and a name may contain
// nearly any character except blanks, brackets, quotes and ";". The reader treats "," and "|" as
// blanks. Comments are // and /* */. A property may lack its ";" at the end of a line. Blocks may
// come in any order. A CPD is given in one or more of these forms:
//
//   - rows (s1, s2) v v ...; labelled by the states of the parents, in any order;
//   - default v v ...; for all rows that are not given;
//   - table v v ...; in the order of the header, child first, with the last variable fastest, so
//     that the child of a node with parents is slowest;
//   - rows under "property function max;", which define a noisy-max. The row in which all parents
//     are in their first state is the leak. A row with one parent in another state is the
//     contribution of that cause, without the leak. A cause in its first state contributes the
//     first state of the child.
//
// A later row replaces an earlier one for the same states, with a warning. The reader interprets
// two properties: "function", and "latent", which is an extension of pgmc: "property latent =
// true;" in a variable block marks a latent variable. It skips all others.
//
// Some networks in circulation contradict themselves. The reader accepts the following defects and
// warns about each:
//
//   - Two states have the same name, and it contains "__", the mark of a converter that merged two
//     names. The second state gets the first free name of name2, name3 and so on. If two rows have
//     the same label, the second belongs to the second state.
//   - A variable has a block without parents and a later one with parents. The later one replaces
//     the first.
//   - A row repeats the label of another row, and the row that belongs in its place is missing. The
//     reader then goes by its place, if all other rows are in order, first parent slowest, and the
//     two labels differ in one of several states and do not belong to neighbouring rows.
//   - No block mentions one variable, only one, in a file with a noisy-max. It becomes a root with
//     equal probabilities.
//
// The package does not read the XML format of a similar name (see package xmlbif). Prose between
// blocks, which the first description of BIF allowed, is an error.
//
// The writer writes labelled rows, and "table" for roots. Numbers read back exactly. A
// deterministic CPD, a tree, and a noisy-max that BIF cannot state become tables.
//
// Sources: Cozman, The Interchange Format for Bayesian Networks, version 0.15 (1998), and files of
// bnlearn, aGrUM, Libra, Hugin's converter and pgmpy. Noisy-max: Díez, Parameter adjustment in
// Bayes networks (UAI 1993).
package bif

import "github.com/pgmc-go/pgmc/compiler/format"

// Format is BIF.
var Format = format.Format{
	Name:      format.BIF,
	Doc:       "Bayesian networks, the text format of the bnlearn repository",
	Exts:      []string{".bif"},
	Read:      read,
	Write:     write,
	Undefined: true,
}
