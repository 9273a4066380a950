package codegen

import (
	"errors"
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/asm"
	"github.com/pgmc-go/pgmc/codegen/lanes"
	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// laneLimit is up to where batches are worked out in lanes: a second of work here, 2 MB of code or half of what other parts have, and
// 16 MB of numbers an engine.
func laneLimit(code int) lanes.Limit {
	return lanes.Limit{Products: 1 << 22, Ops: max(1<<18, code/2), Slots: 1 << 18}
}

// laneQueries are the kinds of query that batches ask, their methods, and the fields of Engine that hold the lanes.
var laneQueries = []struct {
	kind          ir.QueryKind
	method, field string
}{
	{ir.LogProb, "LogProbs", "logProbLanes"},
	{ir.Marginals, "Batch", "marginalLanes"},
}

// laneQuery is a query that is answered for several rows at once. Its parts of the integers beside the code are ranges.
type laneQuery struct {
	prog               *lanes.Program
	entry              *ir.Entry
	slots              int
	from, in, out, run [2]int
	asm                *asm.Code // nil unless the package has assembly
	begin              [2]int    // what comes before the parts of asm
	tails              [][2]int  // and after each
}

// planLanes prepares the entries that batches run; one that is too large, or has steps that lanes don't take, stays row by row.
func (g *generator) planLanes(pool *[]float64, ints *[]int32) error {
	g.lanes = map[ir.QueryKind]*laneQuery{}
	numbers, limit := newNumberPool(g.p, pool), laneLimit(len(*ints))
	for _, q := range laneQueries {
		e := g.entry(q.kind)
		if e == nil {
			continue
		}
		prog, err := lanes.Compile(g.p, e, limit)
		if errors.Is(err, lanes.ErrSize) || errors.Is(err, lanes.ErrStep) {
			continue
		}
		if err != nil {
			return err
		}
		add := func(code []int32) [2]int {
			start := len(*ints)
			*ints = append(*ints, code...)
			return [2]int{start, len(*ints)}
		}
		place, from := make([]int, len(prog.Numbers)), make([]int32, len(prog.Numbers))
		for i, n := range prog.Numbers {
			place[i] = numbers.place(n)
			from[i] = int32(place[i])
		}
		lq := &laneQuery{prog: prog, entry: e, slots: prog.Slots, from: add(from), in: add(lanes.Moves(prog.In)), out: add(lanes.Moves(prog.Out)), run: add(prog.Code())}
		g.lanes[q.kind] = lq
		if g.opt.Backend != Assembly {
			continue
		}
		if err := g.planAssembly(lq, q.method, place); err != nil {
			return err
		}
		lq.slots, lq.begin = lq.asm.Slots, add(prog.Begin())
		for i := range prog.Parts {
			lq.tails = append(lq.tails, add(prog.Tail(nil, &prog.Parts[i])))
		}
	}
	if g.opt.Backend == Assembly {
		return g.wantsLanes()
	}
	return nil
}

// numberPool finds numbers in data memory, and adds to the pool what is not there.
type numberPool struct {
	p    *ir.Program
	pool *[]float64
	at   map[float64]int
}

func newNumberPool(p *ir.Program, pool *[]float64) *numberPool {
	n := &numberPool{p, pool, map[float64]int{}}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == ir.RoleConst {
			for k, x := range s.Data {
				n.add(x, s.Offset+k)
			}
		}
	}
	for i, x := range *pool {
		n.add(x, p.Data+i)
	}
	return n
}

func (n *numberPool) add(x float64, at int) {
	if _, ok := n.at[x]; !ok {
		n.at[x] = at
	}
}

func (n *numberPool) place(x lanes.Number) int {
	if x.At >= 0 {
		return x.At
	}
	if _, ok := n.at[x.Value]; !ok {
		n.at[x.Value] = n.p.Data + len(*n.pool)
		*n.pool = append(*n.pool, x.Value)
	}
	return n.at[x.Value]
}

// newLanes declares how lanes are made.
func (g *generator) newLanes(f *jen.File) {
	fill := ""
	if len(g.mem.data) > 0 {
		fill = "rt.FillLanes(l, first*rt.Lanes, e.data()[:], from)\n"
	}
	g.fn(f, doc("newLanes makes memory for lanes; the numbers of the model lie in it from slot first on."),
		"(e *Engine) newLanes(slots, first int, from []int32) []float64", "l := rt.NewLanes(slots)\n"+fill+"return l")
}

// batchLoop is the statements that have fn answer lanes of rows; args are the arguments of fn, with at and end for a range of rows.
func (g *generator) batchLoop(q *laneQuery, field, fn, args string) string {
	return fmt.Sprintf(`
if e.%[1]s == nil {
	e.%[1]s = e.newLanes(%[2]d, %[3]d, e.k[%[4]d:%[5]d])
}
var bad rowErrors
for at := 0; at < len(evs); at += rt.Lanes {
	end := min(at+rt.Lanes, len(evs))
	e.%[6]s(%[7]s, at, &bad)
}
return bad.err()`, field, q.slots, q.prog.First, q.from[0], q.from[1], fn, args)
}

