package codegen

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir/model"
)

// batchAnswer describes how a package answers many rows of evidence by queries of one kind.
type batchAnswer struct {
	place  int    // rank of its methods among those of the batches, from 1
	method string // the name of the method
	field  string // the field of Engine that holds the lanes

	further func(*generator)             // declares further methods of the query; may be nil
	inLanes func(*generator, *laneQuery) // declares the method that answers several rows at once
	byNests func(*generator, *laneQuery) // the same, if the lanes run loop nests
	byRows  func(*generator)             // declares the method that answers row by row
}

// logProbBatch answers with the probabilities of rows.
var logProbBatch = batchAnswer{place: 1, method: "LogProbs", field: "logProbLanes",
	further: (*generator).logPartition, inLanes: (*generator).laneLogProbs, byNests: (*generator).nestLogProbs, byRows: (*generator).rowLogProbs}

// marginalsBatch answers with the posteriors given rows.
var marginalsBatch = batchAnswer{place: 2, method: "Batch", field: "marginalLanes",
	inLanes: (*generator).laneMarginals, byNests: (*generator).nestMarginals, byRows: (*generator).rowMarginals}

// batched returns the answers with batches, in the order of their places.
func (g *generator) batched() (list []rowEntry) {
	for _, a := range g.entries {
		if a.row.batch != nil {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b rowEntry) int { return a.row.batch.place - b.row.batch.place })
	return list
}

// batches declares the methods for many rows, and the methods of batchAnswer.further.
func (g *generator) batches() {
	list, filled := g.batched(), false
	for _, a := range list {
		b := a.row.batch
		if b.further != nil {
			b.further(g)
		}
		switch q := g.lanes[a.row.kind]; {
		case q == nil:
			b.byRows(g)
		case q.prog.Nests:
			b.byNests(g, q)
		default:
			b.inLanes(g, q)
			filled = true
		}
	}
	if filled || g.streams != nil && !g.streams.prog.Nests {
		g.newLanes()
	}
}

// rowByRow is the sentence about batches that make a single query a row.
const rowByRow = "It makes a single query a row: for this model, several rows at once would take as long."

// rowLogProbs declares LogProbs, which answers row by row.
func (g *generator) rowLogProbs() {
	g.Func(source.Doc("LogProbs sets out[i] to the natural logarithm of the probability of evs[i]. If a row fails, its result is -Inf and the error",
		"names the row; the other rows are answered all the same. "+rowByRow),
		"(e *Engine) LogProbs(evs []Evidence, out []float64) error", g.checkRows("[]Soft(nil)")+
			"return "+g.RT("EachRow")+"(&names, len(evs), func(i int) (err error) {\n\tout[i], err = e.LogProb(&evs[i], nil)\n\treturn err\n})")
}

// checkRows returns the statements that refuse a wrong number of rows; soft is an expression.
func (g *generator) checkRows(soft string) string {
	return fmt.Sprintf("if err := %s(&names, len(evs), out, %s); err != nil {\n\treturn err\n}\n", g.RT("CheckRows"), soft)
}

// rowMarginals declares Batch, which answers row by row.
func (g *generator) rowMarginals() {
	g.Func(source.Doc("Batch sets out[i] to the answer of Marginals for evs[i] and soft[i]; soft may be nil. If a row fails, its posteriors are 0, its",
		"LogP is -Inf, and the error names the row; the other rows are answered all the same. "+rowByRow),
		"(e *Engine) Batch(evs []Evidence, soft []Soft, out []Marginals) error", g.checkRows("soft")+"return "+g.RT("EachRow")+"(&names, len(evs), func(i int) error { return e.Marginals(&evs[i], softOf(soft, i), &out[i]) })")
	g.softOf()
}

// logPartition declares LogPartition if the model is a Markov network.
func (g *generator) logPartition() {
	if g.m.Kind != model.Markov {
		return
	}
	z := g.MinusLogZ()
	if z != "" {
		z = " + " + z[len(" - "):]
	}
	g.Func(source.Doc("LogPartition returns the natural logarithm of the sum, over all joint states that agree with ev, of the product of the",
		"potentials and of the likelihoods of soft, which may be nil."),
		"(e *Engine) LogPartition(ev *Evidence, soft *Soft) (float64, error)", "logp, err := e.LogProb(ev, soft)\nreturn logp"+z+", err")
}
