package answer

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Bounds declares the methods of a query for intervals: the one of only ln P, and the ones of all.
func (g *Methods) Bounds(e *ir.Entry) {
	l, name := e.Loop, e.Query.By.GoName
	of, none := "probability of ev", g.Std("math.Inf")+"(-1)"
	if g.Model.Kind == model.Markov {
		of = "sum over all completions of ev of the product of potentials, which is not divided by the partition function,"
	}
	fail := fmt.Sprintf("\treturn %s, %s, ", none, g.Std("math.Inf")+"(1)")
	failed := "if err != nil {\n" + fail + "err\n}\n"
	g.Func(source.Doc(fmt.Sprintf("LogProb%s returns a lower and an upper bound of the natural logarithm of the %s times the likelihoods of its states", name, of),
		"in soft; soft may be nil. The lower bound is -Inf if the probability is not proven to be positive. The error is ErrImpossible if it is proven to be 0.", "",
		"Both bounds hold: they are eliminations in which no table exceeds a size chosen while the package was made, with powers that Hölder's",
		"inequality allows (Liu and Ihler 2011), moved outward by what rounding may have added."),
		fmt.Sprintf("(e *Engine) LogProb%s(ev *Evidence, soft *Soft) (lower, upper float64, err error)", name),
		g.enterLoop(e, "scale")+failed+g.Narrow(g.Loader(e))+g.Run(e, e.Blocks[:l.First])+g.Run(e, e.Blocks[l.First:l.End])+
			g.noEvidence(e, fail)+fmt.Sprintf("lower, upper = %s\nreturn lower, upper, nil", g.outward(l)))
	fail = "\t*lower, *upper = Marginals{}, Marginals{}\n\treturn "
	half := len(e.Outs) / 2
	sides := [2]*ir.Entry{{Query: e.Query, Outs: e.Outs[:half]}, {Query: e.Query, Outs: e.Outs[half:]}}
	copies := &strings.Builder{}
	for i, side := range [...]string{"lower", "upper"} {
		fmt.Fprintf(copies, "out = %s\n%s", side, strings.Replace(g.CopyAll(sides[i]), "s := e.work()\n", "", 1))
	}
	body := copies.String()
	if source.Indexes(body, "s") {
		body = "s := e.work()\n" + body
	}
	g.Func(source.Doc(name+" sets lower and upper to bounds of the posteriors of all variables given ev and soft; soft may be nil. Each number of lower is at",
		"most the probability that the same field would have in exact marginals, and each of upper at least; LogP is as of LogProb"+name+".", "",
		"It bounds one variable after the other. If ctx ends, it returns its error, and the bounds hold nevertheless: those of the variables that",
		"it had not come to are 0 and 1. On other failures both are zero. The error is ErrImpossible if the evidence is proven impossible."),
		fmt.Sprintf("(e *Engine) %s(ctx %s, ev *Evidence, soft *Soft, lower, upper *Marginals) error", name, g.Std("context.Context")),
		g.enterLoop(e, "scale")+"if err != nil {\n"+fail+"err\n}\n"+g.Narrow(g.Loader(e))+
			g.Run(e, e.Blocks[:l.First])+"var report "+g.RT("Report")+"\n"+
			fmt.Sprintf("o := %s{Iterations: %d}\n", g.RT("LoopOptions"), l.Iterations)+
			g.stoppable(e, "report", fail)+g.noEvidence(e, fail)+
			"out := lower\n"+strings.Replace(body, "out = lower\n", "", 1)+
			fmt.Sprintf("lower.LogP, upper.LogP = %s\nreturn %s", g.outward(l), g.stopError(e)))
}

// outward returns the expression of the bounds of ln P. A variable scale has been declared before
// it.
func (g *Methods) outward(l *ir.Loop) string {
	return fmt.Sprintf("%s(%s, %s, scale)", g.RT("Outward"), g.At(l.LogP), g.At(l.Bound))
}

// noEvidence returns the statement that ends a query about impossible evidence.
func (g *Methods) noEvidence(e *ir.Entry, fail string) string {
	return fmt.Sprintf("if %s == 0 {\n%sErrImpossible\n}\n", g.At(e.Root), fail)
}

// stoppable returns the statements that run the rounds of a loop until they converge or ctx ends.
// Then the query fails, or if it answers at any time, goes on with its bounds after the first round
// at least.
func (g *Methods) stoppable(e *ir.Entry, report, fail string) string {
	l := e.Loop
	head := fmt.Sprintf("for again := true; again; again = o.Round(&%s, %s) {\n", report, g.At(l.Residual))
	rounds := g.Run(e, e.Blocks[l.First:l.End]) + "}\n"
	if e.Query.By.Anytime {
		return "var stopped error\n" + head + fmt.Sprintf("if stopped = ctx.Err(); stopped != nil && %s.Iterations > 0 {\n\tbreak\n}\n", report) + rounds
	}
	return head + fmt.Sprintf("if err := ctx.Err(); err != nil {\n%serr\n}\n", fail) + rounds
}

// stopError returns the expression of the error that the end of ctx left.
func (g *Methods) stopError(e *ir.Entry) string {
	if e.Query.By.Anytime {
		return "stopped"
	}
	return "nil"
}
