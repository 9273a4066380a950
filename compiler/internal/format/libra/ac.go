package libra

import (
	"fmt"
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// circuitParser reads an arithmetic circuit.
type circuitParser struct {
	parser
	d   model.Circuit
	pos []diag.Pos    // of the nodes
	ids map[int]int32 // index of each node by id; nil while they are equal
}

func newCircuitParser(src *format.Source, opt format.ReadOptions) *circuitParser {
	return &circuitParser{
		parser: parser{
			lexer:  newLexer(src),
			opt:    opt,
			m:      &model.Model{Kind: model.Markov, File: src.Name},
			budget: numbers.NewBudget(len(src.Data)),
			child:  -1,
		},
	}
}

// readAC reads a circuit as one potential over all variables.
func readAC(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := newCircuitParser(src, opt.WithDefaults())
	p.circuit()
	p.m.Factors = []*model.Factor{{Scope: allVars(p.m), Child: -1, Dist: &p.d, Pos: diag.Pos{File: src.Name, Line: 1, Col: 1}, RowPos: p.pos}}
	return p.m, p.List
}

// allVars returns the variables of m in order.
func allVars(m *model.Model) []model.VarID {
	all := make([]model.VarID, len(m.Vars))
	for i := range all {
		all[i] = model.VarID(i)
	}
	return all
}

// circuit reads the numbers of states, the nodes, and the table of parameters that may follow them.
func (p *circuitParser) circuit() {
	if !p.punct('(') {
		return
	}
	for p.tok.kind != ')' {
		if !p.variable() {
			return
		}
	}
	p.advance()
	for p.tok.kind != end && !p.tok.is("EOF") {
		if !p.node() {
			return
		}
	}
	if p.last(); p.tok.kind != end {
		p.parameters()
	}
	if len(p.d.Nodes) == 0 && !p.HasErrors() {
		p.fail("a node: n, v, * or +")
	}
}

// last consumes the word EOF. If the file ends instead, it adds a warning.
func (p *circuitParser) last() {
	if p.tok.kind == end {
		p.Warnf(p.tok.pos, `the file ends before "EOF"; is it complete?`)
		return
	}
	p.advance()
}

// node reads one line: `n 0.5`, `v 0 1`, `* 3 4` or `+ 5 6`, with or without the id of the node
// before it.
func (p *circuitParser) node() bool {
	pos := p.tok.pos
	if id, numbered := p.number(p.tok.text, "", math.MaxInt32); numbered {
		p.advance()
		if !p.name(id, pos) {
			return false
		}
	} else if p.ids != nil && !p.name(len(p.d.Nodes), pos) {
		return false
	}
	op := p.tok.text
	n, ok := model.CircuitNode{}, true
	p.advance()
	switch op {
	case "n":
		n.Op = model.CircuitNumber
		n.Value, ok = p.value()
	case "v":
		n.Op = model.CircuitIndicator
		n.Axis, n.State, ok = p.indicator()
	case "*":
		n.Op = model.CircuitProduct
		n.Args, ok = p.args()
	case "+":
		n.Op = model.CircuitSum
		n.Args, ok = p.args()
	default:
		p.Errorf(pos, "found %s; want a node: n, v, * or +", text.Quote(op))
		return false
	}
	if !ok {
		return false
	}
	if p.tok.kind != end && !p.tok.fresh {
		return p.fail("the end of the line")
	}
	p.d.Nodes = append(p.d.Nodes, n)
	p.pos = append(p.pos, pos)
	return true
}

// name gives the next node an id.
func (p *circuitParser) name(id int, pos diag.Pos) bool {
	if p.ids == nil {
		p.ids = map[int]int32{}
		for i := range p.d.Nodes {
			p.ids[i] = int32(i)
		}
	}
	if _, dup := p.ids[id]; dup {
		p.Errorf(pos, "second node with the id %d; want each once", id)
		return false
	}
	p.ids[id] = int32(len(p.d.Nodes))
	return true
}

// value reads the number of a node, which is not a logarithm.
func (p *circuitParser) value() (x float64, ok bool) {
	x, err := text.Number(p.tok.text)
	if err != nil || x < 0 || p.tok.fresh {
		return 0, p.fail("a number of at least 0")
	}
	p.advance()
	return x + 0, true // -0 becomes 0
}

// indicator reads a variable and a state.
func (p *circuitParser) indicator() (axis int, state int32, ok bool) {
	if axis, ok = p.number(p.tok.text, "", len(p.m.Vars)); !ok || p.tok.fresh {
		return 0, 0, p.fail("the number of a variable, 0 to %d", len(p.m.Vars)-1)
	}
	p.advance()
	card := p.m.Card(model.VarID(axis))
	s, ok := p.number(p.tok.text, "", card)
	if !ok || p.tok.fresh {
		return 0, 0, p.fail("a state of variable %d, 0 to %d", axis, card-1)
	}
	p.advance()
	return axis, int32(s), true
}

// args reads earlier nodes up to the end of the line.
func (p *circuitParser) args() (args []int32, ok bool) {
	for p.tok.kind != end && !p.tok.fresh {
		arg, ok := p.arg()
		if !ok {
			return nil, false
		}
		args = append(args, arg)
	}
	return args, true
}

func (p *circuitParser) arg() (int32, bool) {
	id, ok := p.number(p.tok.text, "", math.MaxInt32)
	at := int32(id)
	if ok && p.ids != nil {
		at, ok = p.ids[id]
	}
	if !ok || int(at) >= len(p.d.Nodes) { // a node gets its id before it is complete
		return 0, p.fail("a node that was given before")
	}
	p.advance()
	return at, true
}

// parameters skips the table that maps numbers of the circuit to the weights of features. The
// circuit is complete without it.
func (p *circuitParser) parameters() {
	for p.tok.kind != end && !p.tok.is("EOF") {
		if _, ok := p.arg(); !ok {
			return
		}
		if _, ok := p.value(); !ok {
			return
		}
		for p.tok.kind == word && !p.tok.fresh {
			if _, ok := p.literal(); !ok {
				return
			}
		}
	}
	if p.last(); p.tok.kind != end {
		p.fail("end of file")
	}
}

// writeAC writes the one circuit that m must consist of. Constants become factors of its root.
func writeAC(out *format.Sink, m *model.Model) error {
	d, constants, err := oneCircuit(m, ".ac")
	if err != nil {
		return err
	}
	loseNames(out, m, ".ac")
	writeCircuit(&writer{m: m, buf: out.Add(out.Name)}, d, constants)
	return nil
}

// oneCircuit returns the circuit of m, over all variables in order, and the numbers that multiply
// it. It returns an error if m consists of anything else.
func oneCircuit(m *model.Model, ext string) (d *model.Circuit, constants []float64, err error) {
	if m.Kind != model.Markov {
		return nil, nil, fmt.Errorf("a file of Libra's %s format cannot hold a %v; want a %v of one circuit, as learners of circuits such as acbn and acmn give", ext, m.Kind, model.Markov)
	}
	for _, f := range m.Factors {
		c := f.Circuit()
		switch {
		case c == nil && len(f.Scope) == 0:
			constants = append(constants, m.Value(f, nil))
		case c == nil || d != nil:
			return nil, nil, fmt.Errorf("%s: a file of Libra's %s format holds one circuit and nothing else", m.FactorName(f), ext)
		default:
			if d, err = allAxes(m, f, c); err != nil {
				return nil, nil, err
			}
		}
	}
	if d == nil {
		return nil, nil, fmt.Errorf("there is no circuit; a file of Libra's %s format holds one", ext)
	}
	return d, constants, nil
}

// allAxes returns c with the number of its variable in place of each position in the scope. The
// scope must hold all variables.
func allAxes(m *model.Model, f *model.Factor, c *model.Circuit) (*model.Circuit, error) {
	if len(f.Scope) != len(m.Vars) {
		return nil, fmt.Errorf("%s: the circuit is over %d of %d variables; want all", m.FactorName(f), len(f.Scope), len(m.Vars))
	}
	out := &model.Circuit{Nodes: make([]model.CircuitNode, len(c.Nodes))}
	copy(out.Nodes, c.Nodes)
	for i := range out.Nodes {
		if n := &out.Nodes[i]; n.Op == model.CircuitIndicator {
			n.Axis = int(f.Scope[n.Axis])
		}
	}
	return out, nil
}

// writeCircuit writes d times the constants.
func writeCircuit(w *writer, d *model.Circuit, constants []float64) {
	w.buf.WriteByte('(')
	for i := range w.m.Vars {
		if i > 0 {
			w.buf.WriteByte(' ')
		}
		w.int(w.m.Card(model.VarID(i)))
	}
	w.buf.WriteString(")\n")
	for i := range d.Nodes {
		switch n := &d.Nodes[i]; n.Op {
		case model.CircuitNumber:
			w.numberNode(n.Value)
		case model.CircuitIndicator:
			fmt.Fprintf(w.buf, "v %d %d\n", n.Axis, n.State)
		case model.CircuitSum:
			w.node('+', n.Args)
		case model.CircuitProduct:
			w.node('*', n.Args)
		}
	}
	if len(constants) > 0 {
		root := []int32{int32(len(d.Nodes) - 1)}
		for _, x := range constants {
			root = append(root, int32(len(d.Nodes)-1+len(root)))
			w.numberNode(x)
		}
		w.node('*', root)
	}
	w.buf.WriteString("EOF\n")
}

// node writes a sum or product.
func (w *writer) node(op byte, args []int32) {
	w.buf.WriteByte(op)
	for _, a := range args {
		w.buf.WriteByte(' ')
		w.int(int(a))
	}
	w.buf.WriteByte('\n')
}

// numberNode writes a number. It adds a decimal point if there is an exponent, as Libra's reader
// requires.
func (w *writer) numberNode(x float64) {
	s := strconv.FormatFloat(x, 'g', -1, 64)
	for i := range len(s) {
		if s[i] == '.' {
			break
		}
		if s[i] == 'e' {
			s = s[:i] + ".0" + s[i:]
			break
		}
	}
	fmt.Fprintf(w.buf, "n %s\n", s)
}
