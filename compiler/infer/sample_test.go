package infer_test

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestSampleWithoutEvidence compares frequencies of rows of random networks with their marginals,
// and the log-probabilities of rows by CPDs with those of the program.
func TestSampleWithoutEvidence(t *testing.T) {
	networks := 0
	for _, seed := range irtest.Cases(t, 12, 100) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7})
		e := engine(t, m, infer.Options{Seed: seed})
		if m.Kind != model.Bayes || !infer.CanForward(e.Model(), nil) {
			continue
		}
		networks++
		const n = 4000
		rows, err := e.Draw(t.Context(), nil, n)
		must(t, err)
		all, err := e.Marginals(t.Context(), nil)
		must(t, err)
		for i, d := range all.List {
			count := make([]float64, len(d.P))
			for _, row := range rows {
				count[row[i].State]++
			}
			for k, p := range d.P {
				if math.Abs(count[k]/n-p) > 5*math.Sqrt(p*(1-p)/n) {
					t.Errorf("seed %d: %s is %s in %v of %d rows; want %v of them", seed, d.Var, d.States[k], count[k], n, p)
				}
			}
		}
		for _, row := range rows[:20] {
			states := make([]int, len(row))
			for i, x := range row {
				states[i] = x.State
			}
			log, ok := e.Product(row)
			want, err := e.LogProbs(t.Context(), [][]int{states})
			must(t, err)
			if ok && math.Abs(log-want[0]) > 1e-11 {
				t.Errorf("seed %d: ln P %v; want %v", seed, log, want[0])
			}
		}
	}
	if networks < 4 {
		t.Errorf("%d networks; want at least 4", networks)
	}
}

// TestSampleWide draws from a network that no clique tree fits.
func TestSampleWide(t *testing.T) {
	m := &model.Model{}
	for v := range model.VarID(40) {
		m.NewVar(fmt.Sprint("x", v), "a", "b")
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v}, Dist: &model.Table{Values: []float64{.5, .5}}})
	}
	for a := range model.VarID(40) {
		for b := range a {
			v := m.NewVar(fmt.Sprint("y", a, "-", b), "a", "b").ID
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{a, b, v}, Child: 2, Dist: &model.Table{Values: []float64{1, 0, 0, 1, 0, 1, 1, 0}}})
		}
	}
	e := engine(t, m, infer.Options{MaxTable: 1 << 10})
	rows, err := e.Draw(t.Context(), nil, 10)
	must(t, err)
	for _, row := range rows {
		if row[40].State != row[0].State^row[1].State {
			t.Errorf("%v; want exclusive or of the first two", row[:41])
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestDoBy compares interventions by a distribution with the mean of those by each state, and one
// of a real variable with the normal distribution of its child.
func TestDoBy(t *testing.T) {
	m := irtest.Asia()
	ask := func(set infer.Evidence) float64 {
		after, err := infer.Do(m, set)
		must(t, err)
		d, err := engine(t, after, infer.Options{}).Posterior(t.Context(), nil, "dysp")
		must(t, err)
		return d.P[0]
	}
	want := .3*ask(infer.Evidence{"bronc": "yes"}) + .7*ask(infer.Evidence{"bronc": "no"})
	if got := ask(infer.Evidence{"bronc": infer.Jeffrey{.3, .7}}); math.Abs(got-want) > 1e-14 {
		t.Errorf("P(dysp) = %v; want %v", got, want)
	}
	if _, err := infer.Do(m, infer.Evidence{"bronc": infer.Likelihood{.3, .7}}); err == nil {
		t.Error("a likelihood is taken for a distribution")
	}
	real := &model.Model{}
	real.NewReal("x")
	real.NewReal("y")
	real.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{1}, Coef: []float64{2}, Var: []float64{1}}},
	}
	after, err := infer.Do(real, infer.Evidence{"x": infer.Measurement{Mean: 3, SD: .5}})
	must(t, err)
	d, err := engine(t, after, infer.Options{}).Posterior(t.Context(), nil, "y")
	must(t, err)
	if math.Abs(d.Mean-7) > 1e-12 || math.Abs(d.Variance-2) > 1e-12 {
		t.Errorf("mean %v, variance %v; want 7 and 2", d.Mean, d.Variance)
	}
}

// TestForwardFrom compares rows from later ones on with those of the whole sequence.
func TestForwardFrom(t *testing.T) {
	for seed := range uint64(6) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 7})
		if m.Kind != model.Bayes || !infer.CanForward(m, nil) {
			continue
		}
		var all [][]model.Value
		for row, err := range infer.Forward(t.Context(), m, nil, 3) {
			must(t, err)
			if all = append(all, slices.Clone(row)); len(all) == 50 {
				break
			}
		}
		for _, first := range []uint64{0, 1, 17} {
			at := first
			for row, err := range infer.ForwardFrom(t.Context(), m, nil, 3, 9, first) {
				must(t, err)
				if !slices.Equal(row, all[at]) {
					t.Fatalf("seed %d: row %d from %d on is %v; want %v", seed, at, first, row, all[at])
				}
				if at++; at == 50 {
					break
				}
			}
		}
	}
}

// TestBlocks draws real rows by blocks of random numbers, from CPDs and given evidence, in several
// goroutines: block 0 has the rows of the engine, and each block has others, of the same mean.
func TestBlocks(t *testing.T) {
	tank := &model.Model{}
	tank.NewReal("level")
	tank.NewReal("gauge")
	tank.Factors = []*model.Factor{
		{Scope: []model.VarID{0}, Child: 0, Dist: &model.Gaussian{Mean: []float64{1}, Var: []float64{1}}},
		{Scope: []model.VarID{0, 1}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}}},
	}
	e := engine(t, tank, infer.Options{Seed: 5})
	const n, blocks = 2000, 4
	for name, draw := range map[string]func(block uint64) iter.Seq2[[]model.Value, error]{
		"CPDs": func(block uint64) iter.Seq2[[]model.Value, error] {
			return infer.ForwardFrom(t.Context(), tank, nil, 5, block, 0)
		},
		"evidence": func(block uint64) iter.Seq2[[]model.Value, error] {
			return e.CloneAt(block).Values(t.Context(), infer.Evidence{"gauge": 1.0})
		},
	} {
		first := map[float64]bool{}
		var levels [blocks][]float64
		var group sync.WaitGroup
		for block := range levels {
			group.Go(func() {
				for row, err := range draw(uint64(block)) {
					if err != nil {
						t.Error(err)
						return
					}
					if levels[block] = append(levels[block], row[0].Real); len(levels[block]) == n {
						return
					}
				}
			})
		}
		group.Wait()
		for block, list := range levels {
			sum := 0.0
			for _, x := range list {
				sum += x
			}
			if mean := sum / n; len(list) != n || math.Abs(mean-1) > 5/math.Sqrt(n) {
				t.Errorf("%s, block %d: %d rows of mean %v; want 1", name, block, len(list), mean)
			}
			if first[list[0]] {
				t.Errorf("%s: block %d repeats another", name, block)
			}
			first[list[0]] = true
		}
	}
	for row, err := range e.Values(t.Context(), infer.Evidence{"gauge": 1.0}) {
		must(t, err)
		for again, err := range e.CloneAt(0).Values(t.Context(), infer.Evidence{"gauge": 1.0}) {
			if must(t, err); !slices.Equal(again, row) {
				t.Errorf("block 0 begins with %v; want %v", again, row)
			}
			break
		}
		break
	}
}
