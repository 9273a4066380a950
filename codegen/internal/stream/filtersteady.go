package stream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// steadyOps is the most operations of the means of a step that are written out.
const steadyOps = 1024

// steadyStep is a step of filters that takes gains from an rt.Steady if its covariances come again.
type steadyStep struct {
	entry, gains *ir.Entry
	name         string   // of its methods: Next or Belief
	field, seen  string   // the field of Engine, and the function that says what is observed
	body         string   // statements that compute the means
	locals       []string // the variables that they set
	logs         []string // those of them whose sum is the logarithm of the density, but for root
	moved        []int    // the numbers of the belief that m0, m1, ... are for
	steadyRoot   bool     // root is one of the gains
}

// steadySeen is the most variables whose being observed has an effect on covariances: as many as
// there are bits.
const steadySeen = 64

// FindSteady finds the steps that may take gains from a step before: those whose means are a few
// operations written out.
func (g *Methods) FindSteady(output func(block int) *backend.Output) {
	g.steady = map[string]*steadyStep{}
	for _, name := range []string{ir.FilterNext, ir.FilterBelief} {
		e := g.Program.Entry(name)
		if e == nil || e.Stream.Steady == nil || len(e.Stream.Steady.Seen) > steadySeen {
			continue
		}
		means := g.Program.Entry(ir.MeansOf(name))
		s := &steadyStep{entry: e, gains: g.Program.Entry(ir.GainsOf(name)), name: "Next"}
		if name == ir.FilterBelief {
			s.name = "Belief"
		}
		s.field, s.seen = "steady"+s.name, "seen"+s.name
		block := means.Blocks[0]
		if g.Plan[block].Backend.Formula == nil {
			continue
		}
		var ok bool
		if s.body, ok = g.Plan[block].Backend.Formula(output(block), &g.Program.Blocks[block], g.steadyNames(s, means), steadyOps); ok {
			g.steady[name] = s
		}
	}
}

// steadyNames returns the expressions of the elements of work memory that the means of s use, and
// lists the variables among them.
func (g *Methods) steadyNames(s *steadyStep, means *ir.Entry) map[int]string {
	names := map[int]string{}
	local := func(at int, name string) {
		names[at], s.locals = name, append(s.locals, name)
	}
	before, gains := &g.Program.Spans[means.Stream.In[0]], &g.Program.Spans[means.Stream.In[1]]
	for i := range before.Len {
		names[before.Offset+i] = fmt.Sprintf("f.belief[%d]", i)
	}
	for i := range gains.Len {
		names[gains.Offset+i] = fmt.Sprintf("h[%d]", i)
	}
	for v, spans := range g.Inputs(means) {
		x := g.Names.Of(model.VarID(v))
		for _, in := range spans {
			if x != nil {
				names[in.Offset+model.RealWidth-1] = "ev." + x.ID + ".value"
			}
		}
	}
	isCov := make([]bool, before.Len)
	for _, k := range s.entry.Stream.Steady.Cov {
		isCov[k] = true
	}
	for k, cov := range isCov {
		if !cov {
			local(g.Program.Spans[means.Stream.Out[0]].Offset+len(s.moved), fmt.Sprintf("m%d", len(s.moved)))
			s.moved = append(s.moved, k)
		}
	}
	local(g.Program.Spans[means.Root].Offset, "root")
	for i, id := range means.Logs {
		s.logs = append(s.logs, fmt.Sprintf("log%d", i))
		local(g.Program.Spans[id].Offset, s.logs[i])
	}
	if m, ok := g.Program.Blocks[means.Blocks[0]].Steps[0].(*ir.Map); ok {
		i := slices.IndexFunc(m.Out, func(v ir.MapView) bool { return v.Span == means.Root })
		s.steadyRoot = i >= 0 && int(m.Set[i]) < len(m.In)
	}
	for _, id := range means.Outs {
		x, at := g.Names.Of(g.Program.Spans[id].Var), g.Program.Spans[id].Offset
		names[at], names[at+1] = "out."+x.ID+".Mean", "out."+x.ID+".Var"
	}
	return names
}

// FilterFields returns the fields of Engine that an entry of filter needs.
func (g *Methods) FilterFields(e *ir.Entry) []answer.Field {
	return append(g.growthFields(e), g.steadyFields(e)...)
}

// RunsPart reports whether a method calls the blocks of a part of an entry: those for means are
// written out.
func (g *Methods) RunsPart(e *ir.Entry) bool {
	of, gains := strings.CutSuffix(e.Query.Name, ir.GainsOf(""))
	return gains && g.steady[of] != nil
}

// steadyFields returns the fields of Engine for steps whose covariances come again.
func (g *Methods) steadyFields(e *ir.Entry) []answer.Field {
	s := g.steady[e.Query.Name]
	if s == nil {
		return nil
	}
	places := strings.Trim(strings.ReplaceAll(fmt.Sprint(s.entry.Stream.Steady.Cov), " ", ", "), "[]")
	return []answer.Field{{Name: s.field, Type: "*" + g.RT("Steady"), Comment: "steps whose covariances came again",
		Value: fmt.Sprintf("%s([]int32{%s}, %d)", g.RT("NewSteady"), places, g.Program.Spans[s.gains.Stream.Out[0]].Len)}}
}

