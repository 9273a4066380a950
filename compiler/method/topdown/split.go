package topdown

import (
	"math/bits"
	"slices"
)

// reader reads what changed in a component. Its lists are overwritten by the next split.
type reader struct {
	turn      int64   // the number of splits
	noted     []int64 // by variable, then by factor: the last split that met it
	changed   []change
	knowns    []int32 // variables that became known
	constants []int32 // factors that lost all their variables
	loose     []int32 // variables that lost a tie
}

// split returns what became of a component since it was made, as the trail tells: its variables
// that have become known, its factors that have lost their variables, and the components of the
// others, the small ones first. It looks at the changes, and as far around them as it takes to know
// which variables are still tied together.
func (p *parts) split(of component) (known, constant []int32, list []component) {
	p.read(&of)
	p.knowns, p.constants, p.loose = p.knowns[:0], p.constants[:0], p.loose[:0]
	for _, x := range p.changed {
		if x.what != changedDomain {
			continue
		}
		if p.known(x.of) {
			p.knowns = append(p.knowns, x.of)
			p.takeOut(&of, x.of)
		} else {
			of.key.add(x.of, p.domain[x.of])
		}
	}
	for _, v := range p.knowns {
		p.unlink(&of, v)
	}
	for _, x := range p.changed {
		if x.what != changedTable {
			continue
		}
		now := p.table[x.of]
		if p.list[now].constant() {
			p.constants = append(p.constants, x.of)
		} else {
			of.key.add(p.named(x.of), now)
		}
		p.untie(&of, x.of, p.heads[x.old].axes, p.heads[now].axes)
	}
	if of.mark = len(p.trail); of.head >= 0 {
		list = p.fall(of, p.loose)
	}
	return p.knowns, p.constants, list
}

// read lists the first change of each variable and factor of a component since it was made, and
// takes their former values out of its key.
func (p *parts) read(of *component) {
	p.turn++
	p.changed = p.changed[:0]
	p.steps += int64(len(p.trail) - of.mark)
	for _, x := range p.trail[of.mark:] {
		v, named := x.of, x.of
		switch x.what {
		case changedEntered:
			continue
		case changedTable:
			axes := p.heads[x.old].axes // not empty, since it changed
			v, named = p.factors[x.of].scope[bits.TrailingZeros64(axes)], p.named(x.of)
		}
		if p.home[v] != of.id || p.noted[named] == p.turn {
			continue
		}
		p.noted[named] = p.turn
		p.changed = append(p.changed, x)
		of.key.take(named, x.old)
	}
}

// unlink notes which variables v, which became known, no longer ties to others by links.
func (p *parts) unlink(of *component, v int32) {
	p.steps += int64(len(p.beside[v])) / scanned
	for _, w := range p.beside[v] {
		if p.home[w] == of.id {
			p.tied[w]--
			p.untied, p.loose = append(p.untied, w), append(p.loose, w)
		}
	}
}

// untie notes which variables factor f no longer ties to others. Axes are lost, never won.
func (p *parts) untie(of *component, f int32, old, now uint64) {
	if old == now {
		return
	}
	scope := p.factors[f].scope
	for lost := old &^ now; lost != 0; lost &= lost - 1 {
		if v := scope[bits.TrailingZeros64(lost)]; p.home[v] == of.id {
			p.loose = append(p.loose, v)
		}
	}
	if now != 0 {
		p.loose = append(p.loose, scope[bits.TrailingZeros64(now)])
	}
}

// fall returns the components of a component that fell apart, if it did, at variables that lost a
// tie.
func (p *parts) fall(of component, loose []int32) []component {
	groups := p.grow(loose)
	list := make([]component, 0, len(groups)+1)
	for _, vars := range groups {
		for _, v := range vars {
			p.takeOut(&of, v)
		}
		part := p.assemble(vars)
		of.key.less(part.key)
		list = append(list, part)
	}
	list = append(list, of)
	slices.SortStableFunc(list, func(a, b component) int { return a.size - b.size })
	return list
}
