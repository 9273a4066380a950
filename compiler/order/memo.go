package order

import "slices"

// remembered is the most results that a Memo holds, of the latest searches.
const remembered = 8

// Memo holds the results of the latest calls of [Memo.Best], for callers that ask several times for
// the order of the same graph. The zero value is empty.
type Memo struct {
	// Work is the work of all searches so far, in words of bits or edges that they looked at.
	Work int
	list []memory
}

// memory is a search with its result.
type memory struct {
	g   *Graph
	opt Options
	r   Result
}

// Best returns what [Best] does. It does not search again if it holds the result; results of
// searches that were stopped are not held. Callers must not change g, opt or the result afterwards.
func (m *Memo) Best(g *Graph, opt Options) Result {
	for _, x := range m.list {
		if x.opt.equal(&opt) && x.g.equal(g) {
			return x.r
		}
	}
	r := Best(g, opt)
	m.Work += r.work
	if opt.stopped() {
		return r
	}
	if len(m.list) == remembered {
		m.list = slices.Delete(m.list, 0, 1)
	}
	m.list = append(m.list, memory{g, opt, r})
	return r
}

// equal reports whether two searches are the same. No heuristics are others than all of them by
// name, since rotations follow only the former.
func (o *Options) equal(p *Options) bool {
	return slices.Equal(o.Heuristics, p.Heuristics) && (o.Heuristics == nil) == (p.Heuristics == nil) &&
		o.Steps == p.Steps && o.Seed == p.Seed && o.Quick == p.Quick && slices.Equal(o.Group, p.Group) && (o.Group == nil) == (p.Group == nil)
}
