package topdown

import (
	"math/bits"
	"slices"
)

// reader reads what changed in a component. Its lists are overwritten by the next split.
type reader struct {
	turn          int64   // the number of splits
	seen          []int64 // by variable, then by factor: the last split that met it
	changed       []change
	newlyAssigned []int32 // variables that became known
	constants     []int32 // factors that lost all their variables
	seeds         []int32 // variables that lost a tie
}

// split returns what became of a component since it was made, as the trail tells: its variables
// that have become known, its factors that have lost their variables, and the components of the
// others, the small ones first. It looks at the changes, and as far around them as it takes to know
// which variables are still tied together.
func (p *parts) split(comp component) (known, constant []int32, list []component) {
	p.read(&comp)
	p.newlyAssigned, p.constants, p.seeds = p.newlyAssigned[:0], p.constants[:0], p.seeds[:0]
	for _, x := range p.changed {
		if x.what != changedDomain {
			continue
		}
		if p.assigned(x.id) {
			p.newlyAssigned = append(p.newlyAssigned, x.id)
			p.remove(&comp, x.id)
		} else {
			comp.key.add(x.id, p.domain[x.id])
		}
	}
	for _, v := range p.newlyAssigned {
		p.disconnectLinks(&comp, v)
	}
	for _, x := range p.changed {
		if x.what != changedTable {
			continue
		}
		now := p.table[x.id]
		if p.list[now].constant() {
			p.constants = append(p.constants, x.id)
		} else {
			comp.key.add(p.factorID(x.id), now)
		}
		p.disconnectFactor(&comp, x.id, p.heads[x.old].axes, p.heads[now].axes)
	}
	if comp.mark = len(p.trail); comp.head >= 0 {
		list = p.splitComponents(comp, p.seeds)
	}
	return p.newlyAssigned, p.constants, list
}

// read lists the first change of each variable and factor of a component since it was made, and
// takes their former values out of its key.
func (p *parts) read(comp *component) {
	p.turn++
	p.changed = p.changed[:0]
	p.steps += int64(len(p.trail) - comp.mark)
	for _, x := range p.trail[comp.mark:] {
		v, id := x.id, x.id
		switch x.what {
		case changedApplied:
			continue
		case changedTable:
			axes := p.heads[x.old].axes // not empty, since it changed
			v, id = p.factors[x.id].scope[bits.TrailingZeros64(axes)], p.factorID(x.id)
		}
		if p.componentOf[v] != comp.id || p.seen[id] == p.turn {
			continue
		}
		p.seen[id] = p.turn
		p.changed = append(p.changed, x)
		comp.key.remove(id, x.old)
	}
}

// disconnectLinks notes which variables v, which became known, no longer ties to others by links.
func (p *parts) disconnectLinks(comp *component, v int32) {
	p.steps += int64(len(p.neighbours[v])) / scanned
	for _, w := range p.neighbours[v] {
		if p.componentOf[w] == comp.id {
			p.linkDegree[w]--
			p.degreeTrail, p.seeds = append(p.degreeTrail, w), append(p.seeds, w)
		}
	}
}

// disconnectFactor notes which variables factor f no longer ties to others. Axes are lost, never
// won.
func (p *parts) disconnectFactor(comp *component, f int32, old, now uint64) {
	if old == now {
		return
	}
	scope := p.factors[f].scope
	for lost := old &^ now; lost != 0; lost &= lost - 1 {
		if v := scope[bits.TrailingZeros64(lost)]; p.componentOf[v] == comp.id {
			p.seeds = append(p.seeds, v)
		}
	}
	if now != 0 {
		p.seeds = append(p.seeds, scope[bits.TrailingZeros64(now)])
	}
}

// splitComponents returns the components of a component that fell apart, if it did, at variables
// that lost a tie.
func (p *parts) splitComponents(comp component, seeds []int32) []component {
	groups := p.connectedComponents(seeds)
	list := make([]component, 0, len(groups)+1)
	for _, vars := range groups {
		for _, v := range vars {
			p.remove(&comp, v)
		}
		part := p.assemble(vars)
		comp.key.subtract(part.key)
		list = append(list, part)
	}
	list = append(list, comp)
	slices.SortStableFunc(list, func(a, b component) int { return a.size - b.size })
	return list
}
