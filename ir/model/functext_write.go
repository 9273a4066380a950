package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Text returns the expression in the form that ParseFunc reads. It is an error if a name cannot be
// quoted, because it contains a quotation mark of its kind.
func (d *Func) Text(m *Model, f *Factor) (string, error) {
	list := make([]funcText, len(d.Nodes))
	for i, n := range d.Nodes {
		switch k := n.Op.operands(); {
		case n.Op == FuncNumber:
			list[i] = funcText{strconv.FormatFloat(n.Value, 'g', -1, 64), 4}
			if n.Value < 0 || list[i].text == "-0" {
				list[i].level = 2
			}
		case n.Op == FuncVar, n.Op == FuncIf:
			name, err := quoteName(m.Vars[f.Scope[n.Axis]].Name)
			if err != nil {
				return "", err
			}
			if list[i] = (funcText{name, 4}); n.Op == FuncVar {
				break
			}
			state := m.States(f.Scope[n.Axis])[n.State]
			if strings.Contains(state, `"`) {
				return "", fmt.Errorf("an expression cannot name the state %q", state)
			}
			list[i].text = `if(` + name + ` = "` + state + `", ` + list[n.A].text + ", " + list[n.B].text + ")"
		case n.Op == FuncMap:
			list[i] = funcText{n.Map.Name + "(" + list[n.A].text + ", " + list[n.B].text + ")", 4}
		case k == 1 && n.Op != FuncNeg:
			list[i] = funcText{functions[n.Op] + "(" + list[n.A].text + ")", 4}
		case n.Op >= FuncAtan2:
			list[i] = funcText{functions[n.Op] + "(" + list[n.A].text + ", " + list[n.B].text + ")", 4}
		case n.Op == FuncNeg:
			list[i] = funcText{"-" + list[n.A].within(3, d.Nodes[n.A].Op == FuncNumber), 2}
		default:
			list[i] = n.infix(list[n.A], list[n.B])
		}
		for k, a := range [2]int32{n.A, n.B} {
			if k < n.Op.operands() {
				list[a].text = "" // each is used once
			}
		}
	}
	return list[len(list)-1].text, nil
}

// funcText is the text of a part and the level of its operator: 0 for sums, 1 for products, 2 for
// signs, 3 for powers, and 4 for the rest.
type funcText struct {
	text  string
	level int
}

// within returns the text in brackets if its level is below least, or always if forced is true.
func (t funcText) within(least int, forced bool) string {
	if t.level < least || forced {
		return "(" + t.text + ")"
	}
	return t.text
}

// infix joins two operands by an operator.
func (n FuncNode) infix(a, b funcText) funcText {
	switch n.Op {
	case FuncAdd:
		return funcText{a.text + " + " + b.within(1, false), 0}
	case FuncSub:
		return funcText{a.text + " - " + b.within(1, false), 0}
	case FuncMul:
		return funcText{a.within(1, false) + "*" + b.within(2, false), 1}
	case FuncDiv:
		return funcText{a.within(1, false) + "/" + b.within(2, false), 1}
	}
	return funcText{a.within(4, false) + "^" + b.within(2, false), 3}
}

// quoteName returns a name as it stands in an expression, in backquotes unless it is an identifier.
func quoteName(name string) (string, error) {
	plain := name != "" && (name[0] < '0' || name[0] > '9')
	for i := range len(name) {
		plain = plain && isNameByte(name[i])
	}
	switch {
	case plain:
		return name, nil
	case strings.Contains(name, "`"):
		return "", fmt.Errorf("an expression cannot name the variable %q", name)
	}
	return "`" + name + "`", nil
}
