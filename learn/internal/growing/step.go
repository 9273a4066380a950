package growing

import (
	"fmt"
)

// Step is a split that was made.
type Step struct {
	Of    int32 `json:"o"` // what was split, by the learner's number
	Var   int   `json:"v"`
	State int   `json:"s"`
}

// check returns an error if a step does not fit; things is the number of things that can be split.
func (c *Circuit) check(x Step, things int) error {
	if x.Of < 0 || int(x.Of) >= things || x.Var < 0 || x.Var >= len(c.cards) || x.State < 0 || x.State >= c.cards[x.Var] {
		return fmt.Errorf("the split of %d on state %d of variable %d has a number out of range", x.Of, x.State, x.Var)
	}
	return nil
}

// Replay repeats the steps of a checkpoint, each by apply. Before the first step, things can be
// split; each step adds two more. fits returns the split of a step and whether it may follow the
// earlier ones.
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
			return fmt.Errorf("the circuit has more than %d edges", maxEdges)
		}
		apply(x)
		things += 2
	}
	return nil
}

// Check returns an error if the queue of a checkpoint does not fit; things is the number of things
// that can be split.
func (q *Queue) Check(c *Circuit, things int) error {
	if !(q.Edge >= 0) {
		return fmt.Errorf("the penalty of an edge is %v; want 0 or more", q.Edge)
	}
	for i := range q.List {
		x := &q.List[i]
		if err := c.check(Step{Of: x.Of, Var: int(x.Var), State: int(x.State)}, things); err != nil {
			return err
		}
		if x.Cost < 0 {
			return fmt.Errorf("the queue holds a split that adds %d edges", x.Cost)
		}
	}
	return nil
}
