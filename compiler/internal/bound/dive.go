package bound

import (
	"math"
	"math/rand/v2"
)

// A dive has a limit of conflicts, which grows from restart to restart; all together have most.
const (
	diveConflicts = 30
	diveGrowth    = 1.3
	maxConflicts  = 4000
)

// dive searches for a joint state that no factor gives 0: depth first, with the zeros propagated to
// the states that variables may still have by simple tabular reduction (Ullmann 2007, Partition
// search for non-binary constraint satisfaction), next a variable with few such states and factors
// that often were in conflict (Boussemart et al. 2004, Boosting systematic search by weighting
// constraints), and restarts.
type dive struct {
	*Problem
	factorsOf     [][]int // by variable: its factors
	rows          [][]int // by factor: the places of its numbers that are not 0, possible ones first
	live          []int   // by factor: how many are possible
	allowed       [][]bool
	domainSize    []int     // by variable: the states that it may have
	weight        []float64 // by factor
	seen          [][]bool  // by variable: scratch of reduce
	queue         []int     // the factors to reduce
	queued        []bool
	trail         []change
	rng           *rand.Rand
	stop          func() bool
	steps         int
	conflicts     int // conflicts since the restart
	conflictLimit int
	stopped       bool
}

// change records one change for a branch to take back: a state of v that is gone, or of factor f
// the number of rows that were possible.
type change struct{ v, f, oldLive int }

func newDive(p *Problem, rng *rand.Rand, stop func() bool) *dive {
	d := &dive{Problem: p, factorsOf: make([][]int, len(p.Card)), rng: rng, stop: stop}
	for i := range p.Factors {
		var rows []int
		for k, x := range p.Factors[i].Log {
			if !math.IsInf(x, -1) {
				rows = append(rows, k)
			}
		}
		d.rows, d.live = append(d.rows, rows), append(d.live, len(rows))
		d.weight, d.queued = append(d.weight, 1), append(d.queued, false)
		for _, v := range p.Factors[i].Scope {
			d.factorsOf[v] = append(d.factorsOf[v], i)
		}
	}
	for _, n := range p.Card {
		may := make([]bool, n)
		for k := range may {
			may[k] = true
		}
		d.allowed, d.seen, d.domainSize = append(d.allowed, may), append(d.seen, make([]bool, n)), append(d.domainSize, n)
	}
	return d
}

// run returns a joint state that is possible; nil if it finds none.
func (d *dive) run() []int {
	for f := range d.Factors {
		d.enqueue(f)
	}
	if !d.propagate() {
		return nil
	}
	root, limit := len(d.trail), float64(diveConflicts)
	for total := 0; total < maxConflicts && !d.stopped; total += d.conflicts {
		d.conflicts, d.conflictLimit = 0, int(limit)
		if d.descend() {
			return d.states()
		}
		if d.conflicts < d.conflictLimit && !d.stopped {
			return nil // all was searched
		}
		d.backtrack(root)
		limit *= diveGrowth
	}
	return nil
}

// states returns the one state that each variable still has.
func (d *dive) states() []int {
	out := make([]int, len(d.Card))
	for v, may := range d.allowed {
		for k, ok := range may {
			if ok {
				out[v] = k
			}
		}
	}
	return out
}

// descend gives all variables a state; false after a conflict, or if the search has to end.
func (d *dive) descend() bool {
	for {
		v := d.next()
		if v < 0 {
			return true
		}
		mark, k := len(d.trail), d.prefer(v)
		for other, ok := range d.allowed[v] {
			if ok && other != k {
				d.remove(v, other)
			}
		}
		if d.propagate() && d.descend() {
			return true
		}
		d.backtrack(mark)
		if d.countConflict() {
			return false
		}
		if d.remove(v, k); !d.propagate() {
			return false
		}
	}
}

// countConflict counts a conflict and reports whether the search has to begin anew or to stop.
func (d *dive) countConflict() bool {
	d.conflicts++
	if d.conflicts&15 == 0 && d.stop() {
		d.stopped = true
	}
	return d.stopped || d.conflicts >= d.conflictLimit
}

