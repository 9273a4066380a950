package codegen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// oneHotStates is the largest number of states for which observations are entered by copying a row
// of a table.
const oneHotStates = 8

// discreteDomain is the row for variables with states.
var discreteDomain = domain{
	takes: func(d model.Domain) bool { _, ok := d.(model.Discrete); return ok },
	port:  newDiscretePort,
	types: (*generator).enumTypes,
}

// discretePort is the port of a variable with states.
type discretePort struct{ x *varID }

// newDiscretePort returns a port with a type of states that is shared with variables that have the
// same states, if types are shared, and its own otherwise.
func newDiscretePort(n *namer, ids *identifiers, x *varID) port {
	texts := stateTexts(n.m.States(x.v.ID))
	key := strconv.Itoa(int(x.v.ID))
	if n.shared {
		key = fmt.Sprintf("%q", texts)
	}
	e := n.enums[key]
	if e == nil {
		e = &enumID{index: len(ids.enums), texts: texts, consts: make([]string, len(texts))}
		n.enums[key] = e
		ids.enums = append(ids.enums, e)
	}
	x.enum = e
	e.vars = append(e.vars, x)
	return discretePort{x}
}

func (p discretePort) field() string { return p.x.enum.id }

func (p discretePort) soft() string { return p.x.enum.dist() }

func (p discretePort) answer() string { return p.x.enum.dist() }

func (p discretePort) states() int { return p.x.enum.card() }

func (p discretePort) enum() int { return p.x.enum.index }

func (p discretePort) set(field, text string) string {
	return fmt.Sprintf("return %s.UnmarshalText([]byte(%s))", field, text)
}

func (p discretePort) value(field string) string {
	return fmt.Sprintf("return names.StateName(%d, uint(%s))", p.enum(), field)
}

func (p discretePort) none() string { return p.x.enum.unset() }

func (p discretePort) observed(field string) string { return field + " != " + p.x.enum.unset() }

func (p discretePort) numbers(field string) string { return field + "[:]" }

func (p discretePort) example() example {
	state := p.x.enum.consts[0]
	return example{text: p.x.enum.texts[0], value: state, read: ".P(%s." + state + ")"}
}

func (discretePort) drawn(field, cloud string, k int) string {
	return fmt.Sprintf("%s.Probabilities(%d, %s[:])\n", cloud, k, field)
}

// named gives the type of the states the identifier of the variable, unless types are shared.
func (p discretePort) named(n *namer, id string) {
	if n.shared {
		return
	}
	n.decls.Take(id, enumSuffixes...)
	p.x.enum.id = id
	p.x.enum.what = "variable " + quote(p.x.v.Name)
}

func (p discretePort) posterior(memory string, s *ir.Span) string {
	return fmt.Sprintf("%s(%s)", p.answer(), slice(memory, s))
}

func (p discretePort) observe(g *generator, inputs []*ir.Span) string {
	state := "ev." + p.x.id
	return p.x.checkState(state) + g.enterState(inputs, p.states(), state)
}

func (p discretePort) observeLane(_ *generator, slot int) string {
	state := "ev." + p.x.id
	text := p.x.checkState(state)
	if slot >= 0 {
		text += fmt.Sprintf("l[%d+lane] = float64(%s)\n", slot*pgmrt.Lanes, state)
	}
	return text
}

// checkState returns the statements that refuse a value of the type of x that is neither unset nor
// a state. It returns no statements if no such value exists.
func (x *varID) checkState(state string) string {
	c := x.enum.outOfRange(state)
	if c == "" {
		return ""
	}
	return fmt.Sprintf("if %s {\n\treturn names.BadState(%d, uint(%s))\n}\n", c, x.index, state)
}

func (p discretePort) check(*generator) string { return p.x.checkState("ev." + p.x.id) }

func (p discretePort) checkSoft(g *generator) string {
	return fmt.Sprintf("if !"+g.rt("IsLikelihood")+"(soft.%s[:]) {\n\treturn names.BadLikelihood(%d)\n}\n", p.x.id, p.x.index)
}

