package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Queued returns the loop with a queue, or nil.
func (g *Methods) Queued() *ir.Loop {
	for _, e := range g.Program.Entries {
		if e.Loop != nil && e.Loop.Queue != nil {
			return e.Loop
		}
	}
	return nil
}

// Worklist returns the runtime's type of the queue.
func (g *Methods) Worklist() string {
	if g.Queued().Priority {
		return "Priorities"
	}
	return "Worklist"
}

// Beliefs declares a query that a loop answers with marginals, the type of its options, and the
// bound of its answer if there is one.
func (g *Methods) Beliefs(e *ir.Entry) {
	name := e.Query.By.GoName
	g.runOptions(e, map[string]any{"Iterations": e.Loop.Iterations, "Tolerance": e.Loop.Tolerance, "Damping": e.Loop.Damping})
	g.loop(e, name)
	if e.Loop.Improper != ir.NoSpan {
		g.Func(source.Doc(name+"Improper returns the number of messages that the last iteration of the last "+name+" left out because they were no proper",
			"distribution, such as a normal distribution with a negative variance. With such messages, answers may be far off."), fmt.Sprintf("(e *Engine) %sImproper() int", name),
			fmt.Sprintf("return int(%s)", g.At(e.Loop.Improper)))
	}
	if e.Loop.Bound == ir.NoSpan {
		return
	}
	g.Func(source.Doc(name+"Bound returns an upper bound of the Kullback-Leibler divergence, in nats, from the joint posterior to the distribution that the",
		"last successful "+name+" put in its place. It returns +Inf if a CPD lost two edges, because no bound is known for that."), fmt.Sprintf("(e *Engine) %sBound() float64", name),
		fmt.Sprintf("return "+g.RT("LoopBound")+"(%s)", g.At(e.Loop.Bound)))
}

// runOptions declares the type of the options of a run of e, with the given defaults by the name of
// the runtime's field. It returns the elements of a literal that sets the runtime's options from
// opt, one for each field.
func (g *Methods) runOptions(e *ir.Entry, defaults map[string]any) (set []string) {
	by := e.Query.By
	g.Out.Add(source.Doc(fmt.Sprintf("%sOptions holds the options of %s. A zero field means the default.", by.GoName, by.GoName)))
	g.Out.Type().Id(by.GoName + "Options").StructFunc(func(s *jen.Group) {
		for _, o := range by.Options {
			text := fmt.Sprintf("// %s; by default %v", o.Doc, defaults[o.Field])
			if o.Note != "" {
				text += "; " + o.Note
			}
			s.Id(o.Name).Id(o.Type).Comment(text)
			set = append(set, o.Field+": opt."+o.Name)
		}
	})
	g.Out.Line()
	return set
}

// loop declares the method of a query that a loop answers with marginals.
func (g *Methods) loop(e *ir.Entry, name string) {
	l := e.Loop
	lines := slices.Clone(e.Query.By.DocFor(g.Model.Kind == model.Markov))
	lines[0] = name + " " + lines[0]
	none, scale, logP, lost := "", "_", "", "" // for a dependency network, whose Marginals have no LogP
	if g.Model.Kind != model.Dependency {
		none, scale, lost = "LogP: "+g.Std("math.Inf")+"(-1)", "scale", " and LogP is -Inf"
		logP = fmt.Sprintf("out.LogP = %s\n", g.loopLogP(e))
	}
	lines = append(lines, "It iterates. The report holds the number of iterations, and whether they converged; if not, out is the result of the last one.", "",
		"The error is ErrOptions if an option is out of range, and ErrImpossible if the evidence has probability zero. If ctx ends, its error",
		"is returned before the next round. On failure all posteriors are 0"+lost+".")
	fail := "\t*out = Marginals{" + none + "}\n\treturn report, "
	if l.Queue != nil {
		g.items(e)
	}
	failed := "if err != nil {\n" + fail + "err\n}\n"
	g.Func(source.Doc(lines...), fmt.Sprintf("(e *Engine) %s(ctx "+g.Std("context.Context")+", ev *Evidence, soft *Soft, opt %sOptions, out *Marginals) (Report, error)", name, name),
		"var report Report\n"+
			fmt.Sprintf("o, err := "+g.RT("LoopOptions")+"(opt).With("+g.RT("LoopOptions")+"{Iterations: %d, Tolerance: %v, Damping: %v})\n", l.Iterations, l.Tolerance, l.Damping)+failed+
			g.enterLoop(e, scale)+failed+g.Narrow(g.Loader(e))+
			fmt.Sprintf("%s = o.Damping\n", g.At(l.Rate))+g.Run(e, e.Blocks[:l.First])+
			g.rounds(e, fmt.Sprintf("if err := ctx.Err(); err != nil {\n%serr\n}\n", fail))+g.Run(e, e.Blocks[l.End:])+
			g.loopRoot(e, fail+"ErrImpossible")+
			g.CopyAll(e)+logP+g.leftOut(l)+"return report, nil")
}

