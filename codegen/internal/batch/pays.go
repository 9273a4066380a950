package batch

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/lanes"
	"github.com/pgmc-go/pgmc/ir/price"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// mostAssembled is the largest number of operations of an entry with lanes in assembly unless the
// caller chooses the back-end: some 300 KB of text.
const mostAssembled = 1 << 13

// assembles reports whether the lanes of an entry, if they pay, are written in assembly. Lane code
// stores every sum and loads it again, eight numbers at a time, and assembly keeps them in
// registers: ecoli70 takes a third of the time. Networks of real variables are small enough.
// Single queries of others have vectors of their own, beside which batches are rarely in lanes.
func (g *Methods) assembles(prog *lanes.Program, e *ir.Entry) bool {
	if g.choice.Backend == choose.Assembly {
		return true
	}
	real := len(g.Model.Reals()) > 0 && e.Stream == nil && !prog.Nests
	return real && g.ByTime() && prog.Ops <= mostAssembled
}

// pays reports whether lanes are predicted to be faster than single queries for as many rows as
// there are lanes. They are not for queries of a few operations, since the answers of lanes must be
// transposed, nor for those that single queries answer by vectors of their own.
func (g *Methods) pays(prog *lanes.Program, e *ir.Entry) bool {
	return g.choice.Backend == choose.Assembly || g.choice.Rule == AllLanes || g.leastRows(prog, e, g.assembles(prog, e)) <= pgmrt.Lanes
}

// leastRows returns the least number of rows that lanes are predicted to answer faster than single
// queries: more than the number of lanes if there is none, and 1 if tests ask for lanes.
func (g *Methods) leastRows(prog *lanes.Program, e *ir.Entry, assembly bool) int {
	if g.choice.Rule != Fastest {
		return 1
	}
	single := g.singleNS(e)
	for rows := range pgmrt.Lanes {
		if n := rows + 1; price.Row.LaneGain*g.laneNS(prog, e, assembly, n) < float64(n)*single {
			return n
		}
	}
	return pgmrt.Lanes + 1
}

// laneNS returns the predicted time of lanes for some rows.
func (g *Methods) laneNS(prog *lanes.Program, e *ir.Entry, assembly bool, rows int) float64 {
	row := float64(price.Query.Fixed)
	for _, spans := range g.Loader(e).Inputs {
		if len(spans) > 0 {
			row += price.Row.Observe
		}
	}
	for _, m := range slices.Concat(prog.Kept, prog.Out) {
		row += float64(price.Row.Answer * float64(m.Len))
	}
	ns := prog.NS
	if assembly {
		ns *= price.Row.LaneAssembly
	}
	if prog.Nests {
		ns += choose.LaneWaitNS(g.Program, e, prog)
	}
	return ns + float64(float64(rows)*row)
}

// planLight plans by which rows lanes lose to single queries. Some of these are faster if evidence
// narrows their loops.
func (g *Methods) planLight(q *Query, add func([]int32) [2]int) {
	if q.Entry.Stream != nil {
		return
	}
	if g.choice.Backend == choose.Assembly || g.choice.Rule != Fastest && !q.prog.Nests {
		q.rows = 1 // as the caller wants
		return
	}
	code, products := g.planWork(q)
	q.work = add(code)
	gain, rows := 1., pgmrt.Lanes
	if q.prog.Nests {
		gain, rows = nestGain, 1
	}
	if g.choice.Rule != Fastest {
		q.light = products / 2
		return
	}
	share := gain * g.laneNS(q.prog, q.Entry, q.asm != nil, pgmrt.Lanes) / (pgmrt.Lanes * g.singleNS(q.Entry))
	share = (share - price.Row.Still) / (1 - price.Row.Still)
	q.light = max(0, int(share*float64(rows)*float64(products)))
}

// narrows reports whether evidence narrows the loops of single queries.
func (q *Query) narrows() bool { return q.work[0] < q.work[1] }

// paying returns the sentences that say which rows are answered by single queries.
func (q *Query) paying() string {
	const independent = "he answer to a row does not depend on the other rows."
	switch {
	case q.narrows():
		return "It answers rows one by one if there are few or if they have much evidence. Up to rounding, t" + independent
	case q.rows > 1:
		return fmt.Sprintf("It answers fewer than %d rows one by one. Up to rounding, t", q.rows) + independent
	}
	return "T" + independent
}
