package codegen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// loops reports whether the package answers by iteration of its own, beside that of Jeffrey.
func (g *generator) loops() bool { return g.p.Loops() }

// queued is the loop with a queue; nil where there is none.
func (g *generator) queued() *ir.Loop {
	for _, e := range g.p.Entries {
		if e.Loop != nil && e.Loop.Queue != nil {
			return e.Loop
		}
	}
	return nil
}

// worklist is the runtime's type of the queue.
func (g *generator) worklist() string {
	if g.queued().Priority {
		return "Priorities"
	}
	return "Worklist"
}

// beliefs declares a query that a loop answers by marginals, the type of its options, and the bound
// of its answer if there is one.
func (g *generator) beliefs(e *ir.Entry) {
	name := e.Query.By.GoName
	g.runOptions(e, map[string]any{"Iterations": e.Loop.Iterations, "Tolerance": e.Loop.Tolerance, "Damping": e.Loop.Damping})
	g.loop(e, name)
	if e.Loop.Bound == ir.NoSpan {
		return
	}
	g.fn(doc(name+"Bound bounds the divergence KL of the posterior of all variables together from what the last "+name+" that succeeded put",
		"in its place, in nats. It is +Inf where a CPD lost two edges, of which nothing is known."), fmt.Sprintf("(e *Engine) %sBound() float64", name),
		fmt.Sprintf("return "+g.rt("LoopBound")+"(%s)", g.at(e.Loop.Bound)))
}

// runOptions declares the type of the options of a run of e, with their defaults by the name of the
// runtime's field, and returns what sets the runtime's options from opt, an element a field.
func (g *generator) runOptions(e *ir.Entry, defaults map[string]any) (set []string) {
	by := e.Query.By
	g.out.Add(doc(fmt.Sprintf("%sOptions say how %s goes; a field that is zero means the default.", by.GoName, by.GoName)))
	g.out.Type().Id(by.GoName + "Options").StructFunc(func(s *jen.Group) {
		for _, o := range by.Options {
			text := fmt.Sprintf("// %s; by default %v", o.Doc, defaults[o.Field])
			if o.Note != "" {
				text += "; " + o.Note
			}
			s.Id(o.Name).Id(o.Type).Comment(text)
			set = append(set, o.Field+": opt."+o.Name)
		}
	})
	g.out.Line()
	return set
}

// loop declares the method of a query that a loop answers by marginals.
func (g *generator) loop(e *ir.Entry, name string) {
	l := e.Loop
	lines := slices.Clone(e.Query.By.DocFor(g.m.Kind == model.Markov))
	lines[0] = name + " " + lines[0]
	lines = append(lines, "It iterates: the report says how often, and whether that has settled; where it has not, out is of the last round.", "",
		"Options out of range give ErrOptions, and a context that is done its error, before the next round. On failure all numbers are 0, and",
		"LogP, where there is one, is -Inf.")
	none, scale, logP := "", "_", "" // of a dependency network, whose Marginals have no LogP
	if g.m.Kind != model.Dependency {
		none, scale = "LogP: "+g.std("math.Inf")+"(-1)", "scale"
		logP = fmt.Sprintf("out.LogP = %s + scale%s\n", g.at(l.LogP), g.minusLogZ())
	}
	fail := "\t*out = Marginals{" + none + "}\n\treturn report, "
	if l.Queue != nil {
		g.items(e)
	}
	failed := "if err != nil {\n" + fail + "err\n}\n"
	g.fn(doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx "+g.std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Marginals) (Report, error)", name, name),
		"var report Report\n"+
			fmt.Sprintf("o, err := "+g.rt("LoopOptions")+"(opt).With("+g.rt("LoopOptions")+"{Iterations: %d, Tolerance: %v, Damping: %v})\n", l.Iterations, l.Tolerance, l.Damping)+failed+
			g.enterLoop(e, scale)+failed+g.narrow(g.loader(e))+
			fmt.Sprintf("%s = o.Damping\n", g.at(l.Rate))+g.run(e, e.Blocks[:l.First])+
			g.rounds(e, fmt.Sprintf("if err := ctx.Err(); err != nil {\n%serr\n}\n", fail))+g.run(e, e.Blocks[l.End:])+
			fmt.Sprintf("if %s == 0 {\n%sErrImpossible\n}\n", g.at(e.Root), fail)+
			g.copyAll(e)+logP+"return report, nil")
}

// rounds is the statements that run the blocks of a loop until they settle; check gives up.
func (g *generator) rounds(e *ir.Entry, check string) string {
	l := e.Loop
	if l.Queue == nil {
		return fmt.Sprintf("for again := true; again; again = o.Round(&report, %s) {\n", g.at(l.Residual)) + check + g.run(e, e.Blocks[l.First:l.End]) + "}\n"
	}
	return "w := e.queue\nw.Start()\nfor i, ok := w.Next(&o, &report); ok; i, ok = w.Next(&o, &report) {\n" + check +
		fmt.Sprintf("e.runItem(i)\nw.Ran(&o, %s, pushes[i])\n}\n", g.at(l.Residual))
}

// items declares what the items of a queue run, and which they push.
func (g *generator) items(e *ir.Entry) {
	run, push := &strings.Builder{}, &strings.Builder{}
	for i := range e.Loop.Queue {
		fmt.Fprintf(run, "case %d:\n%s", i, g.run(e, e.ItemBlocks(i)))
		fmt.Fprintf(push, "{%s},\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(e.Loop.Queue[i].Push), " ", ", "), "[]"))
	}
	g.out.Comment("// pushes says which items of the queue have to run again once one has changed what they read.")
	g.out.Var().Id("pushes").Op("=").Index(jen.Op("...")).Index().Int32().Id("{\n" + push.String() + "}")
	g.out.Line()
	g.fn(doc("runItem runs one item of the queue."), "(e *Engine) runItem(i int)", "switch i {\n"+run.String()+"}")
}

// enterLoop is the statement that enters evidence, after an err of the same name.
func (g *generator) enterLoop(e *ir.Entry, scale string) string {
	if scale == "_" {
		return fmt.Sprintf("_, err = e.%s(ev, soft)\n", g.loader(e).fn)
	}
	return fmt.Sprintf("%s, err := e.%s(ev, soft)\n", scale, g.loader(e).fn)
}

// at is the expression of a span of one number.
func (g *generator) at(id ir.SpanID) string {
	return fmt.Sprintf("e.work()[%d]", g.p.Spans[id].Offset)
}
