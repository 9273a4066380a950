package api

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// oneHotStates is the largest number of states for which observations are entered by copying a row
// of a table.
const oneHotStates = 8

// discreteDomain is the row for variables with states.
var discreteDomain = Domain{
	takes: func(d model.Domain) bool { _, ok := d.(model.Discrete); return ok },
	port:  newDiscretePort,
	Types: (*API).enumTypes,
}

// discretePort is the port of a variable with states.
type discretePort struct{ x *Variable }

// newDiscretePort returns a port with a type of states that is shared with variables that have the
// same states, if types are shared, and its own otherwise.
func newDiscretePort(n *namer, ids *Identifiers, x *Variable) Port {
	texts := stateTexts(n.m.States(x.Var.ID))
	key := strconv.Itoa(int(x.Var.ID))
	if n.shared {
		key = fmt.Sprintf("%q", texts)
	}
	e := n.enums[key]
	if e == nil {
		e = &Enum{index: len(ids.Enums), texts: texts, consts: make([]string, len(texts))}
		n.enums[key] = e
		ids.Enums = append(ids.Enums, e)
	}
	x.Enum = e
	e.vars = append(e.vars, x)
	return discretePort{x}
}

// Field implements [Port].
func (p discretePort) Field() string { return p.x.Enum.ID }

// Soft implements [Port].
func (p discretePort) Soft() string { return p.x.Enum.dist() }

// Answer implements [Port].
func (p discretePort) Answer() string { return p.x.Enum.dist() }

// States implements [Port].
func (p discretePort) States() int { return p.x.Enum.card() }

// Enum implements [Port].
func (p discretePort) Enum() int { return p.x.Enum.index }

// Set implements [Port].
func (p discretePort) Set(field, text string) string {
	return fmt.Sprintf("return %s.UnmarshalText([]byte(%s))", field, text)
}

// Value implements [Port].
func (p discretePort) Value(field string) string {
	return fmt.Sprintf("return names.StateName(%d, uint(%s))", p.Enum(), field)
}

// None implements [Port].
func (p discretePort) None() string { return p.x.Enum.Unset() }

// Observed implements [Port].
func (p discretePort) Observed(field string) string { return field + " != " + p.x.Enum.Unset() }

// Numbers implements [Port].
func (p discretePort) Numbers(field string) string { return field + "[:]" }

// Example implements [Port].
func (p discretePort) Example() Example {
	state := p.x.Enum.consts[0]
	return Example{Text: p.x.Enum.texts[0], Value: state, Read: ".P(%s." + state + ")"}
}

// Drawn implements [Port].
func (discretePort) Drawn(field, cloud string, k int) string {
	return fmt.Sprintf("%s.Probabilities(%d, %s[:])\n", cloud, k, field)
}

// Column implements [Port].
func (p discretePort) Column() string { return fmt.Sprintf("[]uint%d", p.x.Enum.bits()) }

// FromColumn implements [Port].
func (p discretePort) FromColumn(field, column string) string {
	return fmt.Sprintf("if %[1]s != nil {\n\t%[2]s = %[3]s(%[1]s[r])\n}\n", column, field, p.Field())
}

// named gives the type of the states the identifier of the variable, unless types are shared.
func (p discretePort) named(n *namer, id string) {
	if n.shared {
		return
	}
	n.Decls.Take(id, enumSuffixes...)
	p.x.Enum.ID = id
	p.x.Enum.what = "variable " + source.Quote(p.x.Var.Name)
}

// Posterior implements [Port].
func (p discretePort) Posterior(memory string, s *ir.Span) string {
	return fmt.Sprintf("%s(%s)", p.Answer(), Slice(memory, s))
}

// Observe implements [Port].
func (p discretePort) Observe(g *API, inputs []*ir.Span) string {
	state := "ev." + p.x.ID
	return p.x.checkState(state) + g.enterState(inputs, p.States(), state)
}

// ObserveLane implements [Port].
func (p discretePort) ObserveLane(_ *API, slot int) string {
	state := "ev." + p.x.ID
	text := p.x.checkState(state)
	if slot >= 0 {
		text += fmt.Sprintf("l[%d+lane] = float64(%s)\n", slot*pgmrt.Lanes, state)
	}
	return text
}

// checkState returns the statements that refuse a value of the type of x that is neither unset nor
// a state. It returns no statements if no such value exists.
func (x *Variable) checkState(state string) string {
	c := x.Enum.OutOfRange(state)
	if c == "" {
		return ""
	}
	return fmt.Sprintf("if %s {\n\treturn names.BadState(%d, uint(%s))\n}\n", c, x.Index, state)
}

// Check implements [Port].
func (p discretePort) Check(*API) string { return p.x.checkState("ev." + p.x.ID) }

