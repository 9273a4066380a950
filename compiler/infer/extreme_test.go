package infer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// extreme returns a random network of five variables, some numbers of which are 0, and others as
// small as 1e-300.
func extreme(rng *rand.Rand, kind model.Kind) *model.Model {
	m := &model.Model{Kind: kind}
	for v := range model.VarID(5) {
		m.NewVar(fmt.Sprint("v", v), "0", "1", "2")
		f := &model.Factor{Child: -1}
		for u := range v {
			if rng.IntN(2) == 0 && len(f.Scope) < 2 {
				f.Scope = append(f.Scope, u)
			}
		}
		f.Scope = append(f.Scope, v)
		size, _ := m.TableSize(f.Scope)
		d := &model.Table{Values: make([]float64, size)}
		for i := range d.Values {
			if rng.IntN(5) > 0 {
				d.Values[i] = math.Pow(10, -300*rng.Float64())
			}
		}
		if kind == model.Bayes {
			f.Child = len(f.Scope) - 1
			for i := 0; i < size; i += 3 {
				row, at := d.Values[i:i+3], rng.IntN(3)
				row[at] = 0
				row[at] = max(0, 1-row[0]-row[1]-row[2])
				if sum := row[0] + row[1] + row[2]; sum != 1 {
					row[0], row[1], row[2] = 1, 0, 0
				}
			}
		}
		f.Dist = d
		m.Factors = append(m.Factors, f)
	}
	return m
}

// logValues returns the logarithm of the product of all factors at each joint state that agrees
// with the evidence, summed over the variables from the given number on.
func logValues(m *model.Model, ev infer.Evidence, from int) map[string]float64 {
	logs := map[string]float64{}
	state, all := make([]int, len(m.Vars)), []model.VarID{0, 1, 2, 3, 4}
	for more := true; more; more = m.Next(all, state) {
		log := 0.0
		for _, f := range m.Factors {
			log += pgmrt.Ln(m.Value(f, state))
		}
		for v := range m.Vars {
			if x, known := ev[m.Vars[v].Name]; known && x != fmt.Sprint(state[v]) {
				log = math.Inf(-1)
			}
		}
		key := fmt.Sprint(state[:from])
		if before, ok := logs[key]; ok && !math.IsInf(max(before, log), -1) {
			log = pgmrt.LogAdd(max(before, log), min(before, log))
		}
		logs[key] = log
	}
	return logs
}

// TestBestOfExtremeNumbers checks that states are the best, or an error says that they may be lost,
// if products of numbers lie far below the smallest float64.
func TestBestOfExtremeNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	answered, lost := 0, 0
	for range irtest.Count(t, 40, 1000) {
		m, ev := extreme(rng, model.Kind(rng.IntN(2))), infer.Evidence{}
		for v := range m.Vars {
			if rng.IntN(4) == 0 {
				ev[m.Vars[v].Name] = fmt.Sprint(rng.IntN(3))
			}
		}
		e := engine(t, m, infer.Options{})
		for _, c := range []struct {
			name string
			from int
			ask  func() ([]infer.Completion, error)
		}{
			{"MPE", 5, func() ([]infer.Completion, error) { return one(e.MPE(t.Context(), ev)) }},
			{"KMPE", 5, func() ([]infer.Completion, error) { return e.KMPE(t.Context(), ev, 3) }},
			{"MAP", 2, func() ([]infer.Completion, error) { return one(e.MAP(t.Context(), ev, "v0", "v1")) }},
		} {
			logs := logValues(m, ev, c.from)
			want := slices.Sorted(func(yield func(float64) bool) {
				for _, x := range logs {
					if !math.IsInf(x, -1) && !yield(-x) {
						return
					}
				}
			})
			list, err := c.ask()
			switch {
			case errors.Is(err, pgmrt.ErrUnderflow) || errors.Is(err, ir.ErrUnderflow):
				lost++
			case errors.Is(err, infer.ErrImpossible):
				if len(want) > 0 {
					t.Errorf("%s given %v: %v; want %v", c.name, ev, err, -want[0])
				}
			case err != nil:
				t.Fatal(err)
			}
			for i, x := range list {
				key := make([]string, len(x.States))
				for v, s := range x.States {
					key[v] = s.State
				}
				got := logs[fmt.Sprint(key)]
				if i >= len(want) || !irtest.Near(got, -want[i], 1e-12) {
					t.Errorf("%s given %v: completion %d is %v, of logarithm %v; want one of %v", c.name, ev, i, key, got, want)
				}
				answered++
			}
		}
	}
	if answered < lost/4 {
		t.Errorf("%d answers, and %d lost", answered, lost)
	}
}

