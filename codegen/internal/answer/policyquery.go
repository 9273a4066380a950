package answer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckPolicy refuses an entry with a table that names a latent variable, or has another number of
// cases than the known variables have joint states.
func CheckPolicy(m *model.Model, _ *ir.Program, e *ir.Entry) error {
	for _, d := range e.Decisions {
		for _, v := range append([]model.VarID{d.Decision}, d.Known...) {
			if m.Vars[v].Latent {
				return fmt.Errorf("query %q: the policy of %q names the latent variable %q", e.Query.Name, m.Vars[d.Decision].Name, m.Vars[v].Name)
			}
		}
		if n, ok := m.TableSize(d.Known); !ok || n != len(d.Choice) || d.Options != m.Card(d.Decision) {
			return fmt.Errorf("query %q: the policy of %q does not fit its variables", e.Query.Name, m.Vars[d.Decision].Name)
		}
	}
	return nil
}

// Policies declares a function for each decision.
func (g *Methods) Policies(e *ir.Entry) {
	for i, d := range e.Decisions {
		if d.Stage == nil {
			g.policy(d)
		} else if i == 0 || e.Decisions[i-1].Decision != d.Decision {
			end := i + 1
			for end < len(e.Decisions) && e.Decisions[end].Decision == d.Decision {
				end++
			}
			g.stages(e.Decisions[i:end])
		}
	}
}

// policy declares the function of a decision: a switch, or for many cases a table.
func (g *Methods) policy(d *ir.DecisionTable) {
	x := g.Names.Of(d.Decision)
	name := g.Names.Scope.Decls.Claim(x.ID + "Policy")
	g.policies = append(g.policies, name)
	var params, known, names []string
	for _, v := range d.Known {
		k := g.Names.Of(v)
		names = append(names, k.Param)
		params = append(params, k.Param+" "+k.Port.Field())
		known = append(known, source.Quote(k.Var.Name))
	}
	given := ""
	if len(known) > 0 {
		given = " given " + strings.Join(known, ", ")
	}
	text := []string{
		fmt.Sprintf("%s returns the choice of %s%s that maximises the mean utility. It infers nothing.", name, source.Quote(x.Var.Name), given),
		"It returns false for a case that cannot occur, and for a value that is no state.",
	}
	var body string
	if d.Utility != nil {
		text = append(text, "Comments have the mean utility of the choice in each case, and the probability of the case under the policies of all decisions.")
	}
	if len(d.Choice) <= ir.MaxSwitch {
		w := &policySwitch{names: g.Names, d: d, params: names, choice: x.Enum}
		w.from(0, 0)
		body = w.String() + "return " + x.Enum.Unset() + ", false"
		if len(d.Known) == 0 {
			body = w.String()
		}
	} else {
		body = g.policyTable(name, d, names)
	}
	g.Func(source.Doc(text...), fmt.Sprintf("%s(%s) (%s, bool)", name, strings.Join(params, ", "), x.Port.Field()), body)
}

// policySwitch writes a policy as switches within switches, which Go compiles to tables of jumps.
type policySwitch struct {
	strings.Builder
	names  *api.Identifiers
	d      *ir.DecisionTable
	params []string // of the known variables
	choice *api.Enum
}

// from writes the switch over known variable k and those after it, for the cases that begin with
// number at among the joint states of the ones before. It writes nothing if none can occur.
func (w *policySwitch) from(k, at int) {
	if k == len(w.d.Known) {
		fmt.Fprintf(w, "return %s, true%s\n", w.choice.Const(w.d.Choice[at]), w.worth(at))
		return
	}
	x := w.names.Of(w.d.Known[k])
	fmt.Fprintf(w, "switch %s {\n", w.params[k])
	for s, i := 0, at*x.Port.States(); s < x.Port.States(); s, i = s+1, i+1 {
		if w.occurs(k+1, i) {
			fmt.Fprintf(w, "case %s:\n", x.Enum.Const(s))
			w.from(k+1, i)
		}
	}
	w.WriteString("}\n")
}

// occurs reports whether a case can occur that begins with number at among the joint states of the
// first k known variables.
func (w *policySwitch) occurs(k, at int) bool {
	n := 1
	for _, v := range w.d.Known[k:] {
		n *= w.names.Of(v).Port.States()
	}
	for _, c := range w.d.Choice[at*n : (at+1)*n] {
		if c >= 0 {
			return true
		}
	}
	return false
}

// worth returns a comment that says what the choice in a case is worth, and how probable the case
// is, if that is known.
func (w *policySwitch) worth(at int) string {
	if w.d.Utility == nil {
		return ""
	}
	u := strconv.FormatFloat(w.d.Utility[at*w.d.Options+w.d.Choice[at]], 'g', 10, 64)
	if p := w.d.Probability[at]; p > 0 {
		return fmt.Sprintf(" // mean utility %s, probability %s", u, strconv.FormatFloat(p, 'g', 10, 64))
	}
	return fmt.Sprintf(" // mean utility %s, not under the policies", u)
}

// policyTable returns the statements that look the choice up, and declares the table: a string with
// a byte for each case, or two if the decision has more than 255 options. A character is above '0'
// by the value of the choice's type, which is 0 for a case that cannot occur.
func (g *Methods) policyTable(name string, d *ir.DecisionTable, params []string) string {
	const row = 96 // bytes on a line
	width, x := 1, g.Names.Of(d.Decision)
	if d.Options > 255 {
		width = 2
	}
	var bytes []byte
	for _, c := range d.Choice {
		if width > 1 {
			bytes = append(bytes, '0'+byte((c+1)>>8))
		}
		bytes = append(bytes, '0'+byte(c+1))
	}
	table, lines := strings.ToLower(name[:1])+name[1:]+"Choices", []string{}
	for at := 0; at < len(bytes); at += row {
		lines = append(lines, strconv.Quote(string(bytes[at:min(at+row, len(bytes))])))
	}
	g.Out.Comment("// " + table + " holds the choice in each case: the value less '0'.")
	g.Out.Const().Id(table).Op("=").Id(strings.Join(lines, " +\n"))
	g.Out.Line()
	var outside, index []string
	step := len(d.Choice)
	for i, v := range d.Known {
		states := g.Names.Of(v).Port.States()
		step /= states
		outside = append(outside, fmt.Sprintf("%s-1 >= %d", params[i], states))
		index = append(index, fmt.Sprintf("%d*(int(%s)-1)", step, params[i]))
	}
	value := fmt.Sprintf("%s(%s[at] - '0')", x.Port.Field(), table)
	if width > 1 {
		value = fmt.Sprintf("%[1]s(%[2]s[2*at]-'0')<<8 | %[1]s(%[2]s[2*at+1]-'0')", x.Port.Field(), table)
	}
	return fmt.Sprintf("if %s {\n\treturn %s, false\n}\nat := %s\nout := %s\nreturn out, out != %[2]s",
		strings.Join(outside, " || "), x.Enum.Unset(), strings.Join(index, " + "), value)
}