// enterState returns the statements that set inputs of a variable with k states to the likelihood
// of its observed state.
func (g *generator) enterState(inputs []*ir.Span, k int, state string) string {
	b := &strings.Builder{}
	for _, in := range inputs {
		if k <= oneHotStates {
			fmt.Fprintf(b, "*(*[%d]float64)(%s) = oneHot%d[%s]\n", k, slice("s", in), k, state)
		} else {
			fmt.Fprintf(b, g.rt("Observe")+"(%s, uint(%s))\n", slice("s", in), state)
		}
	}
	return b.String()
}

// likelihood compares a short array with zeros before it calls the runtime, which skips longer
// arrays of zeros itself.
func (p discretePort) likelihood(g *generator, inputs []*ir.Span) string {
	const short = 4 // the Go compiler compares arrays of this length without a loop
	b, x := &strings.Builder{}, p.x
	log, into := "_", fmt.Sprintf("make([]float64, %d)", p.states())
	if len(inputs) > 0 {
		log, into = "log", slice("s", inputs[0])
	}
	fmt.Fprintf(b, "if %s, ok := "+g.rt("Likelihood")+"(%s, soft.%s[:]); !ok {\n\treturn 0, names.BadLikelihood(%d)\n}", log, into, x.id, x.index)
	if log != "_" {
		b.WriteString(" else {\n\tscale += log\n}")
		for _, in := range inputs[1:] {
			fmt.Fprintf(b, "\n"+g.rt("Likelihood")+"(%s, soft.%s[:])", slice("s", in), x.id)
		}
		if g.boundsSoft() {
			fmt.Fprintf(b, "\ne.spread += "+g.rt("Spread")+"(soft.%s[:])", x.id)
		}
	}
	if p.states() <= short {
		return fmt.Sprintf("if soft.%s != (%s{}) {\n%s\n}\n", x.id, p.soft(), b)
	}
	return b.String() + "\n"
}

func (p discretePort) argument(g *generator, _ []*ir.Span, fail string) (kind, check, enter string) {
	x := p.x
	bad := x.param + " == " + x.enum.unset()
	if c := x.enum.outOfRange(x.param); c != "" {
		bad += " || " + c
	}
	return p.field(), fmt.Sprintf("if %s {\n\treturn %s, names.BadState(%d, uint(%s))\n}\n", bad, fail, x.index, x.param),
		fmt.Sprintf("t[%d] = int32(%s) - 1\n", g.p.Spans[g.p.State].Offset+int(x.v.ID), x.param)
}

// estimate adds the logarithm of the posterior of the variable's state, given the states of the
// variables before it.
func (p discretePort) estimate(g *generator, method string) string {
	return fmt.Sprintf(`if s := of.%[1]s; s != 0 && s != known.%[1]s {
	if int(s) > %[2]d {
		return 0, SampleReport{}, names.BadState(%[3]d, uint(s))
	}
	r, err := e.%[4]s(ctx, &known, nil, opt, &out)
	if err != nil {
		return 0, SampleReport{}, err
	}
	sum += `+g.rt("Ln")+`(out.%[1]s[s-1])
	report = report.With(r)
	if known.%[1]s != 0 || `+g.std("math.IsInf")+`(sum, -1) {
		return `+g.std("math.Inf")+`(-1), report, nil
	}
	known.%[1]s = s
}
`, p.x.id, p.states(), p.x.index, method)
}

// enumTypes declares the types of states and the distributions over them.
func (g *generator) enumTypes() {
	for _, e := range g.ids.enums {
		g.enum(e)
		g.dist(e)
	}
}

