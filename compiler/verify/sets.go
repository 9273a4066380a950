package verify

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// sets draws random evidence. Most of it comes from a sample of the model itself, so that it is
// possible: some of the variables are observed, and a few have likelihoods. Of ten sets, one
// changes some of the states, and one contradicts itself.
type sets struct {
	m       *model.Model
	vars    []model.VarID // those that are not latent
	machine *eval.Machine // draws samples; nil if states are drawn uniformly and values around 0
	sample  *ir.Entry
	rng     *rand.Rand
	measure bool          // whether some real variables are measured
	follow  []model.VarID // decisions that have no evidence, since they follow a strategy
}

// drawSets draws the sets of evidence of a check. The model of an approximate method may be too
// wide for exact samples, or have no joint distribution; its states are then drawn uniformly.
func drawSets(ctx context.Context, r *compiler.Result, opt Options, want *Wanted) ([]*infer.Findings, error) {
	approximate := want.Approximate != nil
	by := opt.Compile
	by.Queries, by.Params, by.Rows, by.Steps, by.Interpreted = []string{ir.Sample.String()}, ir.Const, model.RowsAsIs, -1, true
	if approximate {
		by.Method = nil
	}
	s := &sets{m: r.Model, vars: r.Model.Observable(), measure: want.Measured, follow: want.Follow, rng: rand.New(rand.NewPCG(opt.Seed, 0x2545f4914f6cdd1d))}
	sampler, err := compiler.Compile(ctx, r.Model, by)
	switch {
	case err == nil:
		s.machine, s.sample = eval.New(sampler.Program, r.Model), sampler.Program.Entry(ir.Sample.String())
		s.machine.Rand = pgmrt.NewRand(opt.Seed)
	case !approximate || ctx.Err() != nil:
		return nil, err
	}
	list := make([]*infer.Findings, opt.Sets)
	for i := range list {
		if list[i], err = s.next(i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// next draws set i.
func (s *sets) next(i int) (*infer.Findings, error) {
	state, err := s.states()
	if err != nil {
		return nil, err
	}
	f := infer.NewFindings(len(s.m.Vars))
	share := []float64{0.1, 0.3, 0, 0.6, 1}[i%5] // of the variables that are observed
	for _, v := range s.vars {
		observed := s.rng.Float64() < share || s.m.Vars[v].Given
		if slices.Contains(s.follow, v) {
			continue
		}
		if s.m.IsReal(v) {
			s.real(f, v, observed)
			continue
		}
		if observed {
			f.State[v] = int(state[v])
		}
		if s.rng.IntN(len(s.vars)) < 2 { // two on average, since many might underflow
			f.Soft[v] = s.likelihood(s.m.Card(v), int(state[v]))
		}
	}
	if len(s.vars) == 0 {
		return f, nil
	}
	switch k := s.rng.IntN(len(s.vars)); i % 10 {
	case 3:
		s.change(f)
	case 7:
		s.contradict(f, s.vars[k])
	}
	return f, nil
}

// real observes the value of v in the sample if observed is true, and may add a measurement.
func (s *sets) real(f *infer.Findings, v model.VarID, observed bool) {
	x := s.value(v)
	if observed {
		f.Value[v] = x
	}
	if s.measure && !s.m.Vars[v].Given && s.rng.IntN(len(s.vars)) < 2 {
		sd := math.Exp(2 * s.rng.NormFloat64())
		f.Soft[v] = []float64{x + sd*s.rng.NormFloat64(), sd * sd}
	}
}

// change draws another state for each observed variable with probability 1/4.
func (s *sets) change(f *infer.Findings) {
	for _, v := range s.vars {
		_, observed := f.Observed(s.m.Vars[v])
		if k := s.m.Card(v); observed && s.rng.IntN(4) == 0 && k > 0 {
			f.State[v] = s.rng.IntN(k)
		}
	}
}

// states draws a state of each variable: a sample of the model, or uniform states if there is no
// program for that.
func (s *sets) states() ([]int32, error) {
	if s.machine != nil {
		if err := s.give(); err != nil {
			return nil, err
		}
		err := s.machine.Run(s.sample)
		return s.machine.State(), err
	}
	state := make([]int32, len(s.m.Vars))
	for v := range state {
		if k := s.m.Card(model.VarID(v)); k > 0 {
			state[v] = int32(s.rng.IntN(k))
		}
	}
	return state, nil
}

// give sets the given variables of the model to random values.
func (s *sets) give() (err error) {
	for _, v := range s.vars {
		switch {
		case err != nil || !s.m.Vars[v].Given:
		case s.m.IsReal(v):
			err = s.machine.ObserveReal(v, 2*s.rng.NormFloat64())
		default:
			err = s.machine.Observe(v, s.rng.IntN(s.m.Card(v)))
		}
	}
	return err
}

// value returns the value of a real variable: the sample's, or for a forest one drawn from its
// density as a root, or some number if no sample of the model can be drawn.
func (s *sets) value(v model.VarID) float64 {
	switch {
	case s.m.Kind == model.Forest:
		d := s.m.Forest().Normals[s.m.RealPlaces()[v]]
		return d.Mean + math.Sqrt(d.Var)*s.rng.NormFloat64()
	case s.machine == nil:
		return 2 * s.rng.NormFloat64()
	}
	return s.machine.Value(v).Real
}

// likelihood draws a likelihood. Some of its numbers are zero, but not state's.
func (s *sets) likelihood(card, state int) []float64 {
	l := make([]float64, card)
	for i := range l {
		if i == state || s.rng.IntN(8) > 0 {
			l[i] = 0.1 + 0.9*s.rng.Float64()
		}
	}
	return l
}

// contradict observes a state of v that has likelihood zero, if v has two states.
func (s *sets) contradict(f *infer.Findings, v model.VarID) {
	card := s.m.Card(v)
	if card < 2 {
		return
	}
	state := s.rng.IntN(card)
	f.State[v], f.Soft[v] = state, make([]float64, card)
	f.Soft[v][(state+1)%card] = 1
}
