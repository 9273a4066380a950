package view

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/model"
)

const (
	consistencyWork      = 1 << 26 // steps: about a second
	consistencyTolerance = 1e-6    // nats: the rounding of files
)

// consistencyInfo reports whether the CPDs of a dependency network are the conditionals of one
// joint distribution.
type consistencyInfo struct {
	Verdict      string            `json:"verdict"` // consistent, inconsistent or open
	Pairs        int               `json:"pairs"`
	Partly       int               `json:"partly"`           // pairs compared in some states only
	Zeros        bool              `json:"zeros"`            // zeros make some states impossible, whose CPDs are then arbitrary
	Disagreement *float64          `json:"disagreement"`     // the largest difference of log odds ratios, in nats; null if it is infinite
	Pair         []string          `json:"pair,omitempty"`   // the variables of the largest disagreement
	States       [][2]string       `json:"states,omitempty"` // two states of each
	Given        map[string]string `json:"given,omitempty"`
}

// consistencyOf compares the CPDs of a dependency network with each other. It returns nil for other
// models.
func consistencyOf(m *model.Model) *consistencyInfo {
	if m.Kind != model.Dependency {
		return nil
	}
	c := m.Consistency(consistencyWork)
	out := &consistencyInfo{Verdict: c.Verdict(consistencyTolerance).String(), Pairs: c.Pairs, Partly: c.Partly, Zeros: c.Zeros, Disagreement: table.FiniteOnly(c.Largest)}
	if c.Largest <= consistencyTolerance {
		return out
	}
	for i, v := range c.Vars {
		names := m.States(v)
		out.Pair = append(out.Pair, m.Vars[v].Name)
		out.States = append(out.States, [2]string{names[c.States[i][0]], names[c.States[i][1]]})
	}
	out.Given = map[string]string{}
	for v, s := range c.Given {
		out.Given[m.Vars[v].Name] = m.States(v)[s]
	}
	return out
}

// text returns the result as sentences.
func (c *consistencyInfo) text() string {
	what := map[string]string{
		model.Consistent.String():   "the CPDs are the conditionals of one joint distribution",
		model.Inconsistent.String(): "the CPDs are the conditionals of no joint distribution",
		model.Open.String():         "whether the CPDs are the conditionals of one joint distribution is not decided",
	}[c.Verdict]
	text := c.Verdict + ": " + what + fmt.Sprintf("; %d %s compared", c.Pairs, table.Plural("pair", c.Pairs))
	if c.Partly > 0 {
		text += fmt.Sprintf(", %d of them in part", c.Partly)
	}
	if c.Zeros && c.Verdict == model.Open.String() {
		text += "; what zeros make impossible could have any CPD"
	}
	if c.Pair == nil {
		return text + "\n"
	}
	by := math.Inf(1)
	if c.Disagreement != nil {
		by = *c.Disagreement
	}
	where := ""
	if c.Verdict == model.Open.String() {
		where = ", perhaps where nothing is possible"
	}
	text += fmt.Sprintf("\n%s and %s disagree most%s: their odds ratios between %s and %s differ by %.4g nats", cli.QuoteName(c.Pair[0]), cli.QuoteName(c.Pair[1]), where,
		joinNames(c.States[0][:]), joinNames(c.States[1][:]), by)
	var given []string
	for _, name := range slices.Sorted(maps.Keys(c.Given)) {
		given = append(given, cli.QuoteName(name)+"="+cli.QuoteName(c.Given[name]))
	}
	if given != nil {
		text += ", given " + strings.Join(given, ", ")
	}
	return text + "\n"
}
