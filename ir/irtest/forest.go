package irtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir/model"
)

// RandomForest returns a latent dependency forest model of n variables with 1 to most states each,
// an LDFM-S if stop is true. The result depends only on the arguments. The given share of the
// weights is zero, except for the root's weights.
func RandomForest(seed uint64, n, most int, stop bool, zeros float64) *model.Model {
	rng := rand.New(rand.NewPCG(seed, 2))
	m := &model.Model{Name: fmt.Sprintf("forest%d", seed), Kind: model.Forest}
	f := &model.Factor{Child: -1}
	for i := range n {
		states := make([]string, 1+rng.IntN(most))
		for s := range states {
			states[s] = fmt.Sprintf("s%d", s)
		}
		f.Scope = append(f.Scope, m.NewVar(fmt.Sprintf("x%d", i), states...).ID)
	}
	if m.Factors = []*model.Factor{f}; stop {
		f.Dist = &model.LDFM{Stop: []float64{}}
	} else {
		f.Dist = &model.LDFM{}
	}
	RandomWeights(seed, m, zeros)
	return m
}

// RandomWeights replaces the weights of a latent dependency forest model, and its stop weights if
// it has any, by random ones that depend only on the arguments.
func RandomWeights(seed uint64, m *model.Model, zeros float64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	at, n := m.ForestOffsets(), len(m.Vars)
	all := at[n]
	d := &model.LDFM{Weights: make([]float64, (1+all)*all)}
	stop := m.Forest().Stop != nil
	if stop {
		d.Stop = make([]float64, 1+all)
	}
	fill := func(r, own int) {
		row, sum := d.Weights[r*all:][:all], 0.0
		for v := range n {
			for s := at[v]; v != own && s < at[v+1]; s++ {
				if own < 0 || rng.Float64() >= zeros {
					row[s] = rng.ExpFloat64()
				}
				sum += row[s]
			}
		}
		if stop {
			d.Stop[r] = rng.ExpFloat64()
			sum += d.Stop[r]
			d.Stop[r] /= sum
		} else if sum == 0 { // all are zero: set any one
			row[at[(own+1)%n]], sum = 1, 1
		}
		for s := range row {
			row[s] /= sum
		}
	}
	fill(0, -1)
	for v := range n {
		for s := at[v]; s < at[v+1]; s++ {
			fill(1+s, v)
		}
	}
	m.Factors[0].Dist = d
}

// RandomRealForest returns a latent dependency forest model with one variable for each number: its
// number of states, or 0 for a real variable. It is an LDFM-S if stop is true. No weight is zero.
// Means are within 2 of 0, slopes within 1.5, and variances from .08 to 2.7.
func RandomRealForest(seed uint64, cards []int, stop bool) *model.Model {
	m := RandomForest(seed, len(cards), 1, stop, 0)
	for i, card := range cards {
		states := make([]string, card)
		for s := range states {
			states[s] = fmt.Sprintf("s%d", s)
		}
		if m.Vars[i].Domain = (model.Discrete{States: states}); card == 0 {
			m.Vars[i].Domain = model.Real{}
		}
	}
	RandomWeights(seed, m, 0)
	rng := rand.New(rand.NewPCG(seed, 4))
	at, reals := m.ForestOffsets(), m.Reals()
	add := func(above model.VarID, slopes bool) {
		for _, v := range reals {
			x := model.Normal{Mean: 4*rng.Float64() - 2, Var: math.Exp(3.5*rng.Float64() - 2.5)}
			if slopes {
				x.Slope = 3*rng.Float64() - 1.5
			}
			if v == above {
				x = model.Normal{}
			}
			m.Forest().Normals = append(m.Forest().Normals, x)
		}
	}
	add(-1, false)
	for v := range cards {
		for range at[v+1] - at[v] {
			add(model.VarID(v), cards[v] == 0)
		}
	}
	return m
}

// ContextForest returns an LDFM-S of three variables with context-specific independence: given X1 =
// T the two others are equal, and given F they are nearly independent. The weight of the joint
// state x1, x2, x3 is the weight of the trees root → x1 → x2 → x3 and root → x1 → {x2, x3}: .25 ·
// w(x1,x2) · (w(x1,x3) + w(x2,x3)), with w(T,·) = .4 and 0, w(F,·) = .2 and .249, and w(x2,x3) =
// .002 if both are equal and 0 otherwise. All stop weights of the states of one variable are the
// same, except for X1.
func ContextForest() *model.Model {
	m := &model.Model{Name: "context", Kind: model.Forest}
	for _, name := range []string{"X1", "X2", "X3"} {
		m.NewVar(name, "T", "F")
	}
	m.Factors = []*model.Factor{{Scope: []model.VarID{0, 1, 2}, Child: -1, Dist: &model.LDFM{
		Weights: []float64{
			.25, .25, 0, 0, 0, 0,
			0, 0, .4, .4, 0, 0,
			0, 0, .2, .2, .249, .249,
			0, 0, 0, 0, .002, 0,
			0, 0, 0, 0, 0, .002,
			0, 0, 0, 0, 0, 0,
			0, 0, 0, 0, 0, 0,
		},
		Stop: []float64{.5, .2, .102, .998, .998, 1, 1},
	}}}
	return m
}
