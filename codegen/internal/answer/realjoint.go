package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// realJointType declares the answer of a joint query with some real targets. If others are
// discrete, it is an array of the numbers of each of their joint states.
func (g *Methods) realJointType(e *ir.Entry) {
	names := g.jointNames(e)
	discrete, real := g.Model.SplitReal(e.Query.Targets)
	n := len(real)
	moments := []jen.Code{
		jen.Id("Mean").Index(jen.Lit(n)).Float64().Tag(map[string]string{"json": "mean"}),
		jen.Id("Cov").Index(jen.Lit(n)).Index(jen.Lit(n)).Float64().Tag(map[string]string{"json": "cov"}),
	}
	order := fmt.Sprintf("the means and the covariances of %s, with the indices in this order", g.quoted(real))
	if len(discrete) == 0 {
		g.Out.Add(source.Doc(fmt.Sprintf("%s holds %s.", names.typ, order)))
		g.Out.Type().Id(names.typ).Struct(moments...)
		g.Out.Line()
		return
	}
	g.Out.Add(source.Doc(fmt.Sprintf("%s holds the probability P of a joint state of %s, and given it %s. All numbers are 0 if P is.", names.part, g.quoted(discrete), order)))
	g.Out.Type().Id(names.part).Struct(append([]jen.Code{jen.Id("P").Float64().Tag(map[string]string{"json": "p"})}, moments...)...)
	g.Out.Line()
	array := &jen.Statement{}
	var params, absent, index []string
	for _, v := range discrete {
		x := g.Names.Of(v)
		array.Index(jen.Lit(x.Port.States()))
		params = append(params, x.Param+" "+x.Port.Field())
		absent = append(absent, x.Param+" == "+x.Enum.Unset())
		if c := x.Enum.OutOfRange(x.Param); c != "" {
			absent = append(absent, c)
		}
		index = append(index, "["+x.Param+"-1]")
	}
	g.Out.Add(source.Doc(fmt.Sprintf("%s holds the part of each joint state of %s, with the indices in this order.", names.typ, g.quoted(discrete))))
	g.Out.Type().Id(names.typ).Add(array.Id(names.part))
	g.Out.Line()
	g.Func(source.Doc("Of returns the part of a joint state, and zeros if an argument is not a state."),
		fmt.Sprintf("(p *%s) Of(%s) %s", names.typ, strings.Join(params, ", "), names.part),
		fmt.Sprintf("if %s {\n\treturn %s{}\n}\nreturn p%s", strings.Join(absent, " || "), names.part, strings.Join(index, "")))
}

// quoted returns the quoted names of variables, for comments.
func (g *Methods) quoted(vars []model.VarID) string {
	var names []string
	for _, v := range vars {
		names = append(names, source.Quote(g.Model.Vars[v].Name))
	}
	return strings.Join(names, ", ")
}

// copyRealJoint returns the statements that copy the slice s to the answer out of a joint query
// with some real targets.
func (g *Methods) copyRealJoint(e *ir.Entry) string {
	discrete, real := g.Model.SplitReal(e.Query.Targets)
	states, _ := g.Model.TableSize(discrete)
	n, part := len(real), "out"
	b := &strings.Builder{}
	if len(discrete) > 0 {
		b.WriteString("at := 0\n")
	} else {
		b.WriteString("const at = 0\n")
	}
	for i := range discrete {
		fmt.Fprintf(b, "for i%d := range %s {\n", i, part)
		part += fmt.Sprintf("[i%d]", i)
	}
	if len(discrete) > 0 {
		fmt.Fprintf(b, "part := &%s\npart.P = s[at]\n", part)
		part = "part"
	}
	fmt.Fprintf(b, "for i := range %d {\n%s.Mean[i] = s[(1+i)*%d+at]\n}\n", n, part, states)
	fmt.Fprintf(b, "c := %d + at\nfor i := range %d {\nfor k := range i + 1 {\n%[3]s.Cov[i][k], %[3]s.Cov[k][i] = s[c], s[c]\nc += %[4]d\n}\n}\n", (1+n)*states, n, part, states)
	if len(discrete) > 0 {
		b.WriteString("at++\n" + strings.Repeat("}\n", len(discrete)))
	}
	return b.String()
}

