package topdown

import "encoding/binary"

// cacheEntry is the memory of an entry of the cache besides its key.
const cacheEntry = 80

// keep adds a component to the cache.
func (c *compiler) keep(key []byte, n int32) {
	if c.cacheBytes > c.limits.cache {
		c.cache, c.cached, c.cacheBytes = map[string]int32{}, nil, 0
		c.emptied++
	}
	text := string(key)
	c.cache[text], c.cached = n, append(c.cached, text)
	c.cacheBytes += int64(len(key)) + cacheEntry
}

// drop takes the components out of the cache that were added after the first so many. Beside a
// component that is zero, clauses may rule out states of the others that are possible there: both
// follow from the zero. So nothing that was compiled beside one may be used elsewhere (Sang et al.
// 2004, section 3.3).
func (c *compiler) drop(after int) {
	if len(c.learned) == 0 {
		return
	}
	c.dropped += len(c.cached) - after
	for _, key := range c.cached[after:] {
		delete(c.cache, key)
		c.cacheBytes -= int64(len(key)) + cacheEntry
	}
	c.cached = c.cached[:after]
}

// keyOf returns the key of a component: what is left of its factors, and the states of variables
// that have lost some.
func (c *compiler) keyOf(of *component) []byte {
	key := make([]byte, 0, 4*len(of.factors)+8)
	last := int32(0)
	for _, f := range of.factors {
		key = binary.AppendUvarint(key, uint64(f-last))
		key = binary.AppendUvarint(key, uint64(c.table[f]))
		last = f
	}
	for _, v := range of.vars {
		if c.domain[v] != c.full[v] {
			key = append(key, 0)
			key = binary.AppendUvarint(key, uint64(v))
			key = binary.AppendUvarint(key, uint64(c.domain[v]))
		}
	}
	return key
}
