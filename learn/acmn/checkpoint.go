package acmn

import (
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// checkpoint is the state of a search that is stored. The rest follows from the rows and the
// splits.
type checkpoint struct {
	Steps   []growing.Step `json:"steps"`
	Queue   growing.Queue  `json:"queue"`
	Weights []float64      `json:"weights"`
	Fitted  int            `json:"fitted"`
	Version int32          `json:"version"`
	Wide    bool           `json:"wide,omitempty"`
	Level   float64        `json:"level"`

	Best        int       `json:"best"`
	BestValue   float64   `json:"bestValue"`
	BestWeights []float64 `json:"bestWeights,omitempty"`

	Try int  `json:"try,omitempty"`
	Won best `json:"won"` // result of the earlier searches
}

func (s *search) save(saver *learner.Saver) error {
	return saver.Save(checkpoint{Steps: s.steps, Queue: s.queue, Weights: s.weights, Fitted: s.fitted, Version: s.version, Wide: s.wide, Level: s.level,
		Best: s.best, BestValue: s.bestValue, BestWeights: s.bestWeights,
		Try: s.try, Won: s.won})
}

// load continues a search from a checkpoint, if there is one of a search that had begun.
func (s *search) load(saver *learner.Saver) (goOn bool, err error) {
	var x checkpoint
	if ok, err := saver.Load(&x); !ok {
		return false, err
	}
	if err := s.replay(x.Won.Steps); err != nil {
		return false, learner.Damaged(err)
	}
	switch n := len(x.Won.Weights); {
	case x.Try < 0 || n == 0 && x.Try > 0:
		return false, learner.Damaged(errors.New("there is no search of its number"))
	case n > 0 && n != len(s.features):
		return false, learner.Damaged(fmt.Errorf("the best search has %d weights; want %d", n, len(s.features)))
	}
	if goOn = len(x.Steps)+len(x.Queue.List)+len(x.Weights) > 0; goOn {
		if err := s.restore(&x); err != nil {
			return false, learner.Damaged(err)
		}
	}
	s.try, s.won = x.Try, x.Won
	return goOn, nil
}

// replay makes the splits from independent variables on.
func (s *search) replay(steps []growing.Step) error {
	s.begin()
	fits := func(made growing.Step) (growing.Split, bool) {
		return s.splitOf(made.Of, made.Var, made.State), s.open(made.Of, made.Var, made.State)
	}
	return s.planner.Replay(steps, len(s.features), s.l.MaxEdges, fits, func(made growing.Step) { s.apply(made, 0, 0) })
}

func (s *search) restore(x *checkpoint) error {
	if err := s.replay(x.Steps); err != nil {
		return err
	}
	first := len(s.features) - 2*len(x.Steps)
	if err := x.Queue.Check(s.c, len(s.features)); err != nil {
		return err
	}
	switch {
	case len(x.Weights) != len(s.features):
		return fmt.Errorf("it has %d weights; want %d, one for each feature", len(x.Weights), len(s.features))
	case x.Best < 0 || x.Best > len(x.Steps):
		return fmt.Errorf("its best score is after %d splits; want 0 to %d", x.Best, len(x.Steps))
	case x.BestWeights == nil && s.valid != nil || x.BestWeights != nil && len(x.BestWeights) != first+2*x.Best:
		return fmt.Errorf("it has %d best weights; want %d", len(x.BestWeights), first+2*x.Best)
	case x.Fitted < 0 || x.Version < 0:
		return errors.New("it has a negative count")
	}
	s.tape = s.c.Tape(s.tape)
	s.weights, s.fitted, s.level = x.Weights, x.Fitted, x.Level
	s.best, s.bestValue, s.bestWeights = x.Best, x.BestValue, x.BestWeights
	s.observe()
	if !growing.Finite(s.z) {
		return fmt.Errorf("its network sums to %v; want a finite number", s.z)
	}
	s.version, s.wide = x.Version, x.Wide
	s.queue = growing.Queue{Split: s.l.SplitPenalty, Edge: x.Queue.Edge, List: x.Queue.List}
	return nil
}
