package topdown

// grower finds out which variables are tied together. Groups of variables grow around those that
// lost a tie, all at the same pace. Two that meet become one, and one that cannot grow is a
// component. It ends when one group is left, whose rest is never looked at: the work is that of the
// small components, or of the way between variables that are tied together.
type grower struct {
	clock  int64
	met    []int64 // by variable: the clock when it last came to a group
	group  []int32 // by variable: the group to which it came then
	passed []int64 // by factor: the clock when its variables last came to a group
	groups []group
	turns  []int32 // the groups that may grow, the next one first
}

// group is a set of variables that are tied together.
type group struct {
	into int32   // the group with which it was joined, or itself
	vars []int32 // those from done on have ties that were not looked at
	done int
}

func (g *grower) begin(vars, factors int) {
	g.met, g.group, g.passed = make([]int64, vars), make([]int32, vars), make([]int64, factors)
}

// grow returns the variables of the components that have some of loose, but for one component. All
// of these variables were tied together before they lost ties. The result lasts until the next
// call.
func (p *parts) grow(loose []int32) (apart [][]int32) {
	p.clock++
	p.groups, p.turns = p.groups[:0], p.turns[:0]
	for _, v := range loose {
		if p.met[v] != p.clock {
			p.start(v)
		}
	}
	left := len(p.groups)
	for i := 0; left > 1; i++ {
		g := p.turns[i]
		x := &p.groups[g]
		switch {
		case x.into != g: // joined with another
		case x.done == len(x.vars):
			apart = append(apart, x.vars)
			left--
		default:
			x.done++
			left -= p.extend(g, x.vars[x.done-1])
			if p.groups[g].into == g {
				p.turns = append(p.turns, g)
			}
		}
	}
	return apart
}

// start begins a group with a variable.
func (p *parts) start(v int32) {
	n := len(p.groups)
	if n < cap(p.groups) {
		p.groups = p.groups[:n+1]
	} else {
		p.groups = append(p.groups, group{})
	}
	x := &p.groups[n]
	x.into, x.vars, x.done = int32(n), append(x.vars[:0], v), 0
	p.met[v], p.group[v] = p.clock, int32(n)
	p.turns = append(p.turns, int32(n))
}

// extend adds the variables that v is tied to to its group, and returns with how many other groups
// that joins it.
func (p *parts) extend(g, v int32) (joined int) {
	p.steps += int64(len(p.at[v]))
	for _, at := range p.at[v] {
		axes := p.list[p.table[at.factor]].axes
		if p.passed[at.factor] == p.clock || axis(axes, at.axis) < 0 {
			continue
		}
		p.passed[at.factor] = p.clock
		for _, a := range axes {
			w := p.factors[at.factor].scope[a]
			if p.met[w] != p.clock {
				p.met[w], p.group[w] = p.clock, g
				p.groups[g].vars = append(p.groups[g].vars, w)
			} else if other := p.groupOf(p.group[w]); other != g {
				g = p.join(g, other)
				joined++
			}
		}
	}
	return joined
}

// groupOf returns the group into which g was joined.
func (p *parts) groupOf(g int32) int32 {
	for p.groups[g].into != g {
		p.groups[g].into = p.groups[p.groups[g].into].into
		g = p.groups[g].into
	}
	return g
}

// join joins two groups, the smaller into the larger.
func (p *parts) join(a, b int32) int32 {
	if len(p.groups[a].vars) < len(p.groups[b].vars) {
		a, b = b, a
	}
	x, y := &p.groups[a], &p.groups[b]
	y.into = a
	n := len(x.vars)
	x.vars = append(x.vars, y.vars[:y.done]...)
	// The variables that are done stay in front.
	for k := range y.done {
		i, j := x.done+k, n+k
		x.vars[i], x.vars[j] = x.vars[j], x.vars[i]
	}
	x.done += y.done
	x.vars = append(x.vars, y.vars[y.done:]...)
	return a
}
