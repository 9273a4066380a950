package data

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Check returns an error if no learner can learn from the set: it has no columns, no rows with a
// weight above 0, or an [EmptyColumn]. A column without values is none if its states are declared.
func (s *Set) Check() error {
	if len(s.Vars) == 0 {
		return errors.New("the data has no columns; want at least one")
	}
	if s.Total() == 0 {
		return errors.New("the data has no rows; want at least one")
	}
	for v, x := range s.Vars {
		if len(x.States) == 0 && s.Empty(v) {
			return EmptyColumn{v + 1, x.Name}
		}
	}
	return nil
}

// Empty reports whether the set has rows, but of those with a weight above 0 none has a value of a
// variable.
func (s *Set) Empty(v int) bool {
	if s.remote != nil {
		return s.single(v).Weight() == 0 && s.rows > 0
	}
	for row := range s.rows {
		if s.columns[v].At(row) != Missing && s.Weight(row) > 0 {
			return false
		}
	}
	return s.rows > 0
}

// EmptyColumn is the error of a column without values.
type EmptyColumn struct {
	Number int // from 1
	Name   string
}

// Error names the column and says what helps.
func (e EmptyColumn) Error() string { return e.With(diag.Option.String) }

// With implements diag.Optioned.
func (e EmptyColumn) With(name func(diag.Option) string) string {
	return fmt.Sprintf("column %d, %q, has no values; want at least one, or leave it out by %s", e.Number, e.Name, name(diag.Option{Name: "drop", Value: diag.QuoteName(e.Name)}))
}
