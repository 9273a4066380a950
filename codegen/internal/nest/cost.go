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
			c.Text += price.NestTextStep
			continue
		}
		contract, ok := step.(*ir.Contract)
		if !ok {
			c.NS += price.NestOther
			c.Text += price.NestTextStep
			continue
		}
		n, text := contract.Entries(), price.NestTextSum
		if contract.Reduce == ir.ReduceMax {
			text = price.NestTextMax
		}
		c.NS += price.NestStep + shapeOf(contract, nil).ns
		c.Ops += n * max(1, len(contract.In))
		c.Text += price.NestTextStep + text*min(n, maxTile)
	}
	c.Build = price.BuildByte * float64(c.Text)
	return c
}
