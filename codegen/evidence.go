package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// varsPerFunc is the number of variables for which one generated function has statements.
const varsPerFunc = 64

// loader is a generated method that enters evidence into a set of input spans.
type loader struct {
	fn     string
	inputs [][]*ir.Span // by variable
}

// findLoads names a loader for each set of inputs that entries read. Signatures have none, since
// their evidence is their arguments.
func (g *generator) findLoads() {
	for i := range g.p.Entries {
		if e := &g.p.Entries[i]; e.Query.Kind != ir.Signature && !e.IsPart() {
			g.loader(e)
		}
	}
}

// loader returns the loader of e, and adds one if no other entry reads the same inputs.
func (g *generator) loader(e *ir.Entry) *loader {
	inputs := g.inputs(e)
	for i := range g.loads {
		if slices.EqualFunc(g.loads[i].inputs, inputs, slices.Equal[[]*ir.Span]) {
			return &g.loads[i]
		}
	}
	fn := "load"
	if len(g.loads) > 0 {
		fn = fmt.Sprintf("load%d", len(g.loads)+1)
	}
	g.loads = append(g.loads, loader{fn, inputs})
	return &g.loads[len(g.loads)-1]
}

// inputs returns the input spans that the blocks of e read, by variable.
func (g *generator) inputs(e *ir.Entry) [][]*ir.Span { return inputsOf(g.m, g.p, e) }

func inputsOf(m *model.Model, p *ir.Program, e *ir.Entry) [][]*ir.Span {
	inputs := make([][]*ir.Span, len(m.Vars))
	for _, id := range p.Inputs(e) {
		s := &p.Spans[id]
		inputs[s.Var] = append(inputs[s.Var], s)
	}
	return inputs
}

// evidence declares the loaders and the functions and tables that they use.
func (g *generator) evidence() {
	if g.tabled() {
		g.statesOf()
	} else {
		g.oneHots()
	}
	for i := range g.loads {
		g.load(&g.loads[i])
		g.findRanges(&g.loads[i])
	}
}

// boundsSoft reports whether the program was scaled for likelihoods within a bound. More extreme
// ones are refused.
func (g *generator) boundsSoft() bool { return g.p.SoftBits > 0 }

// load declares a loader. It enters observations first, then likelihoods, each by methods for some
// of the variables.
func (g *generator) load(l *loader) {
	var hard, soft []string
	body := "if ev == nil {\n\tev = new(Evidence)\n}\n"
	if g.tabled() {
		soft = g.tableParts(l)
		body += g.enterTable(l)
	} else {
		hard = g.parts(l, g.observe)
		soft = g.parts(l, g.likelihood)
	}
	for i := range hard {
		body += fmt.Sprintf("if err := e.%sHard%d(ev); err != nil {\n\treturn 0, err\n}\n", l.fn, i+1)
	}
	body += "if soft == nil {\n\treturn 0, nil\n}\n"
	if g.boundsSoft() {
		body += "e.spread = 0\n"
	}
	if len(soft) == 1 && !g.boundsSoft() {
		body += fmt.Sprintf("return e.%sSoft1(soft)", l.fn)
	} else {
		body += "scale := 0.0\n"
		assign := ":="
		for i := range soft {
			body += fmt.Sprintf("part, err %s e.%sSoft%d(soft)\nif err != nil {\n\treturn 0, err\n}\nscale += part\n", assign, l.fn, i+1)
			assign = "="
		}
		if g.boundsSoft() {
			body += fmt.Sprintf("if e.spread > %v {\n\treturn 0, names.Fail(\"the smallest likelihoods together lie too far below the largest\", ErrLikelihood)\n}\n", g.p.SoftBits)
		}
		body += "return scale, nil"
	}
	body = g.countRun() + body
	g.fn(doc(l.fn+" enters evidence. It returns the logarithm of the factor that likelihoods were divided by."),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft) (float64, error)", l.fn), body)
	for i, part := range hard {
		g.fn(doc(fmt.Sprintf("%sHard%d enters observations.", l.fn, i+1)),
			fmt.Sprintf("(e *Engine) %sHard%d(ev *Evidence) error", l.fn, i+1), workIfUsed(part)+part+"return nil")
	}
	for i, part := range soft {
		g.fn(doc(fmt.Sprintf("%sSoft%d multiplies the inputs by likelihoods.", l.fn, i+1)),
			fmt.Sprintf("(e *Engine) %sSoft%d(soft *Soft) (float64, error)", l.fn, i+1), softBody(part))
	}
}

