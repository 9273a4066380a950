package api

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/names"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir/model"
)

// intervalWords returns words for states that are consecutive intervals of numbers, such as
// UpTo0p5, From0p5To2 and Above2, or nil for other states. An interval includes its upper bound.
func intervalWords(states []string) []string {
	cuts, ok := model.IntervalCuts(states)
	if !ok || len(cuts) == 0 {
		return nil
	}
	words := make([]string, len(states))
	for i, s := range states {
		from, to, _ := strings.Cut(s, "..")
		switch {
		case from == "":
			words[i] = "UpTo" + numberWord(to)
		case to == "":
			words[i] = "Above" + numberWord(from)
		default:
			words[i] = "From" + numberWord(from) + "To" + numberWord(to)
		}
	}
	return words
}

// numberWord returns a number as a part of an identifier: -1.5e-07 is Minus1p5eMinus07.
func numberWord(text string) string {
	return names.Camel(strings.ReplaceAll(text, "e-", "eMinus"))
}

// ofNumber declares the function that returns the state of a number, for states that are intervals.
func (g *API) ofNumber(e *Enum) {
	cuts, ok := model.IntervalCuts(e.texts)
	if !ok || len(cuts) == 0 {
		return
	}
	bounds := make([]string, len(cuts))
	for i, x := range cuts {
		bounds[i] = strconv.FormatFloat(x, 'g', -1, 64)
	}
	g.Func(source.Doc(fmt.Sprintf("%sOf returns the state whose interval holds x, and %s if x is NaN. An interval includes its upper bound.", e.ID, e.Unset())),
		fmt.Sprintf("%[1]sOf(x float64) %[1]s", e.ID), fmt.Sprintf("return %s(%s(x, %s))", e.ID, g.RT("IntervalOf"), strings.Join(bounds, ", ")))
}

// jsonNumber declares the UnmarshalJSON method of e, which also reads a bare number; none unless
// the states are intervals.
func (g *API) jsonNumber(e *Enum) {
	if intervalWords(e.texts) == nil {
		return
	}
	g.Func(source.Doc("UnmarshalJSON reads a string as UnmarshalText reads a text, or a number. The text null leaves s unchanged."),
		fmt.Sprintf("(s *%s) UnmarshalJSON(data []byte) error", e.ID), "return "+g.RT("UnmarshalTextOrNumber")+"(data, s.UnmarshalText)")
}

// Intervals returns the indices of the variables with intervals as states.
func (g *API) Intervals() (list []int) {
	for _, x := range g.Names.Observable() {
		if x.Enum != nil && intervalWords(x.Enum.texts) != nil {
			list = append(list, x.Index)
		}
	}
	return list
}
