package libra

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// spnMain is the file of the network in an .spn folder; that of leaf 3 is spac-3.ac.
const spnMain = "spac.m"

func spnLeaf(id int) string { return "spac-" + strconv.Itoa(id) + ".ac" }

// spnNode is a sum, a product or a leaf of a sum-product network, whose leaves are circuits in
// files of their own.
type spnNode struct {
	pos      diag.Pos
	kind     string // +, *, ac or null
	children []int
	weights  []float64 // of a sum, as logarithms
	scope    []int     // in the order of the variables in the leaf's file
	state    byte      // state of the traversal: not seen, open, done
	root     int32     // index in the circuit, if done
}

// The states of the traversal.
const (
	spnOpen = 1
	spnDone = 2
)

// spn reads a sum-product network into one circuit.
type spn struct {
	lexer
	dir   *format.Source
	opt   format.ReadOptions
	nodes map[int]*spnNode
	count int   // the number of nodes in the header
	at    token // the token of count
	cards []int // by variable; 0 until a leaf declares it
	m     *model.Model
	d     model.Circuit
	pos   []diag.Pos // of the nodes of d
}

func readSPN(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	x := &spn{dir: src, opt: opt.WithDefaults(), nodes: map[int]*spnNode{}, m: &model.Model{Kind: model.Markov, File: src.Name}}
	main, ok := x.open(spnMain, diag.Pos{File: src.Name})
	if !ok {
		return nil, x.List
	}
	list := x.List
	x.lexer = newLexer(main)
	x.List = list
	if x.header() && x.all() {
		x.build()
	}
	return x.m, x.List
}

// open opens a file of the folder; at is the token that refers to it.
func (x *spn) open(name string, at diag.Pos) (*format.Source, bool) {
	src, err := x.dir.Open(name)
	if err != nil {
		path := filepath.Join(x.dir.Name, name)
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) { // its text repeats the path
			err = pathErr.Err
		}
		x.Errorf(at, "%s: %v", path, err)
		return nil, false
	}
	return src, true
}

// header reads the word spac and the number of nodes.
func (x *spn) header() bool {
	if !x.tok.is("spac") {
		return x.fail("spac")
	}
	x.advance()
	var err error
	if x.count, err = strconv.Atoi(x.tok.text); err != nil {
		return x.fail("the number of nodes")
	}
	x.at = x.tok
	x.advance()
	return true
}

// all reads the nodes, at least as many as the header says.
func (x *spn) all() bool {
	for x.tok.kind != end {
		if !x.node() {
			return false
		}
	}
	if len(x.nodes) < x.count {
		x.Errorf(x.at.pos, "the header declares %d nodes; found %d: the file may be truncated", x.count, len(x.nodes))
		return false
	}
	return true
}

// node reads `n 3 + 0`, an id, a kind and a parent, and the lines for its kind.
func (x *spn) node() bool {
	n := &spnNode{pos: x.tok.pos}
	if !x.tok.is("n") {
		return x.fail(`"n"`)
	}
	x.advance()
	id, err := strconv.Atoi(x.tok.text)
	if err != nil || id < 0 {
		return x.fail("the id of a node")
	}
	if x.nodes[id] != nil {
		x.Errorf(x.tok.pos, "second node %d; the first is at %v", id, x.nodes[id].pos)
		return false
	}
	x.nodes[id] = n
	x.advance()
	n.kind = x.tok.text
	kindPos := x.tok
	x.advance()
	if _, err := strconv.Atoi(x.tok.text); err != nil || x.tok.fresh {
		return x.fail("the id of a parent, or -1")
	}
	x.advance()
	var lines [][]token
	for x.tok.kind != end && !x.tok.is("n") {
		if x.tok.fresh {
			lines = append(lines, nil)
		}
		if len(lines) == 0 {
			return x.fail("the end of the line")
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], x.tok)
		x.advance()
	}
	return x.lines(n, kindPos, lines)
}

// lines parses the children, weights and scope of a node. Older products start with a threshold of
// the learner.
func (x *spn) lines(n *spnNode, kind token, lines [][]token) bool {
	if n.kind == "*" && len(lines) == 3 && len(lines[0]) == 1 {
		lines = lines[1:]
	}
	want := map[string]int{"+": 3, "*": 2, "ac": 1, "null": 0}
	count, known := want[n.kind]
	if !known {
		x.Errorf(kind.pos, "found %s; want a kind of node: +, *, ac or null", kind.describe())
		return false
	}
	if len(lines) != count {
		x.Errorf(n.pos, "node has %d lines after its first; want %d", len(lines), count)
		return false
	}
	ok := true
	if count > 1 {
		n.children, ok = x.ints(lines[0])
	}
	if ok && n.kind == "+" {
		n.weights, ok = x.logs(lines[1], len(n.children))
	}
	if ok && count > 0 {
		n.scope, ok = x.ints(lines[count-1])
	}
	return ok
}

func (x *spn) ints(line []token) ([]int, bool) {
	list := make([]int, len(line))
	for i, t := range line {
		n, err := strconv.Atoi(t.text)
		if err != nil || n < 0 {
			x.Errorf(t.pos, "found %s; want a number of at least 0", t.describe())
			return nil, false
		}
		list[i] = n
	}
	return list, true
}

// logs reads the weights of a sum, whose exponentials must be finite.
func (x *spn) logs(line []token, count int) ([]float64, bool) {
	if len(line) != count {
		x.Errorf(line[0].pos, "found %d weights; want %d, one for each child", len(line), count)
		return nil, false
	}
	list := make([]float64, count)
	for i, t := range line {
		w, ok := parseLog(t.text)
		if !ok || w > maxLog {
			x.Errorf(t.pos, "found %s; want a logarithm of at most %d", t.describe(), maxLog)
			return nil, false
		}
		list[i] = w
	}
	return list, true
}

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

// writeSPN writes a network whose only leaf is the circuit that m must consist of.
func writeSPN(out *format.Sink, m *model.Model) error {
	d, _, err := oneCircuit(m, ".spn")
	if err != nil {
		return err
	}
	z := circuitSum(d)
	if !(z > 0) || math.IsInf(z, 1) {
		return fmt.Errorf("the circuit sums to %v over all states; a leaf of an .spn folder is a distribution", z)
	}
	var scale []float64
	if math.Abs(z-1) > sumsToOne {
		scale = []float64{1 / z}
	}
	loseNames(out, m, ".spn")
	main := out.Add(filepath.Join(out.Name, spnMain))
	ids := make([]string, len(m.Vars))
	for i := range ids {
		ids[i] = strconv.Itoa(i)
	}
	scope := strings.Join(ids, " ")
	fmt.Fprintf(main, "spac\n2\nn 0 * -1\n1\n%s\nn 1 ac 0\n%s\n", scope, scope)
	writeCircuit(&writer{m: m, buf: out.Add(filepath.Join(out.Name, spnLeaf(1)))}, d, scale)
	return nil
}
