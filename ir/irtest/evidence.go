package irtest

import (
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/model"
)

// RandomEvidence returns states and likelihoods for some variables of m, or for none, that depend
// only on seed and m. Likelihoods may have zeros and numbers above 1, sometimes as small as 1e-30.
// One set of evidence in six is drawn without regard to the model and may be impossible; all others
// are possible.
func RandomEvidence(seed uint64, m *model.Model) brute.Evidence {
	r := rand.New(rand.NewPCG(seed, 2))
	state := possible(r, m)
	if r.IntN(6) == 0 {
		for v := range state {
			state[v] = r.IntN(m.Card(model.VarID(v)))
		}
	}
	hard, soft := r.Float64()*0.6, r.Float64()*0.6
	return evidence(r, m, state, hard, soft)
}

// EvidenceOn returns possible evidence: random states and likelihoods for about the given shares of
// the variables.
func EvidenceOn(seed uint64, m *model.Model, hard, soft float64) brute.Evidence {
	r := rand.New(rand.NewPCG(seed, 2))
	return evidence(r, m, possible(r, m), hard, soft)
}

func evidence(r *rand.Rand, m *model.Model, state []int, hard, soft float64) brute.Evidence {
	e := brute.Evidence{Hard: map[model.VarID]int{}, Soft: map[model.VarID][]float64{}}
	for _, v := range m.Vars {
		if r.Float64() < hard {
			e.Hard[v.ID] = state[v.ID]
		}
		if r.Float64() < soft {
			e.Soft[v.ID] = likelihood(r, m.Card(v.ID), state[v.ID])
		}
	}
	return e
}

// RandomSets returns sets of states for some variables of m, or for none, that depend only on seed
// and m. They may be impossible.
func RandomSets(seed uint64, m *model.Model) map[model.VarID][]int {
	r := rand.New(rand.NewPCG(seed, 3))
	sets := map[model.VarID][]int{}
	share := r.Float64()
	for _, v := range m.Vars {
		if r.Float64() > share {
			continue
		}
		for s := range m.Card(v.ID) {
			if r.IntN(3) > 0 {
				sets[v.ID] = append(sets[v.ID], s)
			}
		}
	}
	return sets
}

// likelihood returns a random likelihood that is above zero at one state.
func likelihood(r *rand.Rand, card, alive int) []float64 {
	l := make([]float64, card)
	scale := []float64{1, 1, 1, 50, 1e-30}[r.IntN(5)]
	for s := range l {
		switch x := r.IntN(12); {
		case x == 0:
			l[s] = scale * 1e-30
		case s == alive || x > 2:
			l[s] = scale * (0.05 + r.Float64())
		}
	}
	return l
}

// possible returns a joint state of positive probability. It searches depth first, tries states in
// random order, and evaluates each factor as soon as all its variables have a state.
func possible(r *rand.Rand, m *model.Model) []int {
	order := m.Topological()
	rank := make([]int, len(m.Vars))
	for i, v := range order {
		rank[v] = i
	}
	ready := make([][]*model.Factor, len(order)) // by place in order: the factors whose last variable is there
	for _, f := range m.Factors {
		last := -1
		for _, v := range f.Scope {
			last = max(last, rank[v])
		}
		if last >= 0 {
			ready[last] = append(ready[last], f)
		}
	}
	state := make([]int, len(m.Vars))
	var search func(i int) bool
	search = func(i int) bool {
		if i == len(order) {
			return true
		}
	next:
		for _, s := range r.Perm(m.Card(order[i])) {
			state[order[i]] = s
			for _, f := range ready[i] {
				if m.Value(f, state) == 0 {
					continue next
				}
			}
			if search(i + 1) {
				return true
			}
		}
		return false
	}
	search(0)
	return state
}
