package topdown

import (
	"cmp"
	"slices"
)

// component is a set of variables with several states, and the factors that tie them. Its variables
// are a list, the last of the elimination order first.
type component struct {
	id   int32 // the home of its variables
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
	rank       []int32 // by variable: its place in the elimination order
	home       []int32 // by variable: the component that has it; nowhere if it is known
	next, prev []int32 // by variable: its neighbours in the list of its component; -1 for none
	tied       []int32 // by variable: the number of variables of its component that links tie to it
	made       int32   // the number of components so far
	taken      []link  // variables that were taken out of lists, the latest last
	untied     []int32 // variables for which tied went down, the latest last

	reader
	grower
}

// nowhere is the home of known variables.
const nowhere int32 = -1

// link is a variable with its home and neighbours in a list.
type link struct{ v, home, prev, next int32 }

// newParts returns the parts of the variables of s, which are known or in no component yet.
func newParts(s *search, rank []int32) *parts {
	vars, n := make([]int32, 3*len(s.domain)), len(s.domain)
	for i := range vars {
		vars[i] = -1
	}
	p := &parts{search: s, rank: rank, home: vars[:n], next: vars[n : 2*n], prev: vars[2*n:]}
	p.tied = make([]int32, n)
	p.noted = make([]int64, n+len(s.table))
	p.grower.begin(n, len(s.table))
	return p
}

// components returns the components of all variables that are not known.
func (p *parts) components() []component {
	var vars []int32
	for v := range p.domain {
		if !p.known(int32(v)) && p.stands(int32(v)) {
			vars = append(vars, int32(v))
		}
	}
	if len(vars) == 0 {
		return nil
	}
	for _, v := range vars {
		for _, w := range p.beside[v] {
			if !p.known(w) {
				p.tied[v]++
			}
		}
	}
	all := p.assemble(slices.Clone(vars))
	return p.fall(all, vars)
}

// assemble makes a component of variables that are in no list.
func (p *parts) assemble(vars []int32) component {
	slices.SortFunc(vars, func(a, b int32) int { return cmp.Compare(p.rank[b], p.rank[a]) })
	of := component{id: p.made, head: vars[0], size: len(vars), mark: len(p.trail)}
	p.made++
	before := int32(-1)
	for _, v := range vars {
		if p.home[v], p.prev[v], p.next[v] = of.id, before, -1; before >= 0 {
			p.next[before] = v
		}
		before = v
		of.key.add(v, p.domain[v])
		p.steps += int64(p.live[v])
		for _, at := range p.at[v][:p.live[v]] {
			id := p.table[at.factor]
			if axes := p.heads[id].axes; axes&-axes == 1<<at.axis {
				of.key.add(p.named(at.factor), id)
			}
		}
	}
	return of
}

// ties returns the number of factors and links that tie v to others.
func (p *parts) ties(v int32) int32 { return p.live[v] + p.tied[v] }

// named returns the number of a factor among variables and factors.
func (p *parts) named(f int32) int32 { return int32(len(p.domain)) + f }

// takeOut takes a variable out of the list of a component.
func (p *parts) takeOut(of *component, v int32) {
	prev, next := p.prev[v], p.next[v]
	p.taken = append(p.taken, link{v, p.home[v], prev, next})
	if prev >= 0 {
		p.next[prev] = next
	} else {
		of.head = next
	}
	if next >= 0 {
		p.prev[next] = prev
	}
	p.home[v] = nowhere
	of.size--
}

// moment is a state of the lists and counts to which putBack goes back.
type moment struct{ taken, untied int }

// now returns the present state.
func (p *parts) now() moment { return moment{len(p.taken), len(p.untied)} }

// putBack goes back to an earlier state.
func (p *parts) putBack(to moment) {
	for i := len(p.taken) - 1; i >= to.taken; i-- {
		x := p.taken[i]
		p.home[x.v], p.prev[x.v], p.next[x.v] = x.home, x.prev, x.next
		if x.prev >= 0 {
			p.next[x.prev] = x.v
		}
		if x.next >= 0 {
			p.prev[x.next] = x.v
		}
	}
	for _, v := range p.untied[to.untied:] {
		p.tied[v]++
	}
	p.taken, p.untied = p.taken[:to.taken], p.untied[:to.untied]
}
