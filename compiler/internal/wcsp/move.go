package wcsp

// weigh sets the weights of a place of a factor, by state: what minima adds to its rows. The rows
// lack the energies that were projected from the factor; with sign 1 the variable's own energies
// come on top.
func (n *network) weigh(f *factor, at int, sign int64) {
	v := int(f.scope[at])
	delta, unary, w := n.cost[f.delta[at]:], n.cost[n.first[v]:], n.w[at]
	for _, k := range n.states(v) {
		w[k] = sign*unary[k] - delta[k]
	}
}

// rows returns the number of rows of a factor, over the states that are left.
func (n *network) rows(f *factor) int {
	size := 1
	for _, v := range f.scope {
		if size *= int(n.size[v]); size > mostRows {
			break
		}
	}
	return size
}

// minima sets n.out, for each state of the variable at a place, to the least energy of the rows
// with that state, with the weights of all places. It is inf or more if no row is possible.
func (n *network) minima(f *factor, at int) {
	v := int(f.scope[at])
	for _, k := range n.states(v) {
		n.out[k] = inf
	}
	n.open = n.open[:0]
	row, sum := int32(0), int64(0)
	for i, u := range f.scope {
		switch {
		case i == at:
		case n.size[u] == 1:
			k := n.domain[n.first[u]]
			row, sum = row+k*f.stride[i], sum+n.w[i][k]
		default:
			n.open = append(n.open, i)
		}
	}
	switch len(n.open) {
	case 0:
		n.scan(f, at, row, sum)
	case 1:
		n.scanPair(f, at, n.open[0], row, sum)
	default:
		n.scanOpen(f, at, n.open, row, sum)
	}
	w := n.w[at]
	for _, k := range n.states(v) {
		if n.out[k] < inf {
			n.out[k] += w[k]
		}
	}
}

// scanOpen goes through the joint states of open places.
func (n *network) scanOpen(f *factor, at int, open []int, row int32, sum int64) {
	if len(open) == 1 {
		n.scanPair(f, at, open[0], row, sum)
		return
	}
	i := open[0]
	w, stride := n.w[i], f.stride[i]
	for _, k := range n.states(int(f.scope[i])) {
		n.scanOpen(f, at, open[1:], row+k*stride, sum+w[k])
	}
}

// scanPair is walk with one open place.
func (n *network) scanPair(f *factor, at, i int, row int32, sum int64) {
	w, stride, own := n.w[i], f.stride[i], f.stride[at]
	e, out, states := f.e[row:], n.out, n.states(int(f.scope[at]))
	n.work += len(states) * int(n.size[f.scope[i]])
	for _, k := range n.states(int(f.scope[i])) {
		x, from := sum+w[k], k*stride
		for _, s := range states {
			if y := e[from+s*own]; y < inf && y+x < out[s] {
				out[s] = y + x
			}
		}
	}
}

// scan is walk without open places.
func (n *network) scan(f *factor, at int, row int32, sum int64) {
	own := f.stride[at]
	for _, s := range n.states(int(f.scope[at])) {
		if y := f.e[row+s*own]; y < inf && y+sum < n.out[s] {
			n.out[s] = y + sum
		}
	}
}

// project moves to the variable at a place what all rows with a state have in common; false if the
// variable has no state left.
func (n *network) project(id int32, at int) bool {
	n.last = int(id)
	f := &n.facs[id]
	for i := range f.scope {
		n.weigh(f, i, 0)
	}
	n.minima(f, at)
	return n.applyProjection(f, at)
}

// applyProjection moves n.out, by state, from a factor to the variable at a place; false if it has
// no state left.
func (n *network) applyProjection(f *factor, at int) bool {
	v, grown := int(f.scope[at]), false
	delta, first := f.delta[at], n.first[v]
	for i := int(n.size[v]) - 1; i >= 0; i-- {
		k := n.domain[int(first)+i]
		switch x := n.out[k]; {
		case x >= inf || x+n.cost[first+k]+n.lower >= n.top:
			if !n.remove(v, int(k)) {
				return false
			}
			grown = true
		case x != 0:
			n.setCost(delta+k, n.cost[delta+k]+x)
			n.setCost(first+k, n.cost[first+k]+x)
			grown = true
		}
	}
	return !grown || n.projectUnary(v)
}

// projectUnary moves to the constant what all states of v have in common, and removes those that
// are too much; false if none is left, or the constant is.
func (n *network) projectUnary(v int) bool {
	least, most := inf, int64(0)
	first := n.first[v]
	for _, k := range n.states(v) {
		least, most = min(least, n.cost[first+k]), max(most, n.cost[first+k])
	}
	if least > 0 {
		n.raiseLower(least)
		for _, k := range n.states(v) {
			n.setCost(first+k, n.cost[first+k]-least)
		}
	}
	if most > least {
		n.directionalQueue.set(v)
	}
	return n.lower < n.top && n.prune(v)
}

// prune removes states of v that are too much; false if none is left.
func (n *network) prune(v int) bool {
	first := n.first[v]
	for i := int(n.size[v]) - 1; i >= 0; i-- {
		if k := n.domain[int(first)+i]; n.cost[first+k]+n.lower >= n.top && !n.remove(v, int(k)) {
			return false
		}
	}
	return true
}

// othersHaveCosts reports whether a variable of a factor has energies of its own, other than that
// at a place. Otherwise the factor, which is arc consistent, has nothing to project.
func (n *network) othersHaveCosts(f *factor, at int) bool {
	for i, v := range f.scope {
		if i == at {
			continue
		}
		for _, k := range n.states(int(v)) {
			if n.cost[n.first[v]+k] > 0 {
				return true
			}
		}
	}
	return false
}

// fullSupport moves to the variable at a place the energy that it gets if the others extend to the
// factor their own energies, and takes no more of these than that needs; false after a
// contradiction.
func (n *network) fullSupport(id int32, at int) bool {
	f := &n.facs[id]
	if !n.othersHaveCosts(f, at) {
		return true
	}
	n.last = int(id)
	for i := range f.scope {
		n.weigh(f, i, 1)
	}
	n.weigh(f, at, 0)
	n.minima(f, at)
	v, most := int(f.scope[at]), int64(0)
	for _, k := range n.states(v) {
		most = max(most, n.out[k])
	}
	if most == 0 {
		return true
	}
	for i := int(n.size[v]) - 1; i >= 0; i-- {
		k := n.domain[int(n.first[v])+i]
		if x := n.out[k]; x >= inf || x+n.cost[n.first[v]+k]+n.lower >= n.top {
			if !n.remove(v, int(k)) {
				return false
			}
		}
	}
	for _, k := range n.states(v) {
		n.need[k] = n.out[k]
		n.w[at][k] -= n.out[k]
	}
	n.extend(f, at)
	for _, k := range n.states(v) {
		n.out[k] = n.need[k]
	}
	return n.applyProjection(f, at)
}

// extend moves to a factor the energy that it needs from its variables except the one at a place,
// so that no row is negative with the weights of that place. Each variable in turn gives what those
// after it cannot.
func (n *network) extend(f *factor, at int) {
	for j, v := range f.scope {
		if j == at {
			continue
		}
		n.weigh(f, j, 0)
		n.minima(f, j)
		first, delta := n.first[v], f.delta[j]
		for _, k := range n.states(int(v)) {
			if x := n.out[k]; x < 0 {
				n.setCost(first+k, n.cost[first+k]+x)
				n.setCost(delta+k, n.cost[delta+k]+x)
				n.w[j][k] -= x
			}
		}
	}
}
