package bound

import (
	"math"
	"math/rand/v2"
	"slices"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// tuples adds up parts of the sum over all joint states, which is more than their total: each part
// is the sum of the joint states that agree with one tuple of states of the same fixed variables,
// and is computed by elimination. Its tuples are taken from joint states drawn by a Gibbs sampler
// that draws all variables but random fixed ones at once, so that a tuple comes up as often as its
// part is large (Bidyuk, Dechter and Rollon, "Active tuples-based scheme for bounding posterior
// beliefs", 2010, for such sums over cutsets).
type tuples struct {
	*neighbours
	rng       *rand.Rand
	fixed     []bool
	bestState []int // the joint state of the largest part when fixed was chosen
	seen      map[string]bool
	total     float64 // ln of the parts of the tuples in seen
	maxTotal  float64 // the largest total of any fixed variables
}

func newTuples(n *neighbours, rng *rand.Rand) *tuples {
	return &tuples{neighbours: n, rng: rng, total: math.Inf(-1), maxTotal: n.value}
}

// choose takes the fixed variables of the largest part that some rounds find.
func (t *tuples) choose(rounds int, stop func() bool) {
	for i := 0; i < rounds && (i == 0 || !stop()); i++ {
		fixed := t.fix(t.rng)
		e := t.eliminate(fixed, false)
		if e.splits() {
			continue
		}
		if e.value > t.maxTotal || t.fixed == nil {
			t.fixed, t.bestState, t.maxTotal = fixed, slices.Clone(t.state), max(t.maxTotal, e.value)
		}
		t.move(e, fixed)
	}
	if t.fixed != nil {
		t.seen, t.total = map[string]bool{}, math.Inf(-1)
		copy(t.state, t.bestState)
	}
}

// move draws the joint state of the variables that are not fixed from their elimination.
func (t *tuples) move(e *elimination, fixed []bool) {
	s := newSampler(e)
	if s.draw(t.rng) == math.Inf(-1) {
		return
	}
	for v, f := range fixed {
		if !f {
			t.state[v] = s.state[v]
		}
	}
}

// run adds the parts of the tuples that some rounds draw.
func (t *tuples) run(rounds int, stop func() bool) {
	for i := 0; i < rounds && t.fixed != nil && !stop(); i++ {
		if key := t.key(); !t.seen[key] {
			t.seen[key] = true
			e := t.eliminate(t.fixed, false)
			t.total = pgmrt.LogAdd(t.total, e.value)
			t.maxTotal = max(t.maxTotal, t.total)
			t.move(e, t.fixed)
			if !slices.Contains(t.fixed, true) {
				return // that is all
			}
		}
		fixed := t.fix(t.rng)
		if e := t.eliminate(fixed, false); !e.splits() {
			t.move(e, fixed)
		}
	}
}

// key returns the states of the fixed variables.
func (t *tuples) key() string {
	var b []byte
	for v, f := range t.fixed {
		if f {
			b = append(b, byte(t.state[v]), byte(t.state[v]>>8))
		}
	}
	return string(b)
}
