package backend

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/assemble"
)

// Call returns the statements that run a step by calling the runtime, and the memories that they
// use. Some steps have a function of the runtime of their own; the others become code for the
// runtime's tape machine. ok is false for the steps that back-ends write out.
func Call(out *Output, step ir.Step) (text string, uses Memory, ok bool) {
	if _, ok := assemble.OfCall(out.Program, step); !ok {
		return "", 0, false
	}
	c := &call{out: out, p: out.Program}
	switch s := step.(type) { // the steps with a function of their own; the tape machine runs the others
	case *ir.Damp:
		text = c.damp(s)
	case *ir.Boltzmann:
		text = c.boltzmann(s)
	case *ir.Antilog:
		text = fmt.Sprintf(out.Runtime("Antilog")+"(%s, &%s, %s, %s)", c.slice(s.Out), c.number(s.Most), c.slice(s.In), c.slice(s.Weight))
	case *ir.Noise:
		text = c.noise(s)
	case *ir.Powers:
		text = c.powers(s)
	case *ir.Tally:
		text = c.tally(s)
	case *ir.UpdateStats:
		text = c.updateStats(s)
	case *ir.Resample:
		if writtenOut(s) {
			text = c.draw(s)
		}
	}
	if text == "" {
		text = c.tape(step)
	}
	return text, c.uses, true
}

// call is the state of writing a call of the runtime.
type call struct {
	out  *Output
	p    *ir.Program
	uses Memory
}

// memory returns the local variable for the memory of a span of numbers, and records its use.
func (c *call) memory(id ir.SpanID) string {
	if c.p.Spans[id].ReadOnly() {
		c.uses |= Data
		return "p"
	}
	c.uses |= Work
	return "s"
}

// slice returns the expression of a whole span, or nil for NoSpan.
func (c *call) slice(id ir.SpanID) string {
	if id == ir.NoSpan {
		return "nil"
	}
	s := &c.p.Spans[id]
	return fmt.Sprintf("%s[%d:%d]", c.memory(id), s.Offset, s.Offset+s.Len)
}

// number returns the expression of the number in a span of one.
func (c *call) number(id ir.SpanID) string {
	return fmt.Sprintf("%s[%d]", c.memory(id), c.p.Spans[id].Offset)
}

func (c *call) noise(s *ir.Noise) string {
	known := "nil"
	if s.Known != nil {
		flags := make([]string, len(s.Known))
		for i, id := range s.Known {
			if flags[i] = "0"; id != ir.NoSpan {
				flags[i] = c.number(id)
			}
		}
		known = "[]float64{" + strings.Join(flags, ", ") + "}"
	}
	return fmt.Sprintf(c.out.Runtime("Noise")+"(%s, %s, e.rng)", c.slice(s.Out), known)
}

func (c *call) damp(s *ir.Damp) string {
	return fmt.Sprintf("%s = "+c.out.Runtime("Damp")+"(%s, %s, %s, %s)", c.number(s.Residual), c.slice(s.Span), c.slice(s.New), c.number(s.Rate), c.number(s.Residual))
}

func (c *call) boltzmann(s *ir.Boltzmann) string {
	args := []string{c.slice(s.Out), c.slice(s.Weight)}
	for _, id := range s.In {
		args = append(args, c.slice(id))
	}
	return c.out.Runtime("Boltzmann") + "(" + strings.Join(args, ", ") + ")"
}

func (c *call) powers(s *ir.Powers) string {
	var powers, in []string
	for i, id := range s.In {
		powers = append(powers, strconv.FormatFloat(s.Power[i], 'g', -1, 64))
		in = append(in, c.slice(id))
	}
	return fmt.Sprintf(c.out.Runtime("Powers")+"(%s, []float64{%s}, %s)", c.slice(s.Out), strings.Join(powers, ", "), strings.Join(in, ", "))
}

func (c *call) tally(s *ir.Tally) string {
	factor := strconv.FormatFloat(s.Factor, 'g', -1, 64)
	switch s.Kind {
	case ir.TallyLog:
		return fmt.Sprintf(c.out.Runtime("TallyLog")+"(&%s, &%s, %s, %s)", c.number(s.Total), c.number(s.Alive), factor, c.slice(s.In))
	case ir.TallyEntropy:
		return fmt.Sprintf(c.out.Runtime("TallyEntropy")+"(&%s, %s, %s, %s)", c.number(s.Total), factor, c.slice(s.In), c.slice(s.Ref))
	}
	return fmt.Sprintf(c.out.Runtime("TallySum")+"(&%s, %s, %s)", c.number(s.Total), factor, c.slice(s.In))
}

