package score

import (
	"math/bits"
	"slices"
	"sync"
)

// Cache is a scorer that caches the scores of families, for searches that evaluate them repeatedly.
// Several goroutines may use it at once.
type Cache struct {
	*Scorer

	mu    sync.RWMutex
	known map[key]float64
	width int // bits of a variable in a key
	most  int // a cache of more scores is cleared
}

// key is a variable and its parents, ascending, in numbers of Cache.width bits, from 1.
type key [2]uint64

// keyBytes is the approximate memory of a score in a cache.
const keyBytes = 48

// NewCache returns a cache for s, which takes a quarter of the memory of the counter's cache.
func NewCache(s *Scorer) *Cache {
	return &Cache{Scorer: s, known: map[key]float64{}, width: bits.Len(uint(len(s.Counter.Set().Vars))), most: int(s.Counter.Lend(4) / keyBytes)}
}

// keyOf returns the key of variable x with parents, ascending, and u as a further one unless it is
// x. ok is false if they do not fit a key.
func (c *Cache) keyOf(x int, parents []int, u int) (k key, ok bool) {
	add := func(v int) {
		k[0] = k[0]<<c.width | k[1]>>(64-c.width)
		k[1] = k[1]<<c.width | uint64(v+1)
	}
	add(x)
	for _, p := range parents {
		if u != x && u < p {
			add(u)
			u = x
		}
		add(p)
	}
	if u != x {
		add(u)
	}
	return k, (len(parents)+2)*c.width <= 128
}

// Family returns the score of variable x with parents, as [Scorer.Family] does.
func (c *Cache) Family(x int, parents ...int) float64 {
	sorted := slices.Sorted(slices.Values(parents))
	k, ok := c.keyOf(x, sorted, x)
	c.mu.RLock()
	f, known := c.known[k]
	c.mu.RUnlock()
	if ok && known {
		return f
	}
	f = c.Scorer.Family(x, sorted...)
	if ok {
		c.keep([]key{k}, []float64{f})
	}
	return f
}

// Adding stores in out the score of variable x with parents and each of others, as [Scorer.Adding]
// does.
func (c *Cache) Adding(x int, parents, others []int, out []float64) {
	sorted := slices.Sorted(slices.Values(parents))
	if _, ok := c.keyOf(x, sorted, x); !ok {
		c.Scorer.Adding(x, sorted, others, out)
		return
	}
	keys := make([]key, len(others))
	var at, fresh []int // indices of others, and their values
	c.mu.RLock()
	for i, u := range others {
		keys[i], _ = c.keyOf(x, sorted, u)
		f, known := c.known[keys[i]]
		if !known {
			at, fresh = append(at, i), append(fresh, u)
			keys[len(at)-1] = keys[i]
		}
		out[i] = f
	}
	c.mu.RUnlock()
	scores := make([]float64, len(fresh))
	c.Scorer.Adding(x, sorted, fresh, scores)
	for k, i := range at {
		out[i] = scores[k]
	}
	c.keep(keys[:len(at)], scores)
}

// keep caches scores. A full cache is cleared first.
func (c *Cache) keep(keys []key, scores []float64) {
	if len(keys) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known)+len(keys) > c.most {
		clear(c.known)
	}
	for i, k := range keys {
		c.known[k] = scores[i]
	}
}
