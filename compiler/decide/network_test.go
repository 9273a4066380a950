package decide_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// takenNow returns the diagram in which a decision knows nothing but evidence, and later ones what
// they would know after it.
func takenNow(m *model.Model, decision model.VarID) *model.Model {
	out, now := *m, m.Timing(decision)
	out.Diagram = &model.Diagram{Utilities: m.Diagram.Utilities}
	var past []model.VarID
	for _, d := range m.Diagram.Decisions {
		e := &model.Decision{Var: d.Var}
		switch {
		case slices.Contains(now.Later, d.Var):
			e.Known = slices.Concat(d.Known, past)
			slices.Sort(e.Known)
			e.Known = slices.Compact(e.Known)
		default:
			past = append(past, d.Known...)
			if d.Var == decision {
				e.Known = now.Earlier
			}
		}
		out.Diagram.Decisions = append(out.Diagram.Decisions, e)
	}
	return &out
}

// known returns random evidence about what a decision may know, and its likelihoods.
func known(m *model.Model, decision model.VarID, try int, rng *rand.Rand) (given infer.Evidence, likelihood [][]float64) {
	now := m.Timing(decision)
	given, likelihood = infer.Evidence{}, make([][]float64, len(m.Vars))
	for _, v := range m.Vars {
		l := make([]float64, m.Card(v.ID))
		l[rng.IntN(len(l))] = 1
		switch {
		case slices.Contains(now.Earlier, v.ID), !v.Given && now.After[v.ID] == nil && try > 0 && rng.IntN(try+1) == 0:
			given[v.Name] = m.States(v.ID)[slices.Index(l, 1)]
		case !v.Given && now.After[v.ID] == nil && rng.IntN(4) == 0:
			l[0], l[1] = l[0]+.25, l[1]+.5
			given[v.Name] = infer.Likelihood(l)
		default:
			continue
		}
		likelihood[v.ID] = l
	}
	return given, likelihood
}

// addTests adds to a random diagram an observation for each decision but the first, which knows it.
// If the decision before has state 0, it is always none. Otherwise it says something about another
// variable, and its first two states may say the same about that.
func addTests(m *model.Model, rng *rand.Rand, same bool) {
	for i, d := range m.Diagram.Decisions[1:] {
		var before []model.VarID
		for v, after := range m.Timing(d.Var).After {
			if after == nil && !m.Vars[v].Given {
				before = append(before, model.VarID(v))
			}
		}
		about := before[rng.IntN(len(before))]
		v := m.NewVar(m.Vars[d.Var].Name+" test", "0", "1", "2", "none")
		values := slices.Repeat([]float64{0, 0, 0, 1}, m.Card(about))
		for range m.Card(about) {
			p, q := rng.Float64(), rng.Float64()
			if same {
				q = .5
			}
			values = append(values, p*q/2, p/4, 1-p/2*(q+.5), 0)
		}
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{m.Diagram.Decisions[i].Var, about, v.ID}, Child: 2, Dist: &model.Table{Values: values}})
		d.Known = append(d.Known, v.ID)
	}
}