// loopRoot returns the statements that run fail if the evidence is impossible.
func (g *Methods) loopRoot(e *ir.Entry, fail string) string {
	if e.Rooted() {
		return g.Root(e, fail)
	}
	return fmt.Sprintf("if %s == 0 {\n%s\n}\n", g.At(e.Root), fail)
}

// loopLogP returns the expression of ln P after a loop.
func (g *Methods) loopLogP(e *ir.Entry) string {
	if e.Rooted() {
		return g.LogOf(e)
	}
	return g.At(e.Loop.LogP) + " + scale" + g.MinusLogZOf(e)
}

// leftOut returns the statement that notes messages which the last iteration of l left out.
func (g *Methods) leftOut(l *ir.Loop) string {
	if l.Improper == ir.NoSpan {
		return ""
	}
	return fmt.Sprintf("report.LeftOut(%s)\n", g.At(l.Improper))
}

// rounds returns the statements that run the blocks of a loop until they converge. The text check
// returns early if ctx has ended.
func (g *Methods) rounds(e *ir.Entry, check string) string {
	l := e.Loop
	if l.Queue == nil {
		return fmt.Sprintf("for again := true; again; again = o.Round(&report, %s) {\n", g.At(l.Residual)) + check + g.Run(e, e.Blocks[l.First:l.End]) + "}\n"
	}
	return "w := e.queue\nw.Start()\nfor i, ok := w.Next(&o, &report); ok; i, ok = w.Next(&o, &report) {\n" + check +
		fmt.Sprintf("e.runItem(i)\nw.Ran(&o, %s, pushes[i])\n}\n", g.At(l.Residual))
}

// items declares the blocks that each item of a queue runs, and the items that it pushes.
func (g *Methods) items(e *ir.Entry) {
	run, push := &strings.Builder{}, &strings.Builder{}
	for i := range e.Loop.Queue {
		fmt.Fprintf(run, "case %d:\n%s", i, g.Run(e, e.ItemBlocks(i)))
		fmt.Fprintf(push, "{%s},\n", strings.Trim(strings.ReplaceAll(fmt.Sprint(e.Loop.Queue[i].Push), " ", ", "), "[]"))
	}
	g.Out.Add(source.Doc("pushes lists for each item of the queue the items that must run again after it has changed what they read."))
	g.Out.Var().Id("pushes").Op("=").Index(jen.Op("...")).Index().Int32().Id("{\n" + push.String() + "}")
	g.Out.Line()
	g.Func(source.Doc("runItem runs one item of the queue."), "(e *Engine) runItem(i int)", "switch i {\n"+run.String()+"}")
}

// enterLoop returns the statement that enters evidence. A variable err has been declared before it.
func (g *Methods) enterLoop(e *ir.Entry, scale string) string {
	if scale == "_" {
		return fmt.Sprintf("_, err = e.%s(ev, soft)\n", g.Loader(e).Func)
	}
	return fmt.Sprintf("%s, err := e.%s(ev, soft)\n", scale, g.Loader(e).Func)
}
