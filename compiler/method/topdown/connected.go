package topdown

import "math/bits"

// grower finds out which variables are tied together. Groups of variables grow around those that
// lost a tie, all at the same pace. Two that meet become one, and one that cannot grow is a
// component. It ends when one group is left. The rest of that group is never looked at: the work is
// proportional to the small components, or to the way between variables that are tied together.
type grower struct {
	clock         int64
	visited       []int64 // by variable: the clock when it last came to a group
	group         []int32 // by variable: the group to which it came then
	nextTie       []int32 // by variable: the number of its ties that were looked at since
	visitedFactor []int64 // by factor: the clock when its variables last came to a group
	groups        []group
	agenda        []int32 // the groups that may grow, the next one first
}

// group is a set of variables that are tied together.
type group struct {
	parent int32   // the group with which it was joined, or itself
	vars   []int32 // its variables
	queue  []int32 // those from done on have ties that were not looked at
	done   int
}

func (g *grower) begin(vars, factors int) {
	g.visited, g.visitedFactor = make([]int64, vars), make([]int64, factors)
	g.group, g.nextTie = make([]int32, vars), make([]int32, vars)
}

// connectedComponents returns the variables of the components that have some of seeds, except one
// component. All of these variables were tied together before they lost ties. The result lasts
// until the next call.
func (p *parts) connectedComponents(seeds []int32) (apart [][]int32) {
	p.clock++
	p.groups, p.agenda = p.groups[:0], p.agenda[:0]
	for _, v := range seeds {
		if p.visited[v] != p.clock {
			p.startGroup(v)
		}
	}
	remaining := len(p.groups)
	for i := 0; remaining > 1; i++ {
		g := p.agenda[i]
		x := &p.groups[g]
		switch {
		case x.parent != g: // joined with another
		case x.done == len(x.queue):
			apart = append(apart, x.vars)
			remaining--
		default:
			remaining -= p.extend(g)
			if p.groups[g].parent == g {
				p.agenda = append(p.agenda, g)
			}
		}
	}
	return apart
}

// startGroup begins a group with a variable.
func (p *parts) startGroup(v int32) {
	n := len(p.groups)
	if n < cap(p.groups) {
		p.groups = p.groups[:n+1]
	} else {
		p.groups = append(p.groups, group{})
	}
	x := &p.groups[n]
	*x = group{parent: int32(n), vars: append(x.vars[:0], v), queue: append(x.queue[:0], v)}
	p.visited[v], p.group[v], p.nextTie[v] = p.clock, int32(n), 0
	p.agenda = append(p.agenda, int32(n))
}

// extend looks at ties of the first variable in the queue of a group, until one leads out of the
// group. It returns with how many other groups that joins it.
func (p *parts) extend(g int32) (joined int) {
	v := p.groups[g].queue[p.groups[g].done]
	links := p.neighbours[v]
	first := int(p.nextTie[v])
	for i := first; i < len(links); i++ {
		if p.componentOf[links[i]] == noComponent {
			continue
		}
		if more, joined := p.visit(g, links[i]); more {
			p.steps += int64(i-first)/scanned + 1
			p.nextTie[v] = int32(i + 1)
			return joined
		}
	}
	p.steps += int64(max(0, len(links)-first)) / scanned
	list := p.occurrences[v][:p.live[v]]
	for i := max(0, first-len(links)); i < len(list); i++ {
		p.steps++
		if more, joined := p.visitFactor(g, list[i].factor); more {
			p.nextTie[v] = int32(len(links) + i + 1)
			return joined
		}
	}
	p.groups[g].done++
	return 0
}

// visitFactor adds the variables that a factor ties to its group. It reports whether there were
// others, and with how many groups they join it.
func (p *parts) visitFactor(g, f int32) (more bool, joined int) {
	if p.visitedFactor[f] == p.clock {
		return false, 0
	}
	p.visitedFactor[f] = p.clock
	for axes := p.heads[p.table[f]].axes; axes != 0; axes &= axes - 1 {
		found, n := p.visit(g, p.factors[f].scope[bits.TrailingZeros64(axes)])
		more, joined, g = more || found, joined+n, p.find(g)
	}
	return more, joined
}

// visit adds variable w to a group, which is joined with the group that has it. It reports whether
// it was not in the group, and with how many groups that joins it.
func (p *parts) visit(g, w int32) (more bool, joined int) {
	if p.visited[w] != p.clock {
		p.visited[w], p.group[w], p.nextTie[w] = p.clock, g, 0
		x := &p.groups[g]
		x.vars, x.queue = append(x.vars, w), append(x.queue, w)
		return true, 0
	}
	other := p.find(p.group[w])
	if other == g {
		return false, 0
	}
	p.union(g, other)
	return true, 1
}

// find returns the group into which g was joined.
func (p *parts) find(g int32) int32 {
	for p.groups[g].parent != g {
		p.groups[g].parent = p.groups[p.groups[g].parent].parent
		g = p.groups[g].parent
	}
	return g
}

// union joins two groups, the smaller into the larger.
func (p *parts) union(a, b int32) {
	x, y := &p.groups[a], &p.groups[b]
	if len(x.vars) < len(y.vars) {
		x, y = y, x
	}
	y.parent = x.parent
	x.vars, x.queue = append(x.vars, y.vars...), append(x.queue, y.queue[y.done:]...)
}
