package cpt

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Write writes the parameters of the CPD f as CSV. A CPD that has no form of its own and states
// only is written as a table of at most limit numbers.
func Write(w io.Writer, m *model.Model, f *model.Factor, limit int) error {
	if d, ok := f.Dist.(model.Regression); ok {
		return realSheet(m, f).write(w, d.ParameterRows())
	}
	if d, ok := f.Dist.(*model.NoisyMax); ok {
		return causeSheet(m, f).write(w, d.Numbers())
	}
	if m.IsReal(f.ChildVar()) {
		return fmt.Errorf("the %s is of kind %s, which has no CSV; pgmc convert MODEL - --to json prints it", m.FactorName(f), f.Dist.Kind())
	}
	values, err := m.Tabulate(f, limit)
	if err != nil {
		return err
	}
	return tableSheet(m, f).write(w, m.Rearrange(values, f.Scope, append(f.Parents(), f.ChildVar())))
}

// WriteUtility writes a utility as CSV.
func WriteUtility(w io.Writer, m *model.Model, u *model.Utility) error {
	return over(m, u.Scope, columnUtility).write(w, u.Values)
}

// write writes numbers, row after row.
func (s *sheet) write(w io.Writer, numbers []float64) error {
	head, err := s.columns()
	if err != nil {
		return err
	}
	out, n := csv.NewWriter(w), len(s.numbers)
	out.Write(head) // Flush keeps the error
	for i, row := range s.rows {
		row = slices.Clone(row)
		for _, x := range numbers[i*n:][:n] {
			row = append(row, strconv.FormatFloat(x, 'g', -1, 64))
		}
		out.Write(row)
	}
	out.Flush()
	return out.Error()
}