// TestBestOption compares what the options of each decision of random diagrams are worth, and what
// it is worth to know each variable, by programs of networks of pairs, with diagrams that are
// solved with the evidence: all that the decision knows, some of it, none, and likelihoods.
func TestBestOption(t *testing.T) {
	asked, informed, impossible := 0, 0, 0
	for seed := range uint64(irtest.Count(t, 60, 500)) {
		m, rng := random(seed, 1+int(seed%3)), rand.New(rand.NewPCG(seed, 7))
		if seed%4 >= 2 {
			addTests(m, rng, seed%2 == 0)
		}
		e, err := infer.New(t.Context(), m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range m.Diagram.Decisions {
			for try := range 4 {
				given, likelihood := known(m, d.Var, try, rng)
				s, err := decide.Solve(t.Context(), takenNow(m, d.Var), likelihood, decide.Options{})
				got, failed := e.Best(t.Context(), given, m.Vars[d.Var].Name)
				if errors.Is(err, decide.ErrImpossible) {
					if impossible++; !errors.Is(failed, infer.ErrImpossible) {
						t.Errorf("seed %d, %v: error %v; want impossible evidence", seed, given, failed)
					}
					continue
				}
				if err != nil || failed != nil {
					t.Fatalf("seed %d, decision %d, %v: errors %v and %v", seed, d.Var, given, err, failed)
				}
				i := slices.IndexFunc(s.Policies, func(p *decide.Policy) bool { return p.Decision == d.Var })
				want, err := s.Options(t.Context(), i)
				if err != nil {
					t.Fatal(err)
				}
				worth, err := e.Information(t.Context(), given, m.Vars[d.Var].Name)
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range worth {
					v, _ := m.VarByName(x.Name)
					want, err := decide.Value(t.Context(), takenNow(m, d.Var), likelihood, []model.VarID{v.ID}, d.Var, decide.Options{})
					if err != nil || math.Abs(x.Value-want) > 1e-9 {
						t.Errorf("seed %d, decision %d, %v: %v; want %v, error %v", seed, d.Var, given, x, want, err)
					}
				}
				informed += len(worth)
				asked++
				for k, u := range want {
					if math.Abs(got.Utilities[k]-u) > 1e-9 || got.Utilities[k] > slices.Max(want)+1e-9 {
						t.Errorf("seed %d, decision %d, %v: %+v; want %v", seed, d.Var, given, got, want)
						break
					}
				}
				if got.Option != m.States(d.Var)[s.Policies[i].Choice[0]] {
					t.Errorf("seed %d, decision %d, %v: %+v; want choice %v", seed, d.Var, given, got, s.Policies[i])
				}
			}
		}
	}
	if asked == 0 || informed == 0 || impossible == 0 {
		t.Errorf("%d sets of evidence are possible, with %d values of information, and %d are not; want some", asked, informed, impossible)
	}
}

// TestBestKnown compares what the first decision of diagrams of the collection is worth with their
// known answers. The tables of the longest one are rescaled on the way.
func TestBestKnown(t *testing.T) {
	for name, want := range map[string]float64{"oil": 22.5, "two-oil-problems": 45, "tiger4": 2.42125, "machine10": 78.3632019043, "machine200": 1510.2032} {
		m := load(t, filepath.Join(irtest.Shared(t), "data", "decide", name+".pgmc.json"))
		e, err := infer.New(t.Context(), m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Best(t.Context(), nil, m.Vars[m.Diagram.Decisions[0].Var].Name)
		if err != nil {
			t.Fatal(err)
		}
		if u := slices.Max(got.Utilities); math.Abs(u-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%s: %v; want %v", name, got, want)
		}
	}
}

// TestNetworkSize checks what is left of diagrams of the collection: of 200 decisions about a
// machine whose state is known, only the first, and of three states of a sound after an action two.
func TestNetworkSize(t *testing.T) {
	for name, want := range map[string]struct {
		numbers int   // of all potentials
		states  []int // of o1, o2, o3
	}{
		"machine200": {numbers: 15},
		"tiger4":     {numbers: 170, states: []int{2, 2, 2}},
	} {
		m := load(t, filepath.Join(irtest.Shared(t), "data", "decide", name+".pgmc.json"))
		n, err := decide.NewNetwork(t.Context(), m, m.Diagram.Decisions[0].Var, decide.Nothing, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		numbers := 0
		for _, f := range n.Model.Factors {
			values, _ := f.Table()
			numbers += len(values)
		}
		if numbers != want.numbers {
			t.Errorf("%s: %d numbers; want %d", name, numbers, want.numbers)
		}
		for i, states := range want.states {
			v, _ := m.VarByName("o" + strconv.Itoa(i+1))
			if got := n.Model.Card(v.ID); got != states {
				t.Errorf("%s: %q has %d states; want %d", name, v.Name, got, states)
			}
		}
	}
}
