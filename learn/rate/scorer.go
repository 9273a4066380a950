package rate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Measure is the quantity that a [Scorer] computes for each row.
type Measure uint8

const (
	// LL is the log-likelihood. Of a dependency network it is the pseudo-log-likelihood, since
	// there is no other.
	LL Measure = iota
	// PLL is the pseudo-log-likelihood. It needs complete rows, unless the model is a smooth and
	// decomposable circuit, but no inference.
	PLL
	// LogWeight is ln Z_x of a latent dependency forest model: the log-likelihood of a complete row
	// plus ln Z, which is the same for all rows and #P-hard to compute.
	LogWeight
)

// ScorerOptions are the options of a [Scorer]. The zero value computes log-likelihoods.
type ScorerOptions struct {
	Measure Measure
	Rows    model.Rows // what to do with rows of probabilities that do not sum to one
	Keep    bool       // keep the score of each row, for [Scorer.Logs]

	// Engine returns the engine for rows that need inference, of a model with normalised rows, see
	// [Integrated]. The scorer calls it once, with the first such row. Nil means [infer.New] with
	// its defaults.
	Engine func(ctx context.Context, m *model.Model) (*infer.Engine, error)
	// Warn gets the warnings of normalising the model. Nil drops them.
	Warn func([]diag.Diagnostic)
}

// Scorer computes the mean of a [Measure] over rows, in nats a row.
// The log-likelihood of a complete row of a Bayesian network, and each pseudo-log-likelihood, takes
// only the factors of the model. Other rows take inference: values that are missing are summed out.
// Add counts a row, Flush computes the rows that still wait, and LL or PLL gives the result. A
// scorer is for one goroutine at a time; only Len may be called from another.
type Scorer struct {
	model *model.Model
	opt   ScorerOptions
	vars  []*model.Var // the columns of the data
	rows  *Rows        // nil if each row takes inference
	joint []int        // scratch: a joint state of all variables

	pseudo bool         // pseudo-log-likelihoods are wanted
	dense  *denseScorer // of a Bayesian network with real variables; otherwise nil
	scores Tally
	logs   []float64

	engine  *infer.Engine // nil until a row needs it
	atOnce  int           // how many rows to compute at a time
	waiting []waiting
	added   atomic.Int64
}

// waiting is a row that has not been scored yet.
type waiting struct {
	pos    diag.Pos
	weight float64
	number int   // of the row among all
	states []int // for pseudo-log-likelihoods of all variables, otherwise of the columns
}

// NewScorer returns a scorer for a model.
func NewScorer(m *model.Model, opt ScorerOptions) (*Scorer, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	m, list := m.NormalizeRows(opt.Rows)
	if opt.Warn != nil {
		opt.Warn(list.Warnings())
	}
	if list.HasErrors() {
		return nil, list.Err()
	}
	s := &Scorer{model: m, opt: opt, joint: slices.Repeat([]int{data.Missing}, len(m.Vars))}
	s.pseudo = opt.Measure == PLL || m.Kind == model.Dependency
	for _, v := range m.Vars {
		if !v.Latent {
			s.vars = append(s.vars, v)
		}
	}
	switch forest := m.Kind == model.Forest; {
	case opt.Measure == LogWeight && !forest:
		return nil, fmt.Errorf("found a %v; want a %v for the weights of rows", m.Kind, model.Forest)
	case !s.pseudo && m.Kind != model.Bayes:
		return s, nil
	}
	if !s.pseudo && m.Traits()&model.Reals != 0 {
		s.dense = newDenseScorer(m)
		return s, nil
	}
	var err error
	if s.rows, err = NewRows(m); s.pseudo && err != nil {
		return nil, err
	}
	if s.pseudo {
		s.atOnce = s.rows.AtOnce()
	}
	return s, nil
}

// Model returns the model with normalised rows.
func (s *Scorer) Model() *model.Model { return s.model }

// Len returns the number of rows so far.
func (s *Scorer) Len() int64 { return s.added.Load() }

// LL returns the log-likelihoods of the rows so far; ok is false if the scorer computes another
// measure.
func (s *Scorer) LL() (t Tally, ok bool) { return s.tally(!s.pseudo && s.opt.Measure == LL) }

// PLL returns the pseudo-log-likelihoods of the rows so far; ok is false if the scorer computes
// another measure.
func (s *Scorer) PLL() (t Tally, ok bool) { return s.tally(s.pseudo) }

// LogWeights returns the logarithms of the weights of the rows so far; ok is false if the scorer
// computes another measure.
func (s *Scorer) LogWeights() (t Tally, ok bool) { return s.tally(s.opt.Measure == LogWeight) }

// tally returns the scores if ok is set.
func (s *Scorer) tally(ok bool) (Tally, bool) {
	if !ok {
		return Tally{}, false
	}
	return s.scores, true
}

// Logs returns the score of each row in the order of Add, if [ScorerOptions].Keep is set.
func (s *Scorer) Logs() []float64 { return s.logs }

