package assemble

import (
	"fmt"
	"reflect"

	"github.com/pgmc-go/pgmc/ir"
)

// rows has one row for each kind of step: which machine runs it, how its instruction is written,
// and its cost. The steps of a machine are in one file with their operations.
var rows = table(tapeRows, loopRows, energyRows, mapRows, chainRows, trialRows, kernelRows)

// row describes one kind of step to the assembler.
type row struct {
	kind    reflect.Type
	machine machine
	code    func(*Assembler, ir.Step)
	price   func(*ir.Program, ir.Step) Price
}

func newRow[S ir.Step](m machine, code func(*Assembler, S), price func(*ir.Program, S) Price) row {
	return row{
		kind:    reflect.TypeFor[S](),
		machine: m,
		code:    func(a *Assembler, s ir.Step) { code(a, s.(S)) },
		price:   func(p *ir.Program, s ir.Step) Price { return price(p, s.(S)) },
	}
}

func table(machines ...[]row) map[reflect.Type]row {
	m := map[reflect.Type]row{}
	for _, list := range machines {
		for _, r := range list {
			m[r.kind] = r
		}
	}
	return m
}

// rowOf returns the row of a step. It panics if the table has none, which a test rules out.
func rowOf(step ir.Step) row {
	r, ok := rows[reflect.TypeOf(step)]
	if !ok {
		panic(fmt.Sprintf("assemble: step %T has no row", step))
	}
	return r
}
