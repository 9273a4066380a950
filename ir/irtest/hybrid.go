package irtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// HybridOptions bounds the models of RandomHybrid. Zero fields mean the defaults.
type HybridOptions struct {
	MaxVars    int     // default 8
	MaxStates  int     // of a discrete variable; default 3
	MaxParents int     // default 3
	Decades    float64 // variances lie within 10^(±Decades/2); default 6, negative for 1 alone
	NoDiscrete bool    // linear Gaussian networks only
	NoZeros    bool    // no variance, coefficient or probability of 0
	Zeros      float64 // the share of these that are 0; default .15 in every other model, and none in the others
	NoGivens   bool    // no given variables
}

// RandomHybrid returns a linear Gaussian or conditional linear Gaussian network that depends only
// on seed and o and passes its checks. It has at least 2 variables, one of them real, in random
// order and often in several components. Variances differ by factors of up to a million, some are
// 0, and some variables without parents are given.
func RandomHybrid(seed uint64, o HybridOptions) *model.Model {
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	set(&o.MaxVars, 8)
	set(&o.MaxStates, 3)
	set(&o.MaxParents, 3)
	if o.Decades == 0 {
		o.Decades = 6
	}
	g := &hybridGenerator{generator{Rand: rand.New(rand.NewPCG(seed, 5))}, o}
	g.m = &model.Model{Name: fmt.Sprintf("hybrid%d", seed)}
	if !o.NoZeros && g.IntN(2) == 0 {
		g.zeros = .15
	}
	if o.Zeros > 0 {
		g.zeros = o.Zeros
	}
	g.hybridVars()
	// Parents come before their children in a random order, the discrete variables first.
	var discrete, real []model.VarID
	for _, i := range g.Perm(len(g.m.Vars)) {
		if v := model.VarID(i); g.m.IsReal(v) {
			real = append(real, v)
		} else {
			discrete = append(discrete, v)
		}
	}
	for i, v := range discrete {
		g.discreteCPD(v, discrete[:i])
	}
	for i, v := range real {
		g.gaussianCPD(v, discrete, real[:i])
	}
	fs := g.m.Factors
	g.Shuffle(len(fs), func(a, b int) { fs[a], fs[b] = fs[b], fs[a] })
	return g.m
}

type hybridGenerator struct {
	generator
	h HybridOptions
}

func (g *hybridGenerator) hybridVars() {
	n := 2 + g.IntN(max(1, g.h.MaxVars-1))
	reals := 1 + g.IntN(n)
	if g.h.NoDiscrete {
		reals = n
	}
	for i, k := range g.Perm(n) {
		name := fmt.Sprintf("x%d", i)
		if k < reals {
			g.m.NewReal(name)
			continue
		}
		states := make([]string, 2+g.IntN(max(1, g.h.MaxStates-1)))
		for s := range states {
			states[s] = fmt.Sprintf("s%d", s)
		}
		g.m.NewVar(name, states...)
	}
}

// some returns up to most of the variables, in random order.
func (g *hybridGenerator) some(list []model.VarID, most int) []model.VarID {
	out := slices.Clone(list)
	g.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out[:g.IntN(min(len(out), most)+1)]
}

// given makes a variable without parents given now and then.
func (g *hybridGenerator) given(v model.VarID, parents int) bool {
	if parents > 0 || g.h.NoGivens || g.IntN(5) > 0 {
		return false
	}
	g.m.Vars[v].Given = true
	return true
}

func (g *hybridGenerator) discreteCPD(v model.VarID, before []model.VarID) {
	scope := g.some(before, g.h.MaxParents)
	if g.given(v, len(scope)) {
		return
	}
	f := &model.Factor{Scope: append(scope, v), Child: len(scope)}
	f.Dist = &model.Table{Values: g.rows(g.size(scope), g.m.Card(v))}
	g.m.Factors = append(g.m.Factors, f)
}

func (g *hybridGenerator) gaussianCPD(v model.VarID, discrete, before []model.VarID) {
	real := g.some(before, g.h.MaxParents)
	scope := g.some(discrete, max(1, g.h.MaxParents-len(real)))
	rows := g.size(scope)
	scope = append(scope, real...)
	if g.given(v, len(scope)) {
		return
	}
	d := &model.Gaussian{}
	for range rows {
		d.Mean = append(d.Mean, 2*g.NormFloat64())
		for range real {
			x := 1.5 * g.NormFloat64()
			if g.Float64() < g.zeros {
				x = 0
			}
			d.Coef = append(d.Coef, x)
		}
		variance := math.Pow(10, max(0, g.h.Decades)*(g.Float64()-.5))
		if g.Float64() < g.zeros {
			variance = 0
		}
		d.Var = append(d.Var, variance)
	}
	g.m.Factors = append(g.m.Factors, &model.Factor{Scope: append(scope, v), Child: len(scope), Dist: d})
}

