package data

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"sync"
)

// Counter counts the joint states of sets of variables: sufficient statistics, as weighted counts.
// It caches tables, and sums a cached table over variables if that is faster than counting. Several
// goroutines may use it at once; their number does not affect the counts.
//
// A row that misses a value of one of the variables does not count.
type Counter struct {
	set   *Set
	room  int64 // maximal bytes of cached tables
	exact bool  // no row misses a value, and sums of weights are exact: larger tables may be summed

	mu    sync.Mutex
	kept  map[string]*counted
	with  [][]*counted // by variable: the cached tables that have it
	used  int64
	clock int64

	once   []func() rowsOf // by variable
	splits sync.Pool       // of *[]level
}

// counted is a table over variables in ascending order, row-major.
type counted struct {
	vars  []int
	n     []float64
	stamp int64 // clock at the last use
}

// defaultCounts is the default limit on the bytes of counts that a Counter caches.
const defaultCounts = 256 << 20

// NewCounter returns a counter for s that caches at most maxMem bytes of counts; 0 means
// defaultCounts.
func NewCounter(s *Set, maxMem int64) *Counter {
	if maxMem == 0 {
		maxMem = defaultCounts
	}
	c := &Counter{set: s, room: maxMem, exact: !s.Counted() && !s.hasMissing() && s.wholeWeights(), kept: map[string]*counted{}, with: make([][]*counted, len(s.Vars))}
	for v := range s.Vars {
		c.once = append(c.once, sync.OnceValue(func() rowsOf {
			r := rowsOf{sets: s.RowSets(v), misses: s.Misses(v)}
			for _, set := range r.sets {
				r.rows = append(r.rows, ones(set))
			}
			return r
		}))
	}
	return c
}

// Lend reduces the limit on cached counts by a share of it, such as 4 for a quarter, for another
// cache, and returns the bytes of that share. No other method may run at the same time.
func (c *Counter) Lend(share int64) int64 {
	lent := c.room / share
	c.room -= lent
	return lent
}

// Set returns the set that c counts.
func (c *Counter) Set() *Set { return c.set }

// Card returns the number of states of a variable.
func (c *Counter) Card(v int) int { return len(c.set.Vars[v].States) }

// Size returns the number of joint states of some variables. It reports false from 2^31 on.
func (c *Counter) Size(vars []int) (n int, ok bool) {
	n = 1
	for _, v := range vars {
		card := c.Card(v)
		if card > 0 && n > math.MaxInt32/card {
			return 0, false
		}
		n *= card
	}
	return n, true
}

// Counts returns the weight of the rows in each joint state of vars, row-major in the order of
// vars, the last one fastest. The variables must differ and have at most 2^31 joint states. The
// caller must not change the result.
func (c *Counter) Counts(vars ...int) []float64 {
	if slices.IsSorted(vars) {
		return c.sorted(vars)
	}
	order := slices.Sorted(slices.Values(vars))
	return c.permute(c.sorted(order), order, vars)
}

// sorted is Counts for variables in ascending order.
func (c *Counter) sorted(vars []int) []float64 {
	key := keyOf(vars)
	c.mu.Lock()
	c.clock++
	if t := c.kept[key]; t != nil {
		t.stamp = c.clock
		c.mu.Unlock()
		return t.n
	}
	larger := c.superset(vars)
	c.mu.Unlock()
	var n []float64
	if larger != nil {
		n = c.marginal(larger, vars)
	} else {
		n = c.count(vars)
	}
	c.keep(key, vars, n)
	return n
}

