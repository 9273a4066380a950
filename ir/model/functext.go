package model

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file converts expressions to text and back. The grammar, with the usual precedence:
//
//	sum     = product { ("+" | "-") product }
//	product = sign { ("*" | "/") sign }
//	sign    = ("-" | "+") sign | power
//	power   = primary [ "^" sign ]
//	primary = NUMBER | NAME | FUNCTION "(" sum ["," sum] ")" | "(" sum ")"
//	        | "if" "(" NAME "=" STATE "," sum "," sum ")"
//	        | MAP "(" sum "," sum ")"
//
// pow(x, y) is x^y. A NAME is an identifier, or any text in backquotes. A STATE is text in double
// quotes.

// functions holds the operations that text writes like functions.
var functions = map[FuncOp]string{FuncSqrt: "sqrt", FuncExp: "exp", FuncLog: "log", FuncSin: "sin", FuncCos: "cos", FuncTan: "tan",
	FuncTanh: "tanh", FuncAbs: "abs", FuncAtan2: "atan2", FuncMin: "min", FuncMax: "max"}

// functionOp returns the operation of a name.
func functionOp(name string) (op FuncOp, ok bool) {
	for op := FuncSqrt; op < FuncIf; op++ {
		if functions[op] == name {
			return op, true
		}
	}
	return 0, false
}

// FuncNames says what names in an expression refer to.
type FuncNames struct {
	Want  string // what names are, for messages; "a parent" if empty
	Axis  func(name string) (axis int, ok bool)
	State func(axis int, name string) (state int32, ok bool) // nil if there are no choices by state
	Maps  []*Map                                             // that are called like functions
}

// ScopeNames returns the names of the variables in the scope of f and of their states.
func (m *Model) ScopeNames(f *Factor) FuncNames {
	return FuncNames{
		Axis: func(name string) (int, bool) {
			i := slices.IndexFunc(f.Scope, func(v VarID) bool { return m.Vars[v].Name == name })
			return i, i >= 0
		},
		State: func(axis int, name string) (int32, bool) {
			s := slices.Index(m.States(f.Scope[axis]), name)
			return int32(s), s >= 0
		},
	}
}

// FuncError is an error in the text of an expression.
type FuncError struct {
	Off int // the offset in the text
	Msg string
}

// Error returns the message with its column.
func (e *FuncError) Error() string { return fmt.Sprintf("column %d: %s", e.Off+1, e.Msg) }

// maxFuncDepth bounds the nesting of expressions.
const maxFuncDepth = 500

