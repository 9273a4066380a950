package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/codegen/internal/store"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/lanes"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// columnNames holds the exported names of all packages that take evidence by variable.
var columnNames = []string{"Column", "Columns", "Dictionary", "Rows"}

// Reserved returns the exported names by which a package answers many rows.
func (a *Answer) Reserved() []string { return append(slices.Clone(columnNames), a.byColumn...) }

// mostFamily is the most numbers of a CPD that complete rows look up.
const mostFamily = 1 << 16

// PlanFamilies places the CPDs that complete rows are answered by.
func (g *Methods) PlanFamilies(numbers *store.NumberPool, ints *[]int32) {
	if !g.byColumn() || g.Model.Transition != nil {
		return
	}
	list := g.Model.Families(mostFamily)
	start := len(*ints)
	for i := range list {
		places := g.familyPlaces(&list[i], numbers)
		if places == nil {
			*ints = (*ints)[:start]
			return
		}
		for _, vars := range [][]model.VarID{list[i].Discrete, list[i].Real} {
			*ints = append(*ints, int32(len(vars)))
			for _, v := range vars {
				*ints = append(*ints, int32(v))
			}
		}
		*ints = append(append(*ints, int32(len(places))), places...)
	}
	g.families = [2]int{start, len(*ints)}
}

// familyPlaces returns the places of the numbers of a CPD in data memory: those of its parameters
// if they can be replaced. It returns nil if the parameters have another form.
func (g *Methods) familyPlaces(f *model.Family, numbers *store.NumberPool) (places []int32) {
	if !g.VarParams() {
		for _, x := range f.Values {
			places = append(places, int32(numbers.Place(lanes.Number{At: -1, Value: x})))
		}
		return places
	}
	name := g.Model.FactorName(f.Factor)
	for _, id := range g.Program.ParamSpans() {
		if s := &g.Program.Spans[id]; s.Name == name && s.Len == len(f.Values) {
			rows := 1
			if d := f.Factor.Gaussian(); d != nil {
				rows = len(d.Mean)
			}
			for i := range s.Len { // by row; the span of a Gaussian CPD has a column after the other
				width := s.Len / rows
				places = append(places, int32(s.Offset+i%width*rows+i/width))
			}
			return places
		}
	}
	return nil
}

// columns declares the types and methods of evidence by variable.
func (g *Methods) columns() {
	if !g.byColumn() {
		return
	}
	g.columnTypes()
	g.columnMethods()
	for _, a := range g.batches {
		if a.byColumns != nil {
			a.byColumns(g, a)
		}
	}
	if g.Entry(ir.Posterior) != nil {
		g.onePosterior()
	}
	for i := range g.Program.Entries {
		if e := &g.Program.Entries[i]; e.Query.Kind == ir.Posterior && !e.IsPart() {
			g.posteriorColumns(e)
		}
	}
}

// marginalsByColumn reports whether the package has all posteriors by column.
func (g *Methods) marginalsByColumn() bool {
	return g.Entry(ir.Marginals) != nil
}

// byColumn reports whether some batch takes evidence by variable.
func (g *Methods) byColumn() bool {
	return slices.ContainsFunc(g.batches, func(a batched) bool { return a.byColumns != nil })
}

// columnTypes declares the types of columns.
func (g *Methods) columnTypes() {
	vars := g.Names.Observable()
	g.Out.Add(source.Doc("Columns holds the evidence of a number of rows by variable. A column has the state of each row, counted from 1, and 0 if it was not",
		"observed"+g.realCells()+". The column of a variable that no row observes is nil."))
	g.Out.Type().Id("Columns").StructFunc(func(s *jen.Group) {
		s.Id("Rows").Int()
		for _, x := range vars {
			s.Id(x.ID).Id(x.Port.Column())
		}
	})
	g.Out.Line()
	if g.marginalsByColumn() {
		g.Out.Add(source.Doc("MarginalColumns holds the posteriors of rows by variable: for each state"+g.realAnswers()+", the numbers of all rows. A nil column is",
			"not wanted."))
		g.Out.Type().Id("MarginalColumns").StructFunc(func(s *jen.Group) {
			for _, x := range vars {
				s.Id(x.ID).Index(jen.Lit(answers(x))).Index().Float64()
			}
			if g.HasLogP() {
				s.Id("LogP").Index().Float64()
			}
		})
		g.Out.Line()
	}
}

