package acbn

import (
	"fmt"

	"github.com/pgmc-go/pgmc/learn/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// checkpoint is where a search stands: the rest follows from the rows and the splits.
type checkpoint struct {
	Steps []growing.Step `json:"steps"`
	Queue growing.Queue  `json:"queue"`
}

func (s *search) save(saver *learner.Saver) error {
	x := checkpoint{Queue: s.queue}
	for _, made := range s.steps {
		x.Steps = append(x.Steps, made.Step)
	}
	return saver.Save(x)
}

// load goes back to where a search stood, if there is a checkpoint.
func (s *search) load(saver *learner.Saver) (bool, error) {
	var x checkpoint
	if ok, err := saver.Load(&x); !ok {
		return false, err
	}
	fits := func(made growing.Step) (growing.Split, bool) {
		n := &s.nodes[made.Of]
		return s.splitOf(made.Of, made.Var, made.State), n.v < 0 && made.Var != n.of && !s.above.Has(made.Var, n.of)
	}
	err := s.p.Replay(x.Steps, len(s.nodes), s.l.MaxEdges, fits, func(made growing.Step) { s.apply(made) })
	if err == nil {
		err = x.Queue.Check(s.c, len(s.nodes))
	}
	if err != nil {
		return false, fmt.Errorf("the checkpoint is damaged: %w", err)
	}
	s.queue.Edge, s.queue.List = x.Queue.Edge, x.Queue.List
	return true, nil
}
