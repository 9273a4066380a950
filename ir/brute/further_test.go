package brute_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestDo compares an intervention on bronchitis with an observation. The intervention
// leaves smoking at 1/2, so that tub or lung has .064828, and dyspnoea .8 + .1·.064828. The
// observation raises smoking to 2/3.
func TestDo(t *testing.T) {
	m := irtest.Asia()
	bronc, smoke, dysp := id(t, m, "bronc"), id(t, m, "smoke"), id(t, m, "dysp")
	done, err := brute.NewDo(m, map[model.VarID]int{bronc: 0})
	if err != nil {
		t.Fatal(err)
	}
	irtest.Close(t, done.Posterior(bronc, brute.Evidence{}), []float64{1, 0}, 0)
	irtest.Close(t, done.Posterior(smoke, brute.Evidence{}), []float64{.5, .5}, 1e-15)
	irtest.CloseTo(t, done.Posterior(dysp, brute.Evidence{})[0], .8064828, 1e-12)
	irtest.CloseTo(t, done.LogProb(brute.Evidence{}), 0, 1e-14)
	seen := enumerate(t, m)
	irtest.CloseTo(t, seen.Posterior(smoke, observe(t, m, "bronc", "yes"))[0], 2./3, 1e-12)

	byModel := enumerate(t, m.Do(map[model.VarID]model.Value{bronc: {}}))
	irtest.Close(t, byModel.Conditional(brute.Evidence{}), done.Conditional(brute.Evidence{}), 1e-15)
}

// Sets count in addition to states and likelihoods; an empty set has no effect.
func TestSets(t *testing.T) {
	m := irtest.Student()
	j := enumerate(t, m)
	grade, able := id(t, m, "grade"), id(t, m, "intelligence")
	e := brute.Evidence{In: map[model.VarID][]int{grade: {1, 2}}}
	irtest.CloseTo(t, j.Posterior(able, e)[1], .3*.26/(.3*.26+.7*.8), 1e-12) // P(g1) is .74 for the able and .2 for others
	e.Soft = map[model.VarID][]float64{grade: {1, 0, 1}}
	irtest.Close(t, j.Posterior(able, e), j.Posterior(able, observe(t, m, "grade", "g3")), 1e-12)
	irtest.Close(t, j.Posterior(able, brute.Evidence{In: map[model.VarID][]int{grade: {}}}), []float64{.7, .3}, 1e-12)
}

// TestFit checks that with one margin the fit is Jeffrey's rule. With two, both hold afterwards,
// and the conditional distribution given them, P(cloudy | rain, wet), stays.
func TestFit(t *testing.T) {
	m := irtest.Sprinkler()
	j := enumerate(t, m)
	rain, wet, cloudy := id(t, m, "rain"), id(t, m, "wet_grass"), id(t, m, "cloudy")
	given := map[model.VarID][]float64{rain: {.9, .1}}
	got, off := j.Fit(brute.Evidence{}, given, 10)
	irtest.Close(t, got[rain], given[rain], 1e-15)
	irtest.CloseTo(t, got[cloudy][0], .9*.8+.1*.2, 1e-12) // P(cloudy | rain) is .8 and .2, as the other way round
	if off > 1e-14 {
		t.Errorf("%v off", off)
	}
	given[wet] = []float64{.3, .7}
	if got, off = j.Fit(brute.Evidence{}, given, 1000); off > 1e-14 {
		t.Errorf("%v off", off)
	}
	irtest.Close(t, got[rain], given[rain], 1e-12)
	irtest.Close(t, got[wet], given[wet], 1e-12)
	given[wet] = []float64{1, 0}
	got, _ = j.Fit(brute.Evidence{}, given, 10)
	want := .9*j.Posterior(cloudy, observe(t, m, "rain", "true", "wet_grass", "true"))[0] +
		.1*j.Posterior(cloudy, observe(t, m, "rain", "false", "wet_grass", "true"))[0]
	irtest.CloseTo(t, got[cloudy][0], want, 1e-12)
}
