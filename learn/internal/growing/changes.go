package growing

// Changed reports which splits' costs may have changed since Apply. Parameters are in n groups:
// group holds the group of each parameter by number, or -1. changed(g, v) reports on the split of
// group g on variable v.
//
// A split rewrites the nodes that have its parameters but not its variable, and those that have its
// variable but not its parameters. Its cost stays the same as long as no such node is new, has
// other operands, or has other users.
func (p *Planner) Changed(group []int32, n int) (changed func(g, v int) bool) {
	t := &changes{c: p.c, group: group, words: (n + 63) / 64, below: map[int32][]uint64{}, seen: map[int32]bool{}}
	t.dirty = make([]uint64, n*p.c.words)
	for i := range p.joins {
		t.mark(p.joins[i].node, p.base)
	}
	words := p.c.words
	return func(g, v int) bool { return t.dirty[g*words+v/64]>>(v%64)&1 != 0 }
}

// changes is what Changed reads and computes.
type changes struct {
	c     *Circuit
	group []int32
	words int
	below map[int32][]uint64 // by node: the groups whose parameters it has
	seen  map[int32]bool
	dirty []uint64 // by group: the variables
}

// mark notes a node and all new nodes below it with their operands; nodes from base on are new.
func (t *changes) mark(n, base int32) {
	if t.seen[n] {
		return
	}
	t.seen[n] = true
	t.note(n)
	for _, arg := range t.c.nodes[n].args {
		if arg >= base {
			t.mark(arg, base)
		} else if n >= base && !t.seen[arg] {
			t.seen[arg] = true
			t.note(arg)
		}
	}
}

// note marks, for each group, the variables for which a node has either the group's parameters or
// the variable, but not both.
func (t *changes) note(n int32) {
	scope, has := t.c.scope(n), t.groups(n)
	for g := range len(t.dirty) / t.c.words {
		row := t.dirty[g*t.c.words : (g+1)*t.c.words]
		if has[g/64]>>(g%64)&1 != 0 {
			for i, w := range scope {
				row[i] |= ^w
			}
		} else {
			for i, w := range scope {
				row[i] |= w
			}
		}
	}
}

// groups returns the set of the groups of a node's parameters.
func (t *changes) groups(n int32) []uint64 {
	if set := t.below[n]; set != nil {
		return set
	}
	set := make([]uint64, t.words)
	x := &t.c.nodes[n]
	if x.op == param && t.group[x.a] >= 0 {
		g := t.group[x.a]
		set[g/64] |= 1 << (g % 64)
	}
	for _, arg := range x.args {
		for i, w := range t.groups(arg) {
			set[i] |= w
		}
	}
	t.below[n] = set
	return set
}
