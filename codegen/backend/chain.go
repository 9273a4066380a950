package backend

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// What is written out of a step that draws: one variable of so many states at the most, from so many tables.
const (
	drawnStates = 16
	drawnTables = 8
)

// ChainStep is the statements that run a step which only samplers have; empty for other steps. The draw of one variable is
// written out, everything else is code for the runtime's tape machine. memory is as for LoopStep, and stateful is called where the
// statements use the memory of states.
func ChainStep(out *Output, step ir.Step, memory func(ir.SpanID) string, stateful func()) string {
	if _, ok := step.(*ir.Fold); ok {
		return fold(out.Program, step.(*ir.Fold), memory)
	}
	if s, ok := step.(*ir.Resample); ok && writtenOut(s) {
		stateful()
		return draw(out.Program, s, memory)
	}
	if k, ok := step.(*ir.Kernel); ok {
		stateful()
		for _, id := range append(ir.ReadSpans(step), ir.WriteSpans(step)...) {
			memory(id)
		}
		start := len(*out.Ints)
		*out.Ints = AppendKernel(*out.Ints, out.Program, k)
		return fmt.Sprintf("pgmrt.%s(e.k[%d:%d], s[:], p[:], t[:], e.rng)", k.Func, start, len(*out.Ints))
	}
	start := len(*out.Ints)
	code := AppendChain(*out.Ints, out.Program, step)
	if len(code) == start {
		return ""
	}
	*out.Ints = code
	machine := "RunChainTape"
	if _, ok := step.(*ir.Trial); ok {
		machine = "RunTrialTape"
	}
	stateful()
	s, p := "nil", "nil"
	for _, id := range append(ir.ReadSpans(step), ir.WriteSpans(step)...) {
		if mem := memory(id); mem == "p" {
			p = "p[:]"
		} else {
			s = "s[:]"
		}
	}
	return fmt.Sprintf("pgmrt.%s(e.k[%d:%d], %s, %s, t[:], e.rng)", machine, start, len(code), s, p)
}

// writtenOut reports whether the draw of s has a text of its own.
func writtenOut(s *ir.Resample) bool {
	vars, states := s.Drawn()
	return vars == 1 && states <= drawnStates && len(s.In) <= drawnTables && len(s.Trees) == 0 && !s.Scaled && s.Tallies[0] != ir.NoSpan
}

// draw has a pointer to the row of each table, so that bounds are checked once, and an array of the products.
func draw(p *ir.Program, s *ir.Resample, memory func(ir.SpanID) string) string {
	b := &strings.Builder{}
	b.WriteString("{\n")
	at := p.Spans[p.State].Offset
	states := s.Axes[0].Size
	for k, in := range s.In {
		base := fmt.Sprint(p.Spans[in.Span].Offset)
		for i, a := range s.Axes[1:] {
			if n := in.Stride[1+i]; n != 0 {
				base += fmt.Sprintf("+%d*int(t[%d])", n, at+int(a.Var))
			}
		}
		fmt.Fprintf(b, "a%d := (*[%d]float64)(%s[%s:])\n", k, in.Stride[0]*(states-1)+1, memory(in.Span), base)
	}
	weights := make([]string, states)
	for i := range weights {
		var terms []string
		for k, in := range s.In {
			terms = append(terms, fmt.Sprintf("a%d[%d]", k, i*in.Stride[0]))
		}
		if weights[i] = strings.Join(terms, "*"); len(terms) == 0 {
			weights[i] = "1"
		}
	}
	state, tally := at+int(s.Axes[0].Var), &p.Spans[s.Tallies[0]]
	fmt.Fprintf(b, "w := [...]float64{%s}\n", strings.Join(weights, ", "))
	fmt.Fprintf(b, "t[%d] = pgmrt.Redraw(w[:], %s[%d:%d], t[%d], e.rng)\n}", state, memory(s.Tallies[0]), tally.Offset, tally.Offset+tally.Len, state)
	return b.String()
}

// fold calls a method of the statistics of a variable.
func fold(p *ir.Program, s *ir.Fold, memory func(ir.SpanID) string) string {
	var stats []string
	for _, id := range s.Stats {
		span := &p.Spans[id]
		stats = append(stats, fmt.Sprintf("%s[%d:%d]", memory(id), span.Offset, span.Offset+span.Len))
	}
	run := func(i int) string { return fmt.Sprintf("%s[%d]", memory(s.Run[i]), p.Spans[s.Run[i]].Offset) }
	end := fmt.Sprintf("(%s, %s, &%s, &%s, &%s)", run(1), run(2), run(3), run(4), run(5))
	call := map[ir.FoldKind]string{ir.FoldClear: "Clear()", ir.FoldBatch: fmt.Sprintf("EndBatch(%s)", run(0)), ir.FoldHalf: "EndHalf()",
		ir.FoldRun: "EndRun" + end, ir.FoldHalfReal: "EndHalfReal()", ir.FoldRunReal: "EndRunReal" + end}[s.Kind]
	return fmt.Sprintf("(&pgmrt.ChainStats{%s}).%s", strings.Join(stats, ", "), call)
}

