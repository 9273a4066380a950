package asm_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/asm"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// TestWriteMap checks that the assembly of random maps computes the bits of their instructions,
// whatever must leave its register.
func TestWriteMap(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	ops := []circuit.Op{circuit.Sum, circuit.Prod, circuit.Sub, circuit.Quot, circuit.Ratio, circuit.Sqrt}
	spilled := false
	for round := range 200 {
		m := &ir.Map{In: make([]ir.MapView, 1+r.IntN(12)), Consts: []float64{1, .5, -2}}
		values := make([]float64, m.Values())
		for i := range values {
			values[i] = r.NormFloat64()
		}
		values[0] = 0 // so that ratios have divisors of 0
		copy(values[len(m.In):], m.Consts)
		for range 1 + r.IntN(300) {
			c := ir.Instr{Op: ops[r.IntN(len(ops))], A: int32(r.IntN(len(values))), B: int32(r.IntN(len(values)))}
			if r.IntN(3) > 0 { // some values live long
				c.A = int32(len(values) - 1)
			}
			m.Code = append(m.Code, c)
			values = append(values, c.Op.Of(values[c.A], values[c.B]))
		}
		for range 1 + r.IntN(60) {
			m.Set, m.Out = append(m.Set, int32(r.IntN(len(values)))), append(m.Out, ir.MapView{})
		}
		code, ok := asm.WriteMap(m, "f", []int{4, 0, 2})
		if !ok {
			t.Fatal("a map of arithmetic is not written")
		}
		c := processor{l: make([]float64, code.Slots), p: []float64{.5, 0, -2, 0, 1}}
		copy(c.l, values[:len(m.In)])
		_, body, _ := strings.Cut(code.Text, "$0-16\n")
		if err := c.run(body); err != nil {
			t.Fatal(err)
		}
		for i, slot := range code.Result {
			want := values[m.Set[i]]
			switch {
			case slot < 0 && int(m.Set[i]) >= len(m.In) && int(m.Set[i]) < len(m.In)+len(m.Consts):
			case slot < 0 || math.Float64bits(c.l[slot]) != math.Float64bits(want) && !(math.IsNaN(c.l[slot]) && math.IsNaN(want)):
				t.Fatalf("round %d: result %d, of slot %d, is not %v", round, i, slot, want)
			}
		}
		spilled = spilled || code.Slots > len(m.In)+len(m.Consts)+len(m.Out)
	}
	if !spilled {
		t.Error("no map needed more than the registers; the test is too easy")
	}
	if _, ok := asm.WriteMap(&ir.Map{In: make([]ir.MapView, 1), Code: []ir.Instr{{Op: circuit.Exp}}, Set: []int32{1}}, "f", nil); ok {
		t.Error("a map with an exponential is written")
	}
}
