package irtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir/model"
)

// TemplateOptions bounds the models of RandomTemplate.
type TemplateOptions struct {
	Reals  bool // some variables are real; they persist only if all are, or with Mixed
	Mixed  bool // with Reals: real variables may persist beside discrete ones
	All    bool // all variables are real
	Givens bool // some variables without parents are given
	Latent bool // some discrete variables are latent

	// Diffuse makes some priors of slice 0 diffuse, if all variables are real, and some CPDs
	// functions.
	Diffuse bool
}

// RandomTemplate returns a network with a transition that depends only on seed and o and passes its
// checks. It has 2 to 5 variables, and 1 to 3 of them persist.
func RandomTemplate(seed uint64, o TemplateOptions) *model.Model {
	g := &hybridGenerator{generator{Rand: rand.New(rand.NewPCG(seed, 8))},
		HybridOptions{MaxVars: 5, MaxStates: 3, MaxParents: 3, Decades: 2, NoZeros: !o.Diffuse, NoGivens: !o.Givens, NoDiscrete: o.All}}
	g.m = &model.Model{Name: fmt.Sprintf("template%d", seed)}
	if o.Reals || o.All {
		g.hybridVars()
	} else {
		for i := range 2 + g.IntN(4) {
			g.m.NewVar(fmt.Sprintf("x%d", i), []string{"a", "b", "c"}[:2+g.IntN(2)]...)
		}
	}
	m := g.m
	g.slice(nil)
	for _, f := range m.Factors {
		if o.Diffuse && len(f.Scope) == 1 && g.IntN(3) > 0 {
			f.Dist = &model.Diffuse{}
		}
	}
	t := &model.Transition{}
	for _, v := range g.some(m.Topological(), len(m.Vars)) {
		if len(t.Before) < 3 && !m.Vars[v].Given && (o.All || o.Mixed || !m.IsReal(v)) {
			t.Before = append(t.Before, v)
		}
	}
	m.Transition = t
	g.m = m.Step()
	var before []model.VarID
	for i := range t.Before {
		before = append(before, model.VarID(len(m.Vars)+i))
	}
	g.h.NoGivens = true // the same variables are given in all slices
	g.slice(before)
	t.Factors = g.m.Factors
	for _, v := range m.Vars {
		v.Latent = o.Latent && !v.Given && !m.IsReal(v.ID) && g.IntN(4) == 0
	}
	return m
}

// slice adds the CPDs of the variables of a slice, which may have parents in the slice before.
func (g *hybridGenerator) slice(before []model.VarID) {
	n := len(g.m.Vars) - len(before)
	var discrete, real []model.VarID
	for _, v := range before {
		if g.m.IsReal(v) {
			real = append(real, v)
		} else {
			discrete = append(discrete, v)
		}
	}
	for _, v := range g.m.Vars[:n] {
		if g.m.IsReal(v.ID) {
			continue
		}
		if !v.Given {
			g.discreteCPD(v.ID, discrete)
		}
		discrete = append(discrete, v.ID)
	}
	for _, v := range g.m.Vars[:n] {
		if !g.m.IsReal(v.ID) {
			continue
		}
		if !v.Given {
			g.gaussianCPD(v.ID, discrete, real)
		}
		real = append(real, v.ID)
	}
}

// Vague returns m with normal priors of the given variance in place of diffuse ones.
func Vague(m *model.Model, variance float64) *model.Model {
	out := *m
	out.Factors = nil
	for _, f := range m.Factors {
		if _, ok := f.Dist.(*model.Diffuse); ok {
			g := *f
			g.Dist, f = &model.Gaussian{Mean: []float64{0}, Var: []float64{variance}}, &g
		}
		out.Factors = append(out.Factors, f)
	}
	return &out
}

// RandomSequence returns possible evidence on about half of the variables of n slices of a
// template, and on all given ones: by slice and name, and by the names of the unrolled network.
func RandomSequence(m *model.Model, n int, seed uint64) (sequence []map[string]any, all map[string]any) {
	flat := Vague(m.Unroll(n), 9)
	e := HybridEvidence(seed, flat, .5)
	all = map[string]any{}
	for t := range n {
		slice := map[string]any{}
		for v := range m.Vars {
			if m.Vars[v].Latent {
				continue
			}
			id := model.VarID(t*len(m.Vars) + v)
			if x, ok := e.Reals[id]; ok {
				slice[m.Vars[v].Name] = x
			}
			if s, ok := e.States[id]; ok {
				slice[m.Vars[v].Name] = flat.States(id)[s]
			}
			if x, ok := slice[m.Vars[v].Name]; ok {
				all[flat.Vars[id].Name] = x
			}
		}
		sequence = append(sequence, slice)
	}
	return sequence, all
}
