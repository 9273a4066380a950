package brute_test

import (
	"math"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func enumerate(t *testing.T, m *model.Model) *brute.Joint {
	t.Helper()
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// observe returns the evidence for names of variables and states.
func observe(t *testing.T, m *model.Model, pairs ...string) brute.Evidence {
	t.Helper()
	e := brute.Evidence{Hard: map[model.VarID]int{}, Soft: map[model.VarID][]float64{}}
	for i := 0; i < len(pairs); i += 2 {
		v := id(t, m, pairs[i])
		s, ok := m.StateByName(v, pairs[i+1])
		if !ok {
			t.Fatalf("%s has no state %q", pairs[i], pairs[i+1])
		}
		e.Hard[v] = s
	}
	return e
}

func id(t *testing.T, m *model.Model, name string) model.VarID {
	t.Helper()
	v, ok := m.VarByName(name)
	if !ok {
		t.Fatalf("no variable %q", name)
	}
	return v.ID
}

// TestPublishedPosteriors compares with numbers that the sources of the models print, to the digits
// that they print.
func TestPublishedPosteriors(t *testing.T) {
	for _, c := range []struct {
		m        *model.Model
		name     string
		evidence []string
		want     float64 // of the variable's first state
		tol      float64
		from     string
	}{
		{irtest.Sprinkler(), "rain", []string{"sprinkler", "true"}, 0.3, 1e-12,
			"Russell and Norvig, the section on approximate inference: P(Rain | Sprinkler=true) = <0.3, 0.7>"},
		{irtest.Student(), "letter", nil, 1 - 0.502, 5e-4, "Koller and Friedman, section 3.2.1.2: P(l1) = 0.502"},
		{irtest.Student(), "letter", []string{"intelligence", "i0"}, 1 - 0.389, 5e-4, "Koller and Friedman, section 3.2.1.2: P(l1 | i0) = 0.389"},
		{irtest.Student(), "letter", []string{"intelligence", "i0", "difficulty", "d0"}, 1 - 0.513, 5e-4,
			"Koller and Friedman, section 3.2.1.2: P(l1 | i0, d0) = 0.513"},
		{irtest.Student(), "intelligence", []string{"grade", "g3"}, 1 - 0.079, 5e-4, "Koller and Friedman, section 3.2.1.2: P(i1 | g3) = 0.079"},
		{irtest.Asia(), "tub", nil, 0.0104, 1e-12, "0.01·0.05 + 0.99·0.01"},
		{irtest.Asia(), "lung", nil, 0.055, 1e-12, "0.5·0.1 + 0.5·0.01"},
		{irtest.Cancer(), "cancer", nil, 0.01163, 1e-12, "0.9·0.3·0.03 + 0.9·0.7·0.001 + 0.1·0.3·0.05 + 0.1·0.7·0.02"},
	} {
		j := enumerate(t, c.m)
		got := j.Posterior(id(t, c.m, c.name), observe(t, c.m, c.evidence...))[0]
		if !irtest.CloseTo(t, got, c.want, c.tol) {
			t.Errorf("%s: %s", c.m.Name, c.from)
		}
	}
}

// TestMisconception checks the unnormalised measure and its sum of Koller and Friedman, figure 4.2.
func TestMisconception(t *testing.T) {
	m := irtest.Misconception()
	j := enumerate(t, m)
	const z = 7201840
	irtest.CloseTo(t, j.LogPartition(), math.Log(z), 1e-12)
	values := []float64{
		300000, 300000, 300000, 30, 500, 500, 5000000, 500, // a0: b0 c0 d0, b0 c0 d1, ...
		100, 1000000, 100, 100, 10, 100000, 100000, 100000,
	}
	for i, value := range values {
		e := brute.Evidence{Hard: map[model.VarID]int{}}
		for v, s := range j.State(i) {
			e.Hard[model.VarID(v)] = s
		}
		irtest.CloseTo(t, j.LogProb(e), math.Log(value/z), 1e-12)
		irtest.CloseTo(t, j.Conditional(brute.Evidence{})[i], value/z, 1e-12)
	}
	logp, best := j.MPE(brute.Evidence{})
	irtest.CloseTo(t, logp, math.Log(5000000.0/z), 1e-12)
	if len(best) != 1 || !slices.Equal(best[0], []int{0, 1, 1, 0}) {
		t.Errorf("best %v; want a0 b1 c1 d0", best)
	}
}

func TestSoftEvidence(t *testing.T) {
	m := irtest.Sprinkler()
	j := enumerate(t, m)
	e := observe(t, m, "sprinkler", "true")
	e.Soft[id(t, m, "rain")] = []float64{4, 1} // 0.3·4 against 0.7·1
	irtest.Close(t, j.Posterior(id(t, m, "rain"), e), []float64{1.2 / 1.9, 0.7 / 1.9}, 1e-12)
	irtest.CloseTo(t, j.LogProb(e), math.Log(0.3*1.9), 1e-12) // P(sprinkler) = 0.3

	e.Hard[id(t, m, "rain")] = 0
	irtest.CloseTo(t, j.LogProb(e), math.Log(0.3*0.3*4), 1e-12)
	e.Soft[id(t, m, "rain")] = []float64{0, 0}
	irtest.CloseTo(t, j.LogProb(e), math.Log(0.3*0.3), 1e-12)
}

// TestNothingUnderflows multiplies twelve likelihoods of 1e-30, beyond the range of a float64.
func TestNothingUnderflows(t *testing.T) {
	m := &model.Model{Name: "independent"}
	e := brute.Evidence{Soft: map[model.VarID][]float64{}}
	for i := range 12 {
		v := m.NewVar(string(rune('a'+i)), "s0", "s1")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Dist: &model.Table{Values: []float64{.25, .75}}})
		e.Soft[v.ID] = []float64{1e-30, 3e-30}
	}
	j := enumerate(t, m)
	irtest.CloseTo(t, j.LogProb(e), 12*math.Log(2.5e-30), 1e-12)
	irtest.Close(t, j.Posterior(3, e), []float64{.1, .9}, 1e-12)
	logp, best := j.MPE(e)
	irtest.CloseTo(t, logp, 12*math.Log(2.25e-30), 1e-12)
	if len(best) != 1 || slices.Contains(best[0], 0) {
		t.Errorf("best %v; want all in s1", best)
	}
}