// enum declares a type of states.
func (g *generator) enum(e *enumID) {
	g.out.Add(doc(fmt.Sprintf("%s is a state of %s. The zero value means not observed.", e.id, e.of())))
	g.out.Type().Id(e.id).Id(fmt.Sprintf("uint%d", e.bits()))
	g.out.Line()
	g.out.Add(doc("The values of " + e.id + "."))
	g.out.Const().DefsFunc(func(d *jen.Group) {
		d.Id(e.unset()).Id(e.id).Op("=").Iota().Comment("// not observed")
		for i, c := range e.consts {
			d.Id(c).Comment("// " + quote(e.texts[i]))
		}
	})
	g.fn(doc(e.id+"Values returns the states in the model's order, without "+e.unset()+"."),
		fmt.Sprintf("%sValues() []%s", e.id, e.id), fmt.Sprintf("return %s[%s](%d)", g.rt("ValuesOf"), e.id, e.card()))
	g.fn(doc("String returns the name of s in the model, or \"unset\" for "+e.unset()+"."),
		fmt.Sprintf("(s %s) String() string", e.id), fmt.Sprintf("return names.StateString(%d, uint(s))", e.index))
	g.fn(doc("MarshalText returns the name of s in the model, and an empty text for "+e.unset()+"."),
		fmt.Sprintf("(s %s) MarshalText() ([]byte, error)", e.id), fmt.Sprintf("return names.StateText(%d, uint(s))", e.index))
	g.ofNumber(e)
	number := g.parseNumber(e)
	names := "the state with the given name"
	if number != "" {
		names += ", or whose interval holds the given number"
	}
	g.fn(doc("UnmarshalText sets s to "+names+". An empty text means "+e.unset()+"."),
		fmt.Sprintf("(s *%s) UnmarshalText(text []byte) error", e.id), fmt.Sprintf(`
state, err := names.ParseState(%d, string(text))
if err != nil {%s
	return err
}
*s = %s(state)
return nil`, e.index, number, e.id))
	g.jsonNumber(e)
}

// of describes the variables with states in e.
func (e *enumID) of() string {
	if len(e.vars) == 1 {
		return "the variable " + quote(e.vars[0].v.Name)
	}
	return fmt.Sprintf("%d variables, among them %s", len(e.vars), quote(e.vars[0].v.Name))
}

// dist declares the type of distributions over e.
func (g *generator) dist(e *enumID) {
	g.out.Add(doc(fmt.Sprintf("%s holds a number for each state of %s: a probability, or a likelihood in soft evidence.", e.dist(), e.id)))
	g.out.Type().Id(e.dist()).Index(jen.Lit(e.card())).Float64()
	g.out.Line()
	absent := "s == " + e.unset()
	if c := e.outOfRange("s"); c != "" {
		absent += " || " + c
	}
	g.fn(doc("P returns the number of state s, and 0 if s is not a state."),
		fmt.Sprintf("(d %s) P(s %s) float64", e.dist(), e.id), fmt.Sprintf("if %s {\n\treturn 0\n}\nreturn d[s-1]", absent))
	g.fn(doc("Max returns the first state with the largest number, and that number. It returns "+e.unset()+" and 0 if no number is above 0."),
		fmt.Sprintf("(d %s) Max() (%s, float64)", e.dist(), e.id), fmt.Sprintf("s, p := %s(d[:])\nreturn %s(s), p", g.rt("Largest"), e.id))
	g.fn(doc("All iterates over the states and their numbers."),
		fmt.Sprintf("(d %s) All() "+g.std("iter.Seq2")+"[%s, float64]", e.dist(), e.id), fmt.Sprintf("return %s[%s](d[:])", g.rt("AllOf"), e.id))
	if !g.opt.Arrays {
		g.fn(doc("MarshalJSON returns an object with a number for each state."),
			fmt.Sprintf("(d %s) MarshalJSON() ([]byte, error)", e.dist()), fmt.Sprintf("return %s(&names, %d, d[:])", g.rt("NamedNumbers"), e.index))
	}
	g.fn(doc("UnmarshalJSON reads an object or an array with a number for each state, not all of them 0. The text null leaves d unchanged."),
		fmt.Sprintf("(d *%s) UnmarshalJSON(data []byte) error", e.dist()), fmt.Sprintf(`
out := *d
if err := %s(&names, %d, data, out[:]); err != nil {
	return err
}
*d = out
return nil`, g.rt("ParseNumbers"), e.index))
}

// oneHots declares a table of likelihoods for each number of states, up to oneHotStates, that some
// input has. Row 0 is for an unobserved variable.
func (g *generator) oneHots() {
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
		g.out.Add(doc(fmt.Sprintf("oneHot%d holds the likelihood of each observation of a variable with %s; row 0 is for none.", k, count(k, "state"))))
		g.out.Var().Id(fmt.Sprintf("oneHot%d", k)).Op("=").Index(jen.Lit(k + 1)).Index(jen.Lit(k)).Float64().Id("{\n" + rows + "}")
		g.out.Line()
	}
}

func (g *generator) usesOneHot(k int) bool {
	for _, l := range g.loads {
		for v, spans := range l.inputs {
			if len(spans) > 0 && g.m.Card(model.VarID(v)) == k {
				return true
			}
		}
	}
	return false
}
