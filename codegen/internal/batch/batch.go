// Package batch plans and writes the methods that answer many rows of evidence, and the steps of
// many filters: in lanes, several rows at once, if that is predicted to take less time than row by
// row.
package batch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/query"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Methods plans and writes the methods that answer many rows of evidence.
type Methods struct {
	*query.Statements
	choice  Choice
	batches []batched // in the order of their places
	Steps   *Query    // the step of many filters; nil if it is made filter by filter
	Data    bool      // data memory has numbers

	families [2]int // the range of integers of the CPDs that complete rows are answered by; empty if there are none
}

// Choice is how the caller wants batches to be answered.
type Choice struct {
	Backend string // the name of a back-end, or empty
	Rule    Rule
}

// Rule is the rule by which batches run in lanes.
type Rule uint8

// The rules: by predicted time, and what can run in lanes in lanes, or as loop nests in lanes.
const (
	Fastest Rule = iota
	AllLanes
	AllNests
)

// batched is an entry that is answered for many rows. Its lanes are nil if it is answered row by
// row.
type batched struct {
	*Answer
	entry *ir.Entry
	lanes *Query
}

// New returns the batches of a package.
func New(s *query.Statements, choice Choice) *Methods {
	return &Methods{Statements: s, choice: choice}
}

// Add adds an entry that is answered for many rows.
func (g *Methods) Add(a *Answer, e *ir.Entry) {
	g.batches = append(g.batches, batched{Answer: a, entry: e})
	slices.SortStableFunc(g.batches, func(a, b batched) int { return a.place - b.place })
}

// InLanes reports whether the answers of e to many rows are computed in lanes.
func (g *Methods) InLanes(e *ir.Entry) bool {
	return slices.ContainsFunc(g.batches, func(x batched) bool { return x.entry == e && x.lanes != nil })
}

// ByTime reports whether back-ends and batches are chosen by predicted time.
func (g *Methods) ByTime() bool {
	return (g.choice.Backend == "" || g.choice.Backend == "auto") && g.choice.Rule == Fastest
}

// Answer is how a package answers many rows of evidence by queries of one kind.
type Answer struct {
	place  int    // rank of its methods among those of the batches, from 1
	method string // the name of the method
	field  string // the field of Engine that holds the lanes

	// Of answers of a type of their own:
	typ   string // the type
	name  string // of the query
	ask   string // the method of Engine for one row, with the arguments ev, soft and out
	none  string // the answer to a row that fails, in which -Inf is written so
	fails string // says the same in a comment

	further func(*Methods)                  // declares further methods of the query; may be nil
	inLanes func(*Methods, *Answer, *Query) // declares the method that answers several rows at once
	byNests func(*Methods, *Answer, *Query) // the same, if the lanes run loop nests
	byRows  func(*Methods, *Answer)         // declares the method that answers row by row

	byColumns func(*Methods, batched) // declares the methods that take evidence by variable; may be nil
	byColumn  []string                // their exported names, and those of their types
}

// LogProbs answers with the probabilities of rows.
var LogProbs = Answer{place: 1, method: "LogProbs", field: "logProbLanes",
	further: (*Methods).logPartition, inLanes: (*Methods).laneLogProbs, byNests: (*Methods).nestLogProbs, byRows: (*Methods).rowLogProbs,
	byColumns: (*Methods).logProbColumns, byColumn: []string{"LogProbColumns"}}

// Marginals answers with the posteriors given rows.
var Marginals = Answer{place: 2, method: "Batch", field: "marginalLanes",
	typ: "Marginals", name: "Marginals", ask: "Marginals", none: "Marginals{LogP: -Inf}", fails: "its posteriors are 0, its LogP is -Inf,",
	inLanes: (*Methods).laneAnswers, byNests: (*Methods).nestAnswers, byRows: (*Methods).rowAnswers,
	byColumns: (*Methods).batchColumns, byColumn: []string{"BatchColumns", "MarginalColumns"}}