// next returns the variable to branch on; -1 if all have one state.
func (d *dive) next() int {
	best, least := -1, math.Inf(1)
	for v, n := range d.domainSize {
		if n < 2 {
			continue
		}
		sum := 0.0
		for _, f := range d.factorsOf[v] {
			sum += d.weight[f]
		}
		if x := float64(n) / (1 + sum) * (1 + 1e-3*d.rng.Float64()); x < least {
			best, least = v, x
		}
	}
	return best
}

// prefer returns the state of v that its factors promise most.
func (d *dive) prefer(v int) int {
	best, most := -1, math.Inf(-1)
	total := make([]float64, d.Card[v])
	for _, f := range d.factorsOf[v] {
		top := make([]float64, d.Card[v])
		for k := range top {
			top[k] = math.Inf(-1)
		}
		step := d.step(f, v)
		for _, at := range d.rows[f][:d.live[f]] {
			k := at / step % d.Card[v]
			top[k] = max(top[k], d.Factors[f].Log[at])
		}
		for k, x := range top {
			total[k] += x
		}
	}
	for k, ok := range d.allowed[v] {
		if x := total[k] + 1e-6*d.rng.Float64(); ok && (best < 0 || x > most) {
			best, most = k, x
		}
	}
	return best
}

// step returns the distance between the states of v in the table of factor f.
func (d *dive) step(f, v int) int {
	scope, step := d.Factors[f].Scope, 1
	for i := len(scope) - 1; scope[i] != v; i-- {
		step *= d.Card[scope[i]]
	}
	return step
}

// enqueue puts a factor into the queue.
func (d *dive) enqueue(f int) {
	if !d.queued[f] {
		d.queued[f] = true
		d.queue = append(d.queue, f)
	}
}

// remove takes a state from those that v may have.
func (d *dive) remove(v, k int) {
	d.allowed[v][k] = false
	d.domainSize[v]--
	d.trail = append(d.trail, change{v: v, oldLive: k, f: -1})
	for _, f := range d.factorsOf[v] {
		d.enqueue(f)
	}
}

// backtrack takes changes back until mark of them are left.
func (d *dive) backtrack(mark int) {
	for i := len(d.trail) - 1; i >= mark; i-- {
		if c := d.trail[i]; c.f >= 0 {
			d.live[c.f] = c.oldLive
		} else {
			d.allowed[c.v][c.oldLive] = true
			d.domainSize[c.v]++
		}
	}
	d.trail = d.trail[:mark]
}

// propagate reduces the factors of the queue until nothing changes; false after a conflict.
func (d *dive) propagate() bool {
	ok := true
	for ok && len(d.queue) > 0 {
		f := d.queue[0]
		d.queue, d.queued[f] = d.queue[1:], false
		if d.steps++; d.steps&1023 == 0 && d.stop() {
			d.stopped, ok = true, false
		} else if !d.reduce(f) {
			d.weight[f]++
			ok = false
		}
	}
	for _, f := range d.queue {
		d.queued[f] = false
	}
	d.queue = d.queue[:0]
	return ok
}

// reduce removes the rows of f with states that are gone, and the states that no row has any more;
// false if no row is left.
func (d *dive) reduce(f int) bool {
	scope := d.Factors[f].Scope
	for _, v := range scope {
		clear(d.seen[v])
	}
	rows, live := d.rows[f], d.live[f]
	for i := live - 1; i >= 0; i-- {
		if d.possible(scope, rows[i]) {
			continue
		}
		live--
		rows[i], rows[live] = rows[live], rows[i]
	}
	if live != d.live[f] {
		d.trail = append(d.trail, change{f: f, oldLive: d.live[f]})
		d.live[f] = live
	}
	if live == 0 {
		return false
	}
	for _, v := range scope {
		for k, ok := range d.allowed[v] {
			if ok && !d.seen[v][k] {
				d.remove(v, k)
			}
		}
	}
	return true
}

// possible reports whether all states of a row of a table over scope may still be, and if so, marks
// them as seen.
func (d *dive) possible(scope []int, row int) bool {
	at := row
	for i := len(scope) - 1; i >= 0; i-- {
		v := scope[i]
		if !d.allowed[v][at%d.Card[v]] {
			return false
		}
		at /= d.Card[v]
	}
	for i := len(scope) - 1; i >= 0; i-- {
		v := scope[i]
		d.seen[v][row%d.Card[v]] = true
		row /= d.Card[v]
	}
	return true
}
