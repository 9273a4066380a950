package bound

import (
	"math"
	"slices"
)

// pseudo is the tree over which a search branches: a variable's parent is the next one in the order
// of elimination that its bucket has. Once the ancestors of two variables have states, their parts
// of the problem are independent.
type pseudo struct {
	*tree
	parent   []int   // -1 of a root
	children [][]int // the hardest first: those with the most split buckets below them
	roots    []int
	context  [][]int // by variable: its ancestors on which its part depends, unless it is wide
	wide     []bool  // by variable: it or one below it depends on too many ancestors to number their states
	preorder []int
	place    [][2]int // by variable: where its part begins and ends in preorder
	exact    []bool   // by variable: no bucket of its part is split
	ownTerms [][]term
	outgoing [][]term // by variable: the messages of its part to its ancestors or to none
}

// term is a table that a search looks up: the states of vars, in the table's order, and the stride
// of each.
type term struct {
	box    int32
	vars   []int
	stride []int
	last   int // stride of the variable whose states the search compares; 0 if the table lacks it
}

// maxTerms bounds the look-ups of all variables. A search through more would visit few nodes.
const maxTerms = 1 << 21

// newPseudo returns the search tree of t; nil if it would have too many look-ups.
func newPseudo(t *tree) *pseudo {
	n := len(t.Card)
	s := &pseudo{tree: t, parent: make([]int, n), children: make([][]int, n), context: make([][]int, n), wide: make([]bool, n),
		exact: make([]bool, n), ownTerms: make([][]term, n), outgoing: make([][]term, n), place: make([][2]int, n)}
	buckets := s.connect()
	if !s.lookups() {
		return nil
	}
	splits := make([]int, n)
	for _, v := range t.order {
		s.depend(v, buckets[v])
		splits[v] += len(t.boxesOf[v]) - 1
		s.exact[v] = splits[v] == 0
		p := s.parent[v]
		if p < 0 {
			s.roots = append(s.roots, v)
			continue
		}
		s.children[p] = append(s.children[p], v)
		splits[p] += splits[v]
	}
	for _, list := range append(s.children, s.roots) {
		slices.SortStableFunc(list, func(a, b int) int { return splits[b] - splits[a] })
	}
	for _, v := range s.roots {
		s.number(v)
	}
	return s
}

// connect sets the parents, by the algorithm for elimination trees of Liu 1990, which needs no
// fill. It returns the factors of each bucket.
func (s *pseudo) connect() (buckets [][]int) {
	n := len(s.Card)
	buckets = make([][]int, n)
	earlier := make([][]int, n) // by variable: those before it in the order that share a factor with it
	for i := range s.Factors {
		scope := s.Factors[i].Scope
		if len(scope) == 0 {
			continue
		}
		first := slices.MinFunc(scope, func(a, b int) int { return s.pos[a] - s.pos[b] })
		buckets[first] = append(buckets[first], i)
		for _, v := range scope {
			if v != first {
				earlier[v] = append(earlier[v], first)
			}
		}
	}
	top := make([]int, n) // by variable: an ancestor, as far as it is known
	for v := range top {
		top[v], s.parent[v] = v, -1
	}
	for _, v := range s.order {
		for _, u := range earlier[v] {
			for u != v {
				next := top[u]
				top[u] = v
				if next == u {
					s.parent[u] = v
				}
				if next == u || next == v {
					break
				}
				u = next
			}
		}
	}
	return buckets
}

// maxContext bounds the logarithm to base 2 of the joint states of a context: more have no number.
const maxContext = 62

// depend sets the context of v from the factors of its bucket and the contexts of its children.
func (s *pseudo) depend(v int, factors []int) {
	for _, c := range s.children[v] {
		s.wide[v] = s.wide[v] || s.wide[c]
	}
	for _, c := range s.children[v] {
		if !s.wide[v] {
			s.context[v] = union(s.context[v], s.context[c])
		}
	}
	for _, i := range factors {
		if !s.wide[v] {
			s.context[v] = union(s.context[v], s.Factors[i].Scope)
		}
	}
	s.context[v] = slices.DeleteFunc(s.context[v], func(u int) bool { return u == v })
	if bits := math.Log2(s.sizeOf(s.context[v])); bits > maxContext {
		s.wide[v] = true
	}
	if s.wide[v] {
		s.context[v] = nil
	}
}

