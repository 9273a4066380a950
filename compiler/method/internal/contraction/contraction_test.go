package contraction

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// random returns a network of small factors, a number for each joint state of each, and an order.
func random(seed uint64) (*Network, [][]float64, []int) {
	r := rand.New(rand.NewPCG(seed, 5))
	n := &Network{Derivatives: seed%2 == 0}
	for range 2 + r.IntN(7) {
		n.States = append(n.States, float64(1+r.IntN(3)))
	}
	var numbers [][]float64
	for range 1 + r.IntN(10) {
		leaf := Leaf{Scope: r.Perm(len(n.States))[:1+r.IntN(min(3, len(n.States)))], Constant: r.IntN(2) == 0}
		size := 1
		for _, v := range leaf.Scope {
			size *= int(n.States[v])
		}
		values := make([]float64, size)
		for i := range values {
			values[i] = r.Float64()
		}
		n.Leaves, numbers = append(n.Leaves, leaf), append(numbers, values)
	}
	return n, numbers, r.Perm(len(n.States))
}

// value returns the number of a factor at a joint state.
func value(n *Network, leaf int, numbers []float64, at []int) float64 {
	i := 0
	for _, v := range n.Leaves[leaf].Scope {
		i = i*int(n.States[v]) + at[v]
	}
	return numbers[i]
}

// states calls visit for all joint states of vars.
func states(card []float64, vars []int, at []int, visit func()) {
	if len(vars) == 0 {
		visit()
		return
	}
	for s := range int(card[vars[0]]) {
		at[vars[0]] = s
		states(card, vars[1:], at, visit)
	}
}

// product multiplies by the steps of a tree, with tables from joint states to numbers.
func product(n *Network, numbers [][]float64, t *Tree) float64 {
	at := make([]int, len(n.States))
	tables := map[int]map[string]float64{}
	scopes := map[int][]int{}
	for i, leaf := range n.Leaves {
		tables[i], scopes[i] = map[string]float64{}, slices.Sorted(slices.Values(leaf.Scope))
		states(n.States, scopes[i], at, func() { tables[i][key(scopes[i], at)] = value(n, i, numbers[i], at) })
	}
	steps, roots := t.Steps()
	for _, s := range steps {
		out := map[string]float64{}
		states(n.States, append(slices.Clone(s.Scope), s.Sums...), at, func() {
			out[key(s.Scope, at)] += tables[s.Left][key(scopes[s.Left], at)] * tables[s.Right][key(scopes[s.Right], at)]
		})
		tables[s.Node], scopes[s.Node] = out, s.Scope
	}
	z := 1.0
	for _, r := range roots {
		sum := 0.0
		for _, x := range tables[r] {
			sum += x
		}
		z *= sum
	}
	return z
}

func key(scope, at []int) string {
	list := make([]int, len(scope))
	for i, v := range scope {
		list[i] = at[v]
	}
	return fmt.Sprint(list)
}

// brute sums the product of all factors over all joint states of variables that a factor has.
func brute(n *Network, numbers [][]float64) float64 {
	in := map[int]bool{}
	for _, leaf := range n.Leaves {
		for _, v := range leaf.Scope {
			in[v] = true
		}
	}
	var vars []int
	for v := range n.States {
		if in[v] {
			vars = append(vars, v)
		}
	}
	z, at := 0.0, make([]int, len(n.States))
	states(n.States, vars, at, func() {
		x := 1.0
		for i := range n.Leaves {
			x *= value(n, i, numbers[i], at)
		}
		z += x
	})
	return z
}

// TestProduct checks that the tree of an order, and the annealed one, sum the product of all
// factors, that annealing never raises the price, and that what rotations computed piece by piece
// is what measure computes.
func TestProduct(t *testing.T) {
	for seed := range uint64(100) {
		n, numbers, order := random(seed)
		tree, want := New(n, order), brute(n, numbers)
		near(t, seed, "product", product(n, numbers, tree), want)
		before := tree.total
		tree.Anneal(seed)
		if tree.total > before*(1+1e-12) {
			t.Fatalf("network %d: price %g after annealing; %g before", seed, tree.total, before)
		}
		near(t, seed, "annealed product", product(n, numbers, tree), want)

		r := rand.New(rand.NewPCG(seed, 9))
		for range 50 {
			p := int32(r.IntN(len(tree.kids)))
			move := rotation{p: p, side: r.IntN(2), kid: r.IntN(2)}
			if tree.leaf(p) || !tree.try(&move) {
				continue
			}
			tree.total += move.price() - tree.price[p] - tree.price[move.c]
			tree.rotate(&move)
		}
		near(t, seed, "rotated product", product(n, numbers, tree), want)
		total, prices := tree.total, slices.Clone(tree.price)
		tree.measure()
		near(t, seed, "total price", total, tree.total)
		for p := range prices {
			near(t, seed, "price of a node", prices[p], tree.price[p])
		}
	}
}

