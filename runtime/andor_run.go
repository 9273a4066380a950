package pgmrt

import "math"

// The numbers of a run of SearchStates, in the order of their places.
const (
	andOrAlive = iota
	andOrLogP
	andOrBound
	andOrResidual
	andOrRounds
	andOrKept
	andOrNumbers
)

// andOrNodes is the number of nodes of a round.
const andOrNodes = 1 << 12

// mostSweeps bounds the local search before the first node.
const mostSweeps = 100

// andOrOf reads the words of SearchStates: the place of the states; the words of [Buckets]; the
// numbers of open variables, of integers in tables of contexts, of numbers in them, of terms and of
// their variables; the arrays of andOr in the order of its fields, without likely; then the places
// of the likelihoods, of the tables, of the states that are impossible for any evidence, followed
// by ln of the product of tables without variables and by the slack, of the weights and shifts, of
// work memory, of integers, and of the numbers of the run.
func andOrOf(k []int32, s, p []float64, t []int32) (x andOr) {
	words := k[1:]
	b, rest := bucketsOf(words)
	x.tree, x.s = b, s
	n, states, messages := words[bucketVars], words[bucketStates], words[bucketMessages]
	size := rest[:andOrSizes]
	rest = rest[andOrSizes:]
	take := func(n int32) []int32 {
		part := rest[:n]
		rest = rest[n:]
		return part
	}
	x.parent, x.open, x.width, x.preorder = take(n), take(n), take(n), take(n)
	lists := func() (at, list []int32) {
		at = take(n + 1)
		return at, take(at[n])
	}
	x.childAt, x.child = lists()
	x.ownAt, x.outAt = take(n+1), take(n+1)
	x.contextAt, x.in = lists()
	x.touchAt, x.touch = lists()
	x.slots, x.slotInts, x.slotNums, x.best = take(n), take(n), take(n), take(n)
	x.term, x.termVar = take(size[andOrTerms]), take(size[andOrTermVars])
	x.likely = take(n)
	x.tree.Numbers, x.never = p[rest[0]:], p[rest[1]:][:states+2]
	x.alone, x.slack = x.never[states], x.never[states+1]
	x.tree.parameters(p[rest[2]:])
	x.tree.Work = s[rest[3]:][:words[bucketWork]]
	ints := t[rest[4]:]
	x.number = rest[5:][:andOrNumbers]
	int32s := func(n int32) []int32 {
		part := ints[:n]
		ints = ints[n:]
		return part
	}
	x.control, x.state, x.chosen, x.stack = int32s(andOrControls), int32s(n), int32s(n), int32s(n)
	x.next, x.kid, x.rank, x.line, x.memory = int32s(n), int32s(n), int32s(states), int32s(size[andOrLine]), int32s(size[andOrSlotInts])
	kept := s[x.number[andOrKept]:]
	floats := func(n int32) []float64 {
		part := kept[:n]
		kept = kept[n:]
		return part
	}
	x.tree.Evidence, x.tree.Message, x.value = floats(states), floats(messages), floats(states)
	x.sum, x.least, x.top, x.left, x.share, x.memo = floats(n), floats(n), floats(n), floats(n), floats(n), floats(size[andOrSlotNums])
	return x
}

// The sizes among the words of SearchStates.
const (
	andOrLine     = iota // the best states of the parts of all variables
	andOrSlotInts        // the tables of contexts
	andOrSlotNums
	andOrTerms // four for each term
	andOrTermVars
	andOrSizes
)

// SearchStates runs one round of a search for a best joint state. The first eliminates all
// variables by maxima, which bounds the value of all states, and finds states by the messages and
// by changes of one variable at a time. Each other round visits some nodes. The residual is 1 as
// long as the search is not over, and the states are the best so far. For the words see andOrOf.
func SearchStates(k []int32, s, p []float64, t []int32, _ *Rand) {
	x := andOrOf(k, s, p, t)
	number := func(i int) *float64 { return &s[x.number[i]] }
	done := false
	if *number(andOrRounds) == 0 {
		x.begin()
		x.slack += x.tree.rounding()
		*number(andOrBound) = math.Inf(1)
	} else {
		x.slack += x.tree.rounding()
		done = x.visit(andOrNodes)
	}
	*number(andOrRounds)++
	value, bound := x.valueOf(x.chosen), x.bound()
	if !alive(x.alone) {
		value, bound = math.Inf(-1), math.Inf(-1)
	}
	*number(andOrLogP) = value + x.alone
	if done {
		bound = value
	}
	*number(andOrBound) = max(min(*number(andOrBound), bound+x.alone+x.slack), *number(andOrLogP))
	*number(andOrResidual) = 1
	if done || !alive(bound) {
		*number(andOrResidual) = 0
	}
	if !alive(bound) {
		*number(andOrAlive) = 0
	}
	copy(t[k[0]:][:len(x.chosen)], x.chosen)
}

// begin enters the evidence, eliminates all variables, finds states to begin with, and prepares the
// first node.
func (x *andOr) begin() {
	x.tree.enter(x.likely, x.s, x.never)
	for i := range x.tree.Var {
		x.tree.Eliminate(i)
	}
	for _, v := range x.preorder {
		x.follow(v)
	}
	x.climb()
	epoch := x.control[andOrEpoch] + 1
	if epoch <= 0 { // once in 2^31 runs, all entries become old
		clear(x.memory)
		epoch = 1
	}
	x.control[andOrEpoch], x.control[andOrDepth], x.control[andOrRoot] = epoch, 0, 0
}

