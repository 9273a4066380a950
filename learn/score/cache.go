package score

import (
	"encoding/binary"
	"slices"
	"sync"
)

// Cache is a scorer that caches the scores of families, for searches that evaluate them repeatedly.
// Several goroutines may use it at once.
type Cache struct {
	*Scorer

	mu    sync.RWMutex
	known map[string]float64
}

// maxCached bounds the scores in a cache: about 100 MB. A full cache is cleared.
const maxCached = 1 << 20

// NewCache returns a cache for s.
func NewCache(s *Scorer) *Cache { return &Cache{Scorer: s, known: map[string]float64{}} }

// Family returns the score of variable x with parents, as [Scorer.Family] does.
func (c *Cache) Family(x int, parents ...int) float64 {
	sorted := slices.Sorted(slices.Values(parents))
	key := binary.AppendUvarint(make([]byte, 0, 2+2*len(parents)), uint64(x))
	for _, u := range sorted {
		key = binary.AppendUvarint(key, uint64(u))
	}
	c.mu.RLock()
	f, ok := c.known[string(key)]
	c.mu.RUnlock()
	if ok {
		return f
	}
	f = c.Scorer.Family(x, sorted...)
	c.mu.Lock()
	if len(c.known) >= maxCached {
		clear(c.known)
	}
	c.known[string(key)] = f
	c.mu.Unlock()
	return f
}
