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

// CheckInformation refuses an entry with an output that is no pair for each state of its target.
func CheckInformation(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := CheckRoot(m, p, e); err != nil {
		return err
	}
	for i, v := range e.Query.Targets {
		if p.Spans[e.Outs[i]].Len != 2*m.Card(v) || (i == 0) != (m.Decides(v) != nil) {
			return fmt.Errorf("query %q has no answer for %q", e.Query.Name, m.Vars[v].Name)
		}
	}
	return nil
}

// InformationType declares the answer of an Information: a field for each variable.
func (g *Methods) InformationType(e *ir.Entry) {
	d, typ := g.Names.Of(e.Query.Targets[0]), g.choiceNames(e).choice
	g.Out.Add(source.Doc(fmt.Sprintf("%s holds, for each variable that does not depend on %s or a later decision, by how much the mean utility", typ, source.Quote(d.Var.Name)),
		"grows if the variable is known before. It is 0 for one that was observed."))
	g.Out.Type().Id(typ).StructFunc(func(s *jen.Group) {
		for _, v := range e.Query.Targets[1:] {
			x := g.Names.Of(v)
			s.Id(x.ID).Float64().Tag(map[string]string{"json": x.JSON})
		}
	})
	g.Out.Line()
}

// Information declares the method that finds what it is worth to know each variable.
func (g *Methods) Information(e *ir.Entry) {
	d, names := g.Names.Of(e.Query.Targets[0]), g.choiceNames(e)
	fail := "\t*out = " + names.choice + "{}\n\treturn "
	test, impossible := g.Impossible(e, g.At(e.Root), fail+"ErrImpossible")
	answer := &strings.Builder{}
	pairs := func(i int) string { return api.Slice("e.work()", &g.Program.Spans[e.Outs[i]]) }
	for i, v := range e.Query.Targets[1:] {
		fmt.Fprintf(answer, "out.%s = %s(%s, %s)\n", g.Names.Of(v).ID, g.RT("Information"), pairs(0), pairs(i+1))
	}
	g.Func(source.Doc(append([]string{
		fmt.Sprintf("%s sets out to the value of information of each variable before %s, given ev and soft, which may be nil. Later decisions", names.method, source.Quote(d.Var.Name)),
		"know the variable, too. On failure all fields of out are 0.",
	}, g.untimely(d)...)...), fmt.Sprintf("(e *Engine) %s(ev *Evidence, soft *Soft, out *%s) error", names.method, names.choice),
		g.EnterOnly(e, fail+"err")+g.Run(e, e.Blocks)+fmt.Sprintf("if %s {\n%s\n}\n", test, impossible)+answer.String()+"return nil")
	g.reader(e, names.method, names.choice, names.choice+"{}", answer.String())
}
