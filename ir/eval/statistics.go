package eval

// Statistics sets out to the expected sufficient statistics of CPD i after a run of a Statistics
// entry with possible evidence. Those of a discrete CPD are its expected counts, see Counts. Those
// of a Gaussian CPD come part after part, each with a number for each joint state of the discrete
// parents, the last fastest: the probability of the joint state, the means of the real parents and
// the child given that state, and the lower triangle of their covariances, row by row. The length
// of out is the length of the span of the entry.
func (m *Machine) Statistics(i int, out []float64) {
	if m.model.Factors[i].Gaussian() == nil {
		m.Counts(i, out)
		return
	}
	copy(out, m.Span(m.entry.Outs[i]))
}