// updateStats calls a method of the statistics of a variable.
func (c *call) updateStats(s *ir.UpdateStats) string {
	var stats []string
	for _, id := range s.Stats.All() {
		stats = append(stats, c.slice(*id))
	}
	run := &s.Run
	end := fmt.Sprintf("(%s, %s, &%s, &%s, &%s)", c.number(run.Chains), c.number(run.Length), c.number(run.RHat), c.number(run.ESS), c.number(run.Error))
	method := map[ir.StatsKind]string{ir.StatsClear: "Clear()", ir.StatsBatch: fmt.Sprintf("EndBatch(%s)", c.number(run.Share)), ir.StatsHalf: "EndHalf()",
		ir.StatsRun: "EndRun" + end, ir.StatsHalfReal: "EndHalfReal()", ir.StatsRunReal: "EndRunReal" + end}[s.Kind]
	return fmt.Sprintf("(&"+c.out.Runtime("ChainStats")+"{%s}).%s", strings.Join(stats, ", "), method)
}

// The largest draw that Call writes out: of one variable of at most drawnStates states, from at
// most drawnTables tables.
const (
	drawnStates = 16
	drawnTables = 8
)

// writtenOut reports whether the draw of s is written out.
func writtenOut(s *ir.Resample) bool {
	vars, states := s.Drawn()
	return vars == 1 && states <= drawnStates && len(s.In) <= drawnTables && len(s.Trees) == 0 && !s.Scaled && s.Tallies[0] != ir.NoSpan
}

// draw writes a draw: a pointer to the row of each table, so that bounds are checked once, and an
// array of the products.
func (c *call) draw(s *ir.Resample) string {
	c.uses |= State
	b := &strings.Builder{}
	b.WriteString("{\n")
	at := c.p.Spans[c.p.State].Offset
	states := s.Axes[0].Size
	for k, in := range s.In {
		base := fmt.Sprint(c.p.Spans[in.Span].Offset)
		for i, a := range s.Axes[1:] {
			if n := in.Stride[1+i]; n != 0 {
				base += fmt.Sprintf("+%d*int(t[%d])", n, at+int(a.Var))
			}
		}
		fmt.Fprintf(b, "a%d := (*[%d]float64)(%s[%s:])\n", k, in.Stride[0]*(states-1)+1, c.memory(in.Span), base)
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
	state := at + int(s.Axes[0].Var)
	fmt.Fprintf(b, "w := [...]float64{%s}\n", strings.Join(weights, ", "))
	fmt.Fprintf(b, "t[%d] = "+c.out.Runtime("Redraw")+"(w[:], %s, t[%d], e.rng)\n}", state, c.slice(s.Tallies[0]), state)
	return b.String()
}

// tape calls the tape machine, or the function of a kernel, with the code of a step. Steps on
// energies have a machine of their own, RunEnergies, besides the one that runs them together with
// other steps, so that a package need not contain the whole tape machine.
func (c *call) tape(step ir.Step) string {
	out := c.out
	code, err := assemble.LaidOut(c.p, out.Ranges).Steps(step)
	if err != nil {
		panic("backend: " + err.Error()) // layout has placed all spans
	}
	start := len(*out.Ints)
	*out.Ints = append(*out.Ints, code.Words...)
	c.uses |= State
	memory := func(uses bool, m Memory, text string) string {
		if !uses {
			return "nil"
		}
		c.uses |= m
		return text
	}
	s, p := memory(code.Work, Work, "s[:]"), memory(code.Data, Data, "p[:]")
	if code.Func == "RunEnergyTape" {
		return fmt.Sprintf("%s(e.k[%d:%d], %s, %s, t[:])", out.Runtime("RunEnergies"), start, len(*out.Ints), s, p)
	}
	rng := "e.rng"
	_, kernel := step.(*ir.Kernel)
	if (kernel || code.Func == "RunMapTape" || code.Func == "RunMapLoopTape") && !code.Draws { // the engine need not have a generator
		rng = "nil"
	}
	return fmt.Sprintf("%s(e.k[%d:%d], %s, %s, t[:], %s)", out.Runtime(code.Func), start, len(*out.Ints), s, p, rng)
}
