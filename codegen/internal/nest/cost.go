package nest

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
)

// Costs measured on tables from 64 to 65,000 products, and those of vectors on insurance:
// nanoseconds for a product in a sum and in a maximum, for an instruction on vectors, and for
// entering a contraction or another step; bytes of machine code for a product in a tile, and for
// the rest of a contraction.
const (
	nsSum       = .23
	nsMax       = .5
	nsVector    = .12
	nsStep      = 3.0
	nsOther     = 11.0
	textSum     = 24
	textMax     = 42
	textStep    = 200
	buildOfByte = 2e-6 // seconds of go build
)

func cost(p *ir.Program, b *ir.Block) backend.Cost {
	c := backend.Cost{OK: true}
	for _, step := range b.Steps {
		if ir.OfCircuit(step) {
			return backend.Cost{} // circuits have no loops
		}
		if ns, ok := assemble.OfCall(p, step); ok {
			c.NS += ns
			c.Text += textStep
			continue
		}
		contract, ok := step.(*ir.Contract)
		if !ok {
			c.NS += nsOther
			c.Text += textStep
			continue
		}
		n, text := contract.Entries(), textSum
		if contract.Reduce == ir.ReduceMax {
			text = textMax
		}
		c.NS += nsStep + shapeOf(contract, nil).ns
		c.Ops += n * max(1, len(contract.In))
		c.Text += textStep + text*min(n, maxTile)
	}
	c.Build = buildOfByte * float64(c.Text)
	return c
}
