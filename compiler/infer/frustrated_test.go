package infer_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestLocalOptima has the frustrated loop of example 13.11 and the loop of example 13.12 of Koller
// and Friedman, in which two joint states are best in every belief.
func TestLocalOptima(t *testing.T) {
	loop := func(first, second, third []float64) *infer.Report {
		m := binary("A", "B", "C")
		potential(m, first, 0, 1)
		potential(m, second, 1, 2)
		potential(m, third, 0, 2)
		got, err := engine(t, m, infer.Options{Method: compiler.Named("maxprod")}).MPE(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return got.Report
	}
	differ, agree := []float64{1, 2, 2, 1}, []float64{2, 1, 1, 2}
	if r := loop(differ, differ, differ); r.Strong || !r.Frustrated {
		t.Errorf("a frustrated loop: %+v", r)
	}
	if r := loop(agree, agree, agree); !r.Strong || r.Frustrated || r.Gap != 0 {
		t.Errorf("a loop that agrees: %+v", r)
	}
}

// TestStrongLocalOptima checks the guarantee of theorem 13.7 of Koller and Friedman by all changes
// of up to all variables, on random grids, some with ties: changes of variables that induce at most
// one loop in each component improve no states that are reported as strong.
func TestStrongLocalOptima(t *testing.T) {
	strong, frustrated, optimal := 0, 0, 0
	for _, seed := range irtest.Cases(t, 30, 400) {
		m := grid(3, rand.New(rand.NewPCG(seed, 17)))
		if seed%3 == 0 { // ties
			for _, f := range m.Factors {
				values := f.Dist.(*model.Table).Values
				for i := range values {
					values[i] = 1 + math.Round(values[i])
				}
			}
		}
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := engine(t, m, infer.Options{Method: compiler.Named("maxprod", "damping=.3")}).MPE(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		best, _ := j.MPE(brute.Evidence{})
		isBest := got.LogProb >= best+j.LogPartition()-1e-9
		if got.Report.Frustrated {
			frustrated++
		}
		if !got.Report.Strong {
			continue
		}
		if strong++; isBest {
			optimal++
		}
		for set := range 1 << len(m.Vars) {
			if mostLoops(m, set) > 1 {
				continue
			}
			hard := brute.Evidence{Hard: map[model.VarID]int{}}
			for i, a := range got.States {
				if set>>i&1 == 0 {
					hard.Hard[model.VarID(i)] = a.Index
				}
			}
			if better, _ := j.MPE(hard); better+j.LogPartition() > got.LogProb+1e-6 {
				t.Fatalf("seed %d: changes of %b improve %v to %v", seed, set, got.LogProb, better+j.LogPartition())
			}
		}
	}
	t.Logf("%d strong, %d of them best; %d frustrated", strong, optimal, frustrated)
	if strong < 10 || frustrated == 0 {
		t.Errorf("%d strong and %d frustrated; want 10 and 1", strong, frustrated)
	}
}

// mostLoops returns the largest number of independent loops in a component of the graph of the
// factors that have a variable of the set. The graph has an edge for each pair of a variable of the
// set and a factor; a factor with one such variable hangs from it.
func mostLoops(m *model.Model, set int) int {
	sets := model.NewDisjointSets(len(m.Vars))
	loops, most := make([]int, len(m.Vars)), 0
	for _, f := range m.Factors {
		var in []int
		for _, v := range f.Scope {
			if set>>v&1 == 1 {
				in = append(in, int(v))
			}
		}
		if len(in) < 2 {
			continue
		}
		x, y := sets.Find(in[0]), sets.Find(in[1])
		if sets.Join(x, y) {
			loops[sets.Find(x)] = loops[x] + loops[y]
		} else {
			loops[x]++
		}
		most = max(most, loops[sets.Find(x)])
	}
	return most
}
