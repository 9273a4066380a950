package ep

import (
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// seen returns 1 if a real variable is observed, and else 0.
func (b *builder) seen(c *gauss.Code, v model.VarID) circuit.Node {
	if b.Lambda[v] == ir.NoTable {
		return circuit.Zero
	}
	return c.Read(gauss.Part(b.Lambda[v], 0))
}

// hidden returns 1 if a real variable is not observed, and else 0. A given one is never hidden.
func (b *builder) hidden(c *gauss.Code, v model.VarID) circuit.Node {
	if !b.real(v) {
		return circuit.Zero
	}
	return c.Sub(circuit.One, b.seen(c, v))
}

// shift returns the reference of a real variable less its centre: the observed value less the
// centre, and 0 if it is not observed.
func (b *builder) shift(c *gauss.Code, v model.VarID) circuit.Node {
	if b.Lambda[v] == ir.NoTable {
		return circuit.Zero
	}
	return c.Sub(c.Read(gauss.Part(b.Lambda[v], 1)), c.Prod(b.seen(c, v), c.Const(b.centre[v])))
}

// reference returns what numbers of a real variable are relative to.
func (b *builder) reference(c *gauss.Code, v model.VarID) circuit.Node {
	if b.Lambda[v] == ir.NoTable {
		return c.Const(b.centre[v])
	}
	return c.Sum(c.Prod(c.Sub(circuit.One, b.seen(c, v)), c.Const(b.centre[v])), c.Read(gauss.Part(b.Lambda[v], 1)))
}

// columns returns constants by row of a table over some discrete variables.
func (b *builder) columns(name string, scope []model.VarID) *gauss.Columns {
	return gauss.NewColumns(b.Schedule, name, scope)
}
