package infer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/localsearch"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestTabuMAP compares the states of random sets of variables with enumeration, with evidence and
// zeros. Their value is that of enumeration, and no single change makes them better.
func TestTabuMAP(t *testing.T) {
	asked, best := 0, 0
	for _, seed := range irtest.Cases(t, 40, 500) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7})
		ev := irtest.RandomEvidence(seed, m)
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		seen := j.Observable()
		if len(seen) == 0 {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 137))
		var of []model.VarID
		var names []string
		for _, i := range r.Perm(len(seen))[:1+r.IntN(len(seen))] {
			of, names = append(of, seen[i]), append(names, m.Vars[seen[i]].Name)
		}
		e := engine(t, m, infer.Options{Method: compiler.Named("jointree")})
		got, err := e.TabuMAP(t.Context(), given(m, ev), nil, names...)
		want, _ := j.MAP(of, ev)
		if math.IsInf(want, -1) {
			if !errors.Is(err, infer.ErrImpossible) {
				t.Fatalf("seed %d: %v; want ErrImpossible", seed, err)
			}
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		states := make([]int, len(of))
		for i, a := range got.States {
			states[i] = a.Index
		}
		irtest.CloseTo(t, got.LogProb, valueOf(j, of, states, ev), 1e-10)
		asked++
		if got.LogProb >= want-1e-9 {
			best++
		}
		for i := range of {
			for k := range m.Card(of[i]) {
				changed := append([]int(nil), states...)
				changed[i] = k
				if x := valueOf(j, of, changed, ev); x > got.LogProb+1e-9 {
					t.Errorf("seed %d: state %d of %s improves %v to %v", seed, k, names[i], got.LogProb, x)
				}
			}
		}
	}
	if asked < 20 || best < asked*9/10 {
		t.Errorf("%d questions, and best states of %d; want 20 and nine of ten", asked, best)
	}
}

// valueOf returns ln P of states of some variables together with the evidence.
func valueOf(j *brute.Joint, of []model.VarID, states []int, ev brute.Evidence) float64 {
	hard := brute.Evidence{Hard: map[model.VarID]int{}, Soft: ev.Soft}
	for v, s := range ev.Hard {
		hard.Hard[v] = s
	}
	for i, v := range of {
		if s, known := ev.Hard[v]; known && s != states[i] {
			return math.Inf(-1)
		}
		hard.Hard[v] = states[i]
	}
	return j.LogProb(hard)
}

// TestTabuMAPErrors has a start in impossible states, and questions without an answer.
func TestTabuMAPErrors(t *testing.T) {
	m := binary("a", "b", "c")
	potential(m, []float64{.3, .4, .3, 0}, 0, 1) // the most probable states by themselves, 0 and 0, are not best
	potential(m, []float64{1, 2, 2, 1}, 1, 2)
	e := engine(t, m, infer.Options{})
	if got, err := e.TabuMAP(t.Context(), nil, nil, "a", "b"); err != nil || got.Of("a") != "0" || got.Of("b") != "1" || !got.Report.Converged {
		t.Errorf("%+v, %v; want a=0 and b=1", got, err)
	}
	for want, ask := range map[string]func() error{
		"tabu search wants the names of one or more variables": func() error { _, err := e.TabuMAP(t.Context(), nil, nil); return err },
		"unknown variable \"d\"":                               func() error { _, err := e.TabuMAP(t.Context(), nil, nil, "d"); return err },
		"found chains 0; want [1,2147483647]": func() error {
			_, err := e.TabuMAP(t.Context(), nil, &localsearch.TabuOptions{Iterations: 1}, "a")
			return err
		},
	} {
		if err := ask(); err == nil || err.Error() != want {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// TestTabuMAPOfWideModel has a chain in which each variable has a child, and asks for all children:
// tables of the best order that has them last have 2^12 joint states, and those of the search 8.
func TestTabuMAPOfWideModel(t *testing.T) {
	m, r := &model.Model{Name: "chain", Kind: model.Markov}, rand.New(rand.NewPCG(13, 2))
	var names []string
	for i := range model.VarID(12) {
		m.NewVar(fmt.Sprint("x", i), "0", "1")
		m.NewVar(fmt.Sprint("y", i), "0", "1")
		names = append(names, fmt.Sprint("y", i))
		potential(m, []float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()}, 2*i, 2*i+1)
		if i > 0 {
			potential(m, []float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()}, 2*i-2, 2*i)
		}
	}
	exact, err := engine(t, m, infer.Options{}).MAP(t.Context(), nil, names...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := engine(t, m, infer.Options{MaxTable: 8}).TabuMAP(t.Context(), nil, nil, names...)
	if err != nil || got.LogProb > exact.LogProb+1e-9 || got.LogProb < exact.LogProb-.1 || len(got.States) != len(names) {
		t.Errorf("%+v, %v; the best has %v", got, err, exact.LogProb)
	}
}

// TestTabuMAPImprobable searches where a change leads to a state that is too improbable to compare:
// the search leaves it out. Given such a state there is no answer.
func TestTabuMAPImprobable(t *testing.T) {
	m := &model.Model{Name: "improbable", Kind: model.Bayes,
		Vars:    []*model.Var{{ID: 0, Name: "a", Domain: model.Discrete{States: []string{"0", "1", "2", "3"}}}},
		Factors: []*model.Factor{{Scope: []model.VarID{0}, Child: 0, Dist: &model.Table{Values: []float64{0, 1e-300, 0.25, 0.75}}}}}
	e := engine(t, m, infer.Options{Method: compiler.Named("jointree")})
	c, err := e.TabuMAP(t.Context(), infer.Evidence{}, nil, "a")
	if err != nil || c.States[0].Index != 3 || math.Abs(c.LogProb-math.Log(0.75)) > 1e-12 {
		t.Errorf("found %+v and %v; want state 3 of probability 0.75", c, err)
	}
	if _, err := e.TabuMAP(t.Context(), infer.Evidence{"a": "1"}, nil, "a"); !errors.Is(err, pgmrt.ErrUnderflow) {
		t.Errorf("found %v; want ErrUnderflow", err)
	}
}