// softBody returns the body of a method that enters likelihoods, with the given statements.
func softBody(part string) string {
	if strings.HasPrefix(part, "return ") {
		return part
	}
	return workIfUsed(part) + "scale := 0.0\n" + part + "return scale, nil"
}

// narrow returns the statement after which loops run over the states that the evidence of l leaves
// possible. Without it they run over those that an earlier query left. It is empty if no loop is
// narrowed.
func (g *generator) narrow(l *loader) string {
	if len(g.ranged(l)) == 0 {
		return ""
	}
	return "e." + l.fn + "Ranges()\n"
}

// allStates returns the statement after which the loops of a session's engine run over all states,
// and declares the method that it calls. The tables that a session keeps must not depend on
// evidence that may change.
func (g *generator) allStates() string {
	if len(g.ranges.Vars()) == 0 {
		return ""
	}
	b := &strings.Builder{}
	b.WriteString("t := e.state()\n")
	for _, v := range g.ranges.Vars() {
		at := g.p.Ints + g.ranges.Place(v)
		fmt.Fprintf(b, "t[%d], t[%d] = 0, %d\n", at, at+1, g.m.Card(v))
	}
	g.fn(doc("allStates makes loops run over all states, also over those that the evidence rules out."), "(e *Engine) allStates()", b.String())
	return "c.e.allStates()\n"
}

// ranged returns the variables of l over which some loop is narrowed.
func (g *generator) ranged(l *loader) []model.VarID {
	var vars []model.VarID
	for v := range g.m.Vars {
		if len(l.inputs[v]) > 0 && g.ranges.Place(model.VarID(v)) >= 0 {
			vars = append(vars, model.VarID(v))
		}
	}
	return vars
}

// findRanges declares the method that finds the states that the evidence of l leaves possible.
func (g *generator) findRanges(l *loader) {
	vars := g.ranged(l)
	if len(vars) == 0 {
		return
	}
	b := &strings.Builder{}
	b.WriteString("s, t := e.work(), e.state()\n")
	for _, v := range vars {
		at := g.p.Ints + g.ranges.Place(v)
		fmt.Fprintf(b, "t[%d], t[%d] = "+g.rt("Support")+"(%s)\n", at, at+1, slice("s", l.inputs[v][0]))
	}
	g.fn(doc(l.fn+"Ranges sets the range of states over which loops run, by variable: the first possible state, and the end."),
		fmt.Sprintf("(e *Engine) %sRanges()", l.fn), b.String())
}

// workIfUsed returns the statement that declares s, the work memory, if the body uses it.
func workIfUsed(body string) string {
	if strings.Contains(body, "s[") {
		return "s := e.work()\n"
	}
	return ""
}

// parts joins the statements that each variable needs, in parts of at most varsPerFunc variables.
// There is at least one part.
func (g *generator) parts(l *loader, each func(l *loader, v model.VarID) string) []string {
	parts, n := []string{""}, 0
	for v := range g.m.Vars {
		text := each(l, model.VarID(v))
		if text == "" {
			continue
		}
		if n == varsPerFunc {
			parts, n = append(parts, ""), 0
		}
		parts[len(parts)-1] += text
		n++
	}
	return parts
}

// observe returns the statements that enter the observation of v.
func (g *generator) observe(l *loader, v model.VarID) string {
	if x := g.ids.of(v); x != nil {
		return g.required(x) + x.port.observe(g, l.inputs[v])
	}
	return g.enterState(l.inputs[v], g.m.Card(v), "0") // latent variables are never observed
}

// required returns the statements that refuse evidence without a value of a given variable.
func (g *generator) required(x *varID) string {
	if !x.v.Given {
		return ""
	}
	unset := "ev." + x.id + " == 0"
	if g.m.IsReal(x.v.ID) {
		unset = "!ev." + x.id + ".observed"
	}
	return fmt.Sprintf("if %s {\n\treturn names.NotGiven(%d)\n}\n", unset, x.index)
}

// likelihood returns the statements that enter the likelihood of v.
func (g *generator) likelihood(l *loader, v model.VarID) string {
	if x := g.ids.of(v); x != nil {
		return x.port.likelihood(g, l.inputs[v])
	}
	return ""
}

// slice returns the expression of span s in the memory of the given name.
func slice(name string, s *ir.Span) string {
	return fmt.Sprintf("%s[%d:%d]", name, s.Offset, s.Offset+s.Len)
}
