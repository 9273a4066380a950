// Package imported has a generated package that imports the runtime of pgmc. The one in ../app
// holds a copy of the parts that it needs. Both give the same answers. If several packages of one
// program import the runtime, they share its code and its errors.
package imported

import (
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/runtime"

	"example.com/imported/asia"
)

// By hand from table 1 of Lauritzen and Spiegelhalter 1988: 1 - 0.9896*0.945 = 0.064828 for either
// disease, and with it 0.98*0.064828 + 0.05*0.935172 for the X-ray.
func TestAnswers(t *testing.T) {
	e := asia.New()
	d, err := e.Xray(nil, nil)
	if err != nil || math.Abs(d.P(asia.XrayYes)-0.11029004) > 1e-12 {
		t.Errorf("P(xray) is %v, %v; want 0.11029004", d, err)
	}
	var a asia.Assignment
	if err := e.Sample(&asia.Evidence{Smoke: asia.SmokeYes}, nil, pgmrt.NewRand(1), &a); err != nil || a.Smoke != asia.SmokeYes || a.Dysp == asia.DyspUnset {
		t.Errorf("a sample is %v, %v", a, err)
	}
}

// The errors of the package are those of the runtime.
func TestErrors(t *testing.T) {
	_, err := asia.New().LogProb(&asia.Evidence{Lung: asia.LungYes, Either: asia.EitherNo}, nil)
	if !errors.Is(err, pgmrt.ErrImpossible) || !errors.Is(err, asia.ErrImpossible) {
		t.Errorf("impossible evidence gives %v", err)
	}
	_, err = asia.New().LogProb(&asia.Evidence{Lung: 7}, nil)
	var state *pgmrt.StateError
	if !errors.As(err, &state) || state.Var != "lung" || state.Got != 7 {
		t.Errorf("a state that is none gives %v", err)
	}
}