// HybridEvidence returns evidence on about the given share of the variables of a network of real
// and discrete variables, and on all given ones. It depends only on seed and m and is possible: its
// values are one sample's.
func HybridEvidence(seed uint64, m *model.Model, share float64) brute.HybridEvidence {
	r := rand.New(rand.NewPCG(seed, 6))
	state, x := HybridSample(r, m)
	e := brute.HybridEvidence{States: map[model.VarID]int{}, Reals: map[model.VarID]float64{}}
	for _, v := range m.Vars {
		if !v.Given && r.Float64() >= share {
			continue
		}
		if m.IsReal(v.ID) {
			e.Reals[v.ID] = x[v.ID]
		} else {
			e.States[v.ID] = state[v.ID]
		}
	}
	return e
}

// HybridSample draws the states and values of all variables of a network of tables and Gaussian
// CPDs from its distribution; given variables get any state or value.
func HybridSample(r *rand.Rand, m *model.Model) (state []int, x []float64) {
	state, x = make([]int, len(m.Vars)), make([]float64, len(m.Vars))
	for _, v := range m.Topological() {
		f := m.CPD(v)
		switch {
		case f == nil && m.IsReal(v):
			x[v] = 2 * r.NormFloat64()
		case f == nil:
			state[v] = r.IntN(m.Card(v))
		case m.IsReal(v):
			x[v] = gaussianSample(r, m, f, state, x)
		default:
			for u := r.Float64(); ; state[v]++ {
				if u -= m.Value(f, state); u < 0 || state[v] == m.Card(v)-1 {
					break
				}
			}
			for m.Value(f, state) == 0 { // rounding may have left u above 0
				state[v]--
			}
		}
	}
	return state, x
}

func gaussianSample(r *rand.Rand, m *model.Model, f *model.Factor, state []int, x []float64) float64 {
	discrete, real := m.SplitParents(f)
	row := 0
	for _, p := range discrete {
		row = row*m.Card(p) + state[p]
	}
	y, coef, variance := f.Gaussian().Row(row)
	for k, p := range real {
		y += float64(coef[k] * x[p])
	}
	return y + float64(math.Sqrt(variance)*r.NormFloat64())
}

// HybridSignatures returns n random signatures of m, all with its given variables among the
// evidence. Every other one has an intervention. There are none if m has too few variables.
func HybridSignatures(seed uint64, m *model.Model, n int) (list []*ir.Query) {
	r := rand.New(rand.NewPCG(seed, 9))
	var free, given []model.VarID
	for _, v := range m.Vars {
		if v.Given {
			given = append(given, v.ID)
		} else {
			free = append(free, v.ID)
		}
	}
	for i := range n {
		if len(free)+len(given) < 2 || len(free) == 0 {
			break
		}
		r.Shuffle(len(free), func(i, k int) { free[i], free[k] = free[k], free[i] })
		q := &ir.Query{Kind: ir.Signature, Targets: slices.Clone(free[:1]), Evidence: slices.Concat(given, free[1:min(len(free), 2+r.IntN(len(free)))])}
		if i%2 == 1 && len(q.Evidence) > len(given) {
			q.Do = q.Evidence[len(q.Evidence)-1:]
		}
		list = append(list, q)
	}
	return list
}

// Widen replaces the means, coefficients and variances of the Gaussian CPDs of m by numbers between
// 1e-6 and 1e6 with uniform logarithms, with random signs of the first two.
func Widen(seed uint64, m *model.Model) {
	r := rand.New(rand.NewPCG(seed, 10))
	size := func() float64 { return math.Pow(10, 12*r.Float64()-6) }
	for _, f := range m.Factors {
		d := f.Gaussian()
		if d == nil {
			continue
		}
		for _, list := range [][]float64{d.Mean, d.Coef} {
			for i := range list {
				list[i] = size() * float64(2*r.IntN(2)-1)
			}
		}
		for i := range d.Var {
			d.Var[i] = size()
		}
	}
}