// AppendChain appends the instruction of a step which only samplers have; nothing for other steps.
func AppendChain(code []int32, p *ir.Program, step ir.Step) []int32 {
	at := func(id ir.SpanID) int {
		if id == ir.NoSpan {
			return -1
		}
		return p.Spans[id].Offset
	}
	switch s := step.(type) {
	case *ir.Resample:
		var tallies []int
		for _, id := range s.Tallies {
			tallies = append(tallies, at(id))
		}
		return pgmrt.AppendResample(code, tapeRow(p, &s.Row), at(s.Weights), tallies, s.Scaled)
	case *ir.Seek:
		var levels []pgmrt.TapeLevel
		for i := range s.Levels {
			l := &s.Levels[i]
			levels = append(levels, pgmrt.TapeLevel{Row: *tapeRow(p, &l.Row), Weights: at(l.Weights), Back: l.Back})
		}
		return pgmrt.AppendSeek(code, at(s.Outcome), levels)
	case *ir.Trial:
		return appendTrial(code, p, s)
	case *ir.Fold:
		var stats, run [6]int
		for i := range stats {
			stats[i], run[i] = at(s.Stats[i]), at(s.Run[i])
		}
		kind := map[ir.FoldKind]pgmrt.TapeFold{ir.FoldClear: pgmrt.TapeFoldClear, ir.FoldBatch: pgmrt.TapeFoldBatch,
			ir.FoldHalf: pgmrt.TapeFoldHalf, ir.FoldRun: pgmrt.TapeFoldRun,
			ir.FoldHalfReal: pgmrt.TapeFoldHalfReal, ir.FoldRunReal: pgmrt.TapeFoldRunReal}[s.Kind]
		return pgmrt.AppendFold(code, kind, p.Spans[s.Stats[0]].Len, stats, run)
	}
	return code
}

// AppendKernel appends the words of a kernel.
func AppendKernel(code []int32, p *ir.Program, k *ir.Kernel) []int32 {
	return append(code, k.Words(p.Spans[p.State].Offset, func(id ir.SpanID) int { return p.Spans[id].Offset })...)
}

// tapeRow gives a row its places.
func tapeRow(p *ir.Program, r *ir.Row) *pgmrt.TapeRow {
	out := &pgmrt.TapeRow{}
	states := p.Spans[p.State].Offset
	for _, a := range r.Axes {
		if a.Kind == ir.AxisOut {
			out.Drawn = append(out.Drawn, pgmrt.TapeVar{Place: states + int(a.Var), Size: a.Size})
		} else {
			out.Standing = append(out.Standing, states+int(a.Var))
		}
	}
	for _, v := range r.In {
		out.Tables = append(out.Tables, pgmrt.NestView{Data: p.Spans[v.Span].ReadOnly(), Offset: p.Spans[v.Span].Offset, Stride: v.Stride})
	}
	for _, t := range r.Trees {
		tree := pgmrt.TapeTree{Data: p.Spans[t.Leaves].ReadOnly(), Offset: p.Spans[t.Leaves].Offset, Child: -1, Stride: 1}
		if t.Child >= 0 {
			tree.Child = states + int(t.Child)
		}
		for _, n := range t.Nodes {
			tree.Nodes = append(tree.Nodes, pgmrt.TapeTest{Place: states + int(n.Var), Next: n.Next})
		}
		out.Trees = append(out.Trees, tree)
	}
	return out
}

// Prices of the runtime's functions for samplers, in nanoseconds: of a draw, for a number of a table that is multiplied, and for a test
// of a tree.
const (
	nsDraw     = 12.0
	nsMultiply = .7
	nsTest     = 3.0
	nsKernel   = 1e5 // a kernel, which takes the same time wherever it is called
)

// ChainStepNS is the price of a step which only samplers have; 0 for other steps.
func ChainStepNS(p *ir.Program, step ir.Step) float64 {
	row := func(r *ir.Row) float64 {
		_, states := r.Drawn()
		ns := nsDraw + float64(nsMultiply*float64(states*(1+len(r.In))))
		for _, t := range r.Trees {
			ns += float64(nsTest * float64(states*(1+len(t.Nodes)/2)))
		}
		return ns
	}
	switch s := step.(type) {
	case *ir.Resample:
		return row(&s.Row)
	case *ir.Seek:
		ns := 0.0
		for i := range s.Levels {
			ns += row(&s.Levels[i].Row)
		}
		return ns
	case *ir.Trial:
		ns := nsLoopCall + float64(nsAdd*float64(2*len(s.Vars)))
		for i := range s.Levels {
			ns += row(&s.Levels[i].Row)
		}
		return ns
	case *ir.Fold:
		return nsLoopCall + float64(2*nsAdd*float64(p.Spans[s.Stats[0]].Len))
	case *ir.Kernel:
		return nsKernel
	}
	return 0
}
