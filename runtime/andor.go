package pgmrt

import "math"

// andOr finds a best joint state of all variables by depth-first branch and bound over a pseudo
// tree: once the ancestors of two variables have states, the parts of the problem below them are
// independent (Marinescu and Dechter 2009). The messages of an elimination by maxima that leave a
// part are the bound of that part. The results for a part, given the states of its context (the
// ancestors on which it depends), are kept in tables: its best states, or the bound that refuted
// it. A part without a split bucket is never entered, since its bound is its value.
//
// The search is a state machine, so that it can stop after any number of nodes and go on. Variables
// that it enters are the open ones. A line lists them, each before those below it, so that the part
// of a variable is a range of the line.
type andOr struct {
	tree             Buckets
	parent, open     []int32 // by variable: -1 of a root; its place in the line, -1 if its part is exact
	width            []int32 // by variable: the length of its part of the line
	preorder         []int32 // all variables, ancestors first
	childAt, child   []int32 // by variable, and the end: its children
	ownAt, outAt     []int32 // by variable, and the end: tables of its bucket; messages that leave its part
	contextAt, in    []int32 // by variable, and the end: its context
	touchAt, touch   []int32 // by variable, and the end: variables below it whose buckets have tables over it
	slots            []int32 // by variable: the length of its table of contexts; 0 without one
	slotInts         []int32 // by variable: where the integers of its table begin
	slotNums         []int32 // by variable: where its numbers begin
	best             []int32 // by variable: where the best states of its part begin, for the present states of its ancestors
	term             []int32 // terms of four words: see at
	termVar          []int32
	likely           []int32 // by variable: the place of its likelihoods in s
	never            []float64
	slack            float64
	alone            float64
	number           []int32
	s                []float64
	state            []int32 // by variable: on the present path
	chosen           []int32 // by variable: the best so far
	line             []int32
	stack, next, kid []int32   // the variables of the present path; by variable: the rank of its present state, and the number of the child that is searched
	rank             []int32   // by variable and state: the states, best first
	control          []int32   // see the constants below
	value, sum       []float64 // by variable and state: what each promises; by variable: that of the present state, with the values of finished children
	least, top, left []float64 // by variable: what its part must exceed; the best value found; the largest bound of what was left out
	share            []float64 // by variable: what its parent's state promised of it
	memo             []float64
	memory           []int32
}

// The places in control.
const (
	andOrMode  = iota // what to do next, one of the constants below
	andOrDepth        // the length of the stack
	andOrRoot         // the place in preorder of the next root
	andOrEpoch        // of the entries of this run
	andOrControls
)

// What the search does next with the variable on top of the stack.
const (
	andOrEnter = iota
	andOrState // try the next state
	andOrChild // search the next child
	andOrLeave
)

// The words of a slot before the states: epoch, the two halves of the number of the context, and 1
// if it has a solution.
const slotWords = 4

// tie is how much better a solution must be to count, since rounding may part equal ones. Parts
// that are worse than the best by less add up to slack at most.
func (x *andOr) tie() float64 { return x.slack / float64(len(x.tree.Card)) }

// at returns the place of term i for the first state that is compared, the stride of these states,
// and the table. The words of a term are the box of the message, or -1-i for the table at
// Numbers[i]; that stride; and the places of its first variable and the end, each followed by its
// stride.
func (x *andOr) at(i int32, state []int32) (table []float64, step int) {
	word := x.term[4*i : 4*i+4]
	if word[0] >= 0 {
		table = x.tree.message(int(word[0]))
	} else {
		table = x.tree.Numbers[-1-word[0]:]
	}
	place := 0
	for j := word[2]; j < word[3]; j += 2 {
		place += int(state[x.termVar[j]]) * int(x.termVar[j+1])
	}
	return table[place:], int(word[1])
}

// tables adds to value what terms from first to before end give each state that is compared.
func (x *andOr) tables(first, end int32, state []int32, value []float64) {
	for i := first; i < end; i++ {
		table, step := x.at(i, state)
		at := 0
		for k := range value {
			value[k] += table[at]
			at += step
		}
	}
}

// own sets value to the values of v's states by the evidence and the tables of v itself.
func (x *andOr) own(v int32, state []int32, value []float64) {
	copy(value, x.tree.states(v))
	x.tables(x.ownAt[v], x.ownAt[v+1], state, value)
}

// part returns the bound of the part of v, for the states of its ancestors.
func (x *andOr) part(v int32, state []int32) float64 {
	sum := 0.0
	for i := x.outAt[v]; i < x.outAt[v+1]; i++ {
		table, step := x.at(i, state)
		at := 0
		if p := x.parent[v]; p >= 0 {
			at = int(state[p]) * step
		}
		sum += table[at]
	}
	return sum
}

// promises sets the values of v to the bound of its part, by its state.
func (x *andOr) promises(v int32, state []int32) []float64 {
	value := x.value[x.tree.First[v]:x.tree.First[v+1]]
	x.own(v, state, value)
	for _, c := range x.child[x.childAt[v]:x.childAt[v+1]] {
		x.tables(x.outAt[c], x.outAt[c+1], state, value)
	}
	return value
}

