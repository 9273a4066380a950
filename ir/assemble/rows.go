package assemble

import (
	"fmt"
	"reflect"

	"github.com/pgmc-go/pgmc/ir"
)

// rows has one row for each kind of step: which machine runs it, how its instruction is written,
// and what it costs.
var rows = table(
	newRow(tape, (*Assembler).contract, contractPrice),
	newRow(tape, (*Assembler).sums, sumsPrice),
	newRow(tape, (*Assembler).walk, walkPrice),
	newRow(tape, (*Assembler).pick, pickPrice),
	newRow(tape, (*Assembler).normalize, normalizePrice),
	newRow(tape, (*Assembler).rescale, rescalePrice),
	newRow(tape, (*Assembler).zero, zeroPrice),
	newRow(tape, (*Assembler).lookup, lookupPrice),

	newRow(loopTape, (*Assembler).damp, dampPrice),
	newRow(loopTape, (*Assembler).boltzmann, boltzmannPrice),
	newRow(loopTape, (*Assembler).powers, powersPrice),
	newRow(loopTape, (*Assembler).tally, tallyPrice),

	newRow(energyTape, (*Assembler).minSum, minSumPrice),
	newRow(energyTape, (*Assembler).sendMessages, sendMessagesPrice),
	newRow(energyTape, (*Assembler).energy, energyPrice),
	newRow(energyTape, (*Assembler).choose, choosePrice),
	newRow(energyTape, (*Assembler).updateIncumbent, updateIncumbentPrice),

	newRow(chainTape, (*Assembler).resample, resamplePrice),
	newRow(chainTape, (*Assembler).findStart, findStartPrice),
	newRow(chainTape, (*Assembler).updateStats, updateStatsPrice),
	newRow(trialTape, (*Assembler).trial, trialPrice),

	newRow(kernel, (*Assembler).kernel, kernelPrice),
)

// row is what the assembler knows of one kind of step.
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

func table(list ...row) map[reflect.Type]row {
	m := map[reflect.Type]row{}
	for _, r := range list {
		m[r.kind] = r
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
