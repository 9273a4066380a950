package stream

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// FilterErrors declares the names of the runtime that are part of the API.
func (g *Methods) FilterErrors() {
	g.ErrorName(filterError, "means that data is not the binary form of a filter of this model.")
	if slices.Contains(g.Runtime.API, particlesError) {
		g.ErrorName(particlesError, "means that no particle or history that is kept agrees with the evidence.")
	}
	if slices.Contains(g.Runtime.API, historiesError) {
		g.ErrorName(historiesError, "means that the exact belief has more histories of states than a filter keeps.")
	}
}

// CheckFilter refuses an entry without the posterior of some variable, or with a belief of a form
// that packages do not know.
func CheckFilter(m *model.Model, p *ir.Program, e *ir.Entry) error {
	switch h := e.Stream.Histories; {
	case h == nil:
	case h.Draw != nil && h.Draw.Whole && e.Query.Kind == ir.Smooth && slices.ContainsFunc(m.Vars, func(v *model.Var) bool { return v.Latent && !v.Given }):
		return diag.Errorf("query %q: no package smooths with particles of latent variables, since what follows a particle must be evidence; want filter alone", e.Query.Name)
	case h.Draw != nil && h.Draw.Whole:
		return answer.CheckRoot(m, p, e)
	default:
		return checkHistories(m, p, e)
	}
	if e.Query.Name == ir.FilterBelief {
		return answer.CheckRoot(m, p, e)
	}
	if err := answer.CheckMarginals(m, p, e); err != nil || e.Query.Name != ir.FilterNext {
		return err
	}
	_, err := beliefOf(m, p, e)
	return err
}

// Filter declares the type Filter and what it answers. The entry of slice 0 stands for both.
func (g *Methods) Filter(e *ir.Entry) {
	if e.Query.Name != ir.FilterFirst {
		return
	}
	if DrawnSlice(g.Program) != nil {
		g.particles(e)
		return
	}
	if g.past != nil {
		g.historyFilter(e)
		return
	}
	g.filterType()
	g.filterSlice(e, "filterFirst", "filterFirst makes the first step of f; see Step.")
	g.filterSlice(g.Program.Entry(ir.FilterNext), "filterNext", "filterNext makes a later step of f; see Step.")
	if e := g.Program.Entry(ir.FilterBelief); e != nil {
		g.filterBelief(e)
	}
	g.steps()
	g.bitFunc()
	g.belief()
	g.predict("Filter", "the posteriors", ownEngine+"branch := *f\n", "")
	g.filterBinary()
}

// persisting returns the quoted names of the variables that persist, for comments.
func (g *Methods) persisting() string {
	var list []string
	for _, v := range g.Model.Transition.Before {
		list = append(list, source.Quote(g.Model.Vars[v].Name))
	}
	if len(list) == 0 {
		return "no variable"
	}
	return strings.Join(list, ", ")
}

// filterType declares the type Filter, and how one begins.
func (g *Methods) filterType() {
	g.Out.Add(source.Doc("Filter follows one sequence slice by slice, in constant memory. It holds what the evidence so far says about the variables",
		"that have an effect on the next slice, "+g.persisting()+", so that a copy of a Filter is a branch of the sequence. The zero",
		"Filter is before slice 0.", "",
		"A Filter computes in the memory of an engine, which it keeps a pointer to. It is for one goroutine at a time, and so are all filters",
		"of one engine and their copies. Use gives a Filter another engine; Steps uses its own for many filters."))
	g.Out.Type().Id("Filter").StructFunc(func(s *jen.Group) {
		s.Id("e").Op("*").Id("Engine").Comment("// nil until a step needs one")
		s.Id("belief").Index(jen.Lit(g.kept.size)).Float64().Comment("// " + g.kept.text())
		s.Id("logP").Float64().Comment("// LogProb is logP + ln root, so that few steps take a logarithm")
		s.Id("root").Float64()
		s.Id("n").Int()
		if len(g.steady) > 0 {
			s.Id("phase").Id(g.RT("Phase")).Comment("// where the covariances are among those that came again")
		}
	})
	g.Out.Line()
	g.filterAbout()
	g.Func(source.Doc("LogProb returns the natural logarithm of the probability of the evidence so far: of its density, if it has values of real variables."),
		"(f *Filter) LogProb() float64", "if f.n == 0 {\n\treturn 0\n}\nreturn f.logP + "+g.RT("Ln")+"(f.root)")
	g.Func(source.Doc("multiply multiplies the probability of the evidence so far by that of a slice: root times e to the power of logP."),
		"(f *Filter) multiply(root, logP float64)", `
f.logP += logP
if product := f.root * root; product > 1e-100 && product < 1e100 {
	f.root = product
	return
}
f.fold(root)`)
	g.Func(source.Doc("fold takes the logarithm of the product of roots, if there is one, and begins another."), "(f *Filter) fold(root float64)", `
if f.n > 0 {
	f.logP += `+g.RT("Ln")+`(f.root)
}
f.root = root`)
}

