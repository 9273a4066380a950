package stream

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckInnovation refuses an entry without moments of the variables that may be observed, and one
// of filters with a belief that is no array.
func CheckInnovation(m *model.Model, p *ir.Program, e *ir.Entry) error {
	n := 0
	for _, v := range m.Vars {
		if !v.Latent && !v.Given {
			n++
		}
	}
	if len(e.Stream.Out) != 1 || p.Spans[e.Stream.Out[0]].Len != n+n*(n+1)/2 {
		return fmt.Errorf("query %q has no moments of %d variables", e.Query.Name, n)
	}
	if next := p.Entry(ir.FilterNext); next == nil || next.Stream.Histories != nil {
		return diag.Errorf("query %q: no package compares slices with the prediction of a mixture", e.Query.Name)
	}
	return nil
}

// predicted returns the variables that innovation is about.
func (g *Methods) predicted() (list []*api.Variable) {
	for _, x := range g.Names.Observable() {
		if !x.Var.Given {
			list = append(list, x)
		}
	}
	return list
}

// InnovationType declares the type Innovation. The entry of slice 0 stands for both.
func (g *Methods) InnovationType(e *ir.Entry) {
	if e.Query.Name != ir.InnovationFirst {
		return
	}
	var names []string
	for _, x := range g.predicted() {
		names = append(names, source.Quote(x.Var.Name))
	}
	n := len(names)
	g.Out.Add(source.Doc("Innovation is what the evidence on a slice differs from its prediction by, of the variables " + strings.Join(names, ", ") + ", in this order."))
	g.Out.Type().Id("Innovation").Struct(
		jen.Id("Observed").Index(jen.Lit(n)).Bool().Comment("// whether it is observed, and anything is known of it before"),
		jen.Id("Residual").Index(jen.Lit(n)).Float64().Comment("// the value less the predicted mean; 0 if it is not observed"),
		jen.Id("Cov").Index(jen.Lit(n)).Index(jen.Lit(n)).Float64().Comment("// the covariances of the residuals"),
		jen.Id("Distance").Float64().Comment("// the normalised squared distance, Residual'·Cov⁻¹·Residual"),
	)
	g.Out.Line()
}

// Innovation declares the method Innovation of filters, and the gate.
func (g *Methods) Innovation(e *ir.Entry) {
	if e.Query.Name != ir.InnovationFirst {
		return
	}
	g.Func(source.Doc("Passes reports whether the distance is at most what a share of the measurements of the model do not exceed, such as 0.99, by the",
		"chi-squared distribution with a degree of freedom for each observed variable: the gate of trackers, beyond which a measurement is",
		"taken for clutter or an outlier. A slice without a measurement passes."), "(x *Innovation) Passes(share float64) bool", `
n := 0
for _, observed := range x.Observed {
	if observed {
		n++
	}
}
return n == 0 || `+g.RT("ChiSquaredTail")+"(n, x.Distance) >= 1-share")
	g.Func(source.Doc("Innovation sets out to what the evidence on the next slice differs from its prediction by, given the evidence so far; ev may be nil.",
		"f stays as it is. The distance is infinite if a value differs from one that is known exactly."),
		"(f *Filter) Innovation(ev *Evidence, out *Innovation) error", `
*out = Innovation{}
`+ownEngine+`if ev == nil {
	ev = new(Evidence)
}
if f.n == 0 {
	return f.e.innovationFirst(f, ev, out)
}
return f.e.innovationNext(f, ev, out)`)
	g.innovationOf(e, "innovationFirst", "innovationFirst compares slice 0 with its prediction; see Innovation.")
	g.innovationOf(g.Program.Entry(ir.InnovationNext), "innovationNext", "innovationNext compares a later slice with its prediction; see Innovation.")
	g.residuals()
}

// innovationOf declares the method that compares a slice with its prediction.
func (g *Methods) innovationOf(e *ir.Entry, name, comment string) {
	moments := &g.Program.Spans[e.Stream.Out[0]]
	g.Func(source.Doc(comment), "(e *Engine) "+name+"(f *Filter, ev *Evidence, out *Innovation) error",
		strings.Replace(g.EnterOnly(e, "\treturn err"), "(ev, soft)", "(ev, nil)", 1)+g.enterStream(e, "f.belief")+g.Run(e, e.Blocks)+
			fmt.Sprintf("out.compare(ev, (*[%d]float64)(%s))\nreturn nil", moments.Len, api.Slice("e.work()", moments)))
}

// residuals declares the method that computes an innovation from moments.
func (g *Methods) residuals() {
	vars := g.predicted()
	n := len(vars)
	b := &strings.Builder{}
	for i, x := range vars {
		fmt.Fprintf(b, "out.Observed[%d], out.Residual[%[1]d] = %[2]s, ev.%[3]s.value\n", i, x.Port.Observed("ev."+x.ID), x.ID)
		if period := g.Model.Period(x.Var.ID); period != 0 {
			fmt.Fprintf(b, "out.Residual[%[1]d] = %[2]s(moments[%[1]d], out.Residual[%[1]d], %[3]v)\n", i, g.RT("NearestTo"), period)
		}
	}
	g.Func(source.Doc("compare sets out by the moments of a slice before its evidence: the means, and the lower triangle of the covariances."),
		fmt.Sprintf("(out *Innovation) compare(ev *Evidence, moments *[%d]float64)", n+n*(n+1)/2), b.String()+fmt.Sprintf(`var cov [%d]float64
var work [%d]float64
out.Distance = %s(moments[:], out.Observed[:], out.Residual[:], cov[:], work[:])
for i := range out.Cov {
	copy(out.Cov[i][:], cov[%d*i:])
}`, n*n, n+n*n, g.RT("Innovation"), n))
}