// realCells and realAnswers describe the columns of real variables, if there are some.
func (g *Methods) realCells() string {
	if len(g.Model.Reals()) == 0 {
		return ""
	}
	return ", or real values, and NaN if none was observed"
}

func (g *Methods) realAnswers() string {
	if len(g.Model.Reals()) == 0 {
		return ""
	}
	return ", or for the mean and the variance of a real variable"
}

// answers returns the number of numbers of the posterior of x.
func answers(x *api.Variable) int {
	if n := x.Port.States(); n > 0 {
		return n
	}
	return 2
}

// columnMethods declares the methods of the types of columns, and the memory of an engine for them.
func (g *Methods) columnMethods() {
	g.Func(source.Doc("Dictionary sets to[i] to the number of the state states[i] of the variable with the given index in Variables, and to 0 for an empty text.",
		"It fails with ErrState for the first text that is no state."),
		"Dictionary[S uint8 | uint16](variable int, states []string, to []S) error", "return "+g.RT("Dictionary")+"(&names, variable, states, to)")
	cases := ""
	for _, x := range g.Names.Observable() {
		cases += fmt.Sprintf("case %d:\n\treturn &c.%s\n", x.Index, x.ID)
	}
	g.Func(source.Doc("Column returns a pointer to the column of the variable with the given index in Variables, for programs that read names from elsewhere."),
		"(c *Columns) Column(variable int) any", "switch variable {\n"+cases+"}\nreturn nil")
	g.splitMethod("row", "enters row r in ev", "(c *Columns)", "(r int, ev *Evidence)", "r, ev", func(x *api.Variable) string {
		return x.Port.FromColumn("ev."+x.ID, "c."+x.ID)
	}, "*ev = Evidence{}\n")
	if g.marginalsByColumn() {
		g.marginalColumnMethods()
	}
	g.Out.Add(source.Doc("columnMemory is the memory of an engine for evidence by variable."))
	g.Out.Type().Id("columnMemory").StructFunc(func(s *jen.Group) {
		s.Id("read").Id(g.RT("Columns"))
		s.Id("evs").Index(jen.Id(g.RT("Lanes"))).Id("Evidence")
		s.Id("logp").Index(jen.Id(g.RT("Lanes"))).Float64()
		if g.marginalsByColumn() {
			s.Id("out").Index(jen.Id(g.RT("Lanes"))).Id("Marginals")
		}
		if g.Entry(ir.Posterior) != nil {
			most := 0
			for _, x := range g.Names.Observable() {
				most = max(most, answers(x))
			}
			s.Id("numbers").Index(jen.Lit(most)).Float64()
		}
	})
	g.Out.Line()
	code, data := "nil", "nil"
	if g.families[1] > g.families[0] {
		code, data = fmt.Sprintf("e.k[%d:%d]", g.families[0], g.families[1]), "e.data()[:]"
	}
	g.Func(source.Doc("byColumn returns the memory for the rows of c."), "(e *Engine) byColumn(c *Columns) (*columnMemory, error)", fmt.Sprintf(`
if e.columns == nil {
	e.columns = new(columnMemory)
	e.columns.read.Begin(&names, %s, %s)
}
return e.columns, e.columns.read.Set(c.Rows, c.Column)`, code, data))
}