// filterAbout declares how a Filter begins, and the methods about the state of a run.
func (g *Methods) filterAbout() {
	g.Func(source.Doc("NewFilter returns a filter before slice 0, with an engine of its own."), "NewFilter() *Filter", "return &Filter{e: New()}")
	g.Func(source.Doc("NewFilter returns a filter before slice 0 that uses e, as many others may in one goroutine."), "(e *Engine) NewFilter() *Filter", "return &Filter{e: e}")
	g.Func(source.Doc("Use makes f use the memory of e from now on, so that another goroutine than before may have f."), "(f *Filter) Use(e *Engine)", "f.e = e")
	g.Func(source.Doc("Reset puts f before slice 0 again."), "(f *Filter) Reset()", "*f = Filter{e: f.e}")
	g.Func(source.Doc("Len returns the number of slices so far."), "(f *Filter) Len() int", "return f.n")
}

// filterSlice declares a method of Engine that makes a step of a filter. If the caller wants no
// posteriors, only the blocks run on which the belief depends.
func (g *Methods) filterSlice(e *ir.Entry, name, comment string) {
	fail := "\treturn failSlice(out, "
	run := g.Run(e, e.Blocks)
	if blocks := g.beliefBlocks(e); len(blocks) < len(e.Blocks) {
		run = "if out != nil {\n" + run + "} else {\n" + g.Run(e, blocks) + "}\n"
	}
	const args = "(f *Filter, ev *Evidence, soft *Soft, out *Marginals) error"
	begin, steady := "", ""
	if s := g.steady[e.Query.Name]; s != nil {
		g.seenFunc(s)
		g.keepSteady(s)
		g.Func(source.Doc(comment), "(e *Engine) "+name+args, "if ev != nil && soft == nil && out != nil {\n"+g.steadyStep(s, "return nil")+"}\nreturn e.fullNext(f, ev, soft, out)")
		name, comment = "fullNext", "fullNext makes a later step of f, and notes whether its covariances come again."
		begin = beginEvidence
		steady = "if soft != nil {\n\tf.phase = " + g.RT("Phase") + "{}\n} else " + s.noteSteady()
	} else if len(g.steady) > 0 {
		steady = "f.phase = " + g.RT("Phase") + "{}\n"
	}
	body := begin + g.Enter(e, "scale", fail+"err)") + g.enterStream(e, "f.belief") + run + g.multiply(e, fail, "scale") +
		g.leaveStream(e, "f.belief") + "f.n++\n" + steady + "if out != nil {\n" + g.CopyAll(e) + "out.LogP = f.LogProb()\n}\nreturn nil"
	g.Func(source.Doc(comment), "(e *Engine) "+name+args, body)
}

// beginEvidence is the statement with which methods begin that read evidence beside entering it.
const beginEvidence = "if ev == nil {\n\tev = new(Evidence)\n}\n"

