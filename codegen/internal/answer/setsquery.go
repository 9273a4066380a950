package answer

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// MaskTypes declares the types of sets of states.
func (g *Methods) MaskTypes(*ir.Entry) {
	for _, e := range g.Names.Enums {
		g.maskType(e)
	}
	g.Out.Add(source.Doc("StateSets holds evidence on sets of states: the states outside a variable's set are impossible. A field without bits is no evidence."))
	g.Out.Type().Id("StateSets").StructFunc(func(s *jen.Group) {
		for _, x := range g.Names.Observable() {
			s.Id(x.ID).Id(x.Enum.Mask())
		}
	})
	g.Out.Line()
}

// maskType declares the type of sets of states of e, and the function that makes one.
func (g *Methods) maskType(e *api.Enum) {
	typ := jen.Id(fmt.Sprintf("uint%d", e.MaskBits()))
	bit := fmt.Sprintf("set |= 1 << min(s-1, %d)", e.MaskBits()-1)
	if n := e.MaskWords(); n > 1 {
		typ = jen.Index(jen.Lit(n)).Uint64()
		bit = fmt.Sprintf("bit := min(int(s)-1, %d)\n\t\tset[bit/64] |= 1 << (bit %% 64)", 64*n-1)
	}
	g.Out.Add(source.Doc(fmt.Sprintf("%s is a set of states of %s. Bit i, counted from the lowest, is the state %s(i+1).", e.Mask(), e.Of(), e.ID)))
	g.Out.Type().Id(e.Mask()).Add(typ)
	g.Out.Line()
	g.Func(source.Doc(fmt.Sprintf("%s returns the set of the given states. %s adds nothing to it. If a value is not a state, queries refuse", e.SetOf(), e.Unset()),
		"the set."),
		fmt.Sprintf("%s(states ...%s) (set %s)", e.SetOf(), e.ID, e.Mask()), fmt.Sprintf(`
for _, s := range states {
	if s != %s {
		%s
	}
}
return set`, e.Unset(), bit))
}

// Sets declares MarginalsIn and LogProbIn.
func (g *Methods) Sets(e *ir.Entry) {
	fail := g.FailMarginals()
	enter := func(fail string) string {
		l := g.Loader(e)
		return fmt.Sprintf("scale, err := e.%s(ev, nil)\nif err == nil {\n\terr = e.loadSets(sets)\n}\nif err != nil {\n%s\n}\n", l.Func, fail) + g.Narrow(l)
	}
	g.Func(source.Doc("MarginalsIn is Marginals with sets of states as evidence: a variable is known to be in one of the states of its set. sets may be",
		"nil. The error is ErrState if a set has a bit beyond the states of its variable."),
		"(e *Engine) MarginalsIn(ev *Evidence, sets *StateSets, out *Marginals) error",
		enter(fail+"err")+g.Run(e, e.Blocks)+g.MarginalsOf(e, g.LogOf(e)))
	fail = "\treturn " + g.Std("math.Inf") + "(-1), "
	g.Func(source.Doc("LogProbIn returns the natural logarithm of the probability of ev and of the variables being in their sets; sets may be nil. With",
		"an error it returns -Inf."),
		"(e *Engine) LogProbIn(ev *Evidence, sets *StateSets) (float64, error)",
		enter(fail+"err")+g.Run(e, g.rootBlocks(e))+g.Root(e, fail+"ErrImpossible")+"return "+g.LogOf(e)+", nil")
	g.loadSets(e)
}

// loadSets declares the method that enters sets of states after the observations.
func (g *Methods) loadSets(e *ir.Entry) {
	parts := g.Parts(g.Loader(e), g.stateSet)
	body := "if sets == nil {\n\treturn nil\n}\n"
	for i := range parts {
		body += fmt.Sprintf("if err := e.loadSets%d(sets); err != nil {\n\treturn err\n}\n", i+1)
	}
	g.Func(source.Doc("loadSets restricts variables to sets of states."), "(e *Engine) loadSets(sets *StateSets) error", body+"return nil")
	for i, part := range parts {
		g.Func(source.Doc(fmt.Sprintf("loadSets%d restricts some of them.", i+1)), fmt.Sprintf("(e *Engine) loadSets%d(sets *StateSets) error", i+1),
			api.WorkIfUsed(part)+part+"return nil")
	}
}

// stateSet returns the statements that restrict v to its set.
func (g *Methods) stateSet(l *api.Loader, v model.VarID) string {
	x := g.Names.Of(v)
	if x == nil {
		return ""
	}
	field := "sets." + x.ID
	none, words := "0", "uint64("+field+")"
	if x.Enum.MaskWords() > 1 {
		none, words = "("+x.Enum.Mask()+"{})", field+"[:]..."
	}
	into := fmt.Sprintf("make([]float64, %d)", x.Port.States()) // nothing depends on v, but its set is checked all the same
	if len(l.Inputs[v]) > 0 {
		into = api.Slice("s", l.Inputs[v][0])
	}
	text := fmt.Sprintf("if %s != %s {\n\tif !"+g.RT("ObserveSet")+"(%s, %s) {\n\t\treturn names.BadSet(%d)\n\t}\n", field, none, into, words, x.Index)
	for _, in := range l.Inputs[v][min(1, len(l.Inputs[v])):] {
		text += fmt.Sprintf("\t"+g.RT("ObserveSet")+"(%s, %s)\n", api.Slice("s", in), words)
	}
	return text + "}\n"
}

// rootBlocks returns the blocks of e that compute its root: those up to the last that writes the
// root or its exponent.
func (g *Methods) rootBlocks(e *ir.Entry) []int {
	for n := len(e.Blocks); n > 0; n-- {
		for _, step := range g.Program.Blocks[e.Blocks[n-1]].Steps {
			if w := ir.WriteSpans(step); slices.Contains(w, e.Root) || e.Exp != ir.NoSpan && slices.Contains(w, e.Exp) {
				return e.Blocks[:n]
			}
		}
	}
	return nil
}
