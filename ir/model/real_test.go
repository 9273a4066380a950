package model_test

import (
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The sum over trees for a joint state with real values, and the share of it with each edge, equal
// those of enumeration. The weights of edges to real variables are multiplied by a density.
func TestSpanningDensities(t *testing.T) {
	for seed, cards := range [][]int{{2, 0}, {0, 3, 2}, {0, 0, 2}, {0, 0, 0}, {3, 0, 2, 0}, {0}} {
		for _, stop := range []bool{false, true} {
			m := irtest.RandomRealForest(uint64(seed), cards, stop)
			if list := m.Check(); list.HasErrors() && len(cards) > 1 {
				t.Fatal(list.Err())
			}
			d, at, place, n := m.Forest(), m.ForestOffsets(), m.RealPlaces(), len(cards)
			state, x := make([]int, n), make([]float64, n)
			for v, card := range cards {
				if state[v] = max(0, card-1); card == 0 {
					x[v] = float64(v) - 1.3
				}
			}
			want, with := enumerated(n, func(p, v int) float64 {
				row, above := 0, 0.0
				if p < n {
					row, above = 1+at[p]+state[p], x[p]
				}
				w := d.Weights[row*at[n]+at[v]+state[v]]
				if r := place[v]; r >= 0 {
					g := d.Normals[row*len(m.Reals())+r]
					z := (x[v] - g.Mean - g.Slope*above) / math.Sqrt(g.Var)
					w *= math.Exp(-z*z/2) / math.Sqrt(2*math.Pi*g.Var)
				}
				return w
			})
			tree := model.NewSpanning(n)
			logw := tree.Load(d, at, state)
			stops := logw
			logw += tree.Densities(d, at, state, place, x)
			logw += tree.Factor()
			irtest.CloseTo(t, math.Exp(logw-stops), want, 1e-12)
			irtest.CloseTo(t, m.ForestLogWeight(state, x), logw, 1e-12)
			root, edge := make([]float64, n), make([]float64, n*n)
			tree.Expectations(root, edge)
			for v := range n {
				irtest.CloseTo(t, root[v], with[n*n+v]/want, 1e-12)
				for p := range n {
					irtest.CloseTo(t, edge[p*n+v], with[p*n+v]/want, 1e-12)
				}
			}
		}
	}
}

// The density of a value far from every prediction underflows, but its logarithm does not: one real
// variable below the root, by hand.
func TestFarValue(t *testing.T) {
	m := irtest.RandomRealForest(1, []int{0}, false)
	m.Forest().Weights[0], m.Forest().Normals[0] = 1, model.Normal{Mean: 1, Var: .25}
	want := -.5 * (2*99*2*99 + math.Log(2*math.Pi*.25))
	irtest.CloseTo(t, m.ForestLogWeight([]int{0}, []float64{100}), want, 1e-12)
}

func TestCheckReal(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(m *model.Model, d *model.LDFM)
		want   string
	}{
		{"count", func(_ *model.Model, d *model.LDFM) { d.Normals = d.Normals[1:] }, "an LDFM with 5 rows over 2 real variables has 9 normal distributions; want 10"},
		{"own", func(_ *model.Model, d *model.LDFM) { d.Normals[6].Var = 1 }, `real variable "x1" has a normal distribution below itself; want zeros`},
		{"variance", func(_ *model.Model, d *model.LDFM) { d.Normals[0].Var = 0 }, `slope 0 and variance 0 in row 0 of an LDFM`},
		{"not a number", func(_ *model.Model, d *model.LDFM) { d.Normals[1].Mean = math.NaN() }, `real variable "x2" has mean NaN`},
		{"large", func(_ *model.Model, d *model.LDFM) { d.Normals[7].Slope = 1e31 }, `slope 1e+31`},
		{"slope", func(_ *model.Model, d *model.LDFM) { d.Normals[2].Slope = 1 }, `real variable "x1" has the slope 1 in row 1 of an LDFM, which is that of no real variable; want 0`},
		{"kind", func(m *model.Model, _ *model.LDFM) { m.Kind = model.Dependency }, `variable "x1" is real-valued in a dependency network; want states, or a Bayesian network`},
		{"latent", func(m *model.Model, _ *model.LDFM) { m.Vars[1].Latent = true }, `variable "x1" is real-valued and latent`},
	} {
		m := irtest.RandomRealForest(1, []int{2, 0, 0}, true)
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		c.change(m, m.Forest())
		if list := m.Check(); !list.HasErrors() || !strings.Contains(list.Err().Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.name, list.Err(), c.want)
		}
	}
}
