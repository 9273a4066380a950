package growing

import (
	"errors"
	"fmt"
)

// Step is a split that was made.
type Step struct {
	Of    int32 `json:"o"` // what was split: the learner's number of it
	Var   int   `json:"v"`
	State int   `json:"s"`
}

// check says what is wrong with a step of a split, where there are so many things to split.
func (c *Circuit) check(x Step, things int) error {
	if x.Of < 0 || int(x.Of) >= things || x.Var < 0 || x.Var >= len(c.cards) || x.State < 0 || x.State >= c.cards[x.Var] {
		return fmt.Errorf("there is no split of %d on state %d of variable %d", x.Of, x.State, x.Var)
	}
	return nil
}

// Replay makes the steps of a checkpoint, each by apply. There are so many things to split at first, and two more after each step; fits
// says whether a step may follow the ones before it, and gives its split.
func (p *Planner) Replay(steps []Step, things, maxEdges int, fits func(Step) (Split, bool), apply func(Step)) error {
	for _, x := range steps {
		if err := p.c.check(x, things); err != nil {
			return err
		}
		s, ok := fits(x)
		if !ok {
			return fmt.Errorf("the split of %d on state %d of variable %d cannot be made", x.Of, x.State, x.Var)
		}
		if cost, _ := p.Cost(s, maxEdges-p.c.edges); cost > maxEdges-p.c.edges {
			return fmt.Errorf("its circuit has more than %d edges", maxEdges)
		}
		apply(x)
		things += 2
	}
	return nil
}

// Check says what is wrong with the queue of a checkpoint, where there are so many things to split.
func (q *Queue) Check(c *Circuit, things int) error {
	if !(q.Edge >= 0) {
		return errors.New("its penalty of an edge is no number from 0")
	}
	for i := range q.List {
		x := &q.List[i]
		if err := c.check(Step{Of: x.Of, Var: int(x.Var), State: int(x.State)}, things); err != nil {
			return err
		}
		if x.Cost < 0 {
			return fmt.Errorf("a split of %d edges waits", x.Cost)
		}
	}
	return nil
}
