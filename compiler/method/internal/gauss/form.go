package gauss

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Ratios of the variance of a variable before it is observed to the variance of its noise for which
// covariances do. A filter that takes differences of covariances loses as many digits as the ratio
// has: 6 of 16 at most within reach slices, since a measurement of a position may determine a
// derivative of that order, and 13 after a gap, of up to gap slices without evidence.
const (
	most, mostAfterGap = 1e6, 1e13
	reach, gap         = 8, 256
)

// NeedsFactors reports whether the filter of a network with a transition takes factors of
// covariances: if a real variable is diffuse, if a function of others may be observed, or if an
// observation is much more precise than the belief without it. Factors take more operations.
func NeedsFactors(m *model.Model) bool {
	if HasDiffuse(m) {
		return true
	}
	slice := *m
	slice.Transition = nil
	centre, scale := Units(&slice)
	if sharp(&slice, scale, len(m.Vars), most) {
		return true
	}
	step := m.Step()
	n := len(m.Vars)
	for i := range step.Vars[n:] {
		hidden := *step.Vars[n+i]
		hidden.Given = false
		step.Vars[n+i] = &hidden
	}
	own := step.Factors
	for t := range gap {
		step.Factors = slices.Clip(own)
		for i, v := range m.Transition.Before {
			if m.IsReal(v) {
				prior := &model.Gaussian{Mean: centre[v : v+1], Var: []float64{scale[v] * scale[v]}}
				step.Factors = append(step.Factors, &model.Factor{Scope: []model.VarID{model.VarID(n + i)}, Dist: prior})
			}
		}
		limit := most
		if t >= reach {
			limit = mostAfterGap
		}
		if centre, scale = Units(step); sharp(step, scale, n, limit) {
			return true
		}
	}
	return false
}

// sharp reports whether one of the first n variables of m may be observed and has no noise, or its
// variance is more than limit times its noise's.
func sharp(m *model.Model, scale []float64, n int, limit float64) bool {
	return slices.ContainsFunc(m.Reals(), func(v model.VarID) bool {
		x := m.Vars[v]
		if int(v) >= n || x.Latent || x.Given {
			return false
		}
		noise := slices.Min(variances(m.CPD(v)))
		return noise == 0 || !(scale[v]*scale[v] <= limit*noise)
	})
}

// HasFunctions reports whether a real variable of a network with a transition is a function of
// others in some states.
func HasFunctions(m *model.Model) bool {
	return slices.ContainsFunc(slices.Concat(m.Factors, m.Transition.Factors), func(f *model.Factor) bool {
		return m.IsReal(f.ChildVar()) && slices.Contains(variances(f), 0)
	})
}

// HasDiffuse reports whether a real variable of m has a prior of infinite variance.
func HasDiffuse(m *model.Model) bool {
	return slices.ContainsFunc(m.Factors, func(f *model.Factor) bool {
		_, ok := f.Dist.(*model.Diffuse)
		return ok
	})
}

// variances returns the variances of the noise of the child of a CPD, none if it is diffuse.
func variances(f *model.Factor) []float64 {
	if d, ok := f.Dist.(*model.Func); ok {
		return d.Var
	}
	if d := f.Gaussian(); d != nil {
		return d.Var
	}
	return nil
}
