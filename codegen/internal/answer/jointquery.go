package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/ir"
)

// jointNames holds the names of one joint query: its type and its method, and the type of the
// numbers of one joint state if some targets are real and others are not.
type jointNames struct{ typ, Method, part string }

// nameJoints names each joint query, for example LungBroncJoint and JointLungBronc, and each
// mixture, for example HeightMixture. Names that are taken get a number.
func (g *Methods) nameJoints() {
	g.Joints = make([]jointNames, len(g.Program.Entries))
	for i := range g.Program.Entries {
		q := g.Program.Entries[i].Query
		if q.Kind != ir.Joint && q.Kind != ir.Mixture {
			continue
		}
		id := ""
		for _, v := range q.Targets {
			id += g.Names.Of(v).ID
		}
		if q.Kind == ir.Mixture {
			g.Joints[i] = jointNames{typ: g.Names.Scope.Decls.Claim(id + "Mixture"), Method: g.Names.Scope.Members.Claim(id + "Mixture")}
			continue
		}
		g.Joints[i] = jointNames{typ: g.Names.Scope.Decls.Claim(id + "Joint"), Method: g.Names.Scope.Members.Claim("Joint" + id)}
		if discrete, real := g.Model.SplitReal(q.Targets); len(discrete) > 0 && len(real) > 0 {
			g.Joints[i].part = g.Names.Scope.Decls.Claim(id + "Part")
		}
	}
}

// largeJoint reports whether a joint query stores its answer in an argument instead of returning
// it.
func (g *Methods) largeJoint(e *ir.Entry) bool {
	return 8*g.Program.Spans[e.Outs[0]].Len > store.InlineBytes
}

// JointType declares the answer of a joint query.
func (g *Methods) JointType(e *ir.Entry) {
	if slices.ContainsFunc(e.Query.Targets, g.Model.IsReal) {
		g.realJointType(e)
		return
	}
	typ := g.jointNames(e).typ
	array := &jen.Statement{}
	var params, absent, index []string
	for _, v := range e.Query.Targets {
		x := g.Names.Of(v)
		array.Index(jen.Lit(x.Port.States()))
		params = append(params, x.Param+" "+x.Port.Field())
		absent = append(absent, x.Param+" == "+x.Enum.Unset())
		if c := x.Enum.OutOfRange(x.Param); c != "" {
			absent = append(absent, c)
		}
		index = append(index, "["+x.Param+"-1]")
	}
	g.Out.Add(source.Doc(fmt.Sprintf("%s holds the probability of each joint state of %s, with the indices in this order.", typ, g.jointOf(e))))
	g.Out.Type().Id(typ).Add(array.Float64())
	g.Out.Line()
	recv := typ
	if g.largeJoint(e) {
		recv = "*" + typ
	}
	g.Func(source.Doc("P returns the probability of a joint state, and 0 if an argument is not a state."),
		fmt.Sprintf("(p %s) P(%s) float64", recv, strings.Join(params, ", ")),
		fmt.Sprintf("if %s {\n\treturn 0\n}\nreturn p%s", strings.Join(absent, " || "), strings.Join(index, "")))
}

// jointNames returns the names of a joint query of the program.
func (g *Methods) jointNames(e *ir.Entry) jointNames {
	i := slices.IndexFunc(g.Program.Entries, func(other ir.Entry) bool { return other.Query == e.Query })
	return g.Joints[i]
}

// jointOf returns the quoted targets of a joint query, for comments.
func (g *Methods) jointOf(e *ir.Entry) string {
	var names []string
	for _, v := range e.Query.Targets {
		names = append(names, source.Quote(g.Model.Vars[v].Name))
	}
	return strings.Join(names, ", ")
}

// Joint declares the method of a joint query.
func (g *Methods) Joint(e *ir.Entry) {
	typ, method := g.jointNames(e).typ, g.jointNames(e).Method
	comment := []string{fmt.Sprintf("%s returns the joint posterior of %s given ev and soft, which may be nil.", method, g.jointOf(e))}
	params, results, fail, done, out := "", "("+typ+", error)", "\treturn "+typ+"{}, ", "return out, nil", "var out "+typ+"\n"
	if g.largeJoint(e) {
		comment[0] = fmt.Sprintf("%s sets out to the joint posterior of %s given ev and soft, which may be nil.", method, g.jointOf(e))
		comment = append(comment, "On failure all numbers of out are 0.")
		params, results, fail, done, out = ", out *"+typ, "error", "\t*out = "+typ+"{}\n\treturn ", "return nil", ""
	}
	copied := ""
	if slices.ContainsFunc(e.Query.Targets, g.Model.IsReal) {
		copied = g.copyRealJoint(e)
	} else {
		copied = g.AtMostOne(e.Outs[0]) + copyNested("out", "s", len(e.Query.Targets))
	}
	test, impossible := g.Impossible(e, fmt.Sprintf("e.work()[%d]", g.Program.Spans[e.Root].Offset), fail+"ErrImpossible")
	body := g.EnterOnly(e, fail+"err") + g.Run(e, e.Blocks) +
		fmt.Sprintf("if %s {\n%s\n}\n", test, impossible) + out +
		fmt.Sprintf("s := %s\n", api.Slice("e.work()", &g.Program.Spans[e.Outs[0]])) + copied + done
	g.Func(source.Doc(comment...), fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft%s) %s", method, params, results), body)
}

// copyNested returns the statements that copy a slice to an array of arrays of the given depth.
func copyNested(array, from string, depth int) string {
	b := &strings.Builder{}
	for i := range depth - 1 {
		fmt.Fprintf(b, "for i%d := range %s {\n", i, array)
		array += fmt.Sprintf("[i%d]", i)
	}
	if depth == 1 {
		fmt.Fprintf(b, "copy(%s[:], %s)\n", array, from)
	} else {
		fmt.Fprintf(b, "%s = %s[copy(%s[:], %s):]\n", from, from, array, from)
	}
	b.WriteString(strings.Repeat("}\n", depth-1))
	return b.String()
}
