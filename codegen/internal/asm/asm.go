package asm

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir/lanes"
)

// MaxOps is the largest number of operations of a program that can be written.
const MaxOps = 75_000

// Code is the assembly of a program.
type Code struct {
	Text  string   // the functions, without a header
	Funcs []string // by part: the function that computes its sums, func(l, p *float64); empty if it has none
	Slots int      // the number of slots that the lanes must have
}

// Write returns functions that compute the sums of the parts of prog. Their names begin with name.
// place holds the index of each number of prog in data memory, to which p points.
func Write(prog *lanes.Program, name string, place []int) *Code {
	c := &Code{Slots: prog.Slots, Funcs: make([]string, len(prog.Parts))}
	var text strings.Builder
	for i, live := range liveAfterSums(prog) {
		if len(prog.Parts[i].Sums) == 0 {
			continue
		}
		c.Funcs[i] = fmt.Sprintf("%sPart%d", name, i+1)
		g := newGraph(prog, i, live)
		w := newWriter(prog.First, prog.Slots, g, place)
		text.WriteString(function(c.Funcs[i], w.write()))
		c.Slots = max(c.Slots, prog.Slots+w.spills)
	}
	c.Text = text.String()
	return c
}

// function returns the text of a function func(l, p *float64).
func function(name, body string) string {
	return fmt.Sprintf("\n// func %s(l, p *float64)\nTEXT ·%s(SB), NOSPLIT, $0-16\n\tMOVQ l+0(FP), BX\n\tMOVQ p+8(FP), DX\n%s\tVZEROUPPER\n\tRET\n",
		name, name, body)
}

// liveAfterSums returns for each part the slots that are read after its sums before they are set
// again.
func liveAfterSums(prog *lanes.Program) [][]bool {
	live := make([]bool, prog.Slots)
	for _, m := range prog.Out {
		for i := range m.Len {
			live[m.Slot+i] = true
		}
	}
	out := make([][]bool, len(prog.Parts))
	for i := len(prog.Parts) - 1; i >= 0; i-- {
		part := &prog.Parts[i]
		for k := len(part.Steps) - 1; k >= 0; k-- {
			s := &part.Steps[k]
			live[s.To], live[s.From], live[s.And] = false, true, true
		}
		for k := len(part.Maxima) - 1; k >= 0; k-- {
			mark(live, part.Maxima[k].Set, part.Maxima[k].Terms)
		}
		out[i] = append([]bool(nil), live...)
		for k := len(part.Sums) - 1; k >= 0; k-- {
			mark(live, part.Sums[k].Set, part.Sums[k].Terms)
		}
	}
	return out
}

// mark updates the live slots by a node, going backwards.
func mark(live []bool, set int, terms [][2]int32) {
	live[set] = false
	for _, t := range terms {
		live[t[0]] = true
		if t[1] >= 0 {
			live[t[1]] = true
		}
	}
}
