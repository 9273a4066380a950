package bound

import (
	"context"
	"math/rand/v2"
)

// improvement is a local search that goes on beside a search, in turns.
type improvement struct {
	*neighbours
	rng   *rand.Rand
	tries int // turns since the last that found something
}

// The rounds of a turn, and the most turns in vain.
const (
	turnRounds = 16
	vainTurns  = 50
)

// run takes a turn.
func (x *improvement) run(ctx context.Context) {
	if x.tries++; x.tries <= vainTurns {
		x.neighbours.run(turnRounds, x.rng, func() bool { return ctx.Err() != nil })
	}
}

// better reports whether its states are better than the states of s, and takes over the states of s
// if not.
func (x *improvement) better(s *search) bool {
	if x.value > s.value()+s.tie() {
		x.tries = 0
		return true
	}
	if s.value() > x.value+s.tie() {
		x.state = s.assignments()[0].States
		x.value, x.tries = x.Problem.Value(x.state), 0
	}
	return false
}