// CheckSoft implements [Port].
func (p discretePort) CheckSoft(g *API) string {
	return fmt.Sprintf("if !"+g.RT("IsLikelihood")+"(soft.%s[:]) {\n\treturn names.BadLikelihood(%d)\n}\n", p.x.ID, p.x.Index)
}

// enterState returns the statements that set inputs of a variable with k states to the likelihood
// of its observed state.
func (g *API) enterState(inputs []*ir.Span, k int, state string) string {
	b := &strings.Builder{}
	for _, in := range inputs {
		if k <= oneHotStates {
			fmt.Fprintf(b, "*(*[%d]float64)(%s) = oneHot%d[%s]\n", k, Slice("s", in), k, state)
		} else {
			fmt.Fprintf(b, g.RT("Observe")+"(%s, uint(%s))\n", Slice("s", in), state)
		}
	}
	return b.String()
}

// Likelihood compares a short array with zeros before it calls the runtime, which skips longer
// arrays of zeros itself.
func (p discretePort) Likelihood(g *API, inputs []*ir.Span) string {
	const short = 4 // the Go compiler compares arrays of this length without a loop
	b, x := &strings.Builder{}, p.x
	log, into := "_", fmt.Sprintf("make([]float64, %d)", p.States())
	if len(inputs) > 0 {
		log, into = "log", Slice("s", inputs[0])
	}
	fmt.Fprintf(b, "if %s, ok := "+g.RT("Likelihood")+"(%s, soft.%s[:]); !ok {\n\treturn 0, names.BadLikelihood(%d)\n}", log, into, x.ID, x.Index)
	if log != "_" {
		b.WriteString(" else {\n\tscale += log\n}")
		for _, in := range inputs[1:] {
			fmt.Fprintf(b, "\n"+g.RT("Likelihood")+"(%s, soft.%s[:])", Slice("s", in), x.ID)
		}
		if g.BoundsSoft() {
			fmt.Fprintf(b, "\ne.spread += "+g.RT("Spread")+"(soft.%s[:])", x.ID)
		}
	}
	if p.States() <= short {
		return fmt.Sprintf("if soft.%s != (%s{}) {\n%s\n}\n", x.ID, p.Soft(), b)
	}
	return b.String() + "\n"
}

// Argument implements [Port].
func (p discretePort) Argument(g *API, _ []*ir.Span, fail string) (kind, check, enter string) {
	x := p.x
	bad := x.Param + " == " + x.Enum.Unset()
	if c := x.Enum.OutOfRange(x.Param); c != "" {
		bad += " || " + c
	}
	return p.Field(), fmt.Sprintf("if %s {\n\treturn %s, names.BadState(%d, uint(%s))\n}\n", bad, fail, x.Index, x.Param),
		fmt.Sprintf("t[%d] = int32(%s) - 1\n", g.Program.Spans[g.Program.State].Offset+int(x.Var.ID), x.Param)
}

// Estimate adds the logarithm of the posterior of the variable's state, given the states of the
// variables before it.
func (p discretePort) Estimate(g *API, method string) string {
	return fmt.Sprintf(`if s := of.%[1]s; s != 0 && s != known.%[1]s {
	if int(s) > %[2]d {
		return 0, SampleReport{}, names.BadState(%[3]d, uint(s))
	}
	r, err := e.%[4]s(ctx, &known, nil, opt, &out)
	if err != nil {
		return 0, SampleReport{}, err
	}
	sum += `+g.RT("Ln")+`(out.%[1]s[s-1])
	report = report.With(r)
	if known.%[1]s != 0 || `+g.Std("math.IsInf")+`(sum, -1) {
		return `+g.Std("math.Inf")+`(-1), report, nil
	}
	known.%[1]s = s
}
`, p.x.ID, p.States(), p.x.Index, method)
}

// enumTypes declares the types of states and the distributions over them.
func (g *API) enumTypes() {
	for _, e := range g.Names.Enums {
		g.enum(e)
		g.dist(e)
	}
}

