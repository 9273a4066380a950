package infer_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestMaxMarginals has the beliefs of both cliques and the sepset of the Misconception example
// (Koller and Friedman, figure 13.3), which give back the weight of each joint state (example 13.9),
// and the ties of example 13.10.
func TestMaxMarginals(t *testing.T) {
	m := misconception()
	e := engine(t, m, infer.Options{})
	got, err := e.MaxMarginals(t.Context(), nil, []string{"A", "B", "D"}, []string{"B", "D"}, []string{"B", "C", "D"}, []string{"A"})
	if err != nil {
		t.Fatal(err)
	}
	for i, values := range [][]float64{{3e5, 3e5, 5e6, 500, 100, 1e6, 1e5, 1e5}, {3e5, 1e6, 5e6, 1e5}, {3e5, 1e6, 3e5, 100, 500, 1e5, 5e6, 1e5}, {5e6, 1e6}} {
		for k, want := range values {
			irtest.CloseTo(t, got.List[i].LogProb[k]+math.Log(7201840), math.Log(want), 1e-12)
		}
	}
	irtest.CloseTo(t, got.List[0].Of("1", "0", "0")+got.List[2].Of("0", "1", "0")-got.List[1].Of("0", "0")+math.Log(7201840), math.Log(100), 1e-12)

	xor := binary("X1", "X2")
	potential(xor, []float64{.1, .4, .4, .1}, 0, 1)
	got, err = engine(t, xor, infer.Options{}).MaxMarginals(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range got.List {
		if x.LogProb[0] != got.LogProb || x.LogProb[1] != got.LogProb {
			t.Errorf("%v of %s; want %v twice", x.LogProb, x.Vars, got.LogProb)
		}
	}
	irtest.CloseTo(t, got.LogProb, math.Log(.4), 1e-12)
}

// misconception is the network of example 3.8 of Koller and Friedman, with partition function
// 7,201,840.
func misconception() *model.Model {
	m := binary("A", "B", "C", "D")
	potential(m, []float64{30, 5, 1, 10}, 0, 1)
	potential(m, []float64{100, 1, 1, 100}, 1, 2)
	potential(m, []float64{1, 100, 100, 1}, 2, 3)
	potential(m, []float64{100, 1, 1, 100}, 3, 0)
	return m
}

// TestMaxMarginalsOfRandomModels compares max-marginals with enumeration: of single variables, of
// two together, with evidence, zeros and ties.
func TestMaxMarginalsOfRandomModels(t *testing.T) {
	asked, impossible := 0, 0
	for _, seed := range irtest.Cases(t, 30, 600) {
		m := irtest.RandomModel(seed, irtest.Options{MaxVars: 6})
		ev := irtest.RandomEvidence(seed, m)
		j, err := brute.New(m)
		if err != nil {
			t.Fatal(err)
		}
		seen := j.Observable()
		var sets [][]string
		of := make([][]model.VarID, len(seen))
		for i, v := range seen {
			of[i] = []model.VarID{v}
		}
		if len(seen) > 1 {
			r := rand.New(rand.NewPCG(seed, 13))
			pair := r.Perm(len(seen))[:2]
			of = append(of, []model.VarID{seen[pair[0]], seen[pair[1]]})
			sets = [][]string{{m.Vars[seen[pair[0]]].Name, m.Vars[seen[pair[1]]].Name}}
		}
		for _, name := range []string{"jointree", "circuit"} {
			e := engine(t, m, infer.Options{Method: compiler.Named(name)})
			got, err := e.MaxMarginals(t.Context(), given(m, ev))
			if math.IsInf(j.LogProb(ev), -1) {
				if !errors.Is(err, infer.ErrImpossible) {
					t.Fatalf("seed %d: %v; want ErrImpossible", seed, err)
				}
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			list := got.List
			if sets != nil {
				joint, err := e.MaxMarginals(t.Context(), given(m, ev), sets...)
				if err != nil {
					t.Fatal(err)
				}
				irtest.CloseTo(t, joint.LogProb, got.LogProb, 1e-11)
				list = append(list, joint.List...)
			}
			asked++
			for i, vars := range of {
				for k, want := range j.MaxMarginal(vars, ev) {
					if math.IsInf(want, -1) {
						impossible++
					}
					if x := list[i].LogProb[k]; x != want && !(math.Abs(x-want) <= 1e-11*max(1, math.Abs(want))) {
						t.Errorf("seed %d, %s: state %d of %v has %v; want %v", seed, name, k, vars, x, want)
					}
				}
			}
		}
	}
	if asked < 30 || impossible < 10 {
		t.Errorf("%d questions and %d impossible states; want 30 and 10", asked, impossible)
	}
}

// TestPseudoMaxMarginals has a tree, on which those of maxprod are the max-marginals, and grids.
// Those of methods with a bound are bounds of the max-marginals.
func TestPseudoMaxMarginals(t *testing.T) {
	tree := binary("a", "b", "c", "d")
	r := rand.New(rand.NewPCG(13, 3))
	for v := range model.VarID(3) {
		potential(tree, []float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()}, v/2, v+1)
	}
	for _, name := range []string{"maxprod", "trws", "mplp"} {
		e := engine(t, tree, infer.Options{Method: compiler.Named(name), Queries: []string{"maxmarginals"}})
		got, err := e.MaxMarginals(t.Context(), nil)
		if err != nil || got.Report == nil || got.Report.Gap != 0 {
			t.Fatal(got, err)
		}
		j, err := brute.New(tree)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.List {
			for k, want := range j.MaxMarginal([]model.VarID{model.VarID(i)}, brute.Evidence{}) {
				want += j.LogPartition()
				if x := got.List[i].LogProb[k]; name == "maxprod" {
					irtest.CloseTo(t, x, want, 1e-8)
				} else if x < want-1e-9 {
					t.Errorf("%s: state %d of variable %d has %v; want at least %v", name, k, i, x, want)
				}
			}
		}
		if _, err := e.MaxMarginals(t.Context(), nil, []string{"a", "b"}); err == nil {
			t.Error("no error for a set of variables")
		}
	}
	for _, options := range [][]string{{"cycles=0"}, {}, {"subgradient=3"}} {
		for _, name := range []string{"trws", "mplp"} {
			for _, seed := range irtest.Cases(t, 4, 60) {
				m := grid(3, rand.New(rand.NewPCG(seed, 15)))
				j, err := brute.New(m)
				if err != nil {
					t.Fatal(err)
				}
				got, err := engine(t, m, infer.Options{Method: compiler.Named(name, options...), Queries: []string{"maxmarginals"}}).MaxMarginals(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				for i := range got.List {
					for k, want := range j.MaxMarginal([]model.VarID{model.VarID(i)}, brute.Evidence{}) {
						if want += j.LogPartition(); got.List[i].LogProb[k] < want-1e-7 {
							t.Errorf("%s %v, seed %d: state %d of %v has %v; want at least %v", name, options, seed, k, got.List[i].Vars, got.List[i].LogProb[k], want)
						}
					}
				}
			}
		}
	}
	if _, err := engine(t, tree, infer.Options{Method: compiler.Named("trws")}).MaxMarginals(t.Context(), nil); !errors.Is(err, infer.ErrNoAnswer) {
		t.Errorf("%v; want ErrNoAnswer", err)
	}
}
