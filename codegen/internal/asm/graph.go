package asm

import "github.com/pgmc-go/pgmc/ir/lanes"

// operand is what a term reads: from 0 on a node of the graph, below that a slot as it was before
// the part, -1-slot.
type operand int

// none is the second operand of a single term.
const none operand = -1 << 62

func slotOperand(slot int) operand { return operand(-1 - slot) }

func (o operand) slot() int { return int(-1 - o) }

// node is a sum; home is the slot where others look for it, -1 where nobody does.
type node struct {
	terms [][2]operand
	home  int
}

// graph is the sums of a part, in which slots that are set several times are several nodes.
type graph struct {
	nodes []node
	order []int        // of the nodes that are needed
	reads map[int]bool // slots that are read as they were before
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
			if t[1] >= 0 && !isOne(prog, t[1]) {
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

// isOne reports whether a slot holds the number 1, by which sums of products and single terms are
// made sums of products.
func isOne(prog *lanes.Program, slot int) bool {
	i := slot - prog.First
	return i >= 0 && i < len(prog.Numbers) && prog.Numbers[i].At < 0 && prog.Numbers[i].Value == 1
}

// sort orders nodes depth first from those that have a home.
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
			for i := len(g.nodes[n].terms) - 1; i >= 0; i-- { // the first is on top
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
