package ir

// Approximation is what packages and commands show of a method whose answers are not exact. Such a
// method has a query of its own, since its answers are of another kind than exact ones. The value
// belongs to the method; queries point to it.
type Approximation struct {
	Kind   QueryKind
	Word   string   // asks for the query, as in "bp"
	GoName string   // the method of generated packages, as in "BP"; its options are of type BPOptions
	More   []string // other exported names that this query brings to a generated package

	// Summary says what a generated package answers, for the package's comment.
	Summary string
	// Doc holds the first lines of the comment of the package's method, after its name. Lines that
	// hold for all queries of the kind follow. Markov replaces Doc for Markov networks unless it is
	// nil.
	Doc, Markov []string
	// Options are the fields of the options of a run, in order.
	Options []RunOption

	MaxMarginals bool // of Decoding: the loop also finds max-marginals
	// KeepsExclusive says that the method wants potentials of features of which exactly one holds at
	// a time in one piece; see pass.ProblemLocal.
	KeepsExclusive bool
}

// RunOption is a field of the options of a run in generated packages.
type RunOption struct {
	Name, Type string
	Field      string // of the options in the runtime, which it sets; Loop and Chain hold its default
	Doc        string // for the field's comment: a phrase
	Note       string // follows the default in the comment; may be empty
}

// DocFor returns the first lines of the comment of the package's method for a Markov network or any
// other model.
func (a *Approximation) DocFor(markov bool) []string {
	if markov && a.Markov != nil {
		return a.Markov
	}
	return a.Doc
}
