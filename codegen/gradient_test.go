package codegen_test

import (
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// compareDerivatives compares derivatives, expected counts and sensitivities of a package with
// brute force.
func compareDerivatives(t *testing.T, m *model.Model, r *reply, e brute.Evidence) {
	t.Helper()
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	hard := brute.Evidence{Hard: e.Hard} // sensitivities take no likelihoods
	target := lastObservable(m)
	p := joint.Posterior(target, hard)[0]
	irtest.CloseTo(t, r.SensitiveP, p, 1e-12)
	for i, f := range m.Factors {
		irtest.Close(t, r.Gradient[i], joint.Gradient(i, e), 1e-12*largest(joint.GradientZ(i, e)))
		irtest.Close(t, r.Counts[i], joint.JointPosterior(f.Scope, e), 1e-12)
		irtest.Close(t, r.Sensitivity[i], joint.Sensitivity(i, hard, target, 0), 1e-12*largest(joint.GradientZ(i, hard)))
	}
}

// largest returns the largest magnitude, at least 1. Differences of such derivatives are exact
// relative to it.
func largest(derivatives []float64) float64 {
	size := 1.0
	for _, x := range derivatives {
		size = max(size, math.Abs(x))
	}
	return size
}

func lastObservable(m *model.Model) model.VarID {
	for v := len(m.Vars) - 1; ; v-- {
		if !m.Vars[v].Latent {
			return model.VarID(v)
		}
	}
}
