package stream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// checkHistoryPath refuses the search for paths along histories that take too much memory.
func checkHistoryPath(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if e.Query.Name != ir.MaxNext {
		return answer.CheckState(m, p, e)
	}
	return checkHistoryNumbers(m, p, e)
}

// historyPath declares Viterbi for a network of real and discrete variables. On the way forward the
// histories of a slice have the largest densities of paths that end in them; on the way back the
// best values of a slice are means given those of the slice after it.
func (g *Methods) historyPath(first *ir.Entry) {
	if g.Program.Entry(ir.FilterFirst) == nil {
		g.historyOptions()
	}
	g.bestHistories(first, "maxFirst")
	g.bestHistories(g.Program.Entry(ir.MaxNext), "maxNext")
	g.traceHistory(g.Program.Entry(ir.TraceFirst), "traceFirst")
	g.traceHistory(g.Program.Entry(ir.TraceNext), "traceNext")
	h := g.past
	g.viterbiBuffer(jen.Id("growth").Op("*").Id(g.RT("Growth")), jen.Id("frames").Index().Id(g.RT("HistoryFrame")))
	g.pathBy(&pathSearch{
		of: "a state or the value of each variable",
		begin: fmt.Sprintf(`if len(evs) == 0 {
	return 0, nil
}
if buf.growth == nil {
	opt := historyOptions()
	opt.Best = true
	buf.growth = %s(opt, %d)
	buf.growth.Recall(true)
}
for len(buf.frames) < len(evs) {
	buf.frames = append(buf.frames, %s{})
}
`, g.RT("NewGrowth"), h.room(), g.RT("HistoryFrame")),
		max:  [2]string{"err = e.maxFirst(buf.growth, nil, &evs[t], softOf(soft, t))", "err = e.maxNext(buf.growth, buf.frames[t-1].List(), &evs[t], softOf(soft, t))"},
		kept: "buf.growth.Keep(nil)\nbuf.frames[t].Copy(buf.growth)\nlogp += buf.growth.LogKept()\n",
		end: fmt.Sprintf(`at, weight, moments := buf.frames[len(evs)-1].Best()
logp += %s(weight)
var after [%d]float64
copy(after[:%d], moments)
`, g.RT("Ln"), h.moments, len(h.real)),
		trace: [2]string{"err = e.traceFirst(nil, buf.frames[t].Edges(at)[0], &after, &evs[t], softOf(soft, t), &out[t])",
			"err = e.traceNext(&buf.frames[t-1], buf.frames[t].Edges(at)[0], &after, &evs[t], softOf(soft, t), &out[t])"},
		traced: "at = int(buf.frames[t].Edges(at)[0].From)\n",
	})
}

// bestHistories declares a method of Engine that makes a step of the search for the most probable
// path.
func (g *Methods) bestHistories(e *ir.Entry, name string) {
	g.Func(source.Doc(name+" enters into g what the histories before a slice lead to, by the largest density of a path that ends in each."),
		fmt.Sprintf("(e *Engine) %s(g *%s, before []float64, ev *Evidence, soft *Soft) error", name, g.RT("Growth")),
		g.Enter(e, "scale", "return err")+g.historyProgram(e, false)+"return g.Grow(&x, before)")
}

// traceHistory declares a method of Engine that chooses the states and values of a slice.
func (g *Methods) traceHistory(e *ir.Entry, name string) {
	b := &strings.Builder{}
	b.WriteString(g.EnterOnly(e, "return err") + g.historyProgram(e, true) + "if err := x.Along(before, way, after[:]); err != nil {\n\treturn err\n}\ne.readStates(out)\n")
	reals := g.Model.Reals()
	for _, x := range g.Names.Observable() {
		if k := slices.Index(reals, x.Var.ID); k >= 0 {
			fmt.Fprintf(b, "out.%s = Obs(w[%d])\n", x.ID, g.Program.Spans[e.Stream.Out[0]].Offset+k)
		}
	}
	if n := len(g.past.real); e.Query.Name == ir.TraceNext && n > 0 {
		fmt.Fprintf(b, "copy(after[:%d], w[%d:])\n", n, g.Program.Spans[e.Stream.Out[1]].Offset)
	}
	g.Func(source.Doc(name+" chooses the states and values of a slice along a way to its history, given the values after it of the real variables that",
		"persist, in place of which it sets those before it."),
		fmt.Sprintf("(e *Engine) %s(before *%s, way %s, after *[%d]float64, ev *Evidence, soft *Soft, out *Assignment) error", name, g.RT("HistoryFrame"), g.RT("HistoryEdge"), g.past.moments),
		b.String()+"return nil")
}
