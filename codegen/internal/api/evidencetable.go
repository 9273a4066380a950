package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/price"
)

// tabled reports whether loaders of evidence loop over a table of inputs. Statements for each
// variable are a little faster, which does not count in the queries of large models, and take
// longer to build.
func (g *API) tabled() bool {
	return len(g.loads) > 0 && (g.form.Tables || len(g.Model.Vars) > price.ManyVars) &&
		!slices.ContainsFunc(g.Model.Vars, func(v *model.Var) bool { return g.Model.Card(v.ID) == 0 || v.Given })
}

// statesOf declares the function that collects the observed states.
func (g *API) statesOf() {
	vars := g.Names.Observable()
	var cards strings.Builder
	for i, x := range vars {
		fmt.Fprintf(&cards, "%d, ", x.Port.States())
		if i%16 == 15 || i == len(vars)-1 {
			cards.WriteByte('\n')
		}
	}
	g.Out.Comment("// cards lists the numbers of states of the variables.")
	g.Out.Var().Id("cards").Op("=").Index().Id("uint16{\n" + cards.String() + "}")
	g.Out.Line()
	body := ""
	for first := 0; first < len(vars); first += VarsPerFunc {
		part := vars[first:min(first+VarsPerFunc, len(vars))]
		name, text := fmt.Sprintf("statesOf%d", first/VarsPerFunc+1), ""
		for _, x := range part {
			text += fmt.Sprintf("uint16(ev.%s),\n", x.ID)
		}
		g.Func(source.Doc(name+" collects the states of some variables."), fmt.Sprintf("%s(ev *Evidence, out *[%d]uint16)", name, len(part)),
			fmt.Sprintf("*out = [%d]uint16{\n%s}", len(part), text))
		body += fmt.Sprintf("%s(ev, (*[%d]uint16)(out[%d:]))\n", name, len(part), first)
	}
	g.Func(source.Doc("statesOf sets out to the observed states, in the order of the variables. It refuses a value that is not a state."),
		fmt.Sprintf("statesOf(ev *Evidence, out *[%d]uint16) error", len(vars)), body+"return "+g.RT("CheckStates")+"(&names, cards, out[:])")
}

// tableRow is an input of a loader. The variable is an index among those that are not latent, or -1
// for a latent variable.
type tableRow struct{ variable, at, states int }

// tableRows returns the inputs of l, in the order of the variables. A variable that is not latent
// has a row even if it has no input, since its likelihood must be checked.
func (g *API) tableRows(l *Loader) (rows []tableRow) {
	for v, inputs := range l.Inputs {
		row := tableRow{-1, -1, g.Model.Card(model.VarID(v))}
		if x := g.Names.Of(model.VarID(v)); x != nil {
			row.variable = x.Index
			if len(inputs) == 0 {
				rows = append(rows, row)
			}
		}
		for _, in := range inputs {
			row.at = in.Offset
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b tableRow) int { return a.variable - b.variable }) // latent variables first
	return rows
}

// enterTable declares the table of the inputs of l, and returns the statements that enter
// observations.
func (g *API) enterTable(l *Loader) string {
	var list strings.Builder
	rows := g.tableRows(l)
	for i, r := range rows {
		fmt.Fprintf(&list, "{%d, %d, %d}, ", r.variable, r.at, r.states)
		if i%4 == 3 || i == len(rows)-1 {
			list.WriteByte('\n')
		}
	}
	g.Out.Comment(fmt.Sprintf("// %sInputs lists the inputs of %s by variable; variable -1 is latent.", l.Func, l.Func))
	g.Out.Var().Id(l.Func + "Inputs").Op("=").Index().Id(g.RT("InputSpan") + "{\n" + list.String() + "}")
	g.Out.Line()
	return fmt.Sprintf(`var states [%d]uint16
if err := statesOf(ev, &states); err != nil {
	return 0, err
}
%s(e.work()[:], %sInputs, states[:])
`, len(g.Names.Observable()), g.RT("EnterStates"), l.Func)
}

// tableParts returns the statements that enter likelihoods, in parts for at most VarsPerFunc
// variables.
func (g *API) tableParts(l *Loader) (parts []string) {
	rows, vars := g.tableRows(l), g.Names.Observable()
	at, spread := 0, "nil"
	if g.BoundsSoft() {
		spread = "&e.spread"
	}
	for at < len(rows) && rows[at].variable < 0 {
		at++
	}
	for first := 0; first < len(vars); first += VarsPerFunc {
		end, text := at, ""
		for end < len(rows) && rows[end].variable < first+VarsPerFunc {
			end++
		}
		for _, x := range vars[first:min(first+VarsPerFunc, len(vars))] {
			text += "soft." + x.ID + "[:],\n"
		}
		parts = append(parts, fmt.Sprintf("return %s(&names, e.work()[:], %sInputs[%d:%d], %s, %d,\n%s)", g.RT("EnterLikelihoods"), l.Func, at, end, spread, first, text))
		at = end
	}
	return parts
}
