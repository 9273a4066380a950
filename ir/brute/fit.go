package brute

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Fit is the posterior of every variable, by VarID, in the distribution that is nearest to P(. | e) of those in which some variables
// have given distributions: the joint distribution itself is scaled, margin by margin, until none was further than 1e-14 off
// in a round, or for the given number of rounds. It gives how far the furthest was off in the last; all posteriors are zeros where
// every joint state got ruled out.
func (j *Joint) Fit(e Evidence, margins map[model.VarID][]float64, rounds int) (posteriors [][]float64, off float64) {
	w := j.Conditional(e)
	for range rounds {
		off = 0
		for _, v := range j.vars {
			if want := margins[v]; want != nil {
				off = max(off, j.scale(w, v, want))
			}
		}
		if off <= 1e-14 {
			break
		}
	}
	for _, v := range j.vars {
		posteriors = append(posteriors, j.marginal(w, []model.VarID{v}))
	}
	return posteriors, off
}

// scale gives v the distribution want by scaling w, and tells how far off it was.
func (j *Joint) scale(w []float64, v model.VarID, want []float64) (off float64) {
	got := j.marginal(w, []model.VarID{v})
	for s := range want {
		off = max(off, math.Abs(want[s]-got[s]))
	}
	state := make([]int, len(j.vars))
	for i := range w {
		if w[i] > 0 {
			w[i] *= want[state[v]] / got[state[v]]
		}
		j.Model.Next(j.vars, state)
	}
	return off
}