// follow gives v the state that promises most for the chosen states of its ancestors.
func (x *andOr) follow(v int32) {
	best := int32(0)
	value := x.promises(v, x.chosen)
	for k, y := range value {
		if y > value[best] {
			best = int32(k)
		}
	}
	x.chosen[v] = best
}

// climb changes the states of single variables until no change improves the value.
func (x *andOr) climb() {
	for range mostSweeps {
		better := false
		for _, v := range x.preorder {
			value := x.value[x.tree.First[v]:x.tree.First[v+1]]
			x.own(v, x.chosen, value)
			was := x.chosen[v]
			for k := range value {
				x.chosen[v] = int32(k)
				for _, u := range x.touch[x.touchAt[v]:x.touchAt[v+1]] {
					value[k] += x.single(u, x.chosen)
				}
			}
			best := was
			for k, y := range value {
				if x.exceeds(y, value[best]) {
					best = int32(k)
				}
			}
			x.chosen[v] = best
			better = better || best != was
		}
		if !better {
			return
		}
	}
}

// single returns the value of v's state by the evidence and the tables of v itself.
func (x *andOr) single(v int32, state []int32) float64 {
	k := int(state[v])
	sum := x.tree.Evidence[int(x.tree.First[v])+k]
	for i := x.ownAt[v]; i < x.ownAt[v+1]; i++ {
		table, step := x.at(i, state)
		sum += table[k*step]
	}
	return sum
}

// valueOf returns the value of a joint state, without the tables that have no variables.
func (x *andOr) valueOf(state []int32) float64 {
	sum := 0.0
	for _, v := range x.preorder {
		sum += x.single(v, state)
	}
	if !alive(sum) {
		return math.Inf(-1)
	}
	return sum
}

// component returns the end, in preorder, of the part of the root there, and the value that the
// chosen states have in it.
func (x *andOr) component(first int) (end int, value float64) {
	end = first
	for end < len(x.preorder) && (end == first || x.parent[x.preorder[end]] >= 0) {
		value += x.single(x.preorder[end], x.chosen)
		end++
	}
	if !alive(value) {
		value = math.Inf(-1)
	}
	return end, value
}

// visit goes on with the search for a number of nodes, and reports whether it is over.
func (x *andOr) visit(nodes int) bool {
	for nodes > 0 {
		depth := x.control[andOrDepth]
		if depth == 0 {
			if int(x.control[andOrRoot]) == len(x.preorder) {
				return true
			}
			x.root()
			continue
		}
		v := x.stack[depth-1]
		switch x.control[andOrMode] {
		case andOrEnter:
			x.enterPart(v)
			nodes--
		case andOrState:
			x.tryState(v)
		case andOrChild:
			x.tryChild(v)
		case andOrLeave:
			if !x.leavePart(v) {
				x.finish(v)
			}
		}
	}
	return false
}

// root puts the root at the present place in preorder on the stack, or completes its part at once
// if that is exact.
func (x *andOr) root() {
	first := int(x.control[andOrRoot])
	v := x.preorder[first]
	end, value := x.component(first)
	if x.open[v] >= 0 {
		x.least[v], x.share[v] = value, x.part(v, x.state)
		x.push(v)
		return
	}
	x.complete(first, end)
	x.control[andOrRoot] = int32(end)
}

// complete chooses the states of the exact parts from first to before end in preorder.
func (x *andOr) complete(first, end int) {
	for _, v := range x.preorder[first:end] {
		if x.open[v] < 0 {
			x.follow(v)
		}
	}
}

// finish takes over the best states of the part of a root.
func (x *andOr) finish(v int32) {
	first := int(x.control[andOrRoot])
	end, _ := x.component(first)
	if alive(x.top[v]) {
		best := x.line[x.best[v]:]
		for _, u := range x.preorder[first:end] {
			if x.open[u] >= 0 {
				x.chosen[u] = best[x.open[u]-x.open[v]]
			}
		}
		x.complete(first, end)
	}
	x.control[andOrRoot] = int32(end)
}

// bound returns an upper bound of the value of all states by the refutations of the search so far.
func (x *andOr) bound() float64 {
	sum := 0.0
	for first := 0; first < len(x.preorder); {
		end, value := x.component(first)
		v := x.preorder[first]
		switch {
		case first < int(x.control[andOrRoot]):
			sum += value
		case first == int(x.control[andOrRoot]) && x.control[andOrDepth] > 0:
			sum += max(value, x.pathBound())
		default:
			sum += x.part(v, x.state)
		}
		first = end
	}
	if !alive(sum) {
		return math.Inf(-1)
	}
	return sum
}

// pathBound returns the bound of the component that is searched: at each variable of the path, the
// largest of the values found, left out and not yet tried.
func (x *andOr) pathBound() float64 {
	last := int(x.control[andOrDepth]) - 1
	below := math.Inf(1) // of the part of the next variable of the path
	for i := last; i >= 0; i-- {
		v, mode := x.stack[i], x.control[andOrMode]
		if i < last {
			mode = andOrChild
		} else if mode == andOrEnter {
			below = x.share[v]
			continue
		}
		most := max(x.top[v], x.left[v])
		if mode == andOrChild {
			now := x.sum[v]
			if i < last {
				now = min(now, now-x.share[x.stack[i+1]]+below)
			}
			most = max(most, now)
		}
		if j := x.next[v] + 1; mode != andOrLeave && j < x.tree.Card[v] {
			most = max(most, x.value[x.tree.First[v]+x.rank[x.tree.First[v]+j]])
		}
		below = most
	}
	return below
}