// By returns the answers to many rows of a query that has a name, by a method of Engine with the
// arguments ev, soft and out, a pointer to the type of an answer. A row that fails has the answer
// none.
func By(name, ask, typ, none, fails string) *Answer {
	return &Answer{place: 3, method: name + api.BatchSuffix, field: strings.ToLower(name[:1]) + name[1:] + "Lanes", typ: typ, name: name, ask: ask, none: none, fails: fails,
		inLanes: (*Methods).laneAnswers, byNests: (*Methods).nestAnswers, byRows: (*Methods).rowAnswers}
}

// Declare declares the methods for many rows, and the methods of Answer.further.
func (g *Methods) Declare() {
	filled, soft := false, false
	for _, a := range g.batches {
		if a.further != nil {
			a.further(g)
		}
		switch q := a.lanes; {
		case q == nil:
			a.byRows(g, a.Answer)
		case q.prog.Nests:
			a.byNests(g, a.Answer, q)
		default:
			a.inLanes(g, a.Answer, q)
			filled = true
		}
		soft = soft || a.typ != ""
	}
	if soft {
		g.SoftOf()
	}
	if filled || g.Steps != nil && !g.Steps.prog.Nests {
		g.newLanes()
	}
	g.columns()
}

// rowByRow is the sentence about batches that make a single query a row.
const rowByRow = "It makes a single query a row: for this model, several rows at once would take as long."

// rowLogProbs declares LogProbs, which answers row by row.
func (g *Methods) rowLogProbs(*Answer) {
	g.Func(source.Doc("LogProbs sets out[i] to the natural logarithm of the probability of evs[i]. If a row fails, its result is -Inf and the error",
		"names the row; the other rows are answered all the same. "+rowByRow),
		"(e *Engine) LogProbs(evs []Evidence, out []float64) error", g.checkRows("[]Soft(nil)")+
			"return "+g.RT("EachRow")+"(&names, len(evs), func(i int) (err error) {\n\tout[i], err = e.LogProb(&evs[i], nil)\n\treturn err\n})")
}

// checkRows returns the statements that refuse a wrong number of rows; soft is an expression.
func (g *Methods) checkRows(soft string) string {
	return fmt.Sprintf("if err := %s(&names, len(evs), out, %s); err != nil {\n\treturn err\n}\n", g.RT("CheckRows"), soft)
}

// rowAnswers declares the method that answers row by row.
func (g *Methods) rowAnswers(a *Answer) {
	g.Func(source.Doc(fmt.Sprintf("%s sets out[i] to the answer of %s for evs[i] and soft[i]; soft may be nil. If a row fails, %s", a.method, a.name, a.fails),
		"and the error names the row; the other rows are answered all the same. "+rowByRow),
		a.header(), g.checkRows("soft")+"return "+g.RT("EachRow")+"(&names, len(evs), func(i int) error { return "+a.one("i")+" })")
}

// header returns the receiver, the name, the parameters and the result of the method.
func (a *Answer) header() string {
	return fmt.Sprintf("(e *Engine) %s(evs []Evidence, soft []Soft, out []%s) error", a.method, a.typ)
}

// one returns the call that answers the row with an index.
func (a *Answer) one(row string) string {
	return fmt.Sprintf("e.%s(&evs[%s], softOf(soft, %[2]s), &out[%[2]s])", a.ask, row)
}

// read returns the call that reads the answer of a row from work memory.
func (a *Answer) read(row string) string {
	return fmt.Sprintf("e.read%s(&evs[%s], softOf(soft, %[2]s), scales[i], &out[%[2]s])", a.name, row)
}

// zero returns the expression of the answer to a row that fails.
func (g *Methods) zero(a *Answer) string {
	return strings.Replace(a.none, "-Inf", g.Std("math.Inf")+"(-1)", 1)
}

// logPartition declares LogPartition if the model is a Markov network.
func (g *Methods) logPartition() {
	if g.Model.Kind != model.Markov {
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
