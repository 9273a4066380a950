package verify

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// hybrid is the reference for networks with Gaussian CPDs or canonical potentials that enumerates
// the joint states of the discrete variables and conditions the real ones in rationals.
type hybrid struct {
	m    *model.Model
	vars []model.VarID // those that are not latent
}

// gaussian reports whether m is a network with real variables that have Gaussian CPDs or are given,
// or one of canonical potentials.
func gaussian(m *model.Model) bool {
	return m.Kind == model.Bayes && len(m.Reals()) > 0 || m.Traits()&model.Canonicals != 0
}

// Limits of the networks for which rationals are the reference: joint states of discrete variables,
// and these times the cube of the number of real ones, which the time grows with.
const (
	maxHybridStates = 1 << 10
	maxHybridWork   = 1 << 18
)

// newHybrid returns the reference for m, or nil if it would take too long.
func newHybrid(m *model.Model) *hybrid {
	var discrete []model.VarID
	for _, v := range m.Vars {
		if !m.IsReal(v.ID) {
			discrete = append(discrete, v.ID)
		}
	}
	states, ok := m.TableSize(discrete)
	n := len(m.Vars) - len(discrete)
	if !ok || states > maxHybridStates || n > 64 || states*n*n*n > maxHybridWork {
		return nil
	}
	return &hybrid{m, m.Observable()}
}

func (h *hybrid) answer(_ context.Context, f *infer.Findings, want *Wanted) (a Answer) {
	ev := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}, Soft: map[model.VarID][]float64{}, Measured: map[model.VarID]model.Normal{}}
	for _, v := range h.vars {
		x, observed := f.Observed(h.m.Vars[v])
		switch {
		case observed && h.m.IsReal(v):
			ev.Reals[v] = x.Real
		case observed:
			ev.States[v] = x.State
		}
		switch soft := f.Soft[v]; {
		case soft != nil && h.m.IsReal(v):
			ev.Measured[v] = model.Normal{Mean: soft[0], Var: soft[1]}
		case soft != nil:
			ev.Soft[v] = soft
		}
	}
	all, err := brute.NewHybrid(h.m, ev)
	if err == nil && len(all.Parts) == 0 {
		err = infer.ErrImpossible
	}
	if a.Err = err; err != nil {
		return a
	}
	a.LogProb = all.LogDensity
	for _, v := range h.vars {
		if h.m.IsReal(v) {
			mean, variance := all.Moments(v)
			a.Marginals = append(a.Marginals, []float64{mean, variance})
		} else {
			a.Marginals = append(a.Marginals, all.Posterior(v))
		}
	}
	for _, targets := range want.Joint {
		a.Joint = append(a.Joint, h.joint(all, targets))
	}
	for _, v := range want.Mixture {
		var numbers []float64
		for i := range all.Parts {
			p := &all.Parts[i]
			numbers = append(numbers, p.P, p.Mean(v), p.Cov(v, v))
		}
		a.Mixture = append(a.Mixture, numbers)
	}
	if want.MPE {
		h.best(f, all, &a)
	}
	return a
}

// joint returns a joint posterior, in the order of infer.Table.Numbers.
func (h *hybrid) joint(all *brute.Hybrid, targets []model.VarID) (list []float64) {
	discrete, real := h.m.SplitReal(targets)
	at := make([]int, len(h.m.Vars))
	for more := true; more; more = h.m.Next(discrete, at) {
		part := all.Given(discrete, at)
		list = append(list, part.P)
		possible := part.P > 0
		number := func(x float64) {
			if !possible {
				x = 0
			}
			list = append(list, x)
		}
		for _, v := range real {
			mean, _ := part.Moments(v)
			number(mean)
		}
		for _, v := range real {
			for _, w := range real {
				number(part.Cov(v, w))
			}
		}
	}
	return list
}

// best sets the most probable completion: the best joint state of the discrete variables, with the
// means of the real ones given that, which are their most probable values.
func (h *hybrid) best(f *infer.Findings, all *brute.Hybrid, a *Answer) {
	a.MPELogProb = math.Inf(-1)
	for i := range all.Parts {
		p := &all.Parts[i]
		x := make([]float64, len(h.m.Vars))
		for _, v := range h.m.Reals() {
			x[v] = p.Mean(v)
		}
		if l := logDensity(h.m, f, p.State, x); a.MPE == nil || l > a.MPELogProb {
			a.MPELogProb, a.MPE, a.MPEReal = l, nil, nil
			for _, v := range h.vars {
				a.MPE, a.MPEReal = append(a.MPE, p.State[v]), append(a.MPEReal, x[v])
			}
		}
	}
}
