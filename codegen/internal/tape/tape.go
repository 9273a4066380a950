package tape

import (
	"fmt"
	"math"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
)

// Backend emits a block as one call of the runtime's tape machine.
var Backend = backend.Backend{
	Name: "tape",
	Doc:  "integers that the runtime interprets: compiles at once at any size",
	Cost: cost,
	Emit: emit,

	Narrows: assemble.Narrows,

	CopiesConstants: true,
}

func emit(out *backend.Output, b *ir.Block) error {
	if len(b.Steps) == 0 {
		out.Method(out.Func, "", 0)
		return nil
	}
	p := out.Program
	if max(p.Work, p.Data, p.Ints+out.Ranges.Ints()) > math.MaxInt32 {
		return fmt.Errorf("tape: program %q needs memories of %d, %d and %d elements; the tape reaches %d",
			p.Name, p.Work, p.Data, p.Ints, math.MaxInt32)
	}
	code, err := assemble.LaidOut(p, out.Ranges).Block(b)
	if err != nil {
		return fmt.Errorf("tape: %w", err)
	}
	start := len(*out.Ints)
	*out.Ints = append(*out.Ints, code.Words...)
	var uses backend.Memory
	slice := func(used bool, m backend.Memory, local string) jen.Code {
		if !used {
			return jen.Nil()
		}
		uses |= m
		return jen.Id(local).Index(jen.Empty(), jen.Empty())
	}
	rng := jen.Nil()
	if code.Draws {
		rng = jen.Id("e").Dot("rng")
	}
	run := jen.Id(out.Runtime(code.Func)).Call(
		jen.Id("e").Dot("k").Index(jen.Lit(start), jen.Lit(len(*out.Ints))),
		slice(code.Work, backend.Work, "s"), slice(code.Data, backend.Data, "p"), slice(code.State, backend.State, "t"), rng)
	out.Method(out.Func, "", uses, run)
	return nil
}
