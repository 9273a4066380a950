package model

import (
	"fmt"
	"strings"
)

// listRows lists an equation for each joint state of the discrete variables: as lines if there is
// only one, and as a table otherwise. heads are the heads of the columns behind the variables.
func (l *lister) listRows(m *Model, discrete []VarID, heads []string, equation func(row int) [][]string) {
	if len(discrete) == 0 {
		for _, cells := range equation(0) {
			l.line("%s", strings.Join(cells, ""))
		}
		return
	}
	l.Heads = append(m.namesOf(discrete), heads...)
	l.each(m, discrete, make([]int, len(m.Vars)), func(row int, names []string) {
		for _, cells := range equation(row) {
			l.row(append(names[:len(names):len(names)], cells...)...)
		}
	})
}

// linearText writes constant + Σ coef·name. Terms with a coefficient of 0 are left out.
func linearText(constant float64, coef []float64, names []string) string {
	var b strings.Builder
	if constant != 0 || !anyNonzero(coef) {
		b.WriteString(short(constant))
	}
	for k, c := range coef {
		switch {
		case c == 0:
			continue
		case b.Len() == 0:
			b.WriteString(short(c))
		case c < 0:
			b.WriteString(" - " + short(-c))
		default:
			b.WriteString(" + " + short(c))
		}
		b.WriteString("·" + names[k])
	}
	return b.String()
}

func anyNonzero(list []float64) bool {
	for _, x := range list {
		if x != 0 {
			return true
		}
	}
	return false
}

// noiseText returns the text after the mean of a normal distribution.
func noiseText(variance float64) string {
	if variance == 0 {
		return ", exactly"
	}
	return ", variance " + short(variance)
}

func (d *Gaussian) list(m *Model, f *Factor, l *lister) {
	discrete, real := m.SplitParents(f)
	names, child := m.namesOf(real), m.Vars[f.ChildVar()].Name
	l.listRows(m, discrete, []string{"mean of " + child, "variance"}, func(row int) [][]string {
		mean, coef, variance := d.Row(row)
		if len(discrete) == 0 {
			return [][]string{{child + " = " + linearText(mean, coef, names) + noiseText(variance)}}
		}
		return [][]string{{linearText(mean, coef, names), short(variance)}}
	})
}

func (d *Softmax) list(m *Model, f *Factor, l *lister) {
	discrete, real := m.SplitParents(f)
	names, child := m.namesOf(real), m.Vars[f.ChildVar()]
	card := m.Card(child.ID)
	l.listRows(m, discrete, []string{child.Name, "ln weight"}, func(row int) (cells [][]string) {
		for s, state := range m.States(child.ID) {
			at := row*card + s
			text := linearText(d.Bias[at], d.Coef[at*len(real):][:len(real)], names)
			if len(discrete) == 0 {
				cells = append(cells, []string{"ln weight(" + child.Name + "=" + state + ") = " + text})
				continue
			}
			cells = append(cells, []string{state, text})
		}
		return cells
	})
	l.line("A state has its weight divided by the sum of the weights.")
}

func (d *Func) list(m *Model, f *Factor, l *lister) {
	text, err := d.Text(m, f)
	if err != nil {
		text = "(" + err.Error() + ")"
	}
	discrete, _ := m.SplitParents(f)
	if len(discrete) == 0 {
		l.line("%s = %s%s", m.Vars[f.ChildVar()].Name, text, noiseText(d.Var[0]))
		return
	}
	l.line("%s = %s, with a variance of", m.Vars[f.ChildVar()].Name, text)
	l.listRows(m, discrete, []string{"variance"}, func(row int) [][]string { return [][]string{{short(d.Var[row])}} })
}

func (d *Canonical) list(m *Model, f *Factor, l *lister) {
	var discrete, real []VarID
	for _, v := range f.Scope {
		if m.IsReal(v) {
			real = append(real, v)
		} else {
			discrete = append(discrete, v)
		}
	}
	names := m.namesOf(real)
	var quadratic []string
	for i := range names {
		for j := i; j < len(names); j++ {
			quadratic = append(quadratic, names[i]+"·"+names[j])
		}
	}
	l.listRows(m, discrete, []string{"ln value"}, func(row int) [][]string {
		k, h, g := d.Row(row)
		coef, at := make([]float64, len(k)), 0
		for i := range names {
			for j := i; j < len(names); j++ {
				coef[at] = -k[at]
				if i == j {
					coef[at] /= 2
				}
				at++
			}
		}
		text := linearText(g, append(append([]float64(nil), h...), coef...), append(append([]string(nil), names...), quadratic...))
		if len(discrete) == 0 {
			text = "ln value = " + text
		}
		return [][]string{{text}}
	})
}

func (d *Pairwise) list(m *Model, f *Factor, l *lister) {
	distance := map[Metric]string{Potts: "[%s != %s]", Linear: "|%s - %s|", Quadratic: "(%s - %s)²"}[d.Metric]
	distance = fmt.Sprintf(distance, m.Vars[f.Scope[0]].Name, m.Vars[f.Scope[1]].Name)
	if d.Cap != 0 {
		distance = fmt.Sprintf("min(%s, %s)", distance, short(d.Cap))
	}
	l.line("ln value = -%s·%s, by the numbers of the states", short(d.Weight), distance)
}
