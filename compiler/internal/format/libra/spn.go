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
	if d, ok := err.(diag.Diagnostic); ok {
		x.Add(d)
		return nil, false
	}
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