func TestImpossible(t *testing.T) {
	m := irtest.Asia()
	j := enumerate(t, m)
	e := observe(t, m, "lung", "yes", "either", "no")
	if p := j.LogProb(e); !math.IsInf(p, -1) {
		t.Errorf("ln P is %v; want -Inf", p)
	}
	if p, best := j.MPE(e); !math.IsInf(p, -1) || best != nil {
		t.Errorf("best completion %v with ln P %v; want none", best, p)
	}
	for v, p := range j.Marginals(e) {
		irtest.Close(t, p, make([]float64, m.Card(model.VarID(v))), 0)
	}
}

func TestTies(t *testing.T) {
	m := irtest.Sprinkler()
	j := enumerate(t, m)
	_, best := j.MPE(observe(t, m, "sprinkler", "true", "rain", "false", "wet_grass", "true", "cloudy", "true"))
	if len(best) != 1 {
		t.Errorf("%d completions of full evidence; want 1", len(best))
	}
	e := observe(t, m, "sprinkler", "true", "rain", "true")
	e.Soft[id(t, m, "cloudy")] = []float64{.5 * .2, .1 * .8} // outweighs 0.1·0.8 against 0.5·0.2
	if _, best = j.MPE(e); len(best) != 2 || best[0][0] != 0 || best[1][0] != 1 {
		t.Errorf("best %v; want a tie of cloudy", best)
	}
}

// TestConsistency checks that the answers for a model agree with each other.
func TestConsistency(t *testing.T) {
	for seed := range uint64(60) {
		m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 10})
		j, e := enumerate(t, m), irtest.RandomEvidence(seed, m)
		all := j.Conditional(e)
		var every []model.VarID
		for _, v := range m.Vars {
			every = append(every, v.ID)
		}
		irtest.Close(t, j.JointPosterior(every, e), all, 1e-12)
		a, b := model.VarID(len(every)-1), model.VarID(0)
		pair, single := j.JointPosterior([]model.VarID{a, b}, e), j.Marginals(e)
		for s := range m.Card(a) {
			sum := 0.0
			for _, p := range pair[s*m.Card(b) : (s+1)*m.Card(b)] {
				sum += p
			}
			irtest.CloseTo(t, sum, single[a][s], 1e-12)
		}
		for i := range all {
			if state := j.State(i); j.Index(state) != i {
				t.Fatalf("seed %d: joint state %d is %v is %d", seed, i, state, j.Index(state))
			}
		}
		logp, best := j.MPE(e)
		if math.IsInf(logp, -1) {
			continue
		}
		irtest.CloseTo(t, math.Exp(logp-j.LogProb(e)), slices.Max(all), 1e-12)
		for _, state := range best {
			irtest.CloseTo(t, all[j.Index(state)], slices.Max(all), 1e-12)
		}
	}
}

func TestTooLarge(t *testing.T) {
	m := &model.Model{Name: "large"}
	for i := range 23 {
		m.NewVar(string(rune('a'+i)), "s0", "s1")
	}
	_, err := brute.New(m)
	if want := `brute: model "large" has e^15.9 joint states; the limit is 4194304`; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}
