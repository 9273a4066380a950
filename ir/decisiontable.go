package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// The most cases of a decision that packages write as a switch, and the most that they take.
const (
	MaxSwitch = 4095
	MaxCases  = 1 << 20
)

// DecisionTable is what a decision of an influence diagram does in each case: each joint state of
// the variables that are known by then. It is part of the answer of a Policy, which no block
// computes.
type DecisionTable struct {
	Decision    model.VarID
	Known       []model.VarID
	Options     int       // the number of states of Decision
	Choice      []int     // by case, row-major: a state of Decision, or -1 if the case cannot occur
	Probability []float64 // of each case if all decisions follow their tables; nil of sequences, or if there are more than MaxSwitch
	Utility     []float64 // the mean utility of each option in each case, or nil
	Stage       *Stage    // of a sequence; nil in a network of one slice
}

// Stage says in which slices of a sequence a table holds. It has neither probabilities nor
// utilities.
type Stage struct {
	First, Last int
	Ago         []int // for each of Known, how many slices ago it was known; 0 for one that is taken once
}

// text writes, for two cases of v0,
// ` decision v1 knows [v0] options 2 chooses [0 -1] probabilities [1 0] utilities [5 2 0 0]`.
func (d *DecisionTable) text() string {
	words := func(list []float64) string {
		text := make([]string, len(list))
		for i, x := range list {
			text[i] = number(x)
		}
		return strings.Join(text, " ")
	}
	text := fmt.Sprintf(" decision v%d knows [%s] options %d chooses [%s] probabilities [%s] utilities [%s]", d.Decision, strings.TrimPrefix(varsText(d.Known), " "),
		d.Options, strings.Trim(fmt.Sprint(d.Choice), "[]"), words(d.Probability), words(d.Utility))
	if s := d.Stage; s != nil {
		text += fmt.Sprintf(" slices %d to %d ago %v", s.First, s.Last, s.Ago)
	}
	return text
}

func (ps *parser) decisionTable() *DecisionTable {
	d := &DecisionTable{Decision: model.VarID(ps.after("v", ps.word()))}
	ps.expect("knows")
	for _, w := range ps.group('[', ']') {
		d.Known = append(d.Known, model.VarID(ps.after("v", w)))
	}
	ps.expect("options")
	d.Options = ps.int()
	ps.expect("chooses")
	for _, w := range ps.group('[', ']') {
		d.Choice = append(d.Choice, ps.after("", w))
	}
	ps.expect("probabilities")
	d.Probability = ps.numbers()
	ps.expect("utilities")
	d.Utility = ps.numbers()
	if strings.HasPrefix(ps.rest, "slices ") {
		ps.expect("slices")
		s := &Stage{First: ps.int()}
		ps.expect("to")
		s.Last = ps.int()
		ps.expect("ago")
		for _, w := range ps.group('[', ']') {
			s.Ago = append(s.Ago, ps.after("", w))
		}
		d.Stage = s
	}
	return d
}

// numbers reads numbers between two brackets.
func (ps *parser) numbers() (list []float64) {
	for _, w := range ps.group('[', ']') {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			ps.fail("found %q; want a number", w)
		}
		list = append(list, x)
	}
	return list
}

// decisions checks that e has tables of decisions if it is a Policy, and nothing else then.
func (v *verifier) decisions(e *Entry) {
	if policy := e.Query.Kind == Policy; policy != (len(e.Decisions) > 0) || policy && (len(e.Blocks) > 0 || len(e.Outs) > 0 || e.Root != NoSpan) {
		v.errorf("it has %d tables of decisions, %d blocks and %d outputs; a policy has tables and nothing else, and no other query has tables",
			len(e.Decisions), len(e.Blocks), len(e.Outs))
	}
	for _, d := range e.Decisions {
		cases, bad := len(d.Choice), func(k int) bool { return k < -1 || k >= d.Options }
		switch {
		case cases == 0 || cases > MaxCases || slices.ContainsFunc(d.Choice, bad):
			v.errorf("the table of v%d has no cases, more than %d, or a choice that is no option", d.Decision, MaxCases)
		case d.Stage != nil && (d.Stage.First < 0 || d.Stage.Last < d.Stage.First || len(d.Stage.Ago) != len(d.Known)):
			v.errorf("the table of v%d holds in slices %d to %d, with %d known variables of %d slices ago", d.Decision, d.Stage.First, d.Stage.Last, len(d.Known), len(d.Stage.Ago))
		case d.Probability == nil && d.Utility == nil:
		case len(d.Probability) != cases || len(d.Utility) != cases*d.Options:
			v.errorf("the table of v%d has %d probabilities and %d utilities; want %d and %d", d.Decision, len(d.Probability), len(d.Utility), cases, cases*d.Options)
		}
	}
}
