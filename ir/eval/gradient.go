package eval

import (
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Gradient sets out to the derivative of ln P(evidence) with respect to the numbers of span i of
// Program.ParamSpans, after a run of a Gradient entry with possible evidence. For a Markov network
// it is the derivative of ln Z(evidence).
func (m *Machine) Gradient(i int, out []float64) {
	pgmrt.Gradient(out, m.Span(m.program.ParamSpans()[i]), m.Span(m.entry.Outs[i]))
}

// Counts sets out to the expected counts of the numbers of span i of Program.ParamSpans: the
// probability that each is the one used, given the evidence of the last run, of a Gradient entry.
func (m *Machine) Counts(i int, out []float64) {
	m.Gradient(i, out)
	pgmrt.Counts(out, m.Span(m.program.ParamSpans()[i]))
}
