package xdsl

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// equation is the definition of an equation node.
type equation struct {
	text     string
	pos      diag.Pos
	variance *float64 // the exact variance, from the property pgmc_var
}

// definition reads the definition of an equation node.
func (p *parser) definition(n *node, e xmltext.Element) {
	if n.kind != "equation" || n.equation.text != "" {
		p.List.Errorf(e.Pos, "found a definition in node %s; want one, in an equation", text.Quote(n.Child.Text))
		return
	}
	n.equation.text, n.equation.pos, _ = p.dec.Text(e)
}

// gaussian returns the CPD of an equation node. The equation is `ID = terms + Normal(mean, sd)`, in
// any order, where each parent occurs in one linear term.
func (p *parser) gaussian(n *node, f *model.Factor) (d *model.Gaussian, ok bool) {
	for i, v := range f.Scope[:f.Child] {
		if !p.Model.IsReal(v) {
			p.List.Errorf(n.Parents[i].Pos, "found the discrete parent %s of an equation; want equations", text.Quote(n.Parents[i].Text))
			return nil, false
		}
	}
	left, right, found := strings.Cut(n.equation.text, "=")
	if id := strings.TrimSpace(left); !found || id != n.Child.Text {
		p.List.Errorf(n.equation.pos, "found the equation %s; want %s = ...", text.Quote(n.equation.text), n.Child.Text)
		return nil, false
	}
	mean, deviation, why := splitNormal(right)
	if why != "" {
		p.List.Errorf(n.equation.pos, "found the equation %s %s", text.Quote(n.equation.text), why)
		return nil, false
	}
	constant, coef, ok := p.linear(n, mean, f.Child)
	if !ok {
		return nil, false
	}
	sd, _, ok := p.linear(n, deviation, 0)
	if !ok {
		return nil, false
	}
	if sd < 0 {
		p.List.Errorf(n.equation.pos, "found the standard deviation %v; want at least 0", sd)
		return nil, false
	}
	variance := sd * sd
	if x := n.equation.variance; x != nil && math.Sqrt(*x) == sd {
		variance = *x
	}
	return &model.Gaussian{Mean: []float64{constant}, Coef: coef, Var: []float64{variance}}, true
}

// splitNormal replaces the one term Normal(mean, sd) of a sum by its mean, and returns the sum and
// the deviation, or the fault.
func splitNormal(sum string) (mean, deviation, why string) {
	const name = "Normal"
	at := strings.Index(sum, name)
	if at < 0 || strings.Contains(sum[at+len(name):], name) {
		return "", "", "without one normal distribution; want the sum of linear terms and Normal(mean, sd)"
	}
	const wrong = "with a normal distribution that is no term; want the sum of linear terms and Normal(mean, sd)"
	rest := strings.TrimLeft(sum[at+len(name):], " \t\r\n")
	before := strings.TrimRight(sum[:at], " \t\r\n")
	factor := strings.TrimRight(before, "+- \t\r\n") // without the signs of the term
	signed := before == "" || strings.IndexByte("+-", before[len(before)-1]) >= 0
	if !strings.HasPrefix(rest, "(") || strings.Count(before, "(") != strings.Count(before, ")") || !signed ||
		factor != "" && strings.IndexByte("*/^", factor[len(factor)-1]) >= 0 {
		return "", "", wrong
	}
	comma, end, depth := -1, 0, 0
	for ; end < len(rest); end++ {
		switch c := rest[end]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 1 && comma < 0:
			comma = end
		}
		if depth == 0 {
			break
		}
	}
	if depth != 0 || comma < 0 {
		return "", "", "with an unfinished normal distribution; want Normal(mean, sd)"
	}
	after := strings.TrimLeft(rest[end+1:], " \t\r\n")
	if after != "" && strings.IndexByte("+-", after[0]) < 0 {
		return "", "", wrong
	}
	return sum[:at] + rest[:comma] + ")" + rest[end+1:], rest[comma+1 : end], ""
}

// linear reads a linear expression of the first parents of a node, each of which must occur once.
func (p *parser) linear(n *node, source string, parents int) (constant float64, coef []float64, ok bool) {
	nodes, err := model.ParseFunc(source, model.FuncNames{Want: "a parent or a number", Axis: func(name string) (int, bool) {
		for i := range parents {
			if n.Parents[i].Text == name {
				return i, true
			}
		}
		return 0, false
	}})
	if err != nil {
		p.List.Errorf(n.equation.pos, "found the equation %s; in %s, %v", text.Quote(n.equation.text), text.Quote(source), err)
		return 0, nil, false
	}
	uses := make([]int, parents)
	for _, x := range nodes {
		if x.Op == model.FuncVar {
			uses[x.Axis]++
		}
	}
	if i := slices.IndexFunc(uses, func(n int) bool { return n != 1 }); i >= 0 {
		p.List.Errorf(n.equation.pos, "found the parent %s %d times in the equation %s; want it once", text.Quote(n.Parents[i].Text), uses[i], text.Quote(n.equation.text))
		return 0, nil, false
	}
	constant, coef, ok = (&model.Func{Nodes: nodes}).Linear(parents)
	if !ok {
		p.List.Errorf(n.equation.pos, "found the equation %s, which is not linear in the parents; want one such as Y = 2*X + Normal(0, 1)", text.Quote(n.equation.text))
	}
	return constant, coef, ok
}

// exactly reads the property with the exact variance.
func (p *parser) exactly(n *node, e xmltext.Element) {
	s, pos, ok := p.dec.Text(e)
	x, err := text.Number(strings.TrimSpace(s))
	if ok && err != nil {
		p.List.Errorf(pos, "found %s; want a variance", text.Quote(s))
	}
	n.equation.variance = &x
}

// equation writes the definition of an equation node.
func (w *writer) equation(f *model.Factor, d *model.Gaussian) {
	mean, coef, variance := d.Row(0)
	w.buf.WriteString("\t\t\t<definition>" + w.ids[f.ChildVar()] + "=")
	for i, c := range coef {
		if i > 0 && c >= 0 {
			w.buf.WriteByte('+')
		}
		w.buf.WriteString(digits(c) + "*" + w.ids[f.Scope[i]])
	}
	if len(coef) > 0 {
		w.buf.WriteByte('+')
	}
	sd := math.Sqrt(variance)
	w.buf.WriteString("Normal(" + digits(mean) + "," + digits(sd) + ")</definition>\n")
	if sd*sd != variance {
		w.property(varKey, digits(variance))
	}
}

// digits returns the fewest digits of x that read back as the same number.
func digits(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
