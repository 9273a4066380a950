package tape

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
	"github.com/pgmc-go/pgmc/ir/price"
)

func cost(p *ir.Program, b *ir.Block) backend.Cost {
	c := backend.Cost{OK: true, NS: price.Tape.Call}
	for _, step := range b.Steps {
		step := assemble.OnTape(p, step)
		c.NS += step.NS
		c.Ops += step.Ops
	}
	return c
}
