package methodtest

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// tables checks the answers of the last run that are tables over sets of variables.
func (c *checked) tables(entry *ir.Entry, e brute.Evidence) {
	switch entry.Query.Kind {
	case ir.Gradient, ir.Sensitivity:
		c.gradient(e)
	}
}

// gradient checks the derivatives of ln Z(evidence), which is ln P(evidence) in a Bayesian network,
// and the expected counts.
func (c *checked) gradient(e brute.Evidence) {
	m := c.result.Model // a pass may have split factors
	joint, err := brute.New(m)
	c.must(err)
	for i := range c.result.Program.ParamSpans() {
		f := m.Factors[i]
		want := joint.GradientZ(i, e)
		got := make([]float64, len(want))
		c.machine.Gradient(i, got)
		irtest.Close(c, got, want, c.tol)
		c.machine.Counts(i, got)
		irtest.Close(c, got, joint.JointPosterior(f.Scope, e), c.tol)
	}
}