// enterLanes is the statements that enter evidence, soft being an expression, and run the lanes.
func (g *generator) enterLanes(q *laneQuery, method, soft string) string {
	run := g.runLanes(q)
	if q.asm != nil {
		run = fmt.Sprintf("e.run%s(l)", method)
	}
	return fmt.Sprintf(`
var scales [rt.Lanes]float64
var errs [rt.Lanes]error
for i := range evs {
	if scales[i], errs[i] = e.%s(&evs[i], %s); errs[i] == nil {
		rt.SetLane(l, i, e.work()[:], e.k[%d:%d])
	}
}
%s
`, g.loader(q.entry).fn, soft, q.in[0], q.in[1], run)
}

// leaveLane is the statement that copies the answers of lane i to where a single query has them.
func (g *generator) leaveLane(q *laneQuery) string {
	text := fmt.Sprintf("rt.GetLane(l, i, e.work()[:], e.k[%d:%d])\n", q.out[0], q.out[1])
	switch exp := q.entry.Exp; {
	case exp == ir.NoSpan:
	case q.prog.Exp < 0:
		text += fmt.Sprintf("e.state()[%d] = 0\n", g.p.Spans[exp].Offset)
	default:
		text += fmt.Sprintf("e.state()[%d] = int32(l[%d+i])\n", g.p.Spans[exp].Offset, q.prog.Exp*pgmrt.Lanes)
	}
	return text
}

func (g *generator) laneLogProbs(f *jen.File, q *laneQuery) {
	g.fn(f, doc("LogProbs sets out[i] to the natural logarithm of the probability of evs[i]. A row that fails gets -Inf, and the error",
		"names it; the others are answered all the same. Several rows are worked out at once, in memory that the first call makes. The",
		"answer to a row does not depend on the others."),
		"(e *Engine) LogProbs(evs []Evidence, out []float64) error",
		"if len(out) != len(evs) {\n\treturn badLength(\"out\", len(out), len(evs))\n}"+
			g.batchLoop(q, "logProbLanes", "laneLogProbs", "evs[at:end], out[at:end]"))
	g.fn(f, doc("laneLogProbs answers as many rows as there are lanes, or fewer; the first is number row."),
		"(e *Engine) laneLogProbs(evs []Evidence, out []float64, row int, bad *rowErrors)",
		"l := e.logProbLanes\n"+g.enterLanes(q, "LogProbs", "nil")+`
for i := range evs {
	err := errs[i]
	if err == nil {
		out[i], err = e.readLogProb(l, i, scales[i])
	}
	if err != nil {
		out[i] = math.Inf(-1)
		bad.add(row+i, err)
	}
}`)
	g.fn(f, doc("readLogProb gives the answer of lane i."), "(e *Engine) readLogProb(l []float64, i int, scale float64) (float64, error)",
		g.leaveLane(q)+g.root(q.entry, "\treturn 0, ErrImpossible")+"return "+g.logOf(q.entry)+", nil")
}

func (g *generator) laneMarginals(f *jen.File, q *laneQuery) {
	g.fn(f, doc("Batch sets out[i] to the answer of Marginals, but for rounding, for evs[i] and soft[i]; soft may be nil. A row that fails gets",
		"zeros, and the error names it; the others are answered all the same. Several rows are worked out at once, in memory that the",
		"first call makes. The answer to a row does not depend on the others."),
		"(e *Engine) Batch(evs []Evidence, soft []Soft, out []Marginals) error", `
if len(out) != len(evs) {
	return badLength("out", len(out), len(evs))
}
if soft != nil && len(soft) != len(evs) {
	return badLength("soft", len(soft), len(evs))
}`+g.batchLoop(q, "marginalLanes", "laneMarginals", "evs[at:end], soft[min(at, len(soft)):min(end, len(soft))], out[at:end]"))
	leave := "err = e.readMarginals(scales[i], &out[i])\n"
	if q.prog.Marks >= 0 {
		leave = fmt.Sprintf(`if l[%d+i] != 0 { // too extreme for lanes
	err = e.Marginals(&evs[i], softOf(soft, i), &out[i])
} else {
	%s%s}
`, q.prog.Marks*pgmrt.Lanes, g.leaveLane(q), leave)
	} else {
		leave = g.leaveLane(q) + leave
	}
	g.fn(f, doc("laneMarginals answers as many rows as there are lanes, or fewer; the first is number row."),
		"(e *Engine) laneMarginals(evs []Evidence, soft []Soft, out []Marginals, row int, bad *rowErrors)",
		"l := e.marginalLanes\n"+g.enterLanes(q, "Batch", "softOf(soft, i)")+`
for i := range evs {
	err := errs[i]
	if err == nil {
		`+leave+`
	} else {
		out[i] = Marginals{LogP: math.Inf(-1)}
	}
	if err != nil {
		bad.add(row+i, err)
	}
}`)
	g.fn(f, doc("softOf gives the likelihoods of row i; nil where there are none at all."), "softOf(soft []Soft, i int) *Soft", `
if len(soft) == 0 {
	return nil
}
return &soft[i]`)
}
