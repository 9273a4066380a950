package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/asm"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// planAssembly writes the assembly of q. place holds the places of its numbers in data memory.
func (g *Methods) planAssembly(q *Query, method string, place []int) error {
	if q.prog.Ops > asm.MaxOps {
		return &choose.BackendError{Backend: choose.Assembly, Message: diag.Errorf("back-end %s would write %d operations for %s, and writes at most %d; try %v, or leave %v out of %v",
			choose.Assembly, q.prog.Ops, method, asm.MaxOps, choose.AutoBackend, q.Entry.Query.Kind, diag.Option{Name: "query"})}
	}
	q.asm = asm.Write(q.prog, "lane"+method, place)
	return nil
}

// inAssembly returns the queries that run in lanes, in assembly if the processor can run it. On
// other processors the lane code of the same operations runs.
func (g *Methods) inAssembly() []lane {
	return slices.DeleteFunc(g.inLanes(), func(q lane) bool { return q.asm == nil })
}

// Assembly writes the assembly of lanes to text, and the functions that run it.
func (g *Methods) Assembly(text *strings.Builder) {
	for _, q := range g.inAssembly() {
		g.runAssembly(q.Query, q.method)
		text.WriteString(q.asm.Text)
	}
}

// Elsewhere declares the functions that run in place of Assembly on other processors.
func (g *Methods) Elsewhere() {
	for _, q := range g.inAssembly() {
		comment := source.Doc(fmt.Sprintf("run%s computes the lanes of %s.", q.method, q.method))
		g.Func(comment, fmt.Sprintf("(e *Engine) run%s(l []float64)", q.method), g.runLanes(q.Query))
	}
}

// runAssembly declares the method that runs the lanes of q, and the assembly functions that it
// calls. Each part of q is sums, in assembly, followed by code for the lane machine.
func (g *Methods) runAssembly(q *Query, method string) {
	body := &strings.Builder{}
	fmt.Fprintf(body, "if !"+g.RT("WideLanes")+"() {\n%s\nreturn\n}\n", g.runLanes(q))
	step := func(code [2]int) {
		if code[0] < code[1] {
			fmt.Fprintf(body, g.RT("RunLanes")+"(e.k[%d:%d], l)\n", code[0], code[1])
		}
	}
	data := "nil"
	if g.Data {
		data = "&e.data()[0]"
	}
	step(q.begin)
	for i, fn := range q.asm.Funcs {
		if fn != "" {
			fmt.Fprintf(body, "%s(&l[0], %s)\n", fn, data)
		}
		step(q.tails[i])
	}
	g.Func(source.Doc(fmt.Sprintf("run%s computes the lanes of %s.", method, method)), fmt.Sprintf("(e *Engine) run%s(l []float64)", method), body.String())
	for _, fn := range q.asm.Funcs {
		if fn != "" {
			g.Out.Comment("//go:noescape")
			g.Out.Func().Id(fn).Params(jen.List(jen.Id("l"), jen.Id("p")).Op("*").Float64())
			g.Out.Line()
		}
	}
}

// runLanes returns the statement that runs the lane code of q.
func (g *Methods) runLanes(q *Query) string {
	if !q.prog.Nests {
		return fmt.Sprintf(g.RT("RunLanes")+"(e.k[%d:%d], l)", q.run[0], q.run[1])
	}
	data := "nil"
	if g.Data {
		data = "e.data()[:]"
	}
	return fmt.Sprintf(g.RT("RunLaneSteps")+"(e.k[%d:%d], l, %s)", q.run[0], q.run[1], data)
}

// checkAssembly refuses a package unless it has a batch, and its batches of marginals and of ln P
// could be written in assembly. Others may be answered row by row.
func (g *Methods) checkAssembly() error {
	for _, a := range g.batches {
		if a.lanes == nil && a.byColumns != nil {
			return choose.OtherBackend(choose.Assembly, fmt.Sprintf("can't write %s: its program is too large for lanes", a.method))
		}
	}
	if len(g.inLanes()) == 0 {
		query := func(kind ir.QueryKind) diag.Option { return diag.Option{Name: "query", Value: kind.String()} }
		return &choose.BackendError{Backend: choose.Assembly, Message: diag.Errorf("back-end %s writes batches, and the package has none; add %v or %v", choose.Assembly, query(ir.LogProb), query(ir.Marginals))}
	}
	return nil
}
