package model_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// enumerated returns the sum over all trees that span a root, which is node n, and n nodes, and the
// part of the sum with each edge, by parent and node. It tries every choice of parents without a
// cycle.
func enumerated(n int, weight func(parent, node int) float64) (sum float64, with []float64) {
	with = make([]float64, (n+1)*n)
	parent := make([]int, n)
	var choose func(i int, w float64)
	choose = func(i int, w float64) {
		if i < n {
			for parent[i] = 0; parent[i] <= n; parent[i]++ {
				if parent[i] != i {
					choose(i+1, w*weight(parent[i], i))
				}
			}
			return
		}
		for v := range n {
			steps := 0
			for v < n && steps <= n {
				v, steps = parent[v], steps+1
			}
			if steps > n {
				return
			}
		}
		sum += w
		for v, p := range parent {
			with[p*n+v] += w
		}
	}
	choose(0, 1)
	return sum, with
}

// The sum over trees, and the share of it with each edge, computed by one factorisation, equal
// those of enumeration. The shares of the edges into a node sum to one.
func TestSpanning(t *testing.T) {
	for seed := range uint64(40) {
		n := 1 + int(seed%6)
		m := irtest.RandomForest(seed, n, 3, seed%2 == 0, []float64{0, .5}[seed%2])
		if list := m.Check(); n > 1 && list.HasErrors() {
			t.Fatal(list.Err())
		}
		d, at, state := m.Forest(), m.ForestOffsets(), make([]int, n)
		tree := model.NewSpanning(n)
		root, edge := make([]float64, n), make([]float64, n*n)
		for more := true; more; more = m.Next(m.Factors[0].Scope, state) {
			tree.Load(d, at, state)
			want, with := enumerated(n, func(p, v int) float64 {
				row := 0
				if p < n {
					row = 1 + at[p] + state[p]
				}
				return d.Weights[row*at[n]+at[v]+state[v]]
			})
			got := math.Exp(tree.Factor())
			irtest.CloseTo(t, got, want, 1e-12)
			tree.Expectations(root, edge)
			for v := range n {
				sum := root[v]
				irtest.CloseTo(t, root[v], with[n*n+v]/want, 1e-12)
				for p := range n {
					irtest.CloseTo(t, edge[p*n+v], with[p*n+v]/want, 1e-12)
					sum += edge[p*n+v]
				}
				irtest.CloseTo(t, sum, 1, 1e-12)
			}
		}
	}
}

// Weights of any range: a star of two hundred nodes, each below the root by 1e-3, has the sum
// 1e-600. A chain that the root hardly reaches loses no digit, since nothing is subtracted: for two
// nodes by hand r0·r1 + r0·w01 + r1·w10.
func TestSpanningRange(t *testing.T) {
	star := model.NewSpanning(200)
	for i := range star.Root {
		star.Root[i] = 1e-3
	}
	irtest.CloseTo(t, star.Factor(), -600*math.Ln10, 1e-9)
	pair := model.NewSpanning(2)
	copy(pair.Root, []float64{1e-20, 3e-20})
	copy(pair.Edge, []float64{0, .75, .5, 0})
	irtest.CloseTo(t, pair.Factor(), math.Log(3e-40+.75e-20+1.5e-20), 1e-13)
}

// Table 3 of the supplement of Chu, Jiang and Tu: given X1 = T, X2 and X3 are equal, and given F
// they are independent up to .001.
func TestContextForest(t *testing.T) {
	m := irtest.ContextForest()
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{.5, 0, 0, .5}, {.251, .249, .249, .251}}
	for x1, row := range want {
		given := brute.Evidence{Hard: map[model.VarID]int{0: x1}}
		for i, p := range j.JointPosterior([]model.VarID{1, 2}, given) {
			irtest.CloseTo(t, p, row[i], 1e-12)
		}
	}
}

// With equal stop weights, LDFM-S is the LDFM whose rows it shares.
func TestEqualStops(t *testing.T) {
	m := irtest.RandomForest(3, 4, 3, false, 0)
	d := m.Forest()
	s := &model.LDFM{}
	for _, w := range d.Weights {
		s.Weights = append(s.Weights, .5*w)
	}
	for range len(d.Weights) / m.ForestOffsets()[4] {
		s.Stop = append(s.Stop, .5)
	}
	with := *m
	with.Factors = []*model.Factor{{Scope: m.Factors[0].Scope, Child: -1, Dist: s}}
	a, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := brute.New(&with)
	if err != nil {
		t.Fatal(err)
	}
	for v := range m.Vars {
		p, q := a.Posterior(model.VarID(v), brute.Evidence{}), b.Posterior(model.VarID(v), brute.Evidence{})
		for i := range p {
			irtest.CloseTo(t, p[i], q[i], 1e-12)
		}
	}
}

func TestCheckForest(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(m *model.Model, d *model.LDFM)
		want   string
	}{
		{"row", func(_ *model.Model, d *model.LDFM) { d.Weights[0] = .5 }, "the weights of row 0 of an LDFM, from 0 for the root, sum to 1.25; want 1"},
		{"own variable", func(_ *model.Model, d *model.LDFM) { d.Weights[6] = .1 }, `a state of "X1" has the weight 0.1 for a state of the same variable; want 0`},
		{"size", func(_ *model.Model, d *model.LDFM) { d.Stop = d.Stop[:3] }, "an LDFM over 6 states has 42 weights and 3 stop weights; want 42, and none or 7"},
		{"number", func(_ *model.Model, d *model.LDFM) { d.Stop[0] = math.NaN() }, "an LDFM holds NaN; want a number of at least 0"},
		{"scope", func(m *model.Model, _ *model.LDFM) { m.Factors[0].Scope = []model.VarID{1, 0, 2} }, "want that alone in a latent dependency forest model"},
		{"kind", func(m *model.Model, _ *model.LDFM) { m.Kind = model.Markov }, "want that alone in a latent dependency forest model"},
		{"two", func(m *model.Model, _ *model.LDFM) { m.Factors = append(m.Factors, m.Factors[0]) }, "a latent dependency forest model has 2 factors; want one"},
		{"table", func(m *model.Model, _ *model.LDFM) {
			m.Factors[0] = &model.Factor{Scope: []model.VarID{0}, Child: -1, Dist: &model.Table{Values: []float64{1, 1}}}
		}, "the potential of a latent dependency forest model is a *model.Table; want an LDFM"},
	} {
		m := irtest.ContextForest()
		c.change(m, m.Forest())
		if list := m.Check(); !list.HasErrors() || !strings.Contains(list.Err().Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.name, list.Err(), c.want)
		}
	}
}
