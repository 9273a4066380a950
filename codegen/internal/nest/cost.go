package nest

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/price"
)

func cost(p *ir.Program, b *ir.Block) backend.Cost {
	c := backend.Cost{OK: true}
	for _, step := range b.Steps {
		if ir.OfCircuit(step) {
			return backend.Cost{} // circuits have no loops
		}
		if ns, ok := assemble.OfCall(p, step); ok {
			c.NS += ns
			c.Text += price.Nest.TextStep
			continue
		}
		contract, ok := step.(*ir.Contract)
		if !ok {
			c.NS += price.Nest.Other
			c.Text += price.Nest.TextStep
			continue
		}
		n, text := contract.Entries(), price.Nest.TextSum
		if contract.Reduce == ir.ReduceMax {
			text = price.Nest.TextMax
		}
		c.NS += price.Nest.Step + shapeOf(contract, nil).ns
		c.Ops += n * max(1, len(contract.In))
		c.Text += price.Nest.TextStep + text*min(n, maxTile)
	}
	c.Build = price.BuildByte * float64(c.Text)
	return c
}