// AddSet adds all rows of a data set of the variables that are not latent, in their order, and
// computes them. The position of a row is its number, from 1.
func (s *Scorer) AddSet(ctx context.Context, rows *data.Set) error {
	states, values := make([]int, len(rows.Vars)), make([]float64, len(rows.Vars))
	for i := range rows.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows.Row(i, states)
		if err := s.Add(ctx, diag.Pos{Line: i + 1}, states, rows.Values(i, values), rows.Weight(i)); err != nil {
			return err
		}
	}
	return s.Flush(ctx)
}

// Add adds a row: the states of the variables that are not latent, [data.Missing] without one, the
// values of real ones, and its weight. values may be nil if no variable is real. pos is its place
// in errors and in [Tally.First].
func (s *Scorer) Add(ctx context.Context, pos diag.Pos, states []int, values []float64, weight float64) error {
	row := waiting{pos: pos, weight: weight, number: int(s.added.Add(1)) - 1}
	missing := slices.Index(states, data.Missing)
	if s.rows != nil {
		for i, v := range s.vars {
			s.joint[v.ID] = states[i]
		}
	}
	switch {
	case s.dense != nil:
		return s.density(ctx, row, states, values)
	case s.opt.Measure == LogWeight:
		return s.weigh(row, states, values)
	case s.pseudo && missing >= 0 && !s.rows.SumsOut():
		return diag.Diagnostic{Pos: pos, Msg: fmt.Sprintf("this row has no state of variable %d of %d; the pseudo-log-likelihood wants one of each",
			missing+1, len(states))}
	case s.pseudo:
		return s.wait(ctx, row, s.joint)
	case s.rows != nil && missing < 0:
		s.count(row, s.rows.Log(s.joint))
		return nil
	}
	if err := s.open(ctx); err != nil {
		return err
	}
	return s.wait(ctx, row, states)
}

// density scores a row with real values.
func (s *Scorer) density(ctx context.Context, row waiting, states []int, values []float64) error {
	log, ok := s.dense.complete(s.vars, states, values)
	if !ok {
		rest, err := s.dense.open(row.pos)
		if err != nil {
			return err
		}
		if err := s.open(ctx); err != nil {
			return err
		}
		if log, err = s.dense.engine(ctx, s.engine, states, values); err != nil {
			return err
		}
		log += rest
	}
	s.count(row, log)
	return nil
}

// weigh scores a row by its weight in a forest model.
func (s *Scorer) weigh(row waiting, states []int, values []float64) error {
	x := make([]float64, len(s.joint))
	for i, v := range s.vars {
		real := s.model.IsReal(v.ID)
		if s.joint[v.ID] = 0; !real {
			s.joint[v.ID] = states[i]
		} else {
			x[v.ID] = values[i]
		}
		if !real && states[i] == data.Missing || real && math.IsNaN(values[i]) {
			return diag.Diagnostic{Pos: row.pos, Msg: fmt.Sprintf("this row has no value of %q; the weight of a joint state wants one of each variable", v.Name)}
		}
	}
	s.count(row, s.model.ForestLogWeight(s.joint, x))
	return nil
}

// open opens the engine.
func (s *Scorer) open(ctx context.Context) (err error) {
	if s.engine != nil {
		return nil
	}
	open := s.opt.Engine
	if open == nil {
		open = func(ctx context.Context, m *model.Model) (*infer.Engine, error) {
			return infer.New(ctx, m, infer.Options{})
		}
	}
	if s.engine, err = open(ctx, Integrated(s.model)); err != nil {
		return err
	}
	if s.dense == nil {
		s.atOnce, err = s.engine.RowsAtOnce(ctx)
	}
	return err
}

// wait scores a row once as many rows wait as are computed at a time.
func (s *Scorer) wait(ctx context.Context, row waiting, states []int) error {
	row.states = slices.Clone(states)
	if s.waiting = append(s.waiting, row); len(s.waiting) < s.atOnce {
		return nil
	}
	return s.Flush(ctx)
}

// Flush scores the rows that wait.
func (s *Scorer) Flush(ctx context.Context) error {
	if len(s.waiting) == 0 {
		return nil
	}
	rows := make([][]int, len(s.waiting))
	for i := range rows {
		rows[i] = s.waiting[i].states
	}
	logs, err := s.score(ctx, rows)
	if err != nil {
		return err
	}
	for i, row := range s.waiting {
		s.count(row, logs[i])
	}
	s.waiting = s.waiting[:0]
	return nil
}

// score returns the scores of rows that waited.
func (s *Scorer) score(ctx context.Context, rows [][]int) (logs []float64, err error) {
	if !s.pseudo {
		return s.engine.LogProbs(ctx, rows)
	}
	logs = make([]float64, len(rows))
	s.rows.Pseudos(rows, logs)
	return logs, ctx.Err()
}

// count adds the score of a row.
func (s *Scorer) count(row waiting, log float64) {
	s.scores.Add(row.pos, log, row.weight)
	if s.opt.Keep {
		for len(s.logs) <= row.number {
			s.logs = append(s.logs, 0)
		}
		s.logs[row.number] = log
	}
}
