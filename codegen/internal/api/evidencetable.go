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

// statesOf declares the function that collects the observed states, and the type of the tables of
// inputs.
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
	g.Out.Comment("// inputSpan is a span of work memory for the likelihood of a variable. It begins at an index, or at -1 if there is no span.")
	g.Out.Type().Id("inputSpan").Id("struct{ variable, at, states int32 }")
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
		fmt.Sprintf("statesOf(ev *Evidence, out *[%d]uint16) error", len(vars)), body+`for i, state := range out {
	if state > cards[i] {
		return names.BadState(i, uint(state))
	}
}
return nil`)
	g.likelihoods()
}

// likelihoods declares the method that enters the likelihoods of some variables.
func (g *API) likelihoods() {
	spread := ""
	if g.BoundsSoft() {
		spread = "\te.spread += " + g.RT("Spread") + "(l)\n"
	}
	most := 0
	for _, x := range g.Names.Observable() {
		most = max(most, x.Port.States())
	}
	g.Func(source.Doc("likelihoods multiplies inputs by the likelihoods of variables, from the first on. It returns the logarithm of the factor",
		"that they were divided by."),
		"(e *Engine) likelihoods(inputs []inputSpan, first int32, soft ...[]float64) (float64, error)", fmt.Sprintf(`
var unused [%d]float64
s, scale, before := e.work(), 0.0, int32(-1)
for _, in := range inputs {
	l, into := soft[in.variable-first], unused[:in.states]
	if in.at >= 0 {
		into = s[in.at:in.at+in.states]
	}
	log, ok := %s(into, l)
	if !ok {
		return 0, names.BadLikelihood(int(in.variable))
	}
	if in.at < 0 || in.variable == before {
		continue
	}
	before = in.variable
	scale += log
%s}
return scale, nil`, most, g.RT("Likelihood"), spread))
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
	g.Out.Var().Id(l.Func + "Inputs").Op("=").Index().Id("inputSpan{\n" + list.String() + "}")
	g.Out.Line()
	return fmt.Sprintf(`var states [%d]uint16
if err := statesOf(ev, &states); err != nil {
	return 0, err
}
s := e.work()
for _, in := range %sInputs {
	switch {
	case in.at < 0:
	case in.variable < 0:
		%s(s[in.at:in.at+in.states], 0)
	default:
		%[3]s(s[in.at:in.at+in.states], uint(states[in.variable]))
	}
}
`, len(g.Names.Observable()), l.Func, g.RT("Observe"))
}

// tableParts returns the statements that enter likelihoods, in parts for at most VarsPerFunc
// variables.
func (g *API) tableParts(l *Loader) (parts []string) {
	rows, vars := g.tableRows(l), g.Names.Observable()
	at := 0
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
		parts = append(parts, fmt.Sprintf("return e.likelihoods(%sInputs[%d:%d], %d,\n%s)", l.Func, at, end, first, text))
		at = end
	}
	return parts
}
