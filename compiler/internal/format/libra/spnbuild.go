package libra

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// build builds the circuit, from node 0 down.
func (x *spn) build() {
	root := x.nodes[0]
	if root == nil {
		x.fail("node 0, the root")
		return
	}
	x.cards = make([]int, len(root.scope))
	if !x.permutation(root) {
		return
	}
	if _, ok := x.visit(0, root.pos, 0); !ok {
		return
	}
	var names numbers.States
	budget := numbers.NewBudget(len(x.src))
	for i, card := range x.cards {
		if card == 0 {
			x.Errorf(root.pos, "no leaf has variable %d of the scope of the root; want one", i)
			return
		}
		if !budget.Take(card) {
			x.Errorf(root.pos, "the variables have more states than a file of this size may declare")
			return
		}
		declare(x.m, names.Of(card), root.pos)
	}
	x.m.Factors = []*model.Factor{{Scope: allVars(x.m), Child: -1, Dist: &x.d, Pos: root.pos, RowPos: x.pos}}
}

// permutation checks that the scope of the root holds all variables.
func (x *spn) permutation(root *spnNode) bool {
	seen := make([]bool, len(root.scope))
	for _, v := range root.scope {
		if v >= len(seen) || seen[v] {
			x.Errorf(root.pos, "the scope of the root has %d; want 0 to %d, each once", v, len(seen)-1)
			return false
		}
		seen[v] = true
	}
	return true
}

// visit appends node id and all below it to the circuit, once, and returns its index there.
func (x *spn) visit(id int, from diag.Pos, depth int) (int32, bool) {
	n := x.nodes[id]
	switch {
	case n == nil || n.kind == "null":
		x.Errorf(from, "child %d is not a sum, a product or a leaf", id)
		return 0, false
	case n.state == spnDone:
		return n.root, true
	case n.state == spnOpen || depth > maxDepth:
		x.Errorf(from, "child %d leads back to its parent, or deeper than %d levels", id, maxDepth)
		return 0, false
	}
	n.state = spnOpen
	ok := false
	if n.kind == "ac" {
		n.root, ok = x.leaf(id, n)
	} else if x.scopes(n) {
		n.root, ok = x.inner(n, depth)
	}
	n.state = spnDone
	return n.root, ok
}

// scopes checks that the children of a sum have its scope, and that those of a product partition
// it.
func (x *spn) scopes(n *spnNode) bool {
	count := map[int]int{} // by variable: the number of children with it
	for _, v := range n.scope {
		count[v] = 0
	}
	if len(count) != len(n.scope) {
		x.Errorf(n.pos, "the scope names a variable twice; want each once")
		return false
	}
	total := 0
	for _, id := range n.children {
		c := x.nodes[id]
		if c == nil {
			return true // visit reports it
		}
		for _, v := range c.scope {
			if _, in := count[v]; !in {
				x.Errorf(c.pos, "the scope has variable %d, which is not in the scope of its parent", v)
				return false
			}
			count[v]++
			total++
		}
	}
	each := 1
	if n.kind == "+" {
		each = len(n.children)
	}
	for _, v := range n.scope {
		if count[v] != each {
			x.Errorf(n.pos, "variable %d of the scope is in %d of %d children; want %d", v, count[v], len(n.children), each)
			return false
		}
	}
	return true
}

// inner appends a sum or a product. The product of one child is that child.
func (x *spn) inner(n *spnNode, depth int) (int32, bool) {
	args := make([]int32, len(n.children))
	for i, id := range n.children {
		arg, ok := x.visit(id, n.pos, depth+1)
		if !ok {
			return 0, false
		}
		args[i] = arg
		if n.kind == "+" {
			w := x.add(n.pos, model.CircuitNode{Op: model.CircuitNumber, Value: math.Exp(n.weights[i])})
			args[i] = x.add(n.pos, model.CircuitNode{Op: model.CircuitProduct, Args: []int32{w, arg}})
		}
	}
	if n.kind == "+" {
		return x.add(n.pos, model.CircuitNode{Op: model.CircuitSum, Args: args}), true
	}
	if len(args) == 1 {
		return args[0], true
	}
	return x.add(n.pos, model.CircuitNode{Op: model.CircuitProduct, Args: args}), true
}

func (x *spn) add(pos diag.Pos, n model.CircuitNode) int32 {
	x.d.Nodes = append(x.d.Nodes, n)
	x.pos = append(x.pos, pos)
	return int32(len(x.d.Nodes) - 1)
}

// leaf appends the circuit of a leaf, divided by its sum over all joint states, because a leaf is a
// distribution.
func (x *spn) leaf(id int, n *spnNode) (int32, bool) {
	src, ok := x.open(spnLeaf(id), n.pos)
	if !ok {
		return 0, false
	}
	p := newCircuitParser(src, x.opt)
	p.circuit()
	x.Append(p.List)
	if p.HasErrors() || !x.agree(n, p.m, src.Name) {
		return 0, false
	}
	z := circuitSum(&p.d)
	if !(z > 0) || math.IsInf(z, 1) {
		x.Errorf(diag.Pos{File: src.Name}, "the circuit sums to %v over all states; want a positive number", z)
		return 0, false
	}
	base := int32(len(x.d.Nodes))
	for i, c := range p.d.Nodes {
		for k := range c.Args {
			c.Args[k] += base
		}
		if c.Op == model.CircuitIndicator {
			c.Axis = n.scope[c.Axis]
		}
		x.add(p.pos[i], c)
	}
	root := int32(len(x.d.Nodes) - 1)
	if math.Abs(z-1) <= sumsToOne {
		return root, true
	}
	scale := x.add(n.pos, model.CircuitNode{Op: model.CircuitNumber, Value: 1 / z})
	return x.add(n.pos, model.CircuitNode{Op: model.CircuitProduct, Args: []int32{scale, root}}), true
}

// sumsToOne is the tolerance within which the sum of a circuit counts as one. Rounding in a circuit
// of a million nodes explains 1e-9.
const sumsToOne = 1e-9

// circuitSum returns the sum of a smooth and decomposable circuit over all joint states.
func circuitSum(d *model.Circuit) float64 {
	return d.Eval(func(int, int32) float64 { return 1 }, make([]float64, len(d.Nodes)))
}

// agree checks that the variables of a leaf's file are its scope, and records their numbers of
// states.
func (x *spn) agree(n *spnNode, leaf *model.Model, file string) bool {
	if len(leaf.Vars) != len(n.scope) {
		x.Errorf(diag.Pos{File: file, Line: 1, Col: 1}, "the circuit has %d variables; want %d, as in the scope at %v", len(leaf.Vars), len(n.scope), n.pos)
		return false
	}
	for i, v := range n.scope {
		card := leaf.Card(model.VarID(i))
		if v >= len(x.cards) {
			x.Errorf(n.pos, "the scope has variable %d; want 0 to %d", v, len(x.cards)-1)
			return false
		}
		if x.cards[v] == 0 {
			x.cards[v] = card
		}
		if x.cards[v] != card {
			x.Errorf(leaf.Vars[i].Pos, "variable %d has %d states; want %d, as in another leaf", v, card, x.cards[v])
			return false
		}
	}
	return true
}
