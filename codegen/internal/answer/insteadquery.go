package answer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
)

// instead returns the statement that answers a method by the entry that runs in place of e, if the
// evidence leaves little work to that, and declares the method that decides. It is empty if e has
// no such entry. args are the arguments of the method that answers.
func (g *Methods) instead(e *ir.Entry, method, args string) string {
	x := g.Program.Instead(e)
	if x == nil {
		return ""
	}
	fn := "tablesFor" + method
	g.Func(source.Doc(fn+" reports whether the evidence leaves so few joint states that tables answer "+method+" faster than the circuit. It adds",
		"up their products, of the remaining states of variables."),
		fmt.Sprintf("(e *Engine) %s() bool", fn), g.insteadWork(x.Instead))
	return fmt.Sprintf("if e.%s() {\n\treturn e.table%s(%s)\n}\n", fn, method, args)
}

// insteadWork returns the statements that compare the work of an entry with its limit. All numbers
// are integers, so that the result is the same whether or not a processor fuses products with sums.
func (g *Methods) insteadWork(s *ir.Instead) string {
	b := &strings.Builder{}
	if len(s.Loops) > 0 {
		b.WriteString("t := e.state()\n")
	}
	for _, v := range s.Vars() {
		at := g.Program.Ints + g.Ranges.Place(v)
		fmt.Fprintf(b, "n%d := float64(t[%d] - t[%d])\n", v, at+1, at)
	}
	integer := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	fmt.Fprintf(b, "work := %s.0\n", integer(s.Fixed))
	for _, l := range s.Loops {
		b.WriteString("work += " + integer(l.Each))
		for _, v := range l.Vars {
			fmt.Fprintf(b, "*n%d", v)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "return work <= %s", integer(s.Most))
	return b.String()
}

// tableMarginals declares the method that answers Marginals by x, the entry that runs in place of
// Marginals'.
func (g *Methods) tableMarginals(x *ir.Entry) {
	g.Func(source.Doc("tableMarginals answers Marginals by tables, whose loops evidence narrows."),
		"(e *Engine) tableMarginals(scale float64, out *Marginals) error", g.Run(x, x.Blocks)+g.MarginalsOf(x, g.LogOf(x)))
}

// tableLogProb declares the method that answers LogProb by x.
func (g *Methods) tableLogProb(x *ir.Entry) {
	g.Func(source.Doc("tableLogProb answers LogProb by tables, whose loops evidence narrows."),
		"(e *Engine) tableLogProb(scale float64) (float64, error)",
		g.Run(x, x.Blocks)+g.Root(x, "\treturn "+g.Std("math.Inf")+"(-1), ErrImpossible")+"return "+g.LogOf(x)+", nil")
}
