package ir

// A ChainNumbers holds one T for each number that a run of Markov chains shares with the blocks of
// its program: a table of one number in a schedule, a span in a program, an address in a machine.
type ChainNumbers[T any] struct {
	Share  T // weight of a sweep in its batch; the caller sets this and the next two
	Chains T // number of chains
	Length T // sweeps of a batch
	RHat   T // largest split R-hat
	ESS    T // least effective sample size
	Error  T // largest standard error
}

// All returns pointers to the fields, in the order of the text form.
func (n *ChainNumbers[T]) All() []*T {
	return []*T{&n.Share, &n.Chains, &n.Length, &n.RHat, &n.ESS, &n.Error}
}

// A StatNumbers holds one T for each statistic of a variable that pgmrt.ChainStats has; the fields
// of ChainStats describe it.
type StatNumbers[T any] struct{ Batch, Half, Total, Square, Within, Between T }

// All returns pointers to the fields, in the order of pgmrt.ChainStats.
func (n *StatNumbers[T]) All() []*T {
	return []*T{&n.Batch, &n.Half, &n.Total, &n.Square, &n.Within, &n.Between}
}

// A TrialNumbers holds one T for each number that a run of trials shares with the blocks of its
// program; see pgmrt.TrialNumbers.
type TrialNumbers[T any] struct{ Beta, Weight, Score, Best, Total, Square, Count, Error T }

// All returns pointers to the fields, in the order of pgmrt.TrialNumbers.
func (n *TrialNumbers[T]) All() []*T {
	return []*T{&n.Beta, &n.Weight, &n.Score, &n.Best, &n.Total, &n.Square, &n.Count, &n.Error}
}

// An IncumbentNumbers holds one T for each number of an [UpdateIncumbent].
type IncumbentNumbers[T any] struct {
	Value       T // energy of the states that the iteration chose
	Bound       T // lower bound on all energies
	Gain        T // current improvement of the bound
	GainBefore  T // previous improvement of the bound
	BoundBefore T // previous bound
	Least       T // least energy so far
	Rounds      T // number of iterations
	Residual    T // the number that the loop compares with its tolerance
}

// All returns pointers to the fields, in the order of the words of the tape.
func (n *IncumbentNumbers[T]) All() []*T {
	return []*T{&n.Value, &n.Bound, &n.Gain, &n.GainBefore, &n.BoundBefore, &n.Least, &n.Rounds, &n.Residual}
}

// each visits the references of a list of pointers that are not absent.
func (visit RefVisitor) each(ids []*SpanID, use Use) {
	for _, id := range ids {
		visit.one(id, use)
	}
}

// each visits the tables of a list of pointers that are not absent.
func (visit TableVisitor) each(ids []*TableID, use Use) {
	for _, id := range ids {
		visit.one(*id, use)
	}
}

// values returns what pointers point to.
func values[T any](of []*T) []T {
	out := make([]T, len(of))
	for i, p := range of {
		out[i] = *p
	}
	return out
}

// set reads spans into the places that pointers point to.
func (ps *parser) set(ids []*SpanID) {
	for _, id := range ids {
		*id = ps.spanID()
	}
}

// numbers makes spans of tables, to which from points, in the places to which to points.
func (l *Lowering) numbers(from []*TableID, to []*SpanID) {
	for i, t := range from {
		*to[i] = l.Span(*t)
	}
}