// seenFunc declares the function that says which variables are observed.
func (g *Methods) seenFunc(s *steadyStep) {
	var bits []string
	for k, v := range s.entry.Stream.Steady.Seen {
		if x := g.Names.Of(v); x != nil {
			bits = append(bits, fmt.Sprintf("bit(%s)<<%d", x.Port.Observed("ev."+x.ID), k))
		}
	}
	if len(bits) == 0 {
		bits = []string{"0"}
	}
	g.Func(source.Doc(s.seen+" returns which variables with an effect on covariances are observed, a bit each."), s.seen+"(ev *Evidence) uint64",
		"return "+strings.Join(bits, " | "))
}

// bitFunc declares the function that seenFunc's functions use.
func (g *Methods) bitFunc() {
	if len(g.steady) > 0 {
		g.Func(source.Doc("bit returns 1 for true."), "bit(b bool) uint64", "if b {\n\treturn 1\n}\nreturn 0")
	}
}

// steadyStep returns the statements that make a step by gains of a step before and then run done,
// if there are such gains and nothing fails.
func (g *Methods) steadyStep(s *steadyStep, done string) string {
	e, b := s.entry, &strings.Builder{}
	fmt.Fprintf(b, "if gains := e.%s.Gains(&f.phase, %s(ev)); %s {\n", s.field, s.seen, strings.Join(append([]string{"gains != nil"}, g.inRange(e)...), " && "))
	fmt.Fprintf(b, "h := (*[%d]float64)(gains)\nvar %s float64\n%s", g.Program.Spans[s.gains.Stream.Out[0]].Len, strings.Join(s.locals, ", "), s.body)
	logP := strings.Join(append([]string{"0.0"}, s.logs...)[min(1, len(s.logs)):], " + ")
	fits := within("logP", g.Std("math.MaxFloat64"))
	if !s.steadyRoot {
		fits += " && root > 0 && root <= " + g.Std("math.MaxFloat64")
	}
	fmt.Fprintf(b, "if logP := %s; %s {\n"+multiplied, logP, fits)
	for k, at := range s.moved {
		fmt.Fprintf(b, "f.belief[%d] = m%d\n", at, k)
	}
	b.WriteString("if next := f.phase.Advance(); next != nil {\n" + s.copyCov() + "}\nf.n++\n")
	if e.Query.Name == ir.FilterNext {
		b.WriteString("out.LogP = f.LogProb()\n")
	}
	return b.String() + done + "\n}\n}\n"
}

// within returns the condition that a number has at most the given size. Two comparisons are fewer
// instructions than an absolute value.
func within(x, most string) string { return fmt.Sprintf("%s >= -%s && %[1]s <= %[2]s", x, most) }

// copyCov returns the statements that copy covariances to a belief, next, two at a time where they
// are next to each other: a copy of more calls the runtime, which takes as long as the rest of a
// step of few variables.
func (s *steadyStep) copyCov() string {
	cov := s.entry.Stream.Steady.Cov
	b := &strings.Builder{}
	fmt.Fprintf(b, "cov := (*[%d]float64)(next)\n", len(cov))
	for i := 0; i < len(cov); i++ {
		if i+1 < len(cov) && cov[i+1] == cov[i]+1 {
			fmt.Fprintf(b, "*(*[2]float64)(f.belief[%d:]) = *(*[2]float64)(cov[%d:])\n", cov[i], i)
			i++
		} else {
			fmt.Fprintf(b, "f.belief[%d] = cov[%d]\n", cov[i], i)
		}
	}
	return b.String()
}

// multiplied does what the method multiply does, without a call.
const multiplied = `f.logP += logP
if product := f.root * root; product > 1e-100 && product < 1e100 {
	f.root = product
} else {
	f.fold(root)
}
`

// inRange returns the conditions under which the evidence of a step is accepted.
func (g *Methods) inRange(e *ir.Entry) (list []string) {
	for _, x := range g.Names.Observable() {
		switch {
		case x.Var.Given:
			list = append(list, "ev."+x.ID+".observed")
		case e.Query.Name == ir.FilterBelief && slices.Contains(g.Model.Transition.Before, x.Var.ID):
			continue // it is not observed
		}
		list = append(list, within(fmt.Sprintf("ev.%s.value", x.ID), fmt.Sprintf("%g", model.MaxReal)))
	}
	return list
}

// keepSteady declares the method that keeps the gains of a step whose covariances came again. The
// belief before it, and its evidence, are in work memory.
func (g *Methods) keepSteady(s *steadyStep) {
	in, out := &g.Program.Spans[s.entry.Stream.In[0]], &g.Program.Spans[s.gains.Stream.Out[0]]
	g.Func(source.Doc("keep"+s.name+" keeps the gains of the last step of f, whose belief before it and evidence are in work memory."),
		"(e *Engine) keep"+s.name+"(f *Filter, ev *Evidence)", fmt.Sprintf(`
before, seen := %[2]s, %[3]s(ev)
if !e.%[1]s.Has(before, seen) {
	%[4]s
	e.%[1]s.Add(before, seen, %[5]s)
}
e.%[1]s.Link(&f.phase, before, f.belief[:], seen)`,
			s.field, api.Slice("e.work()", in), s.seen, strings.TrimSpace(g.Calls(s.gains.Blocks)), api.Slice("e.work()", out)))
}

// noteSteady returns the statements with which a full step without likelihoods ends.
func (s *steadyStep) noteSteady() string {
	return fmt.Sprintf("if !f.phase.Skip(f.belief[%d]) && e.%s.Due(&f.phase, f.belief[:]) {\n\te.keep%s(f, ev)\n}\n", s.last(), s.field, s.name)
}

// last returns the place of the last covariance in a belief.
func (s *steadyStep) last() int {
	cov := s.entry.Stream.Steady.Cov
	return cov[len(cov)-1]
}
