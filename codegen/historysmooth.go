package codegen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
)

// smoothHistories declares the methods of Engine that go back over a slice with a belief that is a
// mixture over histories, along each history that remains after the last slice. It returns how
// packages smooth with them.
func (g *generator) smoothHistories(first *ir.Entry) *smoothing {
	g.backAlong(first, "smoothFirst")
	g.backAlong(g.p.Entry(ir.SmoothNext), "smoothNext")
	h := g.past
	return &smoothing{
		filter: "Filter",
		fields: []jen.Code{jen.Id("back").Op("*").Id(g.rt("BackHistories")), jen.Id("frames").Index().Id(g.rt("HistoryFrame"))},
		holds:  fmt.Sprintf(": of each slice its histories, of %d bytes each, and how they came about, of 16 bytes for each way.", 8*h.each()),
		follows: ": it follows a sequence and answers about each slice when some more slices are known. Its memory is that of the histories of lag+2 " +
			"slices; a step allocates only if it has more of them than slices before.",
		exact: append([]string{""}, h.backText()...),
		of:    "the posteriors", prob: "the probability",
		begin: fmt.Sprintf("if s.back == nil {\n\ts.back = %s(historyOptions().Cards, %d)\n}\nfor len(s.frames) < n {\n\ts.frames = append(s.frames, %s{})\n}\ns.f.Use(e)\ns.f.Reset()",
			g.rt("NewBackHistories"), maxGrowthNumbers/h.each(), g.rt("HistoryFrame")),
		forward: `
e := s.f.e
e.growth.Recall(true)
err := e.step(&s.f, ev, soft, nil)
e.growth.Recall(false)
if err == nil {
	s.frames[t%len(s.frames)].Copy(e.growth)
}
return err`,
		start: "s.back.Start(&s.frames[last%len(s.frames)])",
		over: `
s.back.Slice(&s.frames[t%len(s.frames)])
var err error
if t == 0 {
	err = s.f.e.smoothFirst(s.back, ev, soft, out)
} else {
	err = s.f.e.smoothNext(s.back, &s.frames[(t-1)%len(s.frames)], ev, soft, out)
}
s.back.Enter()
if err != nil {
	return failSlice(out, err)
}
return nil`,
		save: "logP, past := l.s.f.logP, l.s.f.past\n",
		restore: `l.s.f.n, l.s.f.logP, l.s.f.past = t, logP, past
	before := new(` + g.rt("HistoryFrame") + `)
	if t > 0 {
		before = &l.s.frames[(t-1)%len(l.s.frames)]
	}
	before.Store(l.s.f.belief[:])
	`,
	}
}

// backText says how exact smoothing is.
func (h *histories) backText() []string {
	if h.mayRefuse {
		return []string{"The posteriors are exact."}
	}
	return []string{"Until histories are left out, the posteriors are exact. Then the histories of early slices are the ancestors of those that remain",
		"after the last one: fewer, the further back."}
}

// backAlong declares a method of Engine that goes back over a slice: a run for each way to a
// history of the slice.
func (g *generator) backAlong(e *ir.Entry, name string) {
	later := e.Query.Name == ir.SmoothNext
	test, text := g.impossible(e, fmt.Sprintf("w[%d]", g.p.Spans[e.Root].Offset), "\treturn ErrImpossible")
	b := &strings.Builder{}
	b.WriteString(g.enterOnly(e, "return err") + "w := e.work()\nfor b.Next() {\n")
	b.WriteString(g.enterEdge(e, later, "b.Edge()", "b.After()") + g.run(e, e.Blocks))
	fmt.Fprintf(b, "if %s {\n%s\n}\n", test, text)
	for _, x := range g.ids.Observable() {
		fmt.Fprintf(b, "b.Mix(%s)\n", slice("w", &g.p.Spans[out(g.p, e, x.Var.ID)]))
	}
	before := ""
	if later {
		before = "before *" + g.rt("HistoryFrame") + ", "
		moments := "nil"
		if g.past.moments > 0 {
			moments = slice("w", &g.p.Spans[e.Stream.Out[0]])
		}
		fmt.Fprintf(b, "if err := b.Leave(%s); err != nil {\n\treturn err\n}\n", moments)
	}
	b.WriteString("}\n" + g.mixedAnswers(e, "b") + "return nil")
	g.fn(doc(name+" goes back over a slice; see over."),
		fmt.Sprintf("(e *Engine) %s(b *%s, %sev *Evidence, soft *Soft, out *Marginals) error", name, g.rt("BackHistories"), before), b.String())
}

// enterEdge returns the statements that enter a way to a history of the slice of e, by an
// expression, and the moments after the slice. If there is a slice before, its histories are in
// before.
func (g *generator) enterEdge(e *ir.Entry, later bool, edge, after string) string {
	text, in := "", e.Stream.In
	if later {
		text, in = g.enterHistory(e, "before.State(int(edge.From))", "before.Moments(int(edge.From))"), in[1:]
	}
	if g.past.moments > 0 {
		if later {
			in = in[1:]
		}
		text += fmt.Sprintf("copy(%s, %s)\n", slice("w", &g.p.Spans[in[0]]), after)
		in = in[1:]
	}
	if len(in) > 0 {
		chosen := &g.p.Spans[in[0]]
		text += fmt.Sprintf("clear(%s)\nw[%d+int(edge.Element)] = 1\n", slice("w", chosen), chosen.Offset)
	}
	if strings.Contains(text, "edge.") && edge != "edge" {
		text = "edge := " + edge + "\n" + text
	}
	return text
}
