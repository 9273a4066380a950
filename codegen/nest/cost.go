package nest

import (
	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Measured on tables from 64 to 50,000 products: nanoseconds of a product and of entering a contraction, bytes of text and
// seconds of go build of a product in a tile.
const (
	nsProduct    = 0.35
	nsContract   = 4.0
	nsOther      = 8.0
	textProduct  = 14
	textContract = 150
	buildPerByte = 2e-6
)

func cost(_ *ir.Program, b *ir.Block) backend.Cost {
	c := backend.Cost{OK: true}
	for _, step := range b.Steps {
		contract, ok := step.(*ir.Contract)
		if !ok {
			c.NS += nsOther
			c.Text += textContract
			continue
		}
		s := shapeOf(contract)
		n := s.products()
		c.NS += nsContract + nsProduct*float64(n)
		c.Ops += n * max(1, len(s.in))
		c.Text += textContract + textProduct*min(n, maxTile)*max(1, len(s.in)-1)
	}
	c.Build = buildPerByte * float64(c.Text)
	return c
}
