package ep_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/ep"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestFunctions compares answers on random networks whose functions have noise in a precision's
// place with exact rationals of the networks with that noise. CPDs that are functions in some rows
// only are refused.
func TestFunctions(t *testing.T) {
	functions, refused := 0, 0
	for _, seed := range irtest.Cases(t, 40, 300) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{Decades: 1, MaxVars: 6, Zeros: .3})
		e := irtest.HybridEvidence(seed, m, .3)
		res, err := compiler.Compile(context.Background(), m, compiler.Options{Method: *ep.NewOptions(), Check: true})
		if err != nil {
			if refused++; !strings.Contains(err.Error(), "has variance 0 in some rows and not in others") {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		if !slices.ContainsFunc(m.Reals(), func(v model.VarID) bool { f := m.CPD(v); return f != nil && f.Dist.HasZeros() }) {
			continue
		}
		noisy, _ := gauss.WithNoise(m)
		want, err := brute.NewHybrid(noisy, e)
		if err != nil {
			t.Fatal(err)
		}
		s := &subject{t, res.Model, res.Program, res.Claim}
		functions++
		of, _, _ := s.answers(e)
		_, scale := gauss.Units(m)
		for _, v := range m.Vars {
			if !m.IsReal(v.ID) {
				s.near(of, v.Name, 1e-7, want.Posterior(v.ID)...)
				continue
			}
			mean, variance := want.Moments(v.ID)
			unit := scale[v.ID]
			if got := of[v.Name]; math.Abs(got[0]-mean) > 1e-7*unit || math.Abs(got[1]-variance) > 1e-7*unit*unit {
				t.Errorf("seed %d: %s %v; want %v, %v in units of %v", seed, v.Name, got, mean, variance, unit)
			}
		}
	}
	if functions < 8 || refused < 5 {
		t.Errorf("%d networks with functions, %d refused; want more", functions, refused)
	}
}
