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

// Print writes p in its text form, which Parse reads back to an equal program. A line holds a span,
// a block's name, a step or an entry:
//
//	program "asia" const logz 0 softbits 931 work 59 data 32 ints 8 state s0
//	span s1 f64 const 4 var -1 at 0 "CPD of \"tub\"" 0.05 0.01 0.95 0.99
//	block "up"
//	sum [v0:2 v1:2*] s7(1 0) = s1(2 1) s2(0 1)
//	sums s1 s7 to s8 : 12=0*4+1*6 13=12*12
//	walk draw s1 s7 s8 stack s9 : 12=0*4+1*6
//	entry logprob "logprob" targets evidence blocks 0 root s9 exp - outs
//
// A node of sums or of a walk is its element and its terms. An axis is its variable and size,
// followed by * if it is reduced and by @ if it is fixed. An operand is a span with its strides
// along the axes. In the evidence of an entry, do precedes each variable that is set by
// intervention. If present, k is the number of completions, search marks a search, and loop
// describes what repeats.
func (p *Program) Print(w io.Writer) error {
	b := bufio.NewWriter(w)
	mode := "const"
	if p.Params == Var {
		mode = "var"
	}
	fmt.Fprintf(b, "program %q %s logz %s softbits %s ", p.Name, mode, number(p.LogZ), number(p.SoftBits))
	if p.Least != 0 {
		fmt.Fprintf(b, "least %s ", number(p.Least))
	}
	if p.Align > 0 {
		fmt.Fprintf(b, "align %d ", p.Align)
	}
	fmt.Fprintf(b, "work %d data %d ints %d state %s\n", p.Work, p.Data, p.Ints, spanName(p.State))
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
			b.WriteString(s.String() + "\n")
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

// spanNames writes spans separated by blanks.
func spanNames(ids []SpanID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = spanName(id)
	}
	return strings.Join(words, " ")
}

// line formats a line of the text form with lists that may be empty, and with one blank between two
// words.
func line(format string, args ...any) string {
	return strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
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
	fmt.Fprintf(b, "%s%s%s targets%s evidence", searchText(e.Search), e.Loop.text(), e.Chain.text(), varsText(e.Query.Targets))
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
	if len(e.Cutset) > 0 {
		b.WriteString(" cutset" + varsText(e.Cutset))
	}
	if len(e.Logs) > 0 {
		b.WriteString(" logs " + spanNames(e.Logs))
	}
	if len(e.Tilt) > 0 {
		b.WriteString(" tilt " + spanNames(e.Tilt))
	}
	b.WriteString(e.Stream.text())
	fmt.Fprintf(b, " root %s exp %s outs", spanName(e.Root), spanName(e.Exp))
	for _, id := range e.Outs {
		b.WriteString(" " + spanName(id))
	}
	if e.Least != 0 {
		b.WriteString(" least " + number(e.Least))
	}
	for _, d := range e.Decisions {
		b.WriteString(d.text())
	}
	for _, u := range e.Utilities {
		b.WriteString(u.text())
	}
	b.WriteString(e.Instead.text())
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