// filterBelief declares a method of Engine that makes a later step of a filter without posteriors,
// and the function that says for which evidence.
func (g *Methods) filterBelief(e *ir.Entry) {
	const fail = "\treturn "
	l := g.Loader(e)
	begin, steady := "", ""
	if len(e.Stream.Columns) > 0 {
		begin = beginEvidence
	}
	if s := g.steady[e.Query.Name]; s != nil {
		g.seenFunc(s)
		g.keepSteady(s)
		begin, steady = beginEvidence, s.noteSteady()
	} else if len(g.steady) > 0 {
		steady = "f.phase = " + g.RT("Phase") + "{}\n"
	}
	g.Func(source.Doc("filterBelief makes a later step of f without posteriors, for evidence that leaves the variables that persist unobserved."),
		"(e *Engine) filterBelief(f *Filter, ev *Evidence) error",
		begin+fmt.Sprintf("if _, err := e.%s(ev, nil); err != nil {\n%serr\n}\n", l.Func, fail)+g.Narrow(l)+g.enterStream(e, "f.belief")+g.enterColumns(e)+
			g.Run(e, e.Blocks)+g.tooSmall(e)+g.multiply(e, fail)+g.leaveStream(e, "f.belief")+"f.n++\n"+steady+"return nil")
	var seen []string
	for _, v := range g.Model.Transition.Before {
		if x := g.Names.Of(v); x != nil && !x.Var.Given {
			seen = append(seen, x.Port.Observed("ev."+x.ID))
		}
	}
	body := "return true"
	if len(seen) > 0 {
		body = "return ev == nil || !(" + strings.Join(seen, " || ") + ")"
	}
	g.Func(source.Doc("leavesHidden reports whether ev has no observation of a variable that persists."), "leavesHidden(ev *Evidence) bool", body)
}

// tooSmall returns the statements that leave a step to filterNext if the belief was divided by a
// root whose reciprocal may overflow.
func (g *Methods) tooSmall(e *ir.Entry) string {
	divided := func(s ir.Step) bool { _, ok := s.(*ir.Invert); return ok }
	if !slices.ContainsFunc(e.Blocks, func(b int) bool { return slices.ContainsFunc(g.Program.Blocks[b].Steps, divided) }) {
		return ""
	}
	return fmt.Sprintf("if e.work()[%d] < 0x1p-1000 {\n\treturn e.filterNext(f, ev, nil, nil)\n}\n", g.Program.Spans[e.Root].Offset)
}

// enterColumns returns the statements that set the columns of e by the evidence.
func (g *Methods) enterColumns(e *ir.Entry) string {
	const whole = 16 // the largest array that the Go compiler copies without a call
	b := &strings.Builder{}
	for _, c := range e.Stream.Columns {
		to, row := &g.Program.Spans[c.To], g.ColumnRow(c, "ev")
		switch {
		case g.Program.Align > 0:
			fmt.Fprintf(b, g.RT("CopyVectors")+"(%s, %s[:%d])\n", api.Slice("e.work()", to), row, to.Len)
		case to.Len <= whole:
			fmt.Fprintf(b, "*(*[%d]float64)(%s) = *(*[%[1]d]float64)(%[3]s)\n", to.Len, api.Slice("e.work()", to), row)
		default:
			fmt.Fprintf(b, "copy(%s, %s)\n", api.Slice("e.work()", to), row)
		}
	}
	return b.String()
}

// multiply returns the statements that multiply the probability of the evidence so far by the
// result of e, and return an error by fail if they cannot. The expressions of more are added to the
// logarithm.
func (g *Methods) multiply(e *ir.Entry, fail string, more ...string) string {
	end := func(err string) string {
		if strings.HasSuffix(fail, ", ") {
			err += ")"
		}
		return fail + err
	}
	list := append(g.BesideRoot(e), more...)
	if len(list) == 0 {
		list = append(list, "0")
	}
	logP := strings.Join(list, " + ")
	if len(e.Logs) == 0 {
		return g.Root(e, end("ErrImpossible")) + "f.multiply(root, " + logP + ")\n"
	}
	// The root may be infinite: a value that is a function of others is fixed.
	return fmt.Sprintf("root := e.work()[%d]\nif !(root > 0 && root <= "+g.Std("math.MaxFloat64")+") {\n%s\n}\n", g.Program.Spans[e.Root].Offset, end(g.RT("RootError")+"(root)")) +
		"logP := " + logP + "\nif err := " + g.RT("CheckLog") + "(logP); err != nil {\n" + end("err") + "\n}\nf.multiply(root, logP)\n"
}