func near(t *testing.T, seed uint64, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
		t.Fatalf("network %d: %s is %v; want %v", seed, what, got, want)
	}
}

// TestCenter checks that the tree of a chain, whose root is at its end, has its root in the middle
// afterwards, and that on random networks the product is the same, no chain is longer and the price
// hardly higher.
func TestCenter(t *testing.T) {
	n := &Network{States: slices.Repeat([]float64{2}, 33), Derivatives: true}
	var order []int
	for v := range 32 {
		n.Leaves = append(n.Leaves, Leaf{Scope: []int{v, v + 1}})
		order = append(order, v)
	}
	tree := New(n, append(order, 32))
	before := height(tree)
	tree.Center()
	if after := height(tree); before != 31 || after > 17 {
		t.Errorf("the longest chain has %d products, and %d by the middle; want 31 and at most 17", before, after)
	}
	for seed := range uint64(100) {
		n, numbers, order := random(seed)
		tree := New(n, order)
		tree.Anneal(seed)
		price, long := tree.total, height(tree)
		tree.Center()
		near(t, seed, "product by the middle", product(n, numbers, tree), brute(n, numbers))
		if tree.total > price*centerSlack || height(tree) > long {
			t.Fatalf("network %d: price %g and a chain of %d by the middle; %g and %d before", seed, tree.total, height(tree), price, long)
		}
	}
}

// height returns the most products of a chain.
func height(t *Tree) (most int) {
	for p := range t.kids {
		if t.parent[p] == none {
			most = max(most, t.heights(int32(p))[p])
		}
	}
	return most
}

// TestOrder checks that the order of a tree has every variable of a factor once.
func TestOrder(t *testing.T) {
	for seed := range uint64(100) {
		n, _, order := random(seed)
		tree := New(n, order)
		tree.Anneal(seed)
		var want []int
		for v := range n.States {
			if slices.ContainsFunc(n.Leaves, func(l Leaf) bool { return slices.Contains(l.Scope, v) }) {
				want = append(want, v)
			}
		}
		if got := slices.Sorted(slices.Values(tree.Order())); !slices.Equal(got, want) {
			t.Fatalf("network %d: order of %v; want %v", seed, got, want)
		}
	}
}

// grid returns the network of a square of pairwise factors over two states.
func grid(side int) (*Network, []int) {
	n := &Network{States: slices.Repeat([]float64{2}, side*side)}
	var order []int
	for v := range n.States {
		order = append(order, v)
		if v%side > 0 {
			n.Leaves = append(n.Leaves, Leaf{Scope: []int{v - 1, v}})
		}
		if v >= side {
			n.Leaves = append(n.Leaves, Leaf{Scope: []int{v - side, v}})
		}
	}
	return n, order
}

// TestSlice checks that slicing keeps results within the limit, and that it says so if it may not
// fix enough.
func TestSlice(t *testing.T) {
	n, order := grid(8)
	tree := New(n, order)
	tree.Anneal(1)
	whole := tree.Cost()
	vars, ok := tree.Slice(func(c Cost) bool { return c.Numbers <= 100 }, func(int) bool { return true }, 1)
	if cost := tree.Cost(); !ok || len(vars) == 0 || cost.Numbers > 100 || whole.Numbers <= 100 {
		t.Errorf("%d entries with %v fixed (%v); %g before; want at most 100, and more before", int(cost.Numbers), vars, ok, whole.Numbers)
	}
	n, order = grid(8)
	tree = New(n, order)
	if vars, ok := tree.Slice(func(c Cost) bool { return c.Numbers <= 10 }, func(int) bool { return false }, 1); ok || len(vars) > 0 {
		t.Errorf("%v fixed (%v); want none", vars, ok)
	}
}

// TestDeterministic checks that the same network and seed give the same tree.
func TestDeterministic(t *testing.T) {
	var first []Step
	for range 2 {
		n, order := grid(7)
		tree := New(n, order)
		tree.Anneal(3)
		steps, _ := tree.Steps()
		if first != nil && fmt.Sprint(steps) != fmt.Sprint(first) {
			t.Fatal("two trees of one network differ")
		}
		first = steps
	}
}
