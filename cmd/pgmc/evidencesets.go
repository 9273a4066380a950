package main

import (
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// evidenceSets draws random questions about a model. Most come from a sample of the model itself, so that they are possible:
// some of its variables are observed, and a few have likelihoods. Of ten, one changes some of the states, and one contradicts
// itself.
type evidenceSets struct {
	m       *model.Model
	vars    []model.VarID // by variable of the questions
	machine *eval.Machine // nil where there are no samples
	sample  *ir.Entry
	rng     *rand.Rand
}

func newEvidenceSets(m *model.Model, sampler *ir.Program, seed uint64) *evidenceSets {
	s := &evidenceSets{m: m, vars: rows.Observable(m)}
	if sampler != nil {
		s.machine, s.sample = eval.New(sampler, m), sampler.Entry(ir.Sample.String())
		s.machine.Rand = pgmrt.NewRand(seed)
	}
	s.rng = rand.New(rand.NewPCG(seed, 0x2545f4914f6cdd1d))
	return s
}

// next draws question number i.
func (s *evidenceSets) next(i int) (*rows.Question, error) {
	state, err := s.states()
	if err != nil {
		return nil, err
	}
	drawn := rows.NewQuestion(len(s.vars))
	q := &drawn
	share := []float64{0.1, 0.3, 0, 0.6, 1}[i%5] // of the variables that are observed
	for k, v := range s.vars {
		if s.rng.Float64() < share {
			q.Hard[k] = int(state[v]) + 1
		}
		if s.m.IsReal(v) {
			q.Real[k] = s.value(v)
			continue
		}
		if s.rng.IntN(len(s.vars)) < 2 { // two on average, since many might bring numbers below what a program promises
			q.Soft[k] = s.likelihood(s.m.Card(v), int(state[v]))
		}
	}
	if len(s.vars) == 0 {
		return q, nil
	}
	switch k := s.rng.IntN(len(s.vars)); i % 10 {
	case 3:
		for n := range q.Hard {
			if q.Hard[n] > 0 && s.rng.IntN(4) == 0 && !s.m.IsReal(s.vars[n]) {
				q.Hard[n] = 1 + s.rng.IntN(s.m.Card(s.vars[n]))
			}
		}
	case 7:
		s.contradict(q, k)
	}
	return q, nil
}

// states draws a state of each variable: a sample of the model, or without a program for that, uniform ones.
func (s *evidenceSets) states() ([]int32, error) {
	if s.machine != nil {
		err := s.machine.Run(s.sample)
		return s.machine.State(), err
	}
	state := make([]int32, len(s.m.Vars))
	for v := range state {
		if s.m.IsReal(model.VarID(v)) {
			continue
		}
		state[v] = int32(s.rng.IntN(s.m.Card(model.VarID(v))))
	}
	return state, nil
}

// value draws one of a real variable, as it is below the root.
func (s *evidenceSets) value(v model.VarID) float64 {
	d := s.m.Forest().Normals[s.m.RealPlaces()[v]]
	return d.Mean + math.Sqrt(d.Var)*s.rng.NormFloat64()
}

// likelihood draws numbers, some of them zero, but not that of state.
func (s *evidenceSets) likelihood(card, state int) []float64 {
	l := make([]float64, card)
	for i := range l {
		if i == state || s.rng.IntN(8) > 0 {
			l[i] = 0.1 + 0.9*s.rng.Float64()
		}
	}
	return l
}

// contradict observes a state of variable k that has likelihood zero, where the variable has two states.
func (s *evidenceSets) contradict(q *rows.Question, k int) {
	card := s.m.Card(s.vars[k])
	if card < 2 {
		return
	}
	state := s.rng.IntN(card)
	q.Hard[k], q.Soft[k] = state+1, make([]float64, card)
	q.Soft[k][(state+1)%card] = 1
}