func keyOf(vars []int) string {
	key := make([]byte, 0, 4*len(vars))
	for _, v := range vars {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	return string(key)
}

// look is the cost of inspecting one cached table, in steps of counting.
const look = 16

// superset returns the smallest cached table that has all of vars and fewer entries than there are
// rows. It returns nil if there is none, or if the search would take longer than counting. It also
// returns nil if rows miss values, because a larger table leaves out more of them, or if weights
// are not integers, because rounding would then depend on earlier counts.
func (c *Counter) superset(vars []int) *counted {
	if !c.exact || len(vars) == 0 {
		return nil
	}
	list := c.with[vars[0]]
	for _, v := range vars[1:] {
		if len(c.with[v]) < len(list) {
			list = c.with[v]
		}
	}
	size, _ := c.Size(vars)
	if look*len(list) > min(size*c.words(), len(vars)*c.set.Len()) {
		return nil
	}
	var best *counted
	for _, t := range list {
		if len(t.vars) <= len(vars) || len(t.n) >= c.set.Len() || best != nil && (len(t.n) > len(best.n) || len(t.n) == len(best.n) && t.stamp > best.stamp) {
			continue
		}
		if !slices.ContainsFunc(vars, func(v int) bool { _, ok := slices.BinarySearch(t.vars, v); return !ok }) {
			best = t
		}
	}
	return best
}

// words returns the number of words in a set of rows.
func (c *Counter) words() int { return (c.set.Len() + 63) / 64 }

// marginal sums a table over the variables that are not in vars.
func (c *Counter) marginal(t *counted, vars []int) []float64 {
	size, _ := c.Size(vars)
	out := make([]float64, size)
	strides := c.strides(t.vars, vars)
	state, at := make([]int, len(t.vars)), 0
	for _, x := range t.n {
		out[at] += x
		for i := len(state) - 1; i >= 0; i-- {
			state[i]++
			at += strides[i]
			if state[i] < c.Card(t.vars[i]) {
				break
			}
			at -= state[i] * strides[i]
			state[i] = 0
		}
	}
	return out
}

// strides returns, for each of vars, the distance between its states in a row-major table over
// other variables, or 0 if they lack it.
func (c *Counter) strides(vars, of []int) []int {
	strides := make([]int, len(vars))
	step := 1
	for i := len(of) - 1; i >= 0; i-- {
		if at := slices.Index(vars, of[i]); at >= 0 {
			strides[at] = step
		}
		step *= c.Card(of[i])
	}
	return strides
}

// permute returns a table in another order of its variables.
func (c *Counter) permute(n []float64, from, to []int) []float64 {
	return c.marginal(&counted{vars: from, n: n}, to)
}

// keep caches a table and, if there is no room, drops those unused for the longest time.
func (c *Counter) keep(key string, vars []int, n []float64) {
	size := int64(8*len(n) + 8*len(vars) + 64)
	if size > c.room/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept[key] != nil {
		return
	}
	if c.used+size > c.room {
		c.makeRoom(c.room / 2)
	}
	t := &counted{slices.Clone(vars), n, c.clock}
	c.kept[key] = t
	for _, v := range vars {
		c.with[v] = append(c.with[v], t)
	}
	c.used += size
}

// makeRoom drops the less recently used half of the cached tables, or all if left is 0. The cache
// affects the speed of counts only, not their values.
func (c *Counter) makeRoom(left int64) {
	var stamps []int64
	for _, t := range c.kept {
		stamps = append(stamps, t.stamp)
	}
	slices.Sort(stamps)
	limit := stamps[len(stamps)/2]
	old := func(t *counted) bool { return t.stamp <= limit || left == 0 }
	for v := range c.with {
		c.with[v] = slices.DeleteFunc(c.with[v], old)
	}
	for key, t := range c.kept {
		if old(t) {
			c.used -= int64(8*len(t.n) + 8*len(t.vars) + 64)
			delete(c.kept, key)
		}
	}
}

// count asks the source of the data, or counts in its rows: by sets of rows if all weights are 1
// and that is faster, and row by row otherwise.
func (c *Counter) count(vars []int) []float64 {
	if c.set.Counted() {
		return c.set.Tables([]Family{{Discrete: vars}})[0].N
	}
	size, _ := c.Size(vars)
	words := c.words()
	if c.set.weights == nil && len(vars) > 0 && size*words < len(vars)*c.set.Len() {
		return c.bySets(vars, size, words)
	}
	return c.byRows(vars, size)
}

// byRows adds the weight of each row to its joint state.
func (c *Counter) byRows(vars []int, size int) []float64 {
	out := make([]float64, size)
	const block = 4096
	index, whole := make([]int32, block), make([]bool, block)
	for start := 0; start < c.set.Len(); start += block {
		n := min(block, c.set.Len()-start)
		for i := range n {
			index[i], whole[i] = 0, true
		}
		for _, v := range vars {
			c.addStates(index[:n], whole[:n], v, start)
		}
		for i := range n {
			if whole[i] {
				out[index[i]] += c.set.Weight(start + i)
			}
		}
	}
	return out
}

// addStates advances the indices of a block of rows by one variable.
func (c *Counter) addStates(index []int32, whole []bool, v, start int) {
	card, col := int32(c.Card(v)), c.set.columns[v]
	if col.Bytes != nil {
		for i, x := range col.Bytes[start : start+len(index)] {
			if x == MissingByte {
				whole[i] = false
				continue
			}
			index[i] = index[i]*card + int32(x)
		}
		return
	}
	for i, x := range col.Words[start : start+len(index)] {
		if x == MissingWord {
			whole[i] = false
			continue
		}
		index[i] = index[i]*card + int32(x)
	}
}

// wholeWeights reports whether all weights are integers, so that their sum is exact.
func (s *Set) wholeWeights() bool {
	sum := 0.0
	for _, w := range s.weights {
		if sum += w; w != math.Trunc(w) || sum > 1<<53 {
			return false
		}
	}
	return true
}

// hasMissing reports whether a row misses a value.
func (s *Set) hasMissing() bool {
	for v := range s.Vars {
		if s.Misses(v) {
			return true
		}
	}
	return false
}

// Misses reports whether a row misses the value of a variable.
func (s *Set) Misses(v int) bool {
	if s.remote != nil {
		return Missed(s.remote.rows, s.single(v).Weight()) > 0
	}
	c := s.columns[v]
	return bytes.IndexByte(c.Bytes, MissingByte) >= 0 || slices.Contains(c.Words, MissingWord)
}
