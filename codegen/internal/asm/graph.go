package asm

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/lanes"
)

// operand is a value that a term reads: a node of the graph if it is at least 0, otherwise -1-slot
// for the value of a slot before the part.
type operand int

// none is the second operand of a term with only one.
const none operand = math.MinInt

func slotOperand(slot int) operand { return operand(-1 - slot) }

func (o operand) slot() int { return int(-1 - o) }

// node is a sum, or, if it has the name of an instruction, the instruction on the operands of its
// one term. home is the slot in which its value is read after the sums, or -1.
type node struct {
	op    string
	terms [][2]operand
	home  int
}

// ratio is the name of a quotient that is 0 if its divisor is.
const ratio = "ratio"

// graph holds the sums of a part. A slot that is set several times is several nodes.
type graph struct {
	nodes []node
	order []int        // the needed nodes, in the order of writing
	reads map[int]bool // slots whose value before the part is read
}

func newGraph(prog *lanes.Program, part int, live []bool) *graph {
	g := &graph{reads: map[int]bool{}}
	now := make([]operand, prog.Slots)
	for s := range now {
		now[s] = slotOperand(s)
	}
	for _, n := range prog.Parts[part].Sums {
		made := node{home: -1}
		for _, t := range n.Terms {
			term := [2]operand{now[t[0]], none}
			if t[1] >= 0 && !isOne(prog, int(t[1])) {
				term[1] = now[t[1]]
			}
			made.terms = append(made.terms, term)
		}
		now[n.Set] = operand(len(g.nodes))
		g.nodes = append(g.nodes, made)
	}
	for s, o := range now {
		if o >= 0 && live[s] {
			g.nodes[o].home = s
		}
	}
	g.sort()
	return g
}

// isOne reports whether a slot holds the number 1. Lane code uses it to write a single operand as a
// product.
func isOne(prog *lanes.Program, slot int) bool {
	i := slot - prog.First
	return i >= 0 && i < len(prog.Numbers) && prog.Numbers[i].At < 0 && prog.Numbers[i].Value == 1
}

// sort orders the needed nodes depth first, from those with a home.
func (g *graph) sort() {
	const begun, done = 1, 2
	state := make([]uint8, len(g.nodes))
	var stack []int
	for root := range g.nodes {
		if g.nodes[root].home >= 0 {
			stack = append(stack, root)
		}
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			if state[n] != 0 {
				stack = stack[:len(stack)-1]
				if state[n] == begun {
					state[n] = done
					g.order = append(g.order, n)
				}
				continue
			}
			state[n] = begun
			for i := len(g.nodes[n].terms) - 1; i >= 0; i-- { // so that the first is on top
				for k := 1; k >= 0; k-- {
					switch o := g.nodes[n].terms[i][k]; {
					case o == none:
					case o < 0:
						g.reads[o.slot()] = true
					case state[o] == 0:
						stack = append(stack, int(o))
					}
				}
			}
		}
	}
}
