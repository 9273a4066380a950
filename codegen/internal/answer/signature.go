package answer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Signature declares the method of a signature, which has its evidence as arguments.
func (g *Methods) Signature(e *ir.Entry) {
	q := e.Query
	target := g.Names.Of(q.Targets[0])
	dist := target.Port.Answer()
	name, params, body := target.ID+"Given", []string{}, &strings.Builder{}
	var given, set []string
	answer := g.AnswerOfArguments(e)
	if answer == "" {
		body.WriteString(g.CountRun())
	}
	inputs, entered := g.Inputs(e), &strings.Builder{}
	for _, v := range q.Evidence {
		x := g.Names.Of(v)
		if slices.Contains(q.Do, v) {
			name += "Do"
			set = append(set, source.Quote(x.Var.Name))
		} else {
			given = append(given, source.Quote(x.Var.Name))
		}
		name += x.ID
		kind, check, enter := x.Port.Argument(g.API, inputs[v], dist+"{}")
		params = append(params, x.Param+" "+kind)
		body.WriteString(check)
		entered.WriteString(enter)
	}
	if answer == "" {
		if entered := entered.String(); source.Indexes(entered, "t") {
			body.WriteString("t := e.state()\n")
		}
		body.WriteString(api.WorkIfUsed(entered.String()) + entered.String())
		answer = g.Run(e, e.Blocks) + g.Answer(e, q.Targets[0])
	}
	what := "states"
	if slices.ContainsFunc(q.Evidence, g.Model.IsReal) {
		what = "states or values"
	}
	comment := []string{fmt.Sprintf("returns the posterior of %s given %s of %s.", source.Quote(target.Var.Name), what, strings.Join(given, ", "))}
	if len(given) == 0 {
		comment[0] = fmt.Sprintf("returns the distribution of %s without observations.", source.Quote(target.Var.Name))
	}
	if len(q.Evidence) == 0 {
		name = target.ID + "Prior"
	}
	if len(set) > 0 {
		comment = append(comment, "An intervention sets "+strings.Join(set, ", ")+" independently of the parents.")
	}
	name = g.Names.Scope.Members.Claim(name)
	comment[0] = name + " " + comment[0]
	g.Func(source.Doc(comment...), fmt.Sprintf("(e *Engine) %s(%s) (%s, error)", name, strings.Join(params, ", "), dist),
		body.String()+answer)
}

// AnswerOfArguments returns the statements that return the answer of a signature if the arguments
// are all that it takes, so that the Engine's memory is not used: a row of a table of answers, or a
// formula. It returns "" for other entries.
func (g *Methods) AnswerOfArguments(e *ir.Entry) string {
	if row := g.direct(e); row != nil {
		return g.rowOfAnswers(e, row)
	}
	if i := g.formulaBlock(e); i >= 0 {
		return g.formulas[i]
	}
	return ""
}

// rowOfAnswers returns the statements that return a row of the table of answers.
func (g *Methods) rowOfAnswers(e *ir.Entry, row *ir.Lookup) string {
	dist, table, n := g.Names.Of(e.Query.Targets[0]).Port.Answer(), &g.Program.Spans[row.Table], g.Program.Spans[row.Out].Len
	var at []string
	step := n
	for _, x := range slices.Backward(row.Axes) {
		at = append(at, fmt.Sprintf("%d*(int(%s)-1)", step, g.Names.Of(x.Var).Param))
		step *= x.Size
	}
	slices.Reverse(at)
	if table.Offset > 0 || len(at) == 0 {
		at = append(at, strconv.Itoa(table.Offset))
	}
	return fmt.Sprintf("at := %s\nout := %s(e.data()[at : at+%d])\nif out == (%s{}) {\n\treturn out, ErrImpossible\n}\nreturn out, nil",
		strings.Join(at, " + "), dist, n, dist)
}

// direct returns the lookup of a signature that does nothing else. It returns nil for other
// entries.
func (g *Methods) direct(e *ir.Entry) *ir.Lookup {
	if e.Query.Kind != ir.Signature || len(e.Blocks) != 1 {
		return nil
	}
	steps := g.Program.Blocks[e.Blocks[0]].Steps
	if len(steps) != 1 {
		return nil
	}
	row, _ := steps[0].(*ir.Lookup)
	return row
}

// formulaBlock returns the block of a signature of real variables that runs nothing else and cannot
// fail, or -1.
func (g *Methods) formulaBlock(e *ir.Entry) int {
	if e.Query.Kind != ir.Signature || len(e.Blocks) != 1 || e.Root != ir.NoSpan || e.Exp != ir.NoSpan ||
		!g.Model.IsReal(e.Query.Targets[0]) || slices.ContainsFunc(e.Query.Evidence, func(v model.VarID) bool { return !g.Model.IsReal(v) }) {
		return -1
	}
	return e.Blocks[0]
}

// formulaOps is the most operations of the formula of a signature.
const formulaOps = 64

// FindFormulas makes the blocks of signatures formulas of their arguments, where that takes a few
// operations only.
func (g *Methods) FindFormulas(output func(block int) *backend.Output) {
	g.formulas = make([]string, len(g.Program.Blocks))
	for i := range g.Program.Entries {
		e := &g.Program.Entries[i]
		block := g.formulaBlock(e)
		if block < 0 || g.Plan[block].Backend.Formula == nil {
			continue
		}
		target, names := e.Query.Targets[0], map[int]string{}
		for v, spans := range g.Inputs(e) {
			for _, in := range spans {
				names[in.Offset+1] = g.Names.Of(model.VarID(v)).Param
			}
		}
		answer := g.Program.Spans[api.Out(g.Program, e, target)].Offset
		names[answer], names[answer+1] = "out.Mean", "out.Var"
		if body, ok := g.Plan[block].Backend.Formula(output(block), &g.Program.Blocks[block], names, formulaOps); ok {
			g.formulas[block] = "var out " + api.NormalType + "\n" + body + "return out, nil"
		}
	}
}