func one(c *infer.Completion, err error) ([]infer.Completion, error) {
	if err != nil {
		return nil, err
	}
	return []infer.Completion{*c}, nil
}

// TestManyComponents asks about variables without factors, of which the sum of all products exceeds
// float64 and the probability of all states falls below it.
func TestManyComponents(t *testing.T) {
	const n = 2000
	m, ev := &model.Model{Kind: model.Markov}, infer.Evidence{}
	for v := range n {
		m.NewVar(fmt.Sprint("v", v), "0", "1")
		ev[fmt.Sprint("v", v)] = "1"
	}
	e := engine(t, m, infer.Options{})
	p, err := e.Posterior(t.Context(), nil, "v7")
	if err != nil || p.P[1] != .5 {
		t.Errorf("posterior %v, error %v; want 1/2", p, err)
	}
	log, err := e.LogProb(t.Context(), ev)
	if err != nil || !irtest.Near(log, -n*math.Ln2, 1e-12) {
		t.Errorf("ln P is %v, error %v; want %v", log, err, -n*math.Ln2)
	}
}

// TestBestOfExtremeHybrids is TestBestOfExtremeNumbers with a real variable below two of the
// others, whose densities may differ by as much as the numbers.
func TestBestOfExtremeHybrids(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	answered, lost := 0, 0
	for range irtest.Count(t, 100, 1000) {
		m, ev := extreme(rng, model.Bayes), infer.Evidence{}
		for v := range m.Vars {
			if rng.IntN(4) == 0 {
				ev[m.Vars[v].Name] = fmt.Sprint(rng.IntN(3))
			}
		}
		logs := logValues(m, ev, 5)
		d := &model.Gaussian{}
		for range 9 {
			d.Mean, d.Var = append(d.Mean, 30*rng.Float64()), append(d.Var, 1)
		}
		m.NewReal("x")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{1, 3, 5}, Child: 2, Dist: d})
		observed := rng.IntN(3) > 0
		if observed {
			ev["x"] = 5.
		}
		most := math.Inf(-1)
		for key := range logs {
			density := -.5 * math.Log(2*math.Pi)
			if y := 5 - d.Mean[3*(key[3]-'0')+key[7]-'0']; observed {
				density -= y * y / 2
			}
			logs[key] += density
			most = max(most, logs[key])
		}
		got, err := engine(t, m, infer.Options{}).MPE(t.Context(), ev)
		switch {
		case errors.Is(err, pgmrt.ErrUnderflow):
			lost++
			continue
		case errors.Is(err, infer.ErrImpossible) && math.IsInf(most, -1):
			continue
		case err != nil:
			t.Fatal(err)
		}
		var key []string
		for _, s := range got.States[:5] {
			key = append(key, s.State)
		}
		if log := logs[fmt.Sprint(key)]; !irtest.Near(log, most, 1e-12) || !irtest.Near(got.LogProb, most, 1e-11) {
			t.Errorf("given %v: %v, of logarithm %v, not %v; want %v", ev, key, log, got.LogProb, most)
		}
		answered++
	}
	if answered < 30 || lost < 3 {
		t.Errorf("%d answers, and %d lost; want 30 and 3", answered, lost)
	}
}