// MixtureNames holds the names of the runtime that are part of the API if a query has a mixture as
// its answer.
var MixtureNames = []string{"Component"}

// components returns the number of components of a mixture.
func (g *Methods) components(e *ir.Entry) int {
	return g.Program.Spans[e.Outs[0]].Len / model.JointParts(1)
}

// MixtureType declares the answer of a mixture.
func (g *Methods) MixtureType(e *ir.Entry) {
	if g.Runtime.Imported && e == g.Entry(ir.Mixture) {
		g.Out.Add(source.Doc("Component is one normal distribution of a mixture: its weight P, its mean and its variance, which may be 0."))
		g.Out.Type().Id("Component").Op("=").Id(g.RT("Component"))
		g.Out.Line()
	}
	typ, n := g.jointNames(e).typ, g.components(e)
	g.Out.Add(source.Doc(fmt.Sprintf("%s holds the posterior of %s as a mixture of normal distributions: the first N of Parts, whose weights sum to 1.", typ, g.jointOf(e))))
	g.Out.Type().Id(typ).Struct(jen.Id("N").Int().Tag(map[string]string{"json": "n"}), jen.Id("Parts").Index(jen.Lit(n)).Id("Component").Tag(map[string]string{"json": "parts"}))
	g.Out.Line()
	for _, f := range []struct{ name, param, arg, comment string }{
		{"Mean", "", "", "returns the mean."},
		{"Variance", "", "", "returns the variance."},
		{"PDF", "x float64", "x", "returns the density at x. It is +Inf at the mean of a component of variance 0."},
		{"CDF", "x float64", "x", "returns the probability of a value of at most x."},
		{"Quantile", "p float64", "p", "returns the smallest value whose CDF is at least p. It is -Inf for 0, +Inf for 1, and NaN if p is not a probability."},
	} {
		g.Func(source.Doc(f.name+" "+f.comment), fmt.Sprintf("(m *%s) %s(%s) float64", typ, f.name, f.param),
			fmt.Sprintf("return %s(m.Parts[:m.N]).%s(%s)", g.RT("Mixture"), f.name, f.arg))
	}
}

// Mixture declares the method of a mixture.
func (g *Methods) Mixture(e *ir.Entry) {
	names, n := g.jointNames(e), g.components(e)
	fail := "\t*out = " + names.typ + "{}\n\treturn "
	test, impossible := g.Impossible(e, fmt.Sprintf("e.work()[%d]", g.Program.Spans[e.Root].Offset), fail+"ErrImpossible")
	body := g.EnterOnly(e, fail+"err") + g.Run(e, e.Blocks) + fmt.Sprintf("if %s {\n%s\n}\n", test, impossible) +
		fmt.Sprintf(`s := %s
out.N = 0
for i, p := range s[:%d] {
	if p > 0 {
		out.Parts[out.N] = Component{P: p, Mean: s[%d+i], Var: s[%d+i]}
		out.N++
	}
}
clear(out.Parts[out.N:])
return nil`, api.Slice("e.work()", &g.Program.Spans[e.Outs[0]]), n, n, 2*n)
	g.Func(source.Doc(fmt.Sprintf("%s sets out to the exact posterior of %s given ev and soft, which may be nil: a mixture with a component for each", names.Method, g.jointOf(e)),
		"possible joint state of the discrete variables that it depends on. On failure out has no components."),
		fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft, out *%s) error", names.Method, names.typ), body)
}

// CheckMixture refuses an entry without the parts of a mixture of its target.
func CheckMixture(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := CheckRoot(m, p, e); err != nil {
		return err
	}
	if q := e.Query; len(q.Targets) != 1 || len(e.Outs) != 1 || p.Spans[e.Outs[0]].Len%model.JointParts(1) != 0 || !slices.ContainsFunc(q.Targets, m.IsReal) {
		return fmt.Errorf("query %q has no answer for its target", q.Name)
	}
	return nil
}
