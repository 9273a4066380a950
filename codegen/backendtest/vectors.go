package backendtest

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Vectors returns n programs made from seed that have nothing but contractions without fixed axes,
// and answers that are normalised. Spans begin at multiples of four, and some are padded.
func Vectors(n int, seed uint64) []Case {
	return random("vectors", n, seed, 2, func(g *generator) { g.vectors = true })
}

// temporary makes a table. In a program for vectors, the last variable of some is padded.
func (g *generator) temporary(scope []model.VarID) table {
	t := table{scope: scope}
	n := g.len(scope)
	if last := len(scope) - 1; g.vectors && last >= 0 && g.size[scope[last]] > 1 {
		size := g.size[scope[last]]
		q := 1 << g.r.IntN(3)
		t.pad = (size+q-1)/q*q - size
		n += n / size * t.pad
	}
	t.span = g.span(ir.Span{Role: ir.RoleTemp, Len: n})
	return t
}