// ParseFunc returns the nodes of an expression in the form that [Func.Text] writes. The error is a
// *FuncError.
func ParseFunc(text string, names FuncNames) ([]FuncNode, error) {
	p := &funcParser{text: text, names: names}
	p.next()
	p.sum()
	if p.err == nil && p.kind != 0 {
		p.fail("an operator or the end of the expression")
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.nodes, nil
}

// funcParser parses by recursive descent. Each method appends the nodes of its part and returns the
// last one.
type funcParser struct {
	text  string
	names FuncNames
	nodes []FuncNode
	depth int
	err   error

	off  int    // after the token
	kind byte   // of the token: 0 the end, 'n' a number, 'a' a name, 's' a state, or the character
	at   int    // the offset of the token
	word string // of a name or state, unquoted, or of a number
}

// fail reports the token, and ends the text.
func (p *funcParser) fail(want string) int32 {
	found := "the end of the expression"
	if p.kind != 0 {
		found = strconv.Quote(p.text[p.at:min(p.off, p.at+60)])
	}
	return p.errorf("found %s; want %s", found, want)
}

func (p *funcParser) errorf(format string, args ...any) int32 {
	if p.err == nil {
		p.err = &FuncError{Off: p.at, Msg: fmt.Sprintf(format, args...)}
	}
	p.kind, p.off = 0, len(p.text)
	return 0
}

// next reads a token.
func (p *funcParser) next() {
	for p.off < len(p.text) && strings.IndexByte(" \t\r\n\v\f", p.text[p.off]) >= 0 {
		p.off++
	}
	if p.at = p.off; p.off == len(p.text) {
		p.kind = 0
		return
	}
	switch c := p.text[p.off]; {
	case c == '.' || '0' <= c && c <= '9':
		p.number()
	case isNameByte(c):
		for p.off < len(p.text) && isNameByte(p.text[p.off]) {
			p.off++
		}
		p.kind, p.word = 'a', p.text[p.at:p.off]
	case c == '`' || c == '"':
		end := strings.IndexByte(p.text[p.off+1:], c)
		if end < 0 {
			p.errorf("found a name without end; want %c after it", c)
			return
		}
		p.off += end + 2
		p.kind, p.word = 'a', p.text[p.at+1:p.off-1]
		if c == '"' {
			p.kind = 's'
		}
	default:
		p.off++
		if p.kind = c; strings.IndexByte("+-*/^(),=", c) < 0 {
			p.fail("an expression")
		}
	}
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// number reads a decimal number.
func (p *funcParser) number() {
	digits := func() {
		for p.off < len(p.text) && (p.text[p.off] == '.' || '0' <= p.text[p.off] && p.text[p.off] <= '9') {
			p.off++
		}
	}
	digits()
	if rest := strings.TrimLeft(strings.TrimLeft(p.text[p.off:], "eE"), "+-"); p.off < len(p.text) && p.text[p.off]|0x20 == 'e' &&
		rest != "" && '0' <= rest[0] && rest[0] <= '9' && len(p.text)-p.off-len(rest) <= 2 {
		p.off = len(p.text) - len(rest)
		digits()
	}
	p.kind, p.word = 'n', p.text[p.at:p.off]
}

func (p *funcParser) expect(kind byte) {
	if p.kind != kind {
		p.fail(strconv.Quote(string(rune(kind))))
		return
	}
	p.next()
}

func (p *funcParser) add(n FuncNode) int32 {
	if len(p.nodes) == maxFuncNodes {
		return p.errorf("found an expression with more than %d numbers, variables and operations; want fewer", maxFuncNodes)
	}
	p.nodes = append(p.nodes, n)
	return int32(len(p.nodes) - 1)
}

func (p *funcParser) sum() int32 {
	if p.depth++; p.depth > maxFuncDepth {
		return p.errorf("found an expression with more than %d levels; want fewer", maxFuncDepth)
	}
	defer func() { p.depth-- }()
	a := p.product()
	for p.kind == '+' || p.kind == '-' {
		op := FuncAdd
		if p.kind == '-' {
			op = FuncSub
		}
		p.next()
		a = p.add(FuncNode{Op: op, A: a, B: p.product()})
	}
	return a
}

func (p *funcParser) product() int32 {
	a := p.sign()
	for p.kind == '*' || p.kind == '/' {
		op := FuncMul
		if p.kind == '/' {
			op = FuncDiv
		}
		p.next()
		a = p.add(FuncNode{Op: op, A: a, B: p.sign()})
	}
	return a
}

// sign reads signs and the text after them. The sign of a number without an exponent belongs to it.
func (p *funcParser) sign() int32 {
	minus, signs := false, 0
	for ; p.kind == '+' || p.kind == '-'; p.next() {
		minus = minus != (p.kind == '-')
		signs++
	}
	number := p.kind == 'n'
	a := p.power()
	switch {
	case !minus || p.err != nil:
		return a
	case number && p.nodes[a].Op == FuncNumber:
		p.nodes[a].Value = -p.nodes[a].Value
		return a
	}
	return p.add(FuncNode{Op: FuncNeg, A: a})
}

func (p *funcParser) power() int32 {
	a := p.primary()
	if p.kind != '^' {
		return a
	}
	if p.depth++; p.depth > maxFuncDepth {
		return p.errorf("found an expression with more than %d levels; want fewer", maxFuncDepth)
	}
	defer func() { p.depth-- }()
	p.next()
	return p.add(FuncNode{Op: FuncPow, A: a, B: p.sign()})
}

func (p *funcParser) primary() int32 {
	switch p.kind {
	case 'n':
		x, err := strconv.ParseFloat(p.word, 64)
		if err != nil {
			want := "a number"
			if errors.Is(err, strconv.ErrRange) {
				want = "a number that a float64 can hold"
			}
			return p.fail(want)
		}
		p.next()
		return p.add(FuncNode{Op: FuncNumber, Value: x})
	case '(':
		p.next()
		a := p.sum()
		p.expect(')')
		return a
	case 'a':
		return p.named()
	}
	return p.fail("a number, a variable, a function or \"(\"")
}

// named reads a variable, or a function with its operands.
func (p *funcParser) named() int32 {
	name, plain := p.word, p.text[p.at] != '`'
	rest := strings.TrimLeft(p.text[p.off:], " \t\r\n\v\f")
	if !plain || !strings.HasPrefix(rest, "(") {
		axis, ok := p.names.Axis(name)
		if !ok {
			return p.fail(cmp.Or(p.names.Want, "a parent"))
		}
		p.next()
		return p.add(FuncNode{Op: FuncVar, Axis: axis})
	}
	n := FuncNode{Op: FuncIf}
	if name != "if" || p.names.State == nil {
		op, ok := functionOp(name)
		if i := slices.IndexFunc(p.names.Maps, func(t *Map) bool { return t.Name == name }); i >= 0 {
			op, ok, n.Map = FuncMap, true, p.names.Maps[i]
		} else if name == "pow" {
			op, ok = FuncPow, true
		}
		if !ok {
			return p.fail("a function: sqrt, exp, log, sin, cos, tan, tanh, abs, atan2, min, max, pow or if" + mapNames(p.names.Maps))
		}
		n.Op = op
	}
	p.next()
	p.next()
	if n.Op == FuncIf {
		p.choice(&n)
	}
	n.A = p.sum()
	if n.Op.operands() == 2 {
		p.expect(',')
		n.B = p.sum()
	}
	p.expect(')')
	return p.add(n)
}

// mapNames continues a list of functions with maps.
func mapNames(maps []*Map) (text string) {
	for i, t := range maps {
		if text += ", " + t.Name; i == 0 {
			text = ", or a map: " + t.Name
		}
	}
	return text
}

// IsMapName reports whether an expression can call a map by a name: an identifier that is no
// function.
func IsMapName(name string) bool {
	quoted, err := quoteName(name)
	_, function := functionOp(name)
	return err == nil && quoted == name && !function && name != "if"
}

// choice reads the condition of an if, and the comma after it.
func (p *funcParser) choice(n *FuncNode) {
	axis, ok := 0, false
	if p.kind == 'a' {
		axis, ok = p.names.Axis(p.word)
	}
	if !ok {
		p.fail("a discrete parent")
		return
	}
	p.next()
	p.expect('=')
	if p.err != nil {
		return
	}
	state, ok := int32(0), false
	if p.kind == 's' {
		state, ok = p.names.State(axis, p.word)
	}
	if !ok {
		p.fail("a state of the variable, in double quotes")
		return
	}
	n.Axis, n.State = axis, state
	p.next()
	p.expect(',')
}
