package api

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// VarsPerFunc is the number of variables for which one generated function has statements.
const VarsPerFunc = 64

// Loader is a generated method that enters evidence into a set of input spans.
type Loader struct {
	Func   string
	Inputs [][]*ir.Span // by variable
	timing *timing      // of the evidence, if the entries are about the options of a decision; nil otherwise
	free   bool         // decisions need no evidence, since they follow a strategy
}

// findLoads names a loader for each set of inputs that entries read. Signatures have none, since
// their evidence is their arguments.
func (g *API) findLoads() {
	for i := range g.Program.Entries {
		if e := &g.Program.Entries[i]; e.Query.Kind != ir.Signature && !e.IsPart() {
			g.Loader(e)
		}
	}
}

// Loader returns the loader of e, and adds one if no other entry reads the same inputs.
func (g *API) Loader(e *ir.Entry) *Loader {
	inputs, timing, free := g.Inputs(e), g.timingOf(e), e.Query.Kind == ir.Follow
	for i := range g.loads {
		if g.loads[i].free == free && g.loads[i].timing.same(timing) && slices.EqualFunc(g.loads[i].Inputs, inputs, slices.Equal[[]*ir.Span]) {
			return &g.loads[i]
		}
	}
	fn := "load"
	if len(g.loads) > 0 {
		fn = fmt.Sprintf("load%d", len(g.loads)+1)
	}
	g.loads = append(g.loads, Loader{fn, inputs, timing, free})
	return &g.loads[len(g.loads)-1]
}

// Inputs returns the input spans that the blocks of e read, by variable.
func (g *API) Inputs(e *ir.Entry) [][]*ir.Span { return InputsOf(g.Model, g.Program, e) }

// InputsOf returns the input spans that the blocks of an entry of p read, by variable of m.
func InputsOf(m *model.Model, p *ir.Program, e *ir.Entry) [][]*ir.Span {
	inputs := make([][]*ir.Span, len(m.Vars))
	for _, id := range p.Inputs(e) {
		s := &p.Spans[id]
		inputs[s.Var] = append(inputs[s.Var], s)
	}
	return inputs
}

