package stream

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// smoothHistories declares the methods of Engine that go back over a slice with a belief that is a
// mixture over histories, along each history that remains after the last slice. It returns how
// packages smooth with them.
func (g *Methods) smoothHistories(first *ir.Entry) *smoothing {
	g.backAlong(first, "smoothFirst")
	g.backAlong(g.Program.Entry(ir.SmoothNext), "smoothNext")
	h := g.past
	return &smoothing{
		filter: "Filter",
		fields: []jen.Code{jen.Id("back").Op("*").Id(g.RT("BackHistories")), jen.Id("frames").Index().Id(g.RT("HistoryFrame"))},
		holds:  fmt.Sprintf(": of each slice its histories, of %d bytes each, and how they came about, of 16 bytes for each way.", 8*h.each()),
		follows: ": it follows a sequence and answers about each slice when some more slices are known. Its memory is that of the histories of lag+2 " +
			"slices; a step allocates only if it has more of them than slices before.",
		exact: append([]string{""}, h.backText()...),
		of:    "the posteriors", prob: "the probability",
		begin: fmt.Sprintf("if s.back == nil {\n\ts.back = %s(historyOptions().Cards, %d)\n}\nfor len(s.frames) < n {\n\ts.frames = append(s.frames, %s{})\n}\ns.f.Use(e)\ns.f.Reset()",
			g.RT("NewBackHistories"), maxGrowthNumbers/h.each(), g.RT("HistoryFrame")),
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
here := &s.frames[t%len(s.frames)]
if t == 0 {
	return s.f.e.smoothFirst(s.back, here, nil, ev, soft, out)
}
return s.f.e.smoothNext(s.back, here, &s.frames[(t-1)%len(s.frames)], ev, soft, out)`,
		save: "logP, past := l.s.f.logP, l.s.f.past\n",
		restore: `l.s.f.n, l.s.f.logP, l.s.f.past = t, logP, past
	before := new(` + g.RT("HistoryFrame") + `)
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
func (g *Methods) backAlong(e *ir.Entry, name string) {
	const fail = "return failSlice(out, err)"
	g.Func(source.Doc(name+" goes back over a slice; see over."),
		fmt.Sprintf("(e *Engine) %s(b *%s, here, before *%s, ev *Evidence, soft *Soft, out *Marginals) error", name, g.RT("BackHistories"), g.RT("HistoryFrame")),
		g.EnterOnly(e, fail)+g.historyProgram(e, true)+g.posteriors(e)+
			"if err := b.Over(&x, here, before); err != nil {\n"+fail+"\n}\n"+g.CopyAll(e)+"return nil")
}
