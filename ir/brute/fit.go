package brute

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Fit returns the posterior of every variable, by VarID, in the distribution nearest to P(. | e)
// among those in which some variables have the given distributions. It scales the joint
// distribution margin by margin until the largest error in a round is at most 1e-14, or for the
// given number of rounds. off is the largest error of the last round. All posteriors are zeros if
// every joint state is ruled out.
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

// scale scales w so that v has the distribution want, and returns the largest error before.
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
