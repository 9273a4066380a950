package tape

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
)

// nsCall is the cost of a call of the machine in nanoseconds. Package assemble has the costs of
// steps.
const nsCall = 3

func cost(p *ir.Program, b *ir.Block) backend.Cost {
	c := backend.Cost{OK: true, NS: nsCall}
	for _, step := range b.Steps {
		price := assemble.OnTape(p, step)
		c.NS += price.NS
		c.Ops += price.Ops
	}
	return c
}