// enterPart begins with the part of v, on top of the stack: it looks it up, and otherwise ranks the
// states.
func (x *andOr) enterPart(v int32) {
	x.top[v], x.left[v] = math.Inf(-1), math.Inf(-1)
	if x.recall(v) {
		x.control[andOrMode] = andOrLeave
		return
	}
	value := x.promises(v, x.state)
	rank := x.rank[x.tree.First[v]:x.tree.First[v+1]]
	for i := range rank { // by insertion, since there are few states, and the first of equals stays first
		j := i
		for ; j > 0 && value[i] > value[rank[j-1]]; j-- {
			rank[j] = rank[j-1]
		}
		rank[j] = int32(i)
	}
	x.next[v] = -1
	x.control[andOrMode] = andOrState
}

// floor returns the value that solutions of the part of v must exceed.
func (x *andOr) floor(v int32) float64 { return max(x.least[v], x.top[v]) }

// exceeds reports whether a value exceeds a floor by more than rounding.
func (x *andOr) exceeds(value, floor float64) bool { return alive(value) && value > floor+x.tie() }

// tryState goes on to the next state of v that may exceed the floor. Without one, the part is done.
func (x *andOr) tryState(v int32) {
	x.next[v]++
	if x.next[v] < x.tree.Card[v] {
		k := x.rank[x.tree.First[v]+x.next[v]]
		if promise := x.value[x.tree.First[v]+k]; x.exceeds(promise, x.floor(v)) {
			x.state[v], x.sum[v], x.kid[v] = k, promise, -1
			x.control[andOrMode] = andOrChild
			return
		} else if alive(promise) {
			x.left[v] = max(x.left[v], promise) // those after it promise no more
		}
	}
	x.learn(v)
	x.control[andOrMode] = andOrLeave
}

// tryChild goes on to the next child of v. After the last, the present state has a solution.
func (x *andOr) tryChild(v int32) {
	children := x.child[x.childAt[v]:x.childAt[v+1]]
	for x.kid[v]++; int(x.kid[v]) < len(children); x.kid[v]++ {
		c := children[x.kid[v]]
		if x.open[c] < 0 {
			continue
		}
		x.share[c] = x.part(c, x.state)
		x.least[c] = x.floor(v) - (x.sum[v] - x.share[c])
		x.push(c)
		return
	}
	x.top[v] = x.sum[v]
	best := x.line[x.best[v]:]
	best[0] = x.state[v]
	for _, c := range children {
		if x.open[c] >= 0 {
			copy(best[x.open[c]-x.open[v]:][:x.width[c]], x.line[x.best[c]:])
		}
	}
	x.control[andOrMode] = andOrState
}

// push puts v on the stack.
func (x *andOr) push(v int32) {
	x.stack[x.control[andOrDepth]] = v
	x.control[andOrDepth]++
	x.control[andOrMode] = andOrEnter
}

// leavePart returns from the part of v to the part of its parent, and reports whether there is one.
func (x *andOr) leavePart(v int32) bool {
	x.control[andOrDepth]--
	p := x.parent[v]
	if p < 0 {
		return false
	}
	rest := x.sum[p] - x.share[v]
	x.control[andOrMode] = andOrState
	if !alive(x.top[v]) {
		x.left[p] = max(x.left[p], rest+x.left[v])
		return true
	}
	if x.sum[p] = rest + x.top[v]; x.exceeds(x.sum[p], x.floor(p)) {
		x.control[andOrMode] = andOrChild
	} else {
		x.left[p] = max(x.left[p], x.sum[p])
	}
	return true
}

// slot returns the place of the slot of the context of v, and the number of the context. The table
// has one slot for each number, or several numbers share one.
func (x *andOr) slot(v int32) (slot int, key uint64) {
	for _, u := range x.in[x.contextAt[v]:x.contextAt[v+1]] {
		key = key*uint64(x.tree.Card[u]) + uint64(x.state[u])
	}
	return int(key % uint64(x.slots[v])), key
}

// entry returns the integers of a slot of v, and its number.
func (x *andOr) entry(v int32, slot int) ([]int32, *float64) {
	size := slotWords + int(x.width[v])
	return x.memory[int(x.slotInts[v])+slot*size:][:size], &x.memo[int(x.slotNums[v])+slot]
}

// recall reports whether enough is known of the part of v, and takes it over.
func (x *andOr) recall(v int32) bool {
	if x.slots[v] == 0 {
		return false
	}
	slot, key := x.slot(v)
	entry, value := x.entry(v, slot)
	switch {
	case entry[0] != x.control[andOrEpoch] || entry[1] != int32(key>>32) || entry[2] != int32(key):
		return false
	case entry[3] == 1:
		x.top[v] = *value
		copy(x.line[x.best[v]:], entry[slotWords:])
	case x.exceeds(*value, x.least[v]):
		return false
	default:
		x.left[v] = *value
	}
	return true
}

// learn keeps the results for the part of v.
func (x *andOr) learn(v int32) {
	if x.slots[v] == 0 {
		return
	}
	slot, key := x.slot(v)
	entry, value := x.entry(v, slot)
	entry[0], entry[1], entry[2], entry[3] = x.control[andOrEpoch], int32(key>>32), int32(key), 0
	if *value = x.left[v]; alive(x.top[v]) {
		entry[3], *value = 1, x.top[v]
		copy(entry[slotWords:], x.line[x.best[v]:][:x.width[v]])
	}
}
