package codegen

import (
	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// batches declares what is made of the other queries.
func (g *generator) batches() {
	if g.has(ir.LogProb) && g.m.Kind == model.Markov {
		g.logPartition()
	}
	if g.lanes[ir.LogProb] != nil {
		g.laneLogProbs(g.lanes[ir.LogProb])
	} else if g.has(ir.LogProb) {
		g.fn(doc("LogProbs sets out[i] to the natural logarithm of the probability of evs[i]. A row that fails gets -Inf, and the error",
			"names it; the others are answered all the same."),
			"(e *Engine) LogProbs(evs []Evidence, out []float64) error", `
if len(out) != len(evs) {
	return badLength("out", len(out), len(evs))
}
var bad rowErrors
for i := range evs {
	logp, err := e.LogProb(&evs[i], nil)
	out[i] = logp
	if err != nil {
		bad.add(i, err)
	}
}
return bad.err()`)
	}
	if g.lanes[ir.Marginals] != nil {
		g.laneMarginals(g.lanes[ir.Marginals])
	} else if g.has(ir.Marginals) {
		g.fn(doc("Batch sets out[i] to the answer of Marginals for evs[i] and soft[i]; soft may be nil. A row that fails gets zeros, and the",
			"error names it; the others are answered all the same."),
			"(e *Engine) Batch(evs []Evidence, soft []Soft, out []Marginals) error", `
if len(out) != len(evs) {
	return badLength("out", len(out), len(evs))
}
if soft != nil && len(soft) != len(evs) {
	return badLength("soft", len(soft), len(evs))
}
var bad rowErrors
for i := range evs {
	var likelihoods *Soft
	if soft != nil {
		likelihoods = &soft[i]
	}
	if err := e.Marginals(&evs[i], likelihoods, &out[i]); err != nil {
		bad.add(i, err)
	}
}
return bad.err()`)
	}
	if len(g.lanes) > 0 {
		g.newLanes()
	}
	if g.has(ir.LogProb) || g.has(ir.Marginals) {
		g.rowErrors()
	}
}

func (g *generator) logPartition() {
	z := g.minusLogZ()
	if z != "" {
		z = " + " + z[len(" - "):]
	}
	g.fn(doc("LogPartition gives the natural logarithm of the sum, over all states that agree with ev, of the product of the",
		"potentials and of the likelihoods of soft, which may be nil."),
		"(e *Engine) LogPartition(ev *Evidence, soft *Soft) (float64, error)", "logp, err := e.LogProb(ev, soft)\nreturn logp"+z+", err")
}

// rowErrors declares the error of batches.
func (g *generator) rowErrors() {
	g.out.Add(doc("rowErrors collects the errors of rows, the first ten in words."))
	g.out.Type().Id("rowErrors").Struct(jen.Id("errs").Index().Error(), jen.Id("more").Int())
	g.out.Line()
	g.fn(doc("add notes that a row failed."), "(r *rowErrors) add(row int, err error)", `
if len(r.errs) == 10 {
	r.more++
	return
}
r.errs = append(r.errs, &failure{"row " + `+g.std("strconv.Itoa")+`(row) + ": " + err.Error(), err})`)
	g.fn(doc("err joins the errors; nil where there are none."), "(r *rowErrors) err() error", `
if r.more > 0 {
	r.errs = append(r.errs, &failure{"and " + `+g.std("strconv.Itoa")+`(r.more) + " more rows", nil})
}
return `+g.std("errors.Join")+`(r.errs...)`)
	g.fn(doc("badLength says that two slices don't fit."), "badLength(what string, got, want int) error", `
return &failure{what + " has " + `+g.std("strconv.Itoa")+`(got) + " rows; want " + `+g.std("strconv.Itoa")+`(want), nil}`)
}