// marginalColumnMethods declares the methods that check the lengths of answers, and store some.
func (g *Methods) marginalColumnMethods() {
	logP, lengths := "", ""
	if g.HasLogP() {
		logP = "if m.LogP != nil {\n\tm.LogP[r] = from.LogP\n}\n"
		lengths = "if m.LogP != nil && len(m.LogP) != rows {\n\treturn names.BadLength(\"LogP\", len(m.LogP), rows)\n}\n"
	}
	g.splitMethod("set", "sets row r to posteriors", "(m *MarginalColumns)", "(r int, from *Marginals)", "r, from", func(x *api.Variable) string {
		return fmt.Sprintf("%s(m.%s[:], r, %s)\n", g.RT("SpreadRow"), x.ID, x.Port.Numbers("from."+x.ID))
	}, logP)
	check := ""
	for _, x := range g.Names.Observable() {
		check += fmt.Sprintf("case %d:\n\treturn m.%s[:]\n", x.Index, x.ID)
	}
	g.Func(source.Doc("column returns the columns of the variable with the given index in Variables."), "(m *MarginalColumns) column(variable int) [][]float64",
		"switch variable {\n"+check+"}\nreturn nil")
	g.Func(source.Doc("check returns an error if a column has another length."), "(m *MarginalColumns) check(rows int) error",
		lengths+"for i := range variables {\n\tif err := "+g.RT("CheckColumns")+"(&names, i, rows, m.column(i)); err != nil {\n\t\treturn err\n\t}\n}\nreturn nil")
}

// splitMethod declares a method with statements for each variable, or methods for some variables
// each if there are many. Params are its parameters and args their names.
func (g *Methods) splitMethod(name, does, receiver, params, args string, of func(*api.Variable) string, first string) {
	parts := []string{first}
	for i, x := range g.Names.Observable() {
		if i > 0 && i%api.VarsPerFunc == 0 {
			parts = append(parts, "")
		}
		parts[len(parts)-1] += of(x)
	}
	body := parts[0]
	for i, part := range parts[1:] {
		fn := fmt.Sprintf("%s%d", name, i+2)
		body += fmt.Sprintf("%s.%s(%s)\n", receiver[1:2], fn, args)
		g.Func(source.Doc(fmt.Sprintf("%s %s for some variables.", fn, does)), receiver+" "+fn+params, part)
	}
	g.Func(source.Doc(name+" "+does+"."), receiver+" "+name+params, body)
}

// familySums is the sentence about complete rows.
func (g *Methods) familySums() string {
	if g.families[1] == g.families[0] {
		return ""
	}
	return " A row in which every variable is observed is answered by the sum of the logarithms of its CPDs."
}

// logProbColumns declares LogProbColumns.
func (g *Methods) logProbColumns(a batched) {
	g.Func(source.Doc("LogProbColumns sets out[i] to the natural logarithm of the probability of row i of c. If a row fails, its result is -Inf and the error names the",
		"row; the other rows are answered all the same. The answer to a row depends on that row only."+g.familySums()+" Only the first call allocates memory."),
		"(e *Engine) LogProbColumns(c *Columns, out []float64) error", g.beginColumns()+"if len(out) != c.Rows {\n\treturn names.BadLength(\"out\", len(out), c.Rows)\n}\nvar bad "+g.RT("RowErrors")+`
m.read.LogProbs(out, &bad, func(rows []int) {
	e.columnLogProbs(c, rows, &bad)
	for i, row := range rows {
		out[row] = m.logp[i]
	}
})
return bad.Err(&names)`)
	g.answerColumns(a, "columnLogProbs", "m.logp[i]", "-Inf", "m.logp[i], err = e.LogProb(&m.evs[i], nil)", [2]string{"m.evs[:n], m.logp[:n]", "m.evs[:], m.logp[:]"})
}

// batchColumns declares BatchColumns.
func (g *Methods) batchColumns(a batched) {
	g.Func(source.Doc("BatchColumns sets out to the answers of Marginals for the rows of c, up to rounding. If a row fails, its posteriors are 0, its LogP is -Inf,",
		"and the error names the row; the other rows are answered all the same. The answer to a row depends on that row only. Only the first call allocates memory."),
		"(e *Engine) BatchColumns(c *Columns, out *MarginalColumns) error", g.beginColumns()+"if err := out.check(c.Rows); err != nil {\n\treturn err\n}\nvar bad "+g.RT("RowErrors")+`
m.read.Each(func(rows []int) {
	e.columnMarginals(c, rows, &bad)
	for i, row := range rows {
		out.set(row, &m.out[i])
	}
})
return bad.Err(&names)`)
	g.answerColumns(a, "columnMarginals", "m.out[i]", "Marginals{LogP: -Inf}", "err = e.Marginals(&m.evs[i], nil, &m.out[i])", [2]string{"m.evs[:n], nil, m.out[:n]", "m.evs[:], nil, m.out[:]"})
}

