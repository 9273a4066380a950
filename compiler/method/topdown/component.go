package topdown

import (
	"cmp"
	"slices"
)

// component is a set of variables with several states, and the factors that tie them. Its variables
// are a list, the last of the elimination order first.
type component struct {
	id   int32 // the component of its variables
	head int32 // its first variable; -1 for none
	size int   // the number of its variables
	mark int   // the length of the trail when it was made
	key  key
}

// parts holds the components into which the variables fall at present. A component is never copied:
// a variable that a branch makes known or separates is taken out of its list, and is put back later
// where it was ("dancing links", Knuth 2000).
type parts struct {
	*search
	order       []int32   // by variable: its place in the elimination order
	componentOf []int32   // by variable: the component that has it; noComponent if it is assigned
	next, prev  []int32   // by variable: its neighbours in the list of its component; -1 for none
	linkDegree  []int32   // by variable: the number of variables of its component that links tie to it
	count       int32     // the number of components so far
	removed     []removal // variables that were taken out of lists, the latest last
	degreeTrail []int32   // variables for which tied went down, the latest last

	reader
	grower
}

// noComponent is the component of assigned variables.
const noComponent int32 = -1

// removal is a variable with its component and neighbours in a list.
type removal struct{ v, component, prev, next int32 }

// newParts returns the parts of the variables of s, which are known or in no component yet.
func newParts(s *search, rank []int32) *parts {
	vars, n := make([]int32, 3*len(s.domain)), len(s.domain)
	for i := range vars {
		vars[i] = -1
	}
	p := &parts{search: s, order: rank, componentOf: vars[:n], next: vars[n : 2*n], prev: vars[2*n:]}
	p.linkDegree = make([]int32, n)
	p.seen = make([]int64, n+len(s.table))
	p.grower.begin(n, len(s.table))
	return p
}

// components returns the components of all variables that are not known.
func (p *parts) components() []component {
	var vars []int32
	for v := range p.domain {
		if !p.assigned(int32(v)) && p.isRepresentative(int32(v)) {
			vars = append(vars, int32(v))
		}
	}
	if len(vars) == 0 {
		return nil
	}
	for _, v := range vars {
		for _, w := range p.neighbours[v] {
			if !p.assigned(w) {
				p.linkDegree[v]++
			}
		}
	}
	all := p.assemble(slices.Clone(vars))
	return p.splitComponents(all, vars)
}

// assemble makes a component of variables that are in no list.
func (p *parts) assemble(vars []int32) component {
	slices.SortFunc(vars, func(a, b int32) int { return cmp.Compare(p.order[b], p.order[a]) })
	comp := component{id: p.count, head: vars[0], size: len(vars), mark: len(p.trail)}
	p.count++
	before := int32(-1)
	for _, v := range vars {
		if p.componentOf[v], p.prev[v], p.next[v] = comp.id, before, -1; before >= 0 {
			p.next[before] = v
		}
		before = v
		comp.key.add(v, p.domain[v])
		p.steps += int64(p.live[v])
		for _, at := range p.occurrences[v][:p.live[v]] {
			id := p.table[at.factor]
			if axes := p.heads[id].axes; axes&-axes == 1<<at.axis {
				comp.key.add(p.factorID(at.factor), id)
			}
		}
	}
	return comp
}

// degree returns the number of factors and links that tie v to others.
func (p *parts) degree(v int32) int32 { return p.live[v] + p.linkDegree[v] }

// factorID returns the number of a factor among variables and factors.
func (p *parts) factorID(f int32) int32 { return int32(len(p.domain)) + f }

// remove takes a variable out of the list of a component.
func (p *parts) remove(comp *component, v int32) {
	prev, next := p.prev[v], p.next[v]
	p.removed = append(p.removed, removal{v, p.componentOf[v], prev, next})
	if prev >= 0 {
		p.next[prev] = next
	} else {
		comp.head = next
	}
	if next >= 0 {
		p.prev[next] = prev
	}
	p.componentOf[v] = noComponent
	comp.size--
}

// snapshot is a state of the lists and counts to which backtrack goes back.
type snapshot struct{ removed, degreeTrail int }

// snapshot returns the present state.
func (p *parts) snapshot() snapshot { return snapshot{len(p.removed), len(p.degreeTrail)} }

// backtrack goes back to an earlier state.
func (p *parts) backtrack(to snapshot) {
	for i := len(p.removed) - 1; i >= to.removed; i-- {
		x := p.removed[i]
		p.componentOf[x.v], p.prev[x.v], p.next[x.v] = x.component, x.prev, x.next
		if x.prev >= 0 {
			p.next[x.prev] = x.v
		}
		if x.next >= 0 {
			p.prev[x.next] = x.v
		}
	}
	for _, v := range p.degreeTrail[to.degreeTrail:] {
		p.linkDegree[v]++
	}
	p.removed, p.degreeTrail = p.removed[:to.removed], p.degreeTrail[:to.degreeTrail]
}
