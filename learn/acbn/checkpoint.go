package acbn

import (
	"errors"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// checkpoint is the state of a search that is stored. The rest follows from the rows and the
// splits.
type checkpoint struct {
	Steps []growing.Step `json:"steps"`
	Queue growing.Queue  `json:"queue"`
	Try   int            `json:"try,omitempty"`
	Best  best           `json:"best"` // result of the earlier searches
}

func (s *search) save(saver *learner.Saver) error {
	return saver.Save(checkpoint{Steps: stepsOf(s.steps), Queue: s.queue, Try: s.try, Best: s.best})
}

// load continues a search from a checkpoint, if there is one of a search that had begun.
func (s *search) load(saver *learner.Saver) (bool, error) {
	var x checkpoint
	if ok, err := saver.Load(&x); !ok {
		return false, err
	}
	err := s.replay(x.Best.Steps)
	if err == nil {
		err = s.replay(x.Steps)
	}
	if err == nil {
		err = x.Queue.Check(s.c, len(s.nodes))
	}
	if err == nil && (x.Try < 0 || x.Best.Strength < 0 || x.Best.Strength >= len(strengths)) {
		err = errors.New("there is no search or smoothing of its number")
	}
	if err != nil {
		return false, learner.Damaged(err)
	}
	s.try, s.best = x.Try, x.Best
	s.queue = growing.Queue{Split: s.l.SplitPenalty, Edge: x.Queue.Edge, List: x.Queue.List}
	return len(x.Steps)+len(x.Queue.List) > 0, nil
}

// replay makes the splits from independent variables on.
func (s *search) replay(steps []growing.Step) error {
	s.begin()
	fits := func(made growing.Step) (growing.Split, bool) {
		n := &s.nodes[made.Of]
		return s.splitOf(made.Of, made.Var, made.State), n.v < 0 && made.Var != n.of && !s.above.Has(made.Var, n.of)
	}
	return s.p.Replay(steps, len(s.nodes), s.l.MaxEdges, fits, func(made growing.Step) { s.apply(made) })
}
