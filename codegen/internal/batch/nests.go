package batch

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/lanes"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// nestSlots is the most slots of a program of loop nests: 64 MB for an engine.
const nestSlots = 1 << 20

// nestGain is how much faster than single queries lanes of loop nests must be, as predicted.
const nestGain = 1.2

// planNests compiles an entry for lanes of loop nests. It returns nil if lanes cannot run it or
// would be slower than single queries.
func (g *Methods) planNests(e *ir.Entry) *lanes.Program {
	prog, err := lanes.CompileSteps(g.Program, e, lanes.Limit{Products: math.MaxInt, Slots: nestSlots})
	if err != nil || g.choice.Rule != AllNests && nestGain*g.laneNS(prog, e, false, pgmrt.Lanes) > pgmrt.Lanes*g.singleNS(e) {
		return nil
	}
	return prog
}

// leastNests returns the least number of rows for which nests run in lanes.
func (q *Query) leastNests() int { return min(q.rows, pgmrt.Lanes) }

// singleNS returns the predicted time of a single query.
func (g *Methods) singleNS(e *ir.Entry) float64 {
	return choose.QueryNS(g.Program, e, g.Plan)
}

// planWork returns the integers by which LaneWork counts the products of a row of q, most products
// first, none if no evidence divides them, and the number of products without evidence.
// Contractions that the same variables divide count as one. Contractions of few products count as
// if no evidence divided them.
func (g *Methods) planWork(q *Query) (code []int32, products int) {
	divided, products := g.dividedWork(q)
	slices.SortStableFunc(divided, func(a, b dividedWork) int { return cmp.Compare(b.products, a.products) })
	counted := 0
	for _, d := range divided {
		if counted > products-products/64 {
			break
		}
		counted += d.products
		code = append(append(code, float32Word(float64(d.products)), int32(len(d.variables)/2)), d.variables...)
	}
	if code == nil {
		return nil, products
	}
	return append(code, float32Word(float64(products-counted)), 0), products
}

// float32Word returns the bits of a float32.
func float32Word(x float64) int32 { return int32(math.Float32bits(float32(x))) }

// dividedWork is the number of products of the contractions that the same observed variables
// divide, and for each variable the two integers by which LaneWork divides.
type dividedWork struct {
	products  int
	variables []int32
}

// dividedWork returns the contractions of q that evidence divides, by the variables that divide
// them, and the number of products of all.
func (g *Methods) dividedWork(q *Query) (divided []dividedWork, products int) {
	for _, b := range q.Entry.Blocks {
		for _, step := range g.Program.Blocks[b].Steps {
			c, ok := step.(*ir.Contract)
			if !ok {
				continue
			}
			products += c.Entries()
			var variables []int32
			for i, exact := range g.Ranges.Exact(c) {
				if v := c.Axes[i].Var; exact && q.states[v] >= 0 {
					variables = append(variables, int32(q.states[v]*pgmrt.Lanes), float32Word(1/float64(c.Axes[i].Size)))
				}
			}
			if variables == nil {
				continue
			}
			i := slices.IndexFunc(divided, func(d dividedWork) bool { return slices.Equal(d.variables, variables) })
			if i < 0 {
				i = len(divided)
				divided = append(divided, dividedWork{variables: variables})
			}
			divided[i].products += c.Entries()
		}
	}
	return divided, products
}

// nestSize returns the number of slots for the batches of loop nests, which share their lanes.
func (g *Methods) nestSize() (slots int) {
	for _, q := range g.inLanes() {
		if q.prog.Nests {
			slots = max(slots, q.slots)
		}
	}
	return slots
}

// nestLoop returns the statements that answer rows in groups that fill the lanes, by fn, and others
// by single. args holds the arguments of fn before the rows; single is an expression for an error.
func (g *Methods) nestLoop(q *Query, method, fn, args, single string) string {
	light := ""
	if q.narrows() {
		light = fmt.Sprintf(" && "+g.RT("LaneWork")+"(e.k[%d:%d], l, n, %[3]d) >= %[3]d", q.work[0], q.work[1], q.light)
	}
	return g.makeNests() + fmt.Sprintf(`l := e.nestLanes
states := (*[%d]float64)(l)
var bad `+g.RT("RowErrors")+`
var rows [`+g.RT("Lanes")+`]int
`+g.RT("GatherRows")+`(rows[:], len(evs), %d,
	func(row, n int) bool { return observe%s(states, n, &evs[row]) == nil%s },
	func(row int) { bad.Add(row, %s) },
	func(n int) { e.%s(%s, rows[:n], &bad) })
return bad.Err(&names)`, q.slots*pgmrt.Lanes, q.leastNests(), method, light, single, fn, args)
}

