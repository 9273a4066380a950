package tape

import (
	"fmt"
	"math"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Backend emits a block as one call of the runtime's tape machine.
var Backend = backend.Backend{
	Name: "tape",
	Doc:  "integers that the runtime interprets: compiles at once at any size",
	Cost: cost,
	Emit: emit,

	Narrows: narrows,
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
	if k, ok := b.Steps[0].(*ir.Kernel); ok { // which stands alone
		start := len(*out.Ints)
		*out.Ints = backend.AppendKernel(*out.Ints, p, k)
		out.Method(out.Func, "", backend.Work|backend.Data|backend.State, jen.Qual(out.Runtime, k.Func).Call(jen.Id("e").Dot("k").Index(jen.Lit(start), jen.Lit(len(*out.Ints))),
			jen.Id("s").Index(jen.Empty(), jen.Empty()), jen.Id("p").Index(jen.Empty(), jen.Empty()), jen.Id("t").Index(jen.Empty(), jen.Empty()), jen.Id("e").Dot("rng")))
		return nil
	}
	start := len(*out.Ints)
	code, err := Encode(*out.Ints, p, out.Ranges, b)
	if err != nil {
		return err
	}
	*out.Ints = code
	uses, draws := memories(p, out.Ranges, b)
	slice := func(m backend.Memory, local string) jen.Code {
		if uses&m == 0 {
			return jen.Nil()
		}
		return jen.Id(local).Index(jen.Empty(), jen.Empty())
	}
	rng := jen.Nil()
	if draws {
		rng = jen.Id("e").Dot("rng")
	}
	out.Method(out.Func, "", uses, jen.Qual(out.Runtime, machineOf(b)).Call(
		jen.Id("e").Dot("k").Index(jen.Lit(start), jen.Lit(len(code))),
		slice(backend.Work, "s"), slice(backend.Data, "p"), slice(backend.State, "t"), rng))
	return nil
}

// memories are those that b uses, and whether it draws.
func memories(p *ir.Program, ranges *ir.Ranges, b *ir.Block) (uses backend.Memory, draws bool) {
	for _, step := range b.Steps {
		if c, ok := step.(*ir.Contract); readsState(step) || ok && ranges.Narrowed(c) != nil {
			uses |= backend.State
		}
		switch s := step.(type) {
		case *ir.Pick:
			draws = draws || s.Mode == ir.PickDraw
		case *ir.Walk:
			draws = draws || s.Mode == ir.PickDraw
		case *ir.Resample, *ir.Seek:
			draws = true
		case *ir.Trial:
			draws = draws || s.Draws()
		}
		for _, id := range append(ir.ReadSpans(step), ir.WriteSpans(step)...) {
			switch span := &p.Spans[id]; {
			case span.Elem == ir.Int32:
				uses |= backend.State
			case span.ReadOnly() && !isSums(step):
				uses |= backend.Data
			default:
				uses |= backend.Work
			}
		}
	}
	return uses, draws
}

// isSums reports whether a step reads copies of constants in work memory.
func isSums(step ir.Step) bool {
	_, ok := step.(*ir.Sums)
	return ok
}