// Evidence declares the loaders and the functions and tables that they use.
func (g *API) Evidence() {
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

// BoundsSoft reports whether the program was scaled for likelihoods within a bound. More extreme
// ones are refused.
func (g *API) BoundsSoft() bool { return g.Program.SoftBits > 0 }

// load declares a loader. It enters observations first, then likelihoods, each by methods for some
// of the variables.
func (g *API) load(l *Loader) {
	var hard, soft []string
	body := "if ev == nil {\n\tev = new(Evidence)\n}\n"
	if g.tabled() {
		soft = g.tableParts(l)
		body += g.enterTable(l)
	} else {
		hard = g.Parts(l, g.observe)
		soft = g.Parts(l, g.likelihood)
	}
	for i := range hard {
		body += fmt.Sprintf("if err := e.%sHard%d(ev); err != nil {\n\treturn 0, err\n}\n", l.Func, i+1)
	}
	body += "if soft == nil {\n\treturn 0, nil\n}\n"
	if g.BoundsSoft() {
		body += "e.spread = 0\n"
	}
	if len(soft) == 1 && !g.BoundsSoft() {
		body += fmt.Sprintf("return e.%sSoft1(soft)", l.Func)
	} else {
		body += "scale := 0.0\n"
		assign := ":="
		for i := range soft {
			body += fmt.Sprintf("part, err %s e.%sSoft%d(soft)\nif err != nil {\n\treturn 0, err\n}\nscale += part\n", assign, l.Func, i+1)
			assign = "="
		}
		if g.BoundsSoft() {
			body += fmt.Sprintf("if e.spread > %v {\n\treturn 0, names.Fail(\"the smallest likelihoods together lie too far below the largest\", ErrLikelihood)\n}\n", g.Program.SoftBits)
		}
		body += "return scale, nil"
	}
	body = g.CountRun() + body
	g.Func(source.Doc(l.Func+" enters evidence. It returns the logarithm of the factor that likelihoods were divided by."),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft) (float64, error)", l.Func), body)
	for i, part := range hard {
		g.Func(source.Doc(fmt.Sprintf("%sHard%d enters observations.", l.Func, i+1)),
			fmt.Sprintf("(e *Engine) %sHard%d(ev *Evidence) error", l.Func, i+1), WorkIfUsed(part)+part+"return nil")
	}
	for i, part := range soft {
		g.Func(source.Doc(fmt.Sprintf("%sSoft%d multiplies the inputs by likelihoods.", l.Func, i+1)),
			fmt.Sprintf("(e *Engine) %sSoft%d(soft *Soft) (float64, error)", l.Func, i+1), softBody(part))
	}
}

// softBody returns the body of a method that enters likelihoods, with the given statements.
func softBody(part string) string {
	if strings.HasPrefix(part, "return ") {
		return part
	}
	return WorkIfUsed(part) + "scale := 0.0\n" + part + "return scale, nil"
}

// Narrow returns the statement after which loops run over the states that the evidence of l leaves
// possible. Without it they run over those that an earlier query left. It is empty if no loop is
// narrowed.
func (g *API) Narrow(l *Loader) string {
	if len(g.ranged(l)) == 0 {
		return ""
	}
	return "e." + l.Func + "Ranges()\n"
}

// AllStates returns the statement after which the loops of a session's engine run over all states,
// and declares the method that it calls. The tables that a session keeps must not depend on
// evidence that may change.
func (g *API) AllStates() string {
	if len(g.Ranges.Vars()) == 0 {
		return ""
	}
	b := &strings.Builder{}
	b.WriteString("t := e.state()\n")
	for _, v := range g.Ranges.Vars() {
		at := g.Program.Ints + g.Ranges.Place(v)
		fmt.Fprintf(b, "t[%d], t[%d] = 0, %d\n", at, at+1, g.Model.Card(v))
	}
	g.Func(source.Doc("allStates makes loops run over all states, also over those that the evidence rules out."), "(e *Engine) allStates()", b.String())
	return "c.e.allStates()\n"
}

// ranged returns the variables of l over which some loop is narrowed.
func (g *API) ranged(l *Loader) []model.VarID {
	var vars []model.VarID
	for v := range g.Model.Vars {
		if len(l.Inputs[v]) > 0 && g.Ranges.Place(model.VarID(v)) >= 0 {
			vars = append(vars, model.VarID(v))
		}
	}
	return vars
}

// findRanges declares the method that finds the states that the evidence of l leaves possible.
func (g *API) findRanges(l *Loader) {
	vars := g.ranged(l)
	if len(vars) == 0 {
		return
	}
	b := &strings.Builder{}
	b.WriteString("s, t := e.work(), e.state()\n")
	for _, v := range vars {
		at := g.Program.Ints + g.Ranges.Place(v)
		fmt.Fprintf(b, "t[%d], t[%d] = "+g.RT("Support")+"(%s)\n", at, at+1, Slice("s", l.Inputs[v][0]))
	}
	g.Func(source.Doc(l.Func+"Ranges sets the range of states over which loops run, by variable: the first possible state, and the end."),
		fmt.Sprintf("(e *Engine) %sRanges()", l.Func), b.String())
}

// WorkIfUsed returns the statement that declares s, the work memory, if the body uses it.
func WorkIfUsed(body string) string {
	if source.Indexes(body, "s") {
		return "s := e.work()\n"
	}
	return ""
}

// Parts joins the statements that each variable needs, in parts of at most VarsPerFunc variables.
// There is at least one part.
func (g *API) Parts(l *Loader, each func(l *Loader, v model.VarID) string) []string {
	parts, n := []string{""}, 0
	for v := range g.Model.Vars {
		text := each(l, model.VarID(v))
		if text == "" {
			continue
		}
		if n == VarsPerFunc {
			parts, n = append(parts, ""), 0
		}
		parts[len(parts)-1] += text
		n++
	}
	return parts
}

// observe returns the statements that enter the observation of v.
func (g *API) observe(l *Loader, v model.VarID) string {
	if x := g.Names.Of(v); x != nil {
		return g.Timely(l, x, x.Port.Observe(g, l.Inputs[v]))
	}
	return g.enterState(l.Inputs[v], g.Model.Card(v), "0") // latent variables are never observed
}

// Required returns the statements that refuse evidence without a value of a given variable, if l
// needs one.
func (g *API) Required(l *Loader, x *Variable) string {
	if !x.Var.Given || l.free {
		return ""
	}
	unset := "ev." + x.ID + " == 0"
	if g.Model.IsReal(x.Var.ID) {
		unset = "!ev." + x.ID + ".observed"
	}
	return fmt.Sprintf("if %s {\n\treturn names.NotGiven(%d)\n}\n", unset, x.Index)
}

// likelihood returns the statements that enter the likelihood of v.
func (g *API) likelihood(l *Loader, v model.VarID) string {
	if x := g.Names.Of(v); x != nil {
		if why := g.untimely(l.timing, x); why != "" {
			return fmt.Sprintf("if soft.%s != (%s{}) {\n\treturn 0, names.Refuse(%d, %s)\n}\n", x.ID, x.Port.Soft(), x.Index, why)
		}
		return x.Port.Likelihood(g, l.Inputs[v])
	}
	return ""
}

// Slice returns the expression of span s in the memory of the given name.
func Slice(name string, s *ir.Span) string {
	return fmt.Sprintf("%s[%d:%d]", name, s.Offset, s.Offset+s.Len)
}
