package latent

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// search tries numbers of latent states.
type search struct {
	l     *instance
	job   *learner.Job
	c     *trees.Counts
	tree  *shape
	tries []int
	saver *learner.Saver

	best *spn.Network // nil before there is a result
	at   checkpoint
}

// checkpoint is the state of a search that is stored. The rest follows from the rows.
type checkpoint struct {
	Try         int         `json:"try"`
	Steps       int         `json:"steps"`
	Climb       *spn.Climb  `json:"climb"` // state of EM; nil if the try has not begun
	Best        int         `json:"best"`  // the best earlier try
	BestWeights [][]float64 `json:"bestWeights,omitempty"`
}

// run tries one number of states after the other, until one does not improve the result or ctx
// ends.
func (s *search) run(ctx context.Context) error {
	score, err := s.load()
	if err != nil {
		return err
	}
	for ; s.at.Try < len(s.tries); s.at.Try++ {
		n, err := s.network(s.at.Try)
		if err != nil {
			if s.best != nil {
				break
			}
			return err
		}
		f, err := s.fit(ctx, n, score)
		if err != nil {
			return err
		}
		if s.best != nil && f.Valid <= score {
			break
		}
		s.best, score = n, f.Score()
		s.at.Best, s.at.BestWeights, s.at.Climb = s.at.Try, n.Weights(), nil
		if ctx.Err() != nil {
			break
		}
	}
	return s.saver.End(ctx)
}

// load continues from a checkpoint, if there is one, and returns the best score so far.
func (s *search) load() (float64, error) {
	ok, err := s.saver.Load(&s.at)
	switch {
	case !ok:
		return math.Inf(-1), err
	case s.at.Try < 0 || s.at.Try >= len(s.tries) || s.at.Best < 0 || s.at.Best > s.at.Try:
		return 0, learner.Damaged(errors.New("there is no such number of states"))
	case s.at.Steps < 0:
		return 0, learner.Damaged(errors.New("it has a negative count"))
	case s.at.BestWeights == nil:
		return math.Inf(-1), nil
	}
	if s.best, err = s.network(s.at.Best); err != nil {
		return 0, err
	}
	if err := s.best.SetWeights(s.at.BestWeights); err != nil {
		return 0, learner.Damaged(err)
	}
	return s.best.Score(s.job), nil
}

// network returns the tree with the initial parameters of a try.
func (s *search) network(try int) (*spn.Network, error) {
	k, vars := s.tries[try], s.job.Train.Vars
	if err := s.tree.fits(vars, k, s.job.MaxMem); err != nil {
		return nil, err
	}
	n := spn.New(vars)
	n.Tree(s.tree.nodes(s.c, k, rand.New(rand.NewPCG(s.job.Seed, uint64(k)))))
	return n, s.l.limit().Over(n, "take fewer states")
}

// fit fits the parameters of a network by EM and stores checkpoints.
func (s *search) fit(ctx context.Context, n *spn.Network, score float64) (spn.Fitted, error) {
	return s.l.em.Fit(ctx, n, s.job, s.at.Climb, func(climb *spn.Climb, now float64) error {
		s.at.Climb = climb
		before := s.at
		s.at.Steps++
		s.job.ReportProgress(learner.Event{Done: s.at.Steps, Score: max(score, now)})
		return s.saver.Keep(before)
	})
}
