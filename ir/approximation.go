package ir

// Approximation describes an approximate method to generated packages and commands. Such a method
// has a query of its own, since its answers differ in kind from exact ones. The value belongs to
// the method; queries point to it.
type Approximation struct {
	Kind   QueryKind
	Word   string // the name in queries, as in "bp"
	GoName string // the name of the method in generated packages, as in "BP"; its options have type BPOptions

	// Summary describes the answers of a generated package, for the package comment.
	Summary string
	// Doc holds the first sentences of the method's comment in a generated package, after the
	// method's name. The sentences common to all queries of the kind follow. Markov replaces Doc
	// for Markov networks unless it is nil.
	Doc, Markov []string
	// Options holds the fields of the options of a run, in order.
	Options []RunOption

	Anytime      bool // the bounds hold after any round, so that a run whose context ends returns them
	MaxMarginals bool // for Decoding: the loop also computes max-marginals
	Pseudo       bool // for Decoding: the loop computes pseudo-max-marginals if asked; see Query.Best
	// KeepsExclusive reports that the method keeps the features of a potential together if exactly
	// one of them holds at a time; see pass.ProblemLocal.
	KeepsExclusive bool
}

// RunOption describes a field of the options of a run in generated packages.
type RunOption struct {
	Name, Type string
	Field      string // the field of the runtime's options that it sets; Loop and Chain hold its default
	Doc        string // a phrase for the field's comment
	Note       string // follows the default in the comment; may be empty
}

// DocFor returns the first sentences of the method's comment in a generated package: the lines of a
// Markov network if markov is true and Markov is set, and Doc otherwise.
func (a *Approximation) DocFor(markov bool) []string {
	if markov && a.Markov != nil {
		return a.Markov
	}
	return a.Doc
}
