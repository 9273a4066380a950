package rate

import (
	"context"
	"fmt"
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
	// PLL is the pseudo-log-likelihood. It needs complete rows, but no inference.
	PLL
	// Both is LL, and PLL as long as it is cheap and no row misses a value.
	Both
)

// maxPseudo is the largest number of numbers that a cheap pseudo-log-likelihood of a row may read,
// which takes some milliseconds at most.
const maxPseudo = 1 << 20

// ScorerOptions are the options of a [Scorer]. The zero value computes log-likelihoods.
type ScorerOptions struct {
	Measure Measure
	Rows    model.Rows // what to do with rows of probabilities that do not sum to one
	Keep    bool       // keep the score of each row, for [Scorer.Logs]

	// Engine returns the engine for rows that need inference, of a model with normalised rows. The
	// scorer calls it once, with the first such row. Nil means [infer.New] with its defaults.
	Engine func(ctx context.Context, m *model.Model) (*infer.Engine, error)
	// Warn gets the warnings of normalising the model. Nil drops them.
	Warn func([]diag.Diagnostic)
}

// Scorer computes the mean log-likelihood and the mean pseudo-log-likelihood of rows, in nats a
// row. A complete row of a Bayesian network, and each pseudo-log-likelihood, takes the factors of
// the model alone. Other rows take inference: values that are missing are summed out. Add counts a
// row, Flush computes the rows that still wait for the engine, and LL and PLL give the results. A
// scorer is for one goroutine at a time; Len alone may be called from another.
type Scorer struct {
	model  *model.Model
	opt    ScorerOptions
	vars   []*model.Var // the columns of the data
	states []int        // of a complete row, by variable
	rows   *Rows        // nil if each row takes inference

	product bool // the probability of a complete row is the product of the factors
	pseudo  bool // the pseudo-log-likelihood is wanted, and all rows so far have one
	alone   bool // only the pseudo-log-likelihood is wanted
	ll, pll Tally
	logs    []float64

	engine  *infer.Engine // nil until a row needs it
	atOnce  int           // how many rows the engine takes at a time
	waiting []waiting
	added   atomic.Int64
}

// waiting is a row that the engine has not scored yet.
type waiting struct {
	pos    diag.Pos
	weight float64
	number int // of the row among all
	states []int
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
	s := &Scorer{model: m, opt: opt, states: make([]int, len(m.Vars))}
	s.alone = opt.Measure == PLL || m.Kind == model.Dependency
	s.pseudo = s.alone || opt.Measure == Both
	for _, v := range m.Vars {
		if !v.Latent {
			s.vars = append(s.vars, v)
		}
	}
	if !s.pseudo && m.Kind != model.Bayes {
		return s, nil
	}
	r, err := NewRows(m)
	switch {
	case err == nil:
		s.rows, s.product = r, m.Kind == model.Bayes
		s.pseudo = s.pseudo && (s.alone || r.Cost() <= maxPseudo)
	case s.alone:
		return nil, err
	default:
		s.pseudo = false
	}
	return s, nil
}

// Model returns the model with normalised rows.
func (s *Scorer) Model() *model.Model { return s.model }

// Len returns the number of rows so far.
func (s *Scorer) Len() int64 { return s.added.Load() }

// LL returns the log-likelihoods of the rows so far; ok is false if the scorer computes
// pseudo-log-likelihoods alone.
func (s *Scorer) LL() (t Tally, ok bool) { return s.ll, !s.alone }

// PLL returns the pseudo-log-likelihoods of the rows so far. ok is false if they were not wanted or
// some row has none.
func (s *Scorer) PLL() (t Tally, ok bool) { return s.pll, s.pseudo }

// Logs returns the score of each row in the order of Add, if [ScorerOptions].Keep is set: its
// log-likelihood, or its pseudo-log-likelihood if log-likelihoods are not computed.
func (s *Scorer) Logs() []float64 { return s.logs }

// AddSet adds all rows of a data set of the variables that are not latent, in their order, and
// computes them. The position of a row is its number, from 1.
func (s *Scorer) AddSet(ctx context.Context, rows *data.Set) error {
	states := make([]int, len(rows.Vars))
	for i := range rows.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows.Row(i, states)
		if err := s.Add(ctx, diag.Pos{Line: i + 1}, states, rows.Weight(i)); err != nil {
			return err
		}
	}
	return s.Flush(ctx)
}

// Add adds a row: the states of the variables that are not latent, [data.Missing] without one, and
// its weight. pos is its place in errors and in [Tally.First].
func (s *Scorer) Add(ctx context.Context, pos diag.Pos, states []int, weight float64) error {
	row := waiting{pos: pos, weight: weight, number: int(s.added.Add(1)) - 1}
	missing := slices.Index(states, data.Missing)
	if s.rows != nil && missing < 0 {
		for i, v := range s.vars {
			s.states[v.ID] = states[i]
		}
	}
	switch {
	case !s.pseudo:
	case missing < 0:
		s.count(&s.pll, row, s.rows.Pseudo(s.states), s.alone)
	case s.alone:
		return diag.Diagnostic{Pos: pos, Msg: fmt.Sprintf("this row has no state of variable %d of %d; the pseudo-log-likelihood wants one of each",
			missing+1, len(states))}
	default:
		s.pseudo = false
	}
	switch {
	case s.alone:
		return nil
	case s.product && missing < 0:
		s.count(&s.ll, row, s.rows.Log(s.states), true)
		return nil
	}
	return s.infer(ctx, row, states)
}

// count adds a row to t. keep reports that Logs returns its score.
func (s *Scorer) count(t *Tally, row waiting, log float64, keep bool) {
	t.Add(row.pos, log, row.weight)
	if s.opt.Keep && keep {
		for len(s.logs) <= row.number {
			s.logs = append(s.logs, 0)
		}
		s.logs[row.number] = log
	}
}

// infer scores a row by inference, once as many rows wait as the engine takes at a time.
func (s *Scorer) infer(ctx context.Context, row waiting, states []int) (err error) {
	if s.engine == nil {
		open := s.opt.Engine
		if open == nil {
			open = func(ctx context.Context, m *model.Model) (*infer.Engine, error) {
				return infer.New(ctx, m, infer.Options{})
			}
		}
		if s.engine, err = open(ctx, s.model); err != nil {
			return err
		}
		if s.atOnce, err = s.engine.RowsAtOnce(ctx); err != nil {
			return err
		}
	}
	row.states = slices.Clone(states)
	if s.waiting = append(s.waiting, row); len(s.waiting) < s.atOnce {
		return nil
	}
	return s.Flush(ctx)
}

// Flush scores the rows that wait for the engine, which takes several at a time.
func (s *Scorer) Flush(ctx context.Context) error {
	if len(s.waiting) == 0 {
		return nil
	}
	rows := make([][]int, len(s.waiting))
	for i := range rows {
		rows[i] = s.waiting[i].states
	}
	logs, err := s.engine.LogProbs(ctx, rows)
	if err != nil {
		return err
	}
	for i, row := range s.waiting {
		s.count(&s.ll, row, logs[i], true)
	}
	s.waiting = s.waiting[:0]
	return nil
}
