package ir

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Print writes p in its text form, which Parse reads back to an equal program. A line holds a span, a block's name, a step or
// an entry:
//
//	program "asia" const logz 0 softbits 931 work 59 data 32 ints 8 state s0
//	span s1 f64 const 4 var -1 at 0 "CPD of \"tub\"" 0.05 0.01 0.95 0.99
//	block "up"
//	sum [v0:2 v1:2*] s7(1 0) = s1(2 1) s2(0 1)
//	sums s1 s7 to s8 : 12=0*4+1*6 13=12*12
//	walk draw s1 s7 s8 stack s9 : 12=0*4+1*6
//	entry logprob "logprob" targets evidence blocks 0 root s9 exp - outs
//
// A node of sums and of a walk is its element and terms. An axis is its variable and size, with * where it is reduced and @ where it is fixed; an
// operand is a span with its strides along the axes. In the evidence of an entry, do stands before what is set from outside; k, where
// there is one, is the number of completions; search marks a search, and loop what repeats.
func (p *Program) Print(w io.Writer) error {
	b := bufio.NewWriter(w)
	mode := "const"
	if p.Params == Var {
		mode = "var"
	}
	fmt.Fprintf(b, "program %q %s logz %s softbits %s work %d data %d ints %d state %s\n",
		p.Name, mode, number(p.LogZ), number(p.SoftBits), p.Work, p.Data, p.Ints, spanName(p.State))
	for i := range p.Spans {
		s := &p.Spans[i]
		fmt.Fprintf(b, "span s%d %s %s %d var %d at %d ", i, s.Elem, s.Role, s.Len, s.Var, s.Offset)
		if s.Copy > 0 {
			fmt.Fprintf(b, "copy %d ", s.Copy-1)
		}
		fmt.Fprintf(b, "%q", s.Name)
		for _, x := range s.Data {
			b.WriteString(" " + number(x))
		}
		b.WriteByte('\n')
	}
	for _, blk := range p.Blocks {
		fmt.Fprintf(b, "block %q\n", blk.Name)
		for _, s := range blk.Steps {
			b.WriteString(stepText(s) + "\n")
		}
	}
	for i := range p.Entries {
		b.WriteString(entryText(&p.Entries[i]) + "\n")
	}
	return b.Flush()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func spanName(id SpanID) string {
	if id == NoSpan {
		return "-"
	}
	return "s" + strconv.Itoa(int(id))
}

func stepText(step Step) string {
	switch s := step.(type) {
	case *Contract:
		return fmt.Sprintf("%s %s %s = %s", s.Reduce, axesText(s.Axes), viewText(s.Out), viewsText(s.In))
	case *Sums:
		return sumsText(s)
	case *Walk:
		return walkText(s)
	case *Pick:
		return fmt.Sprintf("%s %s = %s", s.Mode, axesText(s.Axes), viewsText(s.In))
	case *Normalize:
		return "normalize " + spanName(s.Span)
	case *Rescale:
		return "rescale " + spanName(s.Span) + " " + spanName(s.Exp)
	case *Zero:
		return "zero " + spanName(s.Span)
	case *Lookup:
		return fmt.Sprintf("lookup %s %s = %s", axesText(s.Axes), spanName(s.Out), spanName(s.Table))
	}
	if text, ok := loopStepText(step); ok {
		return text
	}
	if text, ok := chainStepText(step); ok {
		return text
	}
	if text, ok := energyStepText(step); ok {
		return text
	}
	panic(fmt.Sprintf("ir: unknown step %T", step))
}

var axisMarks = [...]string{"", "*", "@"}

func axesText(axes []Axis) string {
	words := make([]string, len(axes))
	for i, a := range axes {
		words[i] = fmt.Sprintf("v%d:%d%s", a.Var, a.Size, axisMarks[a.Kind])
	}
	return "[" + strings.Join(words, " ") + "]"
}

func viewText(v View) string {
	words := make([]string, len(v.Stride))
	for i, n := range v.Stride {
		words[i] = strconv.Itoa(n)
	}
	return spanName(v.Span) + "(" + strings.Join(words, " ") + ")"
}

func viewsText(views []View) string {
	words := make([]string, len(views))
	for i, v := range views {
		words[i] = viewText(v)
	}
	return strings.Join(words, " ")
}

func entryText(e *Entry) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "entry %s %q", e.Query.Kind, e.Query.Name)
	if e.Query.Method != "" {
		fmt.Fprintf(b, " by %s", e.Query.Method)
	}
	if e.Query.K > 0 {
		fmt.Fprintf(b, " k %d", e.Query.K)
	}
	fmt.Fprintf(b, "%s%s%s targets%s evidence", searchText(e.Search), loopText(e.Loop), chainText(e.Chain), varsText(e.Query.Targets))
	for _, v := range e.Query.Evidence {
		if slices.Contains(e.Query.Do, v) {
			b.WriteString(" do")
		}
		fmt.Fprintf(b, " v%d", v)
	}
	b.WriteString(" factors")
	if e.Query.Factors == nil {
		b.WriteString(" all")
	}
	for _, f := range e.Query.Factors {
		fmt.Fprintf(b, " %d", f)
	}
	b.WriteString(" blocks")
	for _, k := range e.Blocks {
		fmt.Fprintf(b, " %d", k)
	}
	fmt.Fprintf(b, " root %s exp %s outs", spanName(e.Root), spanName(e.Exp))
	for _, id := range e.Outs {
		b.WriteString(" " + spanName(id))
	}
	return b.String()
}

func searchText(search bool) string {
	if search {
		return " search"
	}
	return ""
}

func varsText(vars []model.VarID) string {
	b := &strings.Builder{}
	for _, v := range vars {
		fmt.Fprintf(b, " v%d", v)
	}
	return b.String()
}
