package codegen

import (
	"fmt"
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

// bp declares the query of that name.
func (g *generator) bp(e *ir.Entry) {
	g.loop(e, "BP", "sets out to approximate posteriors by belief propagation, given ev and soft, which may be nil, and LogP to the Bethe",
		"estimate of the logarithm of their probability.")
}

// meanField declares the query of that name.
func (g *generator) meanField(e *ir.Entry) {
	bound := "a lower bound of the logarithm of their probability."
	if g.m.Kind == model.Markov {
		bound = "an estimate of the logarithm of their probability: a lower bound of ln Z given them, less that of ln Z."
	}
	g.loop(e, "MeanField", "sets out to the nearest distribution of independent variables that was found, given ev and soft, which may be nil, and LogP to", bound)
}

// edgeDeletion declares the query of that name.
func (g *generator) edgeDeletion(e *ir.Entry) {
	lines := []string{"sets out to approximate posteriors, given ev and soft, which may be nil, and LogP to an estimate of the logarithm of",
		"their probability, by a clique tree of the network without some of its edges, for which what stands is fitted to the evidence."}
	g.loop(e, "EdgeDeletion", lines...)
	if e.Loop.Bound == ir.NoSpan {
		return
	}
	g.fn(doc("EdgeDeletionBound bounds the divergence KL of the posterior of all variables together from what the last EdgeDeletion that succeeded put",
		"in its place, in nats. It is +Inf where a CPD lost two edges, of which nothing is known."), "(e *Engine) EdgeDeletionBound() float64",
		fmt.Sprintf("return "+g.rt("LoopBound")+"(%s)", g.at(e.Loop.Bound)))
}

// loop declares a query that a loop answers, and the type of its options.
func (g *generator) loop(e *ir.Entry, name string, lines ...string) {
	l := e.Loop
	g.out.Add(doc(fmt.Sprintf("%sOptions say how %s goes; a field that is zero means the default.", name, name)))
	g.out.Type().Id(name+"Options").Struct(
		jen.Id("Iterations").Int().Comment(fmt.Sprintf("// at most so many rounds; by default %d", l.Iterations)),
		jen.Id("Tolerance").Float64().Comment(fmt.Sprintf("// end after a round that changes no number by more; by default %v; negative: never", l.Tolerance)),
		jen.Id("Damping").Float64().Comment(fmt.Sprintf("// the share of the old value in a new one, below 1; by default %v; negative: none", l.Damping)),
	)
	g.out.Line()
	lines[0] = name + " " + lines[0]
	lines = append(lines, "It iterates: the report says how often, and whether that has settled; where it has not, out is of the last round.", "",
		"Options out of range give ErrOptions, and a context that is done its error, before the next round. On failure all numbers are 0, and",
		"LogP, where there is one, is -Inf.")
	fail := "\t*out = Marginals{LogP: " + g.std("math.Inf") + "(-1)}\n\treturn report, "
	scale, logP := "scale", fmt.Sprintf("out.LogP = %s + scale%s\n", g.at(l.LogP), g.minusLogZ())
	if g.m.Kind == model.Dependency {
		fail, scale, logP = "\t*out = Marginals{}\n\treturn report, ", "_", ""
	}
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
