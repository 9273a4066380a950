package codegen_test
import ("testing";"time";"fmt";"github.com/pgmc-go/pgmc/codegen";"github.com/pgmc-go/pgmc/ir";"github.com/pgmc-go/pgmc/ir/model")
func TestZZ(t *testing.T) {
	for _, states := range []int{2, 16} {
	for _, types := range []string{"own", "shared"} {
	m := newModule(t, "")
	mod := &model.Model{Name: "wide"}
	b := &jointBuilder{m: mod, p: &ir.Program{Name: "wide", State: ir.NoSpan}}
	e := ir.Entry{Query: &ir.Query{Name: "all", Kind: ir.Marginals}, Exp: ir.NoSpan}
	for i := range 1000 {
		k := states
		v := mod.NewVar(fmt.Sprint("v", i), many(k)...)
		in := b.span(ir.Span{Role: ir.RoleIn, Len: k, Var: v.ID})
		out := b.span(ir.Span{Role: ir.RoleOut, Len: k, Var: v.ID})
		b.steps = append(b.steps, &ir.Contract{Axes: []ir.Axis{{Var: v.ID, Size: k}}, Out: ir.View{Span: out, Stride: []int{1}}, In: []ir.View{{Span: in, Stride: []int{1}}}},
			&ir.Normalize{Span: out})
		e.Outs = append(e.Outs, out)
	}
	e.Root = b.span(ir.Span{Role: ir.RoleOut, Len: 1, Var: -1})
	b.steps = append(b.steps, &ir.Contract{Out: ir.View{Span: e.Root}})
	e.Blocks = []int{b.block("all")}
	b.p.Entries = []ir.Entry{e}
	b.layout()
	m.emit(mod, b.p, codegen.Options{Package: "wide", Types: types})
	m.run(nil, "build", "./...")
	m.write("wide/x.go", "package wide\n")
	start := time.Now()
	m.run(nil, "build", "./...")
	t.Log(states, types, "build", time.Since(start))
	}}
}
