package answer

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Jeffrey declares the query Jeffrey, and the type fitting by which the runtime fits posteriors.
func (g *Methods) Jeffrey(e *ir.Entry) {
	fail := "\t*out = Marginals{LogP: " + g.Std("math.Inf") + "(-1)}\n\treturn "
	read := g.CopyAll(e)
	g.Func(source.Doc("Jeffrey sets out to the posteriors of all variables after the posteriors of some were set to targets. The arrays of targets are",
		"distributions, unlike elsewhere, where Soft holds likelihoods: they are the posteriors that the variables have in the answer. Of all",
		"joint distributions with these posteriors, the answer is the one nearest to the model's given ev, which may be nil. One target is",
		"Jeffrey's rule and takes one iteration; several are fitted in turn. LogP is the natural logarithm of the probability of ev alone.",
		"",
		"The error is ErrLikelihood if a target does not sum to 1, and ErrInconsistent if no distribution with the targets was found. If ctx",
		"ends, its error is returned before the next iteration. On failure all posteriors are 0 and LogP is -Inf."),
		"(e *Engine) Jeffrey(ctx "+g.Std("context.Context")+", ev *Evidence, targets *Soft, out *Marginals) (Report, error)",
		fmt.Sprintf("scale, err := e.%s(ev, nil)\nif err == nil {\n\terr = e.loadTargets(targets)\n}\nif err != nil {\n%s\n}\n", g.Loader(e).Func, fail+"Report{}, err")+
			g.Narrow(g.Loader(e))+g.Run(e, e.Blocks)+g.Root(e, fail+"Report{}, ErrImpossible")+"logp := "+g.LogOf(e)+"\n"+
			fmt.Sprintf("report, err := "+g.RT("Fit")+"(ctx, e.fit, %v)\nif err != nil {\n%s\n}\n", g.Program.SoftBits, fail+"report, names.Wrap(err)")+
			read+"out.LogP = logp\nreturn report, nil")
	g.loadTargets()
	g.fitting(e)
}

// FitField returns the field of Engine that Jeffrey needs.
func (*Methods) FitField(*ir.Entry) []Field {
	return []Field{{Name: "fit", Type: "*fitting", Value: "new(fitting)"}}
}

// loadTargets declares the method that stores the target distributions.
func (g *Methods) loadTargets() {
	parts := g.Parts(nil, func(_ *api.Loader, v model.VarID) string {
		x := g.Names.Of(v)
		if x == nil {
			return ""
		}
		return fmt.Sprintf("if targets.%s != (%s{}) {\n\tf.add(%d, targets.%s[:])\n}\n", x.ID, x.Port.Soft(), x.Index, x.ID)
	})
	body := "f := e.fit\nf.engine, f.n = e, 0\nif targets == nil {\n\treturn nil\n}\n"
	for i := range parts {
		body += fmt.Sprintf("f.add%d(targets)\n", i+1)
	}
	g.Func(source.Doc("loadTargets stores the target distributions."), "(e *Engine) loadTargets(targets *Soft) error", body+`for i := range f.n {
	if v := &fitVars[f.goals[i]]; !`+g.RT("IsDistribution")+`(f.want[v.want:v.want+v.states]) {
		return names.RefuseLikelihood(int(f.goals[i]), "has to be a distribution: numbers of at least 0 that sum to 1")
	}
}
return nil`)
	for i, part := range parts {
		g.Func(source.Doc(fmt.Sprintf("add%d stores the targets of some variables.", i+1)), fmt.Sprintf("(f *fitting) add%d(targets *Soft)", i+1), part)
	}
	g.Func(source.Doc("add stores the target of one variable."), "(f *fitting) add(variable int32, want []float64)", `
copy(f.want[fitVars[variable].want:], want)
f.goals[f.n] = variable
f.n++`)
}

// fitting declares the type fitting.
func (g *Methods) fitting(e *ir.Entry) {
	states, rows, inputs := 0, &strings.Builder{}, g.Inputs(e)
	for _, x := range g.Names.Observable() {
		fmt.Fprintf(rows, "{%d, %d, %d, %d},\n", states, inputs[x.Var.ID][0].Offset, g.Program.Spans[api.Out(g.Program, e, x.Var.ID)].Offset, x.Port.States())
		states += x.Port.States()
	}
	g.Out.Add(source.Doc("fitting holds the targets of Jeffrey: the distributions by variable, one after the other, and the variables that have one."))
	g.Out.Type().Id("fitting").Struct(
		jen.Id("engine").Op("*").Id("Engine"),
		jen.Id("want").Index(jen.Lit(states)).Float64(),
		jen.Id("goals").Index(jen.Lit(len(g.Names.Observable()))).Int32(),
		jen.Id("n").Int().Comment("// number of goals"),
	)
	g.Out.Line()
	g.Out.Comment("// fitVars holds the places of each variable's target, likelihood and posterior, and its size.")
	g.Out.Var().Id("fitVars").Op("=").Index(jen.Op("...")).Struct(jen.List(jen.Id("want"), jen.Id("in"), jen.Id("out"), jen.Id("states")).Int()).
		Id("{\n" + rows.String() + "}")
	g.Out.Line()
	g.Func(source.Doc("Goals returns the number of variables with a target."), "(f *fitting) Goals() int", "return f.n")
	g.Func(source.Doc("Goal returns the target number i with its variable's numbers."), "(f *fitting) Goal(i int) "+g.RT("FitGoal"), `
v, s := &fitVars[f.goals[i]], f.engine.work()
return `+g.RT("FitGoal")+`{
	Var:    variables[f.goals[i]].Name,
	Want:   f.want[v.want : v.want+v.states],
	Got:    s[v.out : v.out+v.states],
	Weight: s[v.in : v.in+v.states],
}`)
	g.Func(source.Doc("Run computes all posteriors. It reports whether the evidence is possible."), "(f *fitting) Run() bool",
		"e := f.engine\n"+g.Run(e, e.Blocks)+fmt.Sprintf("return e.work()[%d] != 0", g.Program.Spans[e.Root].Offset))
}
