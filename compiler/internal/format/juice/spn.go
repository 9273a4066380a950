package juice

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/circuits"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// spnEnd is the last word of a file.
const spnEnd = "EOF"

type spn struct {
	*circuits.Reader
	ended bool
}

func readSPN(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := spn{Reader: circuits.NewReader(src, 0)}
	return p.Read(p.variables, p.node, p.whole)
}

// variables reads "(2 2 2)".
func (p *spn) variables() bool {
	if !strings.HasPrefix(p.Text, "(") {
		return p.Fail("the numbers of states of the variables in brackets")
	}
	if p.Text = p.Text[1:]; p.Text == "" {
		p.Next()
	}
	for {
		number, closed := strings.CutSuffix(p.Text, ")")
		if closed && number == "" && len(p.Cards) > 0 {
			p.Next()
			return true
		}
		if number != "2" {
			return p.Fail("2, the number of states of every variable")
		}
		p.Next()
		p.Cards = append(p.Cards, 2)
		if closed {
			return true
		}
	}
}

func (p *spn) whole() bool {
	return p.ended || p.Fail(`"`+spnEnd+`"`)
}

// node reads a line.
func (p *spn) node(kind numbers.Word) bool {
	pos := p.PosOf(kind)
	var ref circuits.Ref
	ok := false
	switch {
	case p.ended:
		p.Errorf(pos, "found %s behind %q; want the end of the file", text.Quote(kind.Text), spnEnd)
		return false
	case kind.Text == spnEnd:
		p.ended = true
		return true
	case kind.Text == "v":
		ref, ok = p.indicator(pos)
	case kind.Text == "*":
		ref, ok = p.operands(pos, p.Arg, p.Product)
	case kind.Text == "+":
		ref, ok = p.operands(pos, func() (circuits.Ref, bool) { return p.WeightedArg(pos) }, p.Sum)
	default:
		p.Errorf(pos, "found %s; want a kind of node: v, * or +", text.Quote(kind.Text))
		return false
	}
	return ok && p.Define(p.Len(), ref)
}

// indicator reads a variable and a state.
func (p *spn) indicator(pos diag.Pos) (circuits.Ref, bool) {
	v, ok := p.Int(0, len(p.Cards)-1, "the number of a variable")
	if !ok {
		return 0, false
	}
	s, ok := p.Int(0, 1, "a state")
	return p.Indicator(pos, v, int32(s), 2), ok
}

// operands reads operands up to the end of the line.
func (p *spn) operands(pos diag.Pos, arg func() (circuits.Ref, bool), node func(diag.Pos, []circuits.Ref) circuits.Ref) (circuits.Ref, bool) {
	var args []circuits.Ref
	for len(args) == 0 || p.More() {
		a, ok := arg()
		if !ok {
			return 0, false
		}
		args = append(args, a)
	}
	return node(pos, args), true
}

func writeSPN(out *format.Sink, m *model.Model) error {
	lines, err := circuits.Lines(m, "an .spn file of Juice")
	if err != nil {
		return err
	}
	for _, v := range m.Vars {
		if card := m.Card(v.ID); card != 2 {
			return fmt.Errorf("%q has %d states; variables of an .spn file of Juice have two", v.Name, card)
		}
	}
	numbers.LoseNames(out, m, ".spn", "x", func(v model.VarID) int { return int(v) })
	w := out.Add(out.Name)
	fmt.Fprintf(w, "(%s)\n", strings.TrimSuffix(strings.Repeat("2 ", len(m.Vars)), " "))
	for _, l := range lines {
		switch l.Op {
		case model.CircuitIndicator:
			fmt.Fprintf(w, "v %d %d", l.Var, l.State)
		case model.CircuitProduct:
			w.WriteByte('*')
		case model.CircuitSum:
			w.WriteByte('+')
		}
		circuits.Args(w, &l)
		w.WriteByte('\n')
	}
	w.WriteString(spnEnd + "\n")
	return nil
}