// makeNests returns the statement that makes memory for batches of loop nests.
func (g *Methods) makeNests() string {
	return fmt.Sprintf("if e.nestLanes == nil {\n\te.nestLanes = %s(%d)\n}\n", g.RT("NewLanes"), g.nestSize())
}

// singles returns the part of a sentence that says which rows are answered one by one.
func (q *Query) singles() string {
	few := ""
	if n := q.leastNests(); n > 1 {
		few = fmt.Sprintf(", or fewer than %d,", n)
	}
	return "and rows with much evidence" + few + " one by one"
}

// nestLogProbs declares LogProbs, which answers several rows at once by loop nests.
func (g *Methods) nestLogProbs(_ *Answer, q *Query) {
	g.Func(source.Doc("LogProbs sets out[i] to the natural logarithm of the probability of evs[i]. If a row fails, its result is -Inf and the error",
		"names the row; the other rows are answered all the same. It computes several rows at once, in memory that the first call",
		"allocates, "+q.singles()+". Up to rounding, the answer to a row does not depend on the other rows."),
		"(e *Engine) LogProbs(evs []Evidence, out []float64) error",
		g.checkRows("[]Soft(nil)")+
			g.nestLoop(q, "LogProbs", "laneLogProbs", "evs, out", "e.rowLogProb(&evs[row], &out[row])"))
	g.rowLogProb()
	g.Func(source.Doc("laneLogProbs answers the rows whose observations are in the lanes, at most as many as there are lanes."),
		"(e *Engine) laneLogProbs(evs []Evidence, out []float64, rows []int, bad *"+g.RT("RowErrors")+")",
		"l := e.nestLanes\n"+g.CountRun()+fmt.Sprintf(g.RT("RunLanes")+"(e.k[%d:%d], l)\n", q.observe[0], q.observe[1])+g.work(q, "LogProbs")+`for i, row := range rows {
	logp, err := e.readLogProb(l, i, &evs[row])
	if err != nil {
		logp = `+g.Std("math.Inf")+`(-1)
		bad.Add(row, err)
	}
	out[row] = logp
}`)
	g.readLane(q)
	g.observer(q, "LogProbs")
}

// rowLogProb declares the method that answers one row.
func (g *Methods) rowLogProb() {
	g.Func(source.Doc("rowLogProb answers one row by itself."), "(e *Engine) rowLogProb(ev *Evidence, out *float64) (err error)",
		"*out, err = e.LogProb(ev, nil)\nreturn err")
}

// nestAnswers declares the method that answers several rows at once by loop nests.
func (g *Methods) nestAnswers(a *Answer, q *Query) {
	lane := "lane" + a.name
	g.Func(source.Doc(fmt.Sprintf("%s sets out[i] to the answer of %s for evs[i] and soft[i], up to rounding; soft may be nil. If a row fails, %s", a.method, a.name, a.fails),
		"and the error names the row; the other rows are answered all the same. It computes",
		"several rows at once, in memory that the first call allocates, "+q.singles()+".",
		"Up to rounding, the answer to a row does not depend on the other rows."),
		a.header(), g.checkRows("soft")+g.nestLoop(q, a.method, lane, "evs, soft, out", a.one("row")))
	g.Func(source.Doc(lane+" answers the rows whose observations are in the lanes, at most as many as there are lanes."),
		fmt.Sprintf("(e *Engine) %s(evs []Evidence, soft []Soft, out []%s, rows []int, bad *%s)", lane, a.typ, g.RT("RowErrors")),
		"l := e.nestLanes\nvar scales ["+g.RT("Lanes")+"]float64\nvar errs ["+g.RT("Lanes")+"]error\n"+g.CountRun()+fmt.Sprintf(`if len(soft) == 0 {
	`+g.RT("RunLanes")+`(e.k[%d:%d], l)
} else {
	for i, row := range rows {
		if scales[i], errs[i] = e.%s(&evs[row], &soft[row]); errs[i] == nil {
			`+g.RT("SetLane")+`(l, i, e.work()[:], e.k[%d:%d])
		}
	}
}
`, q.observe[0], q.observe[1], g.Loader(q.Entry).Func, q.in[0], q.in[1])+g.work(q, a.method)+fmt.Sprintf(`for i, row := range rows {
	err := errs[i]
	switch {
	case err != nil:
		out[row] = %s
	case l[%d+i] != 0: // too extreme for lanes
		err = %s
	default:
		%serr = %s
	}
	if err != nil {
		bad.Add(row, err)
	}
}`, g.zero(a), q.prog.Marks*pgmrt.Lanes, a.one("row"), g.leaveLane(q), a.read("row")))
	g.observer(q, a.method)
}
