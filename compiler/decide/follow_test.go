package decide_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// seen returns random evidence about any variables, decisions too, and its likelihoods.
func seen(m *model.Model, rng *rand.Rand, most int) (given infer.Evidence, likelihood [][]float64) {
	given, likelihood = infer.Evidence{}, make([][]float64, len(m.Vars))
	for range rng.IntN(most + 1) {
		v := model.VarID(rng.IntN(len(m.Vars)))
		l := make([]float64, m.Card(v))
		if s := rng.IntN(len(l)); rng.IntN(2) == 0 {
			l[s] = 1
			given[m.Vars[v].Name] = m.States(v)[s]
		} else {
			for k := range l {
				l[k] = .125 + rng.Float64()
			}
			given[m.Vars[v].Name] = infer.Likelihood(l)
		}
		likelihood[v] = l
	}
	return given, likelihood
}

// TestFollow compares the posteriors and the moments of utilities under the best strategy of random
// diagrams with sums over the joint states, given evidence about any variables. Some diagrams have
// one utility, a weighted sum or a product.
func TestFollow(t *testing.T) {
	asked, impossible := 0, 0
	for seed := range uint64(irtest.Count(t, 80, 500)) {
		m, rng := random(seed, 1+int(seed%3)), rand.New(rand.NewPCG(seed, 8))
		m.Diagram.Utilities[1].Name = "w"
		if seed%5 == 0 {
			m.Diagram.Utilities = m.Diagram.Utilities[:1]
		}
		value := func(state []int) (list []float64) {
			for _, u := range m.Diagram.Utilities[:min(2, len(m.Diagram.Utilities))] {
				list = append(list, at(m, u.Scope, u.Values, state))
			}
			switch seed % 5 {
			case 0:
				return append(list, list[0])
			case 1:
				return append(list, 2*list[0]-list[1]+3, 2*list[0]-list[1]+3)
			case 2:
				return append(list, list[0]*list[1], list[0]*list[1])
			}
			return append(list, list[0]+list[1])
		}
		if text := []string{"", "2*u - w + 3", "u*w", "", ""}[seed%5]; text != "" {
			total(t, m, text)
		}
		e, err := infer.New(t.Context(), m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for try := range 4 {
			given, likelihood := seen(m, rng, try)
			got, err := e.Follow(t.Context(), given)
			p, posteriors, means := 0.0, make([][3]float64, len(m.Vars)), make([][2]float64, len(m.Diagram.Utilities)+1)
			for state, q := range followed(m, likelihood, s, -1) {
				p += q
				for v, x := range state {
					posteriors[v][x] += q
				}
				for i, u := range value(state) {
					means[i][0], means[i][1] = means[i][0]+q*u, means[i][1]+q*u*u
				}
			}
			if p == 0 {
				if impossible++; !errors.Is(err, infer.ErrImpossible) {
					t.Errorf("seed %d, %v: error %v; want impossible evidence", seed, given, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("seed %d, %v: %v", seed, given, err)
			}
			asked++
			near := func(what any, got, want float64) {
				if !(math.Abs(got-want) <= 1e-9*max(1, math.Abs(want))) {
					t.Errorf("seed %d, %v, %v: %v; want %v", seed, given, what, got, want)
				}
			}
			near("ln P", got.LogProb, math.Log(p))
			for v, d := range got.List {
				for k, x := range d.P {
					near(d.Var, x, posteriors[v][k]/p)
				}
			}
			for i, u := range append(got.Utilities, got.Total) {
				mean := means[i][0] / p
				near(i, u.Mean, mean)
				near(i, u.Variance, means[i][1]/p-mean*mean)
			}
		}
	}
	if asked == 0 || impossible == 0 {
		t.Errorf("%d sets of evidence are possible, and %d are not; want some", asked, impossible)
	}
}

// TestFollowKnown compares diagrams of the collection with their known answers, and the shared
// random diagrams with the moments of their solutions.
func TestFollowKnown(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "decide")
	names, err := filepath.Glob(filepath.Join(dir, "random-diagrams", "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range []string{"oil", "two-oil-problems", "tiger4", "machine10"} {
		names = append(names, filepath.Join(dir, name+".pgmc.json"))
	}
	for _, name := range names {
		m := load(t, name)
		s, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := infer.New(t.Context(), m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Follow(t.Context(), nil)
		if err != nil {
			t.Fatal(name, err)
		}
		check := func(got infer.Moments, want decide.Moments, err error) {
			t.Helper()
			if off := max(1, math.Abs(want.Variance)); err != nil || math.Abs(got.Mean-want.Mean) > 1e-9*off || math.Abs(got.Variance-want.Variance) > 1e-9*off {
				t.Errorf("%s: %v; want %v, error %v", name, got, want, err)
			}
		}
		want, err := s.Moments(t.Context())
		check(got.Total, want, err)
		for i, u := range got.Utilities {
			want, err := s.MomentsOf(t.Context(), i)
			check(u, want, err)
		}
		if math.Abs(got.Total.Mean-s.Utility) > 1e-9*max(1, math.Abs(s.Utility)) {
			t.Errorf("%s: mean %v; want %v", name, got.Total.Mean, s.Utility)
		}
		if filepath.Base(name) == "oil.pgmc.json" {
			check(got.Total, decide.Moments{Mean: 22.5, Variance: 7648.75}, nil)
			check(got.Utilities[1], decide.Moments{Mean: 32.5, Variance: 7648.75}, nil)
			if p := got.Of("drill").P; math.Abs(p[0]-.59) > 1e-12 {
				t.Errorf("%s: P(drill) %v; want .59 and .41", name, p)
			}
		}
	}
}
