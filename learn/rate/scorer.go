package rate

import (
	"context"
	"fmt"
	"sync"
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

// Scorer computes the mean of a [Measure] over rows, in nats a row. The log-likelihood of a
// complete row of a Bayesian network, and each pseudo-log-likelihood, takes only the factors of the
// model. Other rows take inference: values that are missing are summed out. Add counts a row, Flush
// computes the rows that still wait, and LL or PLL gives the result. Rows in blocks go to Score,
// for several blocks at the same time, and then to Count in their order. Apart from that, a scorer
// is for one goroutine at a time; only Len may be called from another.
type Scorer struct {
	model  *model.Model
	opt    ScorerOptions
	vars   []*model.Var // the columns of the data
	pseudo bool         // pseudo-log-likelihoods are wanted
	scores Tally
	logs   []float64
	added  atomic.Int64

	one    *rowScorer // of Add
	cores  []*blockScorer
	open   sync.Mutex
	engine *infer.Engine // nil until a row needs it
	failed error         // of opening it
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
	s := &Scorer{model: m, opt: opt}
	s.pseudo = opt.Measure == PLL || m.Kind == model.Dependency
	for _, v := range m.Vars {
		if !v.Latent {
			s.vars = append(s.vars, v)
		}
	}
	if opt.Measure == LogWeight && m.Kind != model.Forest {
		return nil, fmt.Errorf("found a %v; want a %v for the weights of rows", m.Kind, model.Forest)
	}
	var err error
	s.one, err = newRowScorer(s, s.count)
	return s, err
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

// Take returns the number and the scores of the rows so far, and forgets them. [Scorer.Merge] adds
// them again.
func (s *Scorer) Take() (rows int64, t Tally) {
	t, s.scores = s.scores, Tally{}
	return s.added.Swap(0), t
}

// Merge adds rows that another scorer, or this one, scored.
func (s *Scorer) Merge(rows int64, t Tally) {
	s.added.Add(rows)
	s.scores.Merge(t)
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
	return s.one.add(ctx, waiting{pos: pos, weight: weight, number: int(s.added.Add(1)) - 1}, states, values)
}

// Flush scores the rows that wait.
func (s *Scorer) Flush(ctx context.Context) error { return s.one.flush(ctx) }

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

// openEngine returns an engine for one goroutine.
func (s *Scorer) openEngine(ctx context.Context) (*infer.Engine, error) {
	s.open.Lock()
	defer s.open.Unlock()
	if s.engine == nil && s.failed == nil {
		open := s.opt.Engine
		if open == nil {
			open = func(ctx context.Context, m *model.Model) (*infer.Engine, error) {
				return infer.New(ctx, m, infer.Options{})
			}
		}
		s.engine, s.failed = open(ctx, Integrated(s.model))
		return s.engine, s.failed
	}
	if s.failed != nil {
		return nil, s.failed
	}
	return s.engine.Clone(), nil
}
