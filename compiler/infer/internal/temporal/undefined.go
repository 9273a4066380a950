package temporal

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// UndefinedMean describes a mean that is not defined.
type UndefinedMean struct {
	Var, Mean, At string // the variable, the expression, and the values of the variables in it
	Near          bool   // not defined at a point near those values
}

// Undefined returns the mean that is the cause of a probability of 0, since it is not defined; nil
// if there is none. The evidence on the slice has states and values. The numbers that enter the
// slice begin with the means of the variables that persist; there are none in slice 0.
//
// Each variable has its value or its mean given its parents, in the order of the network. A filter
// also uses the slice's evidence about it so far, so that its own mean may differ a little.
func Undefined(m *model.Model, state []int, value []float64, in [][]float64) *UndefinedMean {
	step, factors := m, m.Factors
	if in != nil {
		step, factors = m.Step(), m.Transition.Factors
	}
	s := &means{m: step, x: make([]float64, len(step.Vars)), state: make([]int, len(step.Vars))}
	for i := range step.Vars {
		b := i - len(m.Vars)
		switch {
		case b < 0 && m.IsReal(model.VarID(i)):
			s.x[i] = value[i]
		case b < 0:
			s.state[i] = max(state[i], 0)
		case len(m.Reals()) == len(m.Vars) && len(in) > 0 && b < len(in[0]):
			s.x[i] = in[0][b]
		}
	}
	byChild := map[model.VarID]*model.Factor{}
	certain := false // some value is, so that other ones are impossible
	for _, f := range factors {
		byChild[f.ChildVar()] = f
		certain = certain || f.Dist.HasZeros()
	}
	var near *UndefinedMean
	for _, v := range step.Topological() {
		f := byChild[v]
		if f == nil {
			continue
		}
		d, ok := f.Dist.(model.Centred)
		if !ok {
			continue
		}
		mean := d.MeanAt(step, f, s.state, s.x)
		if d, ok := d.(*model.Func); ok && d.Partial() {
			if undefined := s.describe(f); math.IsNaN(mean) || math.IsInf(mean, 0) {
				return undefined
			} else if near == nil {
				near = undefined
			}
		}
		if math.IsNaN(s.x[v]) {
			s.x[v] = mean
		}
	}
	if near != nil && !certain {
		near.Near = true
		return near
	}
	return nil
}

// means holds the states and values of a slice, and means in place of values that are not known.
type means struct {
	m     *model.Model
	x     []float64
	state []int
}

// describe describes the mean of the child of f.
func (s *means) describe(f *model.Factor) *UndefinedMean {
	out := &UndefinedMean{Var: s.m.Vars[f.ChildVar()].Name, Mean: "an expression"}
	if text, err := f.Dist.(*model.Func).Text(s.m, f); err == nil {
		out.Mean = text
	}
	var at []string
	for _, v := range f.Parents() {
		text := fmt.Sprintf("%.6g", s.x[v])
		if !s.m.IsReal(v) {
			text = s.m.States(v)[s.state[v]]
		}
		at = append(at, s.m.Vars[v].Name+" = "+text)
	}
	out.At = strings.Join(at, ", ")
	return out
}
