package topdown

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestSplit limits variables of random formulas at random, several at a time, and splits what
// propagation leaves, into components and theirs: they are those that a search of all factors
// finds, with the keys of components made afresh. Afterwards all is as before.
func TestSplit(t *testing.T) {
	apart := 0
	for _, seed := range irtest.Cases(t, 150, 2000) {
		rng := rand.New(rand.NewPCG(seed, 8))
		f := newFormula(rng)
		e := &encoded{search: f.search(), numbers: []float64{0, 1}}
		if !f.begin(e, seed) {
			continue
		}
		rank := make([]int32, len(f.cards))
		for i, v := range rng.Perm(len(rank)) {
			rank[v] = int32(i)
		}
		x := splitter{parts: newParts(e.search, rank), rng: rng, t: t}
		list := x.components()
		x.check(list)
		for i := range 5 * len(list) {
			x.search(list[i/5])
		}
		apart += x.apart
	}
	if apart < 500 {
		t.Errorf("%d components; want at least 500", apart)
	}
}

// splitter splits components at random.
type splitter struct {
	*parts
	rng   *rand.Rand
	t     *testing.T
	apart int
}

// search limits some variables of a component, splits the rest, and goes on.
func (x *splitter) search(of component) {
	var before [][]int32
	for _, list := range [][]int32{x.componentOf, x.next, x.prev, x.linkDegree, x.live} {
		before = append(before, slices.Clone(list))
	}
	mark, now := len(x.trail), x.snapshot()
	for ok, v := true, of.head; ok && v >= 0; v = x.next[v] {
		if states := x.sets.states(x.domain[v]); len(states) > 1 && x.rng.IntN(8) == 0 {
			x.setDomain(v, x.sets.intern(states[:1+x.rng.IntN(len(states)-1)]), branched)
			ok = x.propagate()
		}
		if !ok {
			x.undo(mark)
		}
	}
	known, _, list := x.split(of)
	x.check(list)
	size := len(known)
	for _, c := range list {
		size += c.size
	}
	if size != of.size {
		x.t.Fatalf("%d variables remain of %d", size, of.size)
	}
	x.apart += len(list)
	for _, c := range list {
		if len(x.trail) > mark {
			x.search(c)
		}
	}
	x.undo(mark)
	x.backtrack(now)
	for i, list := range [][]int32{x.componentOf, x.next, x.prev, x.linkDegree, x.live} {
		if !slices.Equal(list, before[i]) {
			x.t.Fatalf("list %d is %v; want %v as before", i, list, before[i])
		}
	}
}

// check compares components with what a search of all factors finds, and with components made of
// the same variables.
func (x *splitter) check(list []component) {
	for _, c := range list {
		var vars []int32
		for v := c.head; v >= 0; v = x.next[v] {
			vars = append(vars, v)
		}
		reached := vars[:1:1]
		for i := 0; i < len(reached); i++ {
			for _, w := range x.neighbours[reached[i]] {
				if !x.assigned(w) && !slices.Contains(reached, w) {
					reached = append(reached, w)
				}
			}
			for f := range x.table {
				axes := x.list[x.table[f]].axes
				tied := func(a int32) bool { return x.factors[f].scope[a] == reached[i] }
				if !slices.ContainsFunc(axes, tied) {
					continue
				}
				for _, a := range axes {
					if v := x.factors[f].scope[a]; !slices.Contains(reached, v) {
						reached = append(reached, v)
					}
				}
			}
		}
		slices.Sort(reached)
		sorted := slices.Sorted(slices.Values(vars))
		if !slices.Equal(reached, sorted) || len(vars) != c.size {
			x.t.Fatalf("a component has %v; want %v", sorted, reached)
		}
		fresh := newParts(x.parts.search, x.order)
		if got := fresh.assemble(slices.Clone(vars)); got.key != c.key {
			x.t.Fatalf("the key of %v is %v; want %v", vars, c.key, got.key)
		}
	}
}