// steps declares Step and Steps.
func (g *Methods) steps() {
	g.Func(source.Doc("Step enters the evidence on the next slice; ev and soft may be nil. Unless out is nil, it sets out to the posterior of each",
		"variable of the slice given the evidence so far, and LogP to LogProb; without out it may take less time. An error leaves f as it was,",
		"and all posteriors of out 0."),
		"(f *Filter) Step(ev *Evidence, soft *Soft, out *Marginals) error", ownEngine+"return f.e.step(f, ev, soft, out)")
	belief := ""
	if g.Program.Entry(ir.FilterBelief) != nil {
		steady := ""
		if s := g.steady[ir.FilterBelief]; s != nil {
			steady = "if ev != nil {\n" + g.steadyStep(s, "return nil") + "}\n"
		}
		belief = "if out == nil && soft == nil && leavesHidden(ev) {\n" + steady + "if f.n > 0 {\n\treturn e.filterBelief(f, ev)\n}\n}\n"
	}
	g.Func(source.Doc("step makes a step of f in the memory of e."), "(e *Engine) step(f *Filter, ev *Evidence, soft *Soft, out *Marginals) error", belief+`if f.n == 0 {
	return e.filterFirst(f, ev, soft, out)
}
return e.filterNext(f, ev, soft, out)`)
	switch {
	case g.many.forward != nil:
		g.stepsForward(g.many.forward)
	case g.Steps != nil:
		g.stepsInLanes(g.Steps)
	case g.many.wide != nil:
		g.stepsWide(g.many.wide)
	default:
		g.stepsOneByOne()
	}
	g.SoftOf()
	g.failSlice()
}

// failSlice declares the function that ends a step that failed.
func (g *Methods) failSlice() {
	g.Func(source.Doc("failSlice sets out, which may be nil, to the answer of a step that failed, and returns err."), "failSlice(out *Marginals, err error) error",
		"if out != nil {\n\t*out = Marginals{LogP: "+g.Std("math.Inf")+"(-1)}\n}\nreturn err")
}

// belief declares Belief.
func (g *Methods) belief() {
	g.Func(source.Doc("Belief sets out to the posteriors of the variables that persist, "+g.persisting()+", of the last slice given the evidence so far,",
		"and LogP to LogProb. The other posteriors are 0, since a Filter does not hold them; Step has them. Before slice 0 all are 0."),
		"(f *Filter) Belief(out *Marginals)", "*out = Marginals{LogP: f.LogProb()}\n"+g.kept.fill(g))
}

// predict declares Predict of a type, unless slices have given variables. It makes the steps of
// branch, a copy that the statements of copied make. Its comment ends with last, if not empty.
func (g *Methods) predict(typ, what, copied, last string) {
	if slices.ContainsFunc(g.Model.Vars, func(v *model.Var) bool { return v.Given }) {
		return // their values belong to each slice: steps of a copy predict
	}
	x := strings.ToLower(typ[:1])
	g.Func(source.Doc("Predict sets out to "+what+" of the variables of a slice to come given the evidence so far: of the next slice if ahead is 1,",
		strings.TrimSpace("which is the least. "+x+" stays as it is. "+last)), "("+x+" *"+typ+") Predict(ahead int, out *Marginals) error", `
if ahead < 1 {
	return failSlice(out, names.Fail("asked for the slice " + `+g.Std("strconv.Itoa")+`(ahead) + " ahead; want 1 or more", nil))
}
`+copied+`for range ahead - 1 {
	if err := branch.Step(nil, nil, nil); err != nil {
		return failSlice(out, err)
	}
}
return branch.Step(nil, nil, out)`)
}

