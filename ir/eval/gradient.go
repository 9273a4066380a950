package eval

import (
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Gradient sets out to the derivative of ln P(evidence) with respect to the numbers of span i of
// Program.ParamSpans, after a run of a Gradient entry with possible evidence. For a Markov network
// it is the derivative of ln Z(evidence). The numbers of a Gaussian CPD are the columns of
// model.Gaussian.Columns.
func (m *Machine) Gradient(i int, out []float64) {
	if m.program.Spans[m.program.ParamSpans()[i]].Role == ir.RoleSigned {
		copy(out, m.Span(m.entry.Outs[i]))
		return
	}
	pgmrt.Gradient(out, m.Span(m.program.ParamSpans()[i]), m.Span(m.entry.Outs[i]))
}

// Counts sets out to the expected counts of the numbers of span i of Program.ParamSpans: the
// probability that each is the one used, given the evidence of the last run, of a Gradient entry. A
// Gaussian CPD has no counts.
func (m *Machine) Counts(i int, out []float64) {
	m.Gradient(i, out)
	pgmrt.Counts(out, m.Span(m.program.ParamSpans()[i]))
}
