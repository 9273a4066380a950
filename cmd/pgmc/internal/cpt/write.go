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
	switch d := f.Dist.(type) {
	case *model.Gaussian:
		return realSheet(m, f).write(w, gaussianRows(d))
	case *model.Softmax:
		return realSheet(m, f).write(w, softmaxRows(d))
	case *model.NoisyMax:
		return causeSheet(m, f).write(w, d.Numbers())
	case *model.Func, *model.Diffuse:
		return fmt.Errorf("the %s is of kind %s, which has no CSV; pgmc convert MODEL - --to json prints it", m.FactorName(f), d.Kind())
	}
	values, err := m.Tabulate(f, limit)
	if err != nil {
		return err
	}
	return tableSheet(m, f).write(w, m.Permute(values, f.Scope, append(f.Parents(), f.ChildVar())))
}

// WriteUtility writes a utility as CSV.
func WriteUtility(w io.Writer, m *model.Model, u *model.Utility) error {
	return over(m, u.Scope, columnUtility).write(w, u.Values)
}

// gaussianRows lists a mean, the coefficients and a variance for each row.
func gaussianRows(d *model.Gaussian) (list []float64) {
	for r := range d.Mean {
		mean, coef, variance := d.Row(r)
		list = append(append(append(list, mean), coef...), variance)
	}
	return list
}

// softmaxRows lists a bias and the coefficients for each row and state.
func softmaxRows(d *model.Softmax) (list []float64) {
	n := len(d.Coef) / len(d.Bias)
	for i, bias := range d.Bias {
		list = append(append(list, bias), d.Coef[i*n:][:n]...)
	}
	return list
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