// ownEngine is the statement with which methods of Filter begin that need an engine.
const ownEngine = "if f.e == nil {\n\tf.e = New()\n}\n"

// filterBinary declares the binary form of filters.
func (g *Methods) filterBinary() {
	g.binaryForm("Filter", "the filter", "a filter", "of f", g.RT("AppendFilter")+"(b, fingerprint, f.n, f.LogProb(), f.belief[:])", fmt.Sprintf(`
var belief [%d]float64
n, logP, err := %s(data, fingerprint, belief[:], %s)
if err != nil {
	return names.Wrap(err)
}
*f = Filter{e: f.e, belief: belief, logP: logP, root: 1, n: n}
return nil`, g.kept.size, g.RT("ReadFilter"), g.kept.tables()))
}

// binaryForm declares the constant fingerprint, and the methods that write and read the binary form
// of a type, with the expression that appends it to b and the body that reads data. The texts are
// parts of comments.
func (g *Methods) binaryForm(typ, sets, data, of, write, read string) {
	g.Out.Comment("// fingerprint tells the model from others in the binary form of filters.")
	g.Out.Const().Id("fingerprint").Op("=").Id(fmt.Sprintf("%#x", g.fingerprint()))
	g.Out.Line()
	x := strings.ToLower(typ[:1])
	on := "(" + x + " *" + typ + ") "
	g.Func(source.Doc("AppendBinary appends the binary form "+of+" to b. The error is nil."), on+"AppendBinary(b []byte) ([]byte, error)", "return "+write+", nil")
	g.Func(source.Doc("MarshalBinary returns the binary form of "+x+". The error is nil."), on+"MarshalBinary() ([]byte, error)", "return "+x+".AppendBinary(nil)")
	g.Func(source.Doc("UnmarshalBinary sets "+x+" to "+sets+" with the given binary form; "+x+" keeps its engine. Data that is not that of "+data+" of this",
		"model is refused with ErrFilter, and "+x+" stays as it was."), on+"UnmarshalBinary(data []byte) error", read)
}

// fingerprint returns a hash of the model: its variables, and its numbers.
func (g *Methods) fingerprint() uint64 {
	h := fnv.New64a()
	for _, v := range g.Model.Vars {
		fmt.Fprintf(h, "%q %q %v\n", v.Name, g.Model.States(v.ID), v.Given)
	}
	fmt.Fprintln(h, g.Model.Transition.Before)
	for _, f := range slices.Concat(g.Model.Factors, g.Model.Transition.Factors) {
		numbers := any(f.Dist.Numbers())
		if d, ok := f.Dist.(*model.Deterministic); ok {
			numbers = d.States
		}
		fmt.Fprintln(h, f.Scope, f.Child, numbers)
	}
	if g.kept.clusters != nil {
		fmt.Fprintln(h, g.kept.clusters)
	}
	return h.Sum64()
}

// PackageDoc returns the part of the package comment that shows how to follow a sequence. It is
// empty without filters.
func (g *Methods) PackageDoc() []string {
	p := g.Package
	follows, begin, was := "A Filter follows", "NewFilter()", "filter is what it was"
	end := []string{"Without &m a step computes the belief alone. Many sequences need one engine for each goroutine, and a Filter, which is a value, for",
		"each sequence; see Steps."}
	switch {
	case g.Program.Entry(ir.FilterFirst) == nil:
		return nil
	case DrawnSlice(g.Program) != nil:
		follows, begin, was = "Particles follow", "NewParticles(1000, 1)", "particles are what they were"
		end = []string{"Estimates approach the posteriors as particles grow; f.ESS() says how many count."}
	}
	return append([]string{
		"",
		"The model is a template of a sequence. " + follows + " one, a slice with each step:",
		"",
		"    f := " + p + "." + begin,
		"    var m " + p + ".Marginals",
		"    for _, ev := range sequence { // []" + p + ".Evidence",
		"        if err := f.Step(&ev, nil, &m); err != nil {",
		"            return err // the " + was + " before",
		"        }",
		"    }",
		"",
	}, end...)
}
