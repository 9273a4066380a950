package topdown

// cacheEntry is the memory of an entry of the cache.
const cacheEntry = 64

// store adds a component to the cache.
func (c *compiler) store(k key, n int32) {
	if c.cacheBytes > c.limits.cache {
		clear(c.cache)
		c.cached, c.cacheBytes = c.cached[:0], 0
		c.emptied++
	}
	c.cache[k], c.cached = n, append(c.cached, k)
	c.cacheBytes += cacheEntry
}

// evict takes the components out of the cache that were added after the first so many. Beside a
// component that is zero, clauses may rule out states of the others that are possible there: both
// follow from the zero. So nothing that was compiled beside one may be used elsewhere (Sang et al.
// 2004, section 3.3).
func (c *compiler) evict(after int) {
	if len(c.learned) == c.certain {
		return
	}
	c.dropped += len(c.cached) - after
	for _, k := range c.cached[after:] {
		delete(c.cache, k)
		c.cacheBytes -= cacheEntry
	}
	c.cached = c.cached[:after]
}

// key is a hash of a component: a sum over its variables, each with its possible states, and over
// its factors, each with the table that is left. So the changes of a branch are enough to change
// the key. Two components with the same key are taken for equal. It has 128 bits: the chance that
// any two of a billion components are mixed up is below 1e-20. (GANAK: Sharma, Roy, Soos and Meel,
// "A scalable probabilistic exact model counter", 2019, for the bound.)
type key [2]uint64

// firstKey and secondKey make both halves of a hash differ.
const (
	firstKey  = 0x9e3779b97f4a7c15
	secondKey = 0xd1b54a32d192ed03
)

// add adds the present variable or factor to the key.
func (k *key) add(what, is int32) {
	x := uint64(uint32(what))<<32 | uint64(uint32(is))
	k[0] += mix(x ^ firstKey)
	k[1] += mix(x ^ secondKey)
}

// remove takes the former variable or factor out of the key.
func (k *key) remove(what, is int32) {
	var x key
	x.add(what, is)
	k.subtract(x)
}

// subtract takes out all of x.
func (k *key) subtract(x key) {
	k[0] -= x[0]
	k[1] -= x[1]
}