// enum declares a type of states.
func (g *API) enum(e *Enum) {
	g.Out.Add(source.Doc(fmt.Sprintf("%s is a state of %s. The zero value means not observed.", e.ID, e.Of())))
	g.Out.Type().Id(e.ID).Id(fmt.Sprintf("uint%d", e.bits()))
	g.Out.Line()
	g.Out.Add(source.Doc("The values of " + e.ID + "."))
	g.Out.Const().DefsFunc(func(d *jen.Group) {
		d.Id(e.Unset()).Id(e.ID).Op("=").Iota().Comment("// not observed")
		for i, c := range e.consts {
			d.Id(c).Comment("// " + source.Quote(e.texts[i]))
		}
	})
	g.Func(source.Doc(e.ID+"Values returns the states in the model's order, without "+e.Unset()+"."),
		fmt.Sprintf("%sValues() []%s", e.ID, e.ID), fmt.Sprintf("return %s[%s](%d)", g.RT("ValuesOf"), e.ID, e.card()))
	g.Func(source.Doc("String returns the name of s in the model, or \"unset\" for "+e.Unset()+"."),
		fmt.Sprintf("(s %s) String() string", e.ID), fmt.Sprintf("return names.StateString(%d, uint(s))", e.index))
	g.Func(source.Doc("MarshalText returns the name of s in the model, and an empty text for "+e.Unset()+"."),
		fmt.Sprintf("(s %s) MarshalText() ([]byte, error)", e.ID), fmt.Sprintf("return names.StateText(%d, uint(s))", e.index))
	g.ofNumber(e)
	names, of := "the state with the given name", "nil"
	if intervalWords(e.texts) != nil {
		names, of = names+", or whose interval holds the given number", e.ID+"Of"
	}
	g.Func(source.Doc("UnmarshalText sets s to "+names+". An empty text means "+e.Unset()+"."),
		fmt.Sprintf("(s *%s) UnmarshalText(text []byte) error", e.ID), fmt.Sprintf("return %s(&names, %d, s, text, %s)", g.RT("SetState"), e.index, of))
	g.jsonNumber(e)
}

// Of describes the variables with states in e.
func (e *Enum) Of() string {
	if len(e.vars) == 1 {
		return "the variable " + source.Quote(e.vars[0].Var.Name)
	}
	return fmt.Sprintf("%d variables, among them %s", len(e.vars), source.Quote(e.vars[0].Var.Name))
}

// dist declares the type of distributions over e.
func (g *API) dist(e *Enum) {
	g.Out.Add(source.Doc(fmt.Sprintf("%s holds a number for each state of %s: a probability, or a likelihood in soft evidence.", e.dist(), e.ID)))
	g.Out.Type().Id(e.dist()).Index(jen.Lit(e.card())).Float64()
	g.Out.Line()
	absent := "s == " + e.Unset()
	if c := e.OutOfRange("s"); c != "" {
		absent += " || " + c
	}
	g.Func(source.Doc("P returns the number of state s, and 0 if s is not a state."),
		fmt.Sprintf("(d %s) P(s %s) float64", e.dist(), e.ID), fmt.Sprintf("if %s {\n\treturn 0\n}\nreturn d[s-1]", absent))
	g.Func(source.Doc("Max returns the first state with the largest number, and that number. It returns "+e.Unset()+" and 0 if no number is above 0."),
		fmt.Sprintf("(d %s) Max() (%s, float64)", e.dist(), e.ID), fmt.Sprintf("s, p := %s(d[:])\nreturn %s(s), p", g.RT("Largest"), e.ID))
	g.Func(source.Doc("All iterates over the states and their numbers."),
		fmt.Sprintf("(d %s) All() "+g.Std("iter.Seq2")+"[%s, float64]", e.dist(), e.ID), fmt.Sprintf("return %s[%s](d[:])", g.RT("AllOf"), e.ID))
	if !g.form.Arrays {
		g.Func(source.Doc("MarshalJSON returns an object with a number for each state."),
			fmt.Sprintf("(d %s) MarshalJSON() ([]byte, error)", e.dist()), fmt.Sprintf("return %s(&names, %d, d[:])", g.RT("NamedNumbers"), e.index))
	}
	g.Func(source.Doc("UnmarshalJSON reads an object or an array with a number for each state, not all of them 0. The text null leaves d unchanged."),
		fmt.Sprintf("(d *%s) UnmarshalJSON(data []byte) error", e.dist()), fmt.Sprintf("return %s(&names, %d, data, d[:])", g.RT("ParseNumbers"), e.index))
}

// oneHots declares a table of likelihoods for each number of states, up to oneHotStates, that some
// input has. Row 0 is for an unobserved variable.
func (g *API) oneHots() {
	for k := 1; k <= oneHotStates; k++ {
		if !g.usesOneHot(k) {
			continue
		}
		rows := "{" + strings.TrimSuffix(strings.Repeat("1, ", k), ", ") + "},\n"
		for i := range k {
			cells := slices.Repeat([]string{"0"}, k)
			cells[i] = "1"
			rows += "{" + strings.Join(cells, ", ") + "},\n"
		}
		g.Out.Add(source.Doc(fmt.Sprintf("oneHot%d holds the likelihood of each observation of a variable with %s; row 0 is for none.", k, source.Count(k, "state"))))
		g.Out.Var().Id(fmt.Sprintf("oneHot%d", k)).Op("=").Index(jen.Lit(k + 1)).Index(jen.Lit(k)).Float64().Id("{\n" + rows + "}")
		g.Out.Line()
	}
}

func (g *API) usesOneHot(k int) bool {
	for _, l := range g.loads {
		for v, spans := range l.Inputs {
			if len(spans) > 0 && g.Model.Card(model.VarID(v)) == k {
				return true
			}
		}
	}
	return false
}