// number appends the part of v to the preorder.
func (s *pseudo) number(v int) {
	s.place[v][0] = len(s.preorder)
	s.preorder = append(s.preorder, v)
	for _, c := range s.children[v] {
		s.number(c)
	}
	s.place[v][1] = len(s.preorder)
}

// part returns the variables of the part of v: itself, then those below it.
func (s *pseudo) part(v int) []int { return s.preorder[s.place[v][0]:s.place[v][1]] }

// lookups lists the tables that the search reads at each variable, and reports whether they are few
// enough.
func (s *pseudo) lookups() bool {
	terms := 0
	s.eachPart(func(v int, open []int32) bool {
		terms += len(open) + len(s.boxesOf[v])
		return terms <= maxTerms
	})
	if terms > maxTerms {
		return false
	}
	whole := make([]term, len(s.boxes)) // by box: the look-up of its message at states that are all known
	for i := range s.boxes {
		scope := s.boxes[i].scope
		whole[i] = s.term(int32(i), scope[:len(scope)-1], -1)
	}
	s.eachPart(func(v int, open []int32) bool {
		for _, b := range s.boxesOf[v] {
			if s.boxes[b].base != nil {
				s.ownTerms[v] = append(s.ownTerms[v], s.term(b, s.boxes[b].scope, v))
			}
		}
		s.outgoing[v] = make([]term, len(open))
		for i, b := range open {
			if s.outgoing[v][i] = whole[b]; slices.Contains(whole[b].vars, s.parent[v]) {
				s.outgoing[v][i] = s.term(b, whole[b].vars, s.parent[v])
			}
		}
		return true
	})
	return true
}

// eachPart calls f for each variable in the order of elimination, with the boxes that send messages
// out of its part, until f returns false.
func (s *pseudo) eachPart(f func(v int, open []int32) bool) {
	open := make([][]int32, len(s.Card))
	for _, v := range s.order {
		open[v] = slices.DeleteFunc(open[v], func(b int32) bool { p := s.boxes[b].parent; return p >= 0 && s.boxes[p].v == v })
		open[v] = append(open[v], s.boxesOf[v]...)
		if !f(v, open[v]) {
			return
		}
		if p := s.parent[v]; p >= 0 && open[p] == nil {
			open[p] = open[v]
		} else if p >= 0 {
			open[p] = append(open[p], open[v]...)
		}
		open[v] = nil
	}
}

// term returns the look-up of a table over scope in which states of v are compared; -1 for none.
func (s *pseudo) term(b int32, scope []int, v int) term {
	x := term{box: b, vars: make([]int, 0, len(scope)), stride: make([]int, 0, len(scope))}
	for i, step := range strides(s.Card, scope, scope) {
		if scope[i] == v {
			x.last = step
			continue
		}
		x.vars, x.stride = append(x.vars, scope[i]), append(x.stride, step)
	}
	return x
}

// at returns the place of the first state that is compared in the table of x.
func (x *term) at(state []int) int {
	i := 0
	for k, v := range x.vars {
		i += state[v] * x.stride[k]
	}
	return i
}

// choices sets value to the values of v's states by the tables of v itself.
func (s *pseudo) choices(v int, state []int, value []float64) {
	copy(value, s.evidence[v])
	for i := range s.ownTerms[v] {
		x := &s.ownTerms[v][i]
		table, at := s.boxes[x.box].base, x.at(state)
		for k := range value {
			value[k] += table[at]
			at += x.last
		}
	}
}

// below sets value to the bound of the part of c, by the state of its parent.
func (s *pseudo) below(e *elimination, c int, state []int, value []float64) {
	clear(value)
	for i := range s.outgoing[c] {
		x := &s.outgoing[c][i]
		table, at := e.msg[x.box], x.at(state)
		for k := range value {
			value[k] += table[at]
			at += x.last
		}
	}
}

// partBound returns the bound of the part of v at the states of its ancestors.
func (s *pseudo) partBound(e *elimination, v int, state []int) float64 {
	p := s.parent[v]
	if p < 0 {
		return s.root(e, v)
	}
	all := make([]float64, s.Card[p])
	s.below(e, v, state, all)
	return all[state[p]]
}

// root returns the bound of the part of a root.
func (s *pseudo) root(e *elimination, v int) float64 {
	one := []float64{0}
	s.below(e, v, nil, one)
	return one[0]
}
