package model_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// binary is a random Bayesian network of two states a variable, in topological order.
type binary struct {
	parents [][]int
	p       [][]float64 // by variable and states of its parents: P(1)
}

func randomBinary(rng *rand.Rand, n int) *binary {
	b := &binary{}
	for v := range n {
		var parents []int
		for p := range v {
			if rng.IntN(5) < 2 {
				parents = append(parents, p)
			}
		}
		b.parents = append(b.parents, parents)
		var rows []float64
		for range 1 << len(parents) {
			rows = append(rows, .05+.9*rng.Float64())
		}
		b.p = append(b.p, rows)
	}
	return b
}

// joint returns the probability of states, without the factor of variable set; -1 for none.
func (b *binary) joint(states, set int) float64 {
	out := 1.0
	for v, parents := range b.parents {
		row := 0
		for i, p := range parents {
			row |= states >> p & 1 << i
		}
		if p := b.p[v][row]; v == set {
			continue
		} else if states>>v&1 == 1 {
			out *= p
		} else {
			out *= 1 - p
		}
	}
	return out
}

// sum returns the sum of joint over the states that agree with want on mask.
func (b *binary) sum(mask, want, set int) (total float64) {
	for s := range 1 << len(b.parents) {
		if s&mask == want {
			total += b.joint(s, set)
		}
	}
	return total
}

// adjusted returns the sum over the states of set of P(y=1 | x=1, z) P(z).
func (b *binary) adjusted(x, y, set int) (total float64) {
	for z := range 1 << len(b.parents) {
		if z&^set == 0 {
			total += b.sum(set|x|y, z|x|y, -1) / b.sum(set|x, z|x, -1) * b.sum(set, z, -1)
		}
	}
	return total
}

// TestAdjusts compares the criterion with numbers: on random networks, each set of variables either
// adjusts for the effect or, for random numbers, gives another one.
func TestAdjusts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 5
	valid, none := 0, 0
	for range irtest.Count(t, 12, 200) {
		b := randomBinary(rng, n)
		m := b.model(t)
		g := model.NewGraph(m)
		usable := make([]bool, n)
		for v := range usable {
			usable[v] = rng.IntN(4) > 0
		}
		for x := range n {
			for y := range n {
				if x == y {
					continue
				}
				var smallest [][]model.VarID
				effect := b.sum(1<<x|1<<y, 1<<x|1<<y, x)
				for set := range 1 << n {
					if set&(1<<x|1<<y) != 0 {
						continue
					}
					ids := ofMask(set)
					equal := math.Abs(b.adjusted(1<<x, 1<<y, set)-effect) < 1e-10
					if got := g.Adjusts(model.VarID(x), model.VarID(y), ids); got != equal {
						t.Fatalf("parents %v: %v adjusts for %d on %d: %v; want %v", b.parents, ids, x, y, got, equal)
					}
					if equal && !slices.ContainsFunc(ids, func(v model.VarID) bool { return !usable[v] }) {
						smallest = append(smallest, ids)
					}
				}
				smallest = minimal(smallest)
				got, all := g.AdjustmentSets(model.VarID(x), model.VarID(y), usable, 100)
				if !all || !slices.EqualFunc(got, smallest, slices.Equal) {
					t.Fatalf("parents %v, usable %v: sets for %d on %d are %v; want %v", b.parents, usable, x, y, got, smallest)
				}
				if got == nil {
					none++
				}
				valid += len(got)
			}
		}
	}
	if valid == 0 || none == 0 {
		t.Errorf("%d sets, and none for %d effects; want both", valid, none)
	}
}

// TestIdentification reads graphs of the literature, with latent common causes: if the effect is
// not identifiable, no set adjusts for it, and some graphs have known sets.
func TestIdentification(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(irtest.Shared(t), "data", "causal", "identification.txt"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][][]string{ // nil: no set
		"backdoor": {{"Z"}}, "frontdoor": nil, "frontdoor_backdoor": {{"W"}}, "m_graph": {{}}, "figure_2d": {{"Z"}},
		"figure_9a": nil, "instrumental_variable": nil, "identifiability_4": nil,
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		if len(f) < 7 || strings.HasPrefix(line, "#") || strings.Contains(f[1]+f[2], ",") || f[3] != "-" {
			continue
		}
		m, usable := readGraph(f[4], f[5])
		x, _ := m.VarByName(f[1])
		y, _ := m.VarByName(f[2])
		sets, all := model.NewGraph(m).AdjustmentSets(x.ID, y.ID, usable, 100)
		if !all || f[6] == "no" && sets != nil {
			t.Errorf("%s: found %v, all: %v; want all, and none without identifiability", f[0], sets, all)
		}
		var names [][]string
		for _, s := range sets {
			list := []string{}
			for _, v := range s {
				list = append(list, m.Vars[v].Name)
			}
			names = append(names, list)
		}
		want, ok := known[f[0]]
		if !ok {
			continue
		}
		if seen++; !slices.EqualFunc(names, want, slices.Equal) {
			t.Errorf("%s: found %q; want %q", f[0], names, want)
		}
	}
	if seen != len(known) {
		t.Errorf("found %d of the graphs; want %d", seen, len(known))
	}
}

// readGraph reads directed edges such as a>b, and edges a-b that stand for a latent common cause.
func readGraph(directed, latent string) (m *model.Model, usable []bool) {
	m = &model.Model{Kind: model.Bayes}
	parents := map[model.VarID][]model.VarID{}
	id := func(name string) model.VarID {
		v, ok := m.VarByName(name)
		if !ok {
			v = m.NewVar(name, "0", "1")
			usable = append(usable, true)
		}
		return v.ID
	}
	for _, e := range strings.Fields(directed) {
		a, b, _ := strings.Cut(e, ">")
		from, to := id(a), id(b)
		parents[to] = append(parents[to], from)
	}
	for _, e := range strings.Fields(latent) {
		if a, b, ok := strings.Cut(e, "-"); ok && a != "" {
			u := id(e)
			usable[u] = false
			parents[id(a)], parents[id(b)] = append(parents[id(a)], u), append(parents[id(b)], u)
		}
	}
	for _, v := range m.Vars {
		scope := append(slices.Clone(parents[v.ID]), v.ID)
		m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{}})
	}
	return m, usable
}

// model returns the network as a model.
func (b *binary) model(t *testing.T) *model.Model {
	t.Helper()
	m := &model.Model{Kind: model.Bayes}
	for v := range b.parents {
		m.NewVar(string(rune('a'+v)), "0", "1")
	}
	for v, parents := range b.parents {
		f := &model.Factor{Child: len(parents), Dist: &model.Table{Values: make([]float64, 2<<len(parents))}}
		for _, p := range parents {
			f.Scope = append(f.Scope, model.VarID(p))
		}
		f.Scope = append(f.Scope, model.VarID(v))
		m.Factors = append(m.Factors, f) // the graph has no numbers
	}
	return m
}

func ofMask(set int) (ids []model.VarID) {
	for v := 0; set>>v > 0; v++ {
		if set>>v&1 == 1 {
			ids = append(ids, model.VarID(v))
		}
	}
	return ids
}

// minimal returns the sets that contain no other one, by size and then in lexical order.
func minimal(sets [][]model.VarID) (out [][]model.VarID) {
	for _, s := range sets {
		if !slices.ContainsFunc(sets, func(o []model.VarID) bool {
			return len(o) < len(s) && !slices.ContainsFunc(o, func(v model.VarID) bool { return !slices.Contains(s, v) })
		}) {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b []model.VarID) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return slices.Compare(a, b)
	})
	return out
}