// beginColumns returns the statements that take the columns of c.
func (g *Methods) beginColumns() string {
	return "m, err := e.byColumn(c)\nif err != nil {\n\treturn err\n}\n"
}

// answerColumns declares the method that answers at most as many rows as there are lanes in the
// memory for columns: in lanes if batches use them, and otherwise one by one, by the statement
// single. Result is the answer to row i and none the answer of a row that fails. Args holds the
// first arguments of the method that answers lanes: of sums, and of loop nests.
func (g *Methods) answerColumns(a batched, name, result, none, single string, args [2]string) {
	fn := "lane" + strings.TrimPrefix(name, "column")
	body := "m, n := e.columns, len(rows)\nfor i, row := range rows {\n\tc.row(row, &m.evs[i])\n}\n"
	none = strings.Replace(none, "-Inf", g.Std("math.Inf")+"(-1)", 1)
	switch q := a.lanes; {
	case q == nil:
		body = strings.Replace(body, "m, n := e.columns, len(rows)", "m := e.columns", 1) + "for i, row := range rows {\n\tvar err error\n\t" + single + "\n\tbad.Add(row, err)\n}"
	case q.prog.Nests:
		body += g.makeNests() + fmt.Sprintf(`states := (*[%d]float64)(e.nestLanes)
var list [`+g.RT("Lanes")+`]int
n = 0
for i, row := range rows {
	if err := observe%s(states, n, &m.evs[i]); err != nil {
		%s = %s
		bad.Add(row, err)
		continue
	}
	list[n] = i
	n++
}
at := bad.Len()
e.%s(%s, list[:n], bad)
bad.Renumber(at, rows)`, q.slots*pgmrt.Lanes, a.method, result, none, fn, args[1])
	default:
		body += g.makeLanes(q, a.field) + fmt.Sprintf("at := bad.Len()\ne.%s(%s, 0, bad)\nbad.Renumber(at, rows)", fn, args[0])
	}
	g.Func(source.Doc(name+" answers rows of c, at most as many as there are lanes, in the memory for columns."),
		fmt.Sprintf("(e *Engine) %s(c *Columns, rows []int, bad *%s)", name, g.RT("RowErrors")), body)
}

// posteriorColumns declares the method for the posterior of one variable given columns.
func (g *Methods) posteriorColumns(e *ir.Entry) {
	x := g.Names.Of(e.Query.Targets[0])
	g.Func(source.Doc(fmt.Sprintf("%sColumns sets out to the posteriors of %s given the rows of c, as posteriorColumns does.", x.ID, source.Quote(x.Var.Name))),
		fmt.Sprintf("(e *Engine) %sColumns(c *Columns, out *[%d][]float64) error", x.ID, answers(x)),
		fmt.Sprintf("return e.posteriorColumns(c, %d, out[:], func(ev *Evidence, numbers []float64) error {\n\tp, err := e.%s(ev, nil)\n\tcopy(numbers, %s)\n\treturn err\n})",
			x.Index, x.ID, x.Port.Numbers("p")))
}

// onePosterior declares the method that the methods for the posteriors of single variables call.
func (g *Methods) onePosterior() {
	g.Func(source.Doc("posteriorColumns sets out to the posteriors of a variable given the rows of c. If a row fails, its posterior is 0 and the error names the",
		"row; the other rows are answered all the same, by single if they need it. The answer to a row depends on that row only. If the Markov blanket of the",
		"variable is observed, and not the variable, other variables are not looked at."),
		"(e *Engine) posteriorColumns(c *Columns, variable int, out [][]float64, single func(ev *Evidence, numbers []float64) error) error",
		g.beginColumns()+"if err := "+g.RT("CheckColumns")+"(&names, variable, c.Rows, out); err != nil {\n\treturn err\n}\nvar bad "+g.RT("RowErrors")+`
m.read.Posteriors(variable, out, &bad, func(rows []int) {
	for _, row := range rows {
		c.row(row, &m.evs[0])
		bad.Add(row, single(&m.evs[0], m.numbers[:len(out)]))
		`+g.RT("SpreadRow")+`(out, row, m.numbers[:len(out)])
	}
})
return bad.Err(&names)`)
}
