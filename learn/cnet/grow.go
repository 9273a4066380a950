package cnet

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// node is a test of a variable, or a leaf if it has no children.
type node struct {
	vars    []data.Var
	tree    *trees.Tree // the tree of a leaf, or the one that would replace a test
	v       int
	usual   int // the state that replaces a missing one
	weights []float64
	below   []*node
}

// build adds the network to n as blocks.
func (x *node) build(n *spn.Network) spn.Block {
	if x.below == nil {
		return n.Tree(x.tree.Nodes(x.vars))
	}
	var below []spn.Block
	for _, y := range x.below {
		below = append(below, y.build(n))
	}
	return n.Branch(x.v, x.weights, below)
}

func (x *node) tests() int {
	if x.below == nil {
		return 0
	}
	sum := 1
	for _, y := range x.below {
		sum += y.tests()
	}
	return sum
}

// split returns the rows of each state of a test, as indices of rows.
func (x *node) split(set *data.Set, rows []int32) [][]int {
	out := make([][]int, len(x.weights))
	c := set.Column(x.v)
	for k, row := range rows {
		s := c.At(int(row))
		if s == data.Missing {
			s = x.usual
		}
		out[s] = append(out[s], k)
	}
	return out
}

func choose[T any](list []T, places []int) []T {
	out := make([]T, len(places))
	for i, k := range places {
		out[i] = list[k]
	}
	return out
}

// logs writes the log-probability of each row to out. A row that misses the tested variable follows
// its most frequent state.
func (x *node) logs(set *data.Set, rows []int32, out []float64) {
	if x.below == nil {
		x.tree.Rows(set, rows, out)
		return
	}
	for s, places := range x.split(set, rows) {
		part := make([]float64, len(places))
		x.below[s].logs(set, choose(rows, places), part)
		for i, k := range places {
			out[k] = part[i] + pgmrt.Ln(x.weights[s])
		}
	}
}

// grower learns one network.
type grower struct {
	*Options
	ctx     context.Context
	train   *data.Set
	weights []float64 // weights of its rows; nil if all are 1
	price   float64   // penalty of a parameter
	rng     *rand.Rand
	valid   *data.Set
	cores   int
	history *history
	member  int // index in an ensemble
}

// choice is the test of a node: 1 plus the variable, or 0 for none. Choices are stored parents
// first.
type choice int

type history = learner.History[choice]

func (l *Options) grower(ctx context.Context, train *data.Set, weights []float64, rng *rand.Rand, valid *data.Set, cores int) *grower {
	g := &grower{Options: l, ctx: ctx, train: train, weights: weights, rng: rng, valid: valid, cores: cores}
	total := 0.0
	for row := range train.Len() {
		total += g.weight(int32(row))
	}
	penalty := l.Penalty
	switch {
	case penalty < 0 && valid == nil:
		penalty = 1
	case penalty < 0:
		penalty = cheap
	}
	g.price = penalty * pgmrt.Ln(max(1, total)) / 2
	return g
}

// cheap is the default penalty if validation data prune the tests.
const cheap = 0.1

func (g *grower) weight(row int32) float64 {
	if g.weights == nil {
		return 1
	}
	return g.weights[row]
}

func (g *grower) learn() *node {
	var rows []int32
	for row := range g.train.Len() {
		if g.weight(int32(row)) > 0 {
			rows = append(rows, int32(row))
		}
	}
	vars := make([]int, len(g.train.Vars))
	for v := range vars {
		vars[v] = v
	}
	x := g.grow(rows, vars)
	if g.valid != nil {
		g.prune(x, rowsOf(g.valid))
	}
	return x
}

// grow learns the node for some rows and the variables that are not tested above it.
func (g *grower) grow(rows []int32, vars []int) *node {
	index, err := trees.NewIndex(g.train, rows, vars)
	if err != nil {
		panic("cnet: " + err.Error()) // the index of all rows and variables was not too large
	}
	weights := make([]float64, len(rows))
	for k, row := range rows {
		weights[k] = g.weight(row)
	}
	c := index.Count(weights)
	x := &node{vars: g.train.Vars, tree: c.ChowLiu(g.Pseudo)}
	if len(vars) < 2 {
		return x
	}
	i := g.choose(c, weights)
	if i < 0 {
		return x
	}
	x.v = vars[i]
	x.weights = make([]float64, c.States(i))
	c.Single(i, x.weights)
	x.usual = argmax(x.weights)
	sum := g.Pseudo
	for _, w := range x.weights {
		sum += w
	}
	rest := slices.Delete(slices.Clone(vars), i, i+1)
	for s, places := range x.split(g.train, rows) {
		x.weights[s] = (x.weights[s] + g.Pseudo/float64(len(x.weights))) / sum
		x.below = append(x.below, g.grow(choose(rows, places), rest))
	}
	return x
}

func argmax(x []float64) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}

// choose returns the variable to test, as an index among the counts' variables, or -1 for none. It
// takes the choice of a checkpoint if there is one, and the best otherwise.
func (g *grower) choose(c *trees.Counts, weights []float64) int {
	list := g.ranked(c)
	if again, ok := g.history.Replay(g.member); ok {
		return g.find(c, list, again)
	}
	i, made := g.best(c, weights, list), choice(0)
	if i >= 0 {
		made = choice(c.Vars[i] + 1)
	}
	if g.ctx.Err() == nil { // all candidates were considered
		g.history.Add(g.member, made)
	}
	return i
}

// find returns the index of a choice among the candidates.
func (g *grower) find(c *trees.Counts, list []candidate, made choice) int {
	if made == 0 {
		return -1
	}
	for _, x := range list {
		if c.Vars[x.i] == int(made)-1 {
			return x.i
		}
	}
	g.history.Reject(fmt.Errorf("variable %d cannot be tested where it is", made-1))
	return -1
}

// best returns the candidate with the test that gains most, or -1 if none gains enough.
func (g *grower) best(c *trees.Counts, weights []float64, list []candidate) int {
	if len(list) == 0 || g.ctx.Err() != nil {
		return -1
	}
	if g.Gain == "entropy" {
		if list[0].gain*c.Total <= g.price*added(c, list[0].i) {
			return -1
		}
		return list[0].i
	}
	if g.Candidates > 0 {
		list = list[:min(g.Candidates, len(list))]
	}
	now := c.Fit(g.Pseudo)
	learner.Each(g.cores, len(list), func(k int) {
		if g.ctx.Err() != nil {
			list[k].gain = math.Inf(-1)
			return
		}
		list[k].gain = g.after(c, weights, list[k].i) - now - g.price*added(c, list[k].i)
	})
	best := list[0]
	for _, x := range list[1:] {
		if x.gain > best.gain {
			best = x
		}
	}
	if !(best.gain > 0) {
		return -1
	}
	return best.i
}

// candidate is a variable with the gain of its test.
type candidate struct {
	i    int
	gain float64
}

// ranked returns the variables that have enough rows in each state that occurs, in descending order
// of how much a test lowers the entropies of all others.
func (g *grower) ranked(c *trees.Counts) []candidate {
	var list []candidate
	part := g.Subset
	if part == 0 {
		part = 1
		if g.Bags > 0 {
			part = 0.5
		}
	}
	for i := range c.Vars {
		if part < 1 && g.rng.Float64() >= part || !g.enough(c, i) {
			continue
		}
		x := candidate{i: i}
		for j := range c.Vars {
			if j != i {
				x.gain += c.Mutual(min(i, j), max(i, j), g.Pseudo)
			}
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.gain, a.gain) })
	return list
}

func (g *grower) enough(c *trees.Counts, i int) bool {
	n := make([]float64, c.States(i))
	c.Single(i, n)
	sides := 0
	for _, x := range n {
		if x > 0 {
			sides++
		}
		if x > 0 && x < g.MinRows {
			return false
		}
	}
	return sides > 1
}

// after returns the log-likelihood of the rows, as computed by Fit, with a test of variable i and a
// Chow-Liu tree for each state. The trees include the variable; it is constant there and
// contributes nothing.
func (g *grower) after(c *trees.Counts, weights []float64, i int) float64 {
	column := c.Set.Column(c.Vars[i])
	n := make([]float64, c.States(i))
	c.Single(i, n)
	usual, total := argmax(n), 0.0
	rest, here := c, make([]float64, len(weights))
	for s, x := range n {
		if s == usual || x == 0 {
			continue
		}
		for k, row := range c.Rows {
			here[k] = 0
			if column.At(int(row)) == s {
				here[k] = weights[k]
			}
		}
		part := c.Count(here)
		rest = rest.Without(part)
		total += part.Fit(g.Pseudo) + x*pgmrt.Ln(x/c.Total)
	}
	return total + rest.Fit(g.Pseudo) + rest.Total*pgmrt.Ln(rest.Total/c.Total)
}

// added returns the number of parameters that a test of variable i adds: the parameters of its
// distribution and of a tree over the others for each state, less the current tree's. It counts all
// variables with the mean number of states.
func added(c *trees.Counts, i int) float64 {
	n, free := float64(len(c.Vars)), 0.0
	for j := range c.Vars {
		free += float64(c.States(j)-1) / n
	}
	tree := func(n float64) float64 { return free + (n-1)*free*(free+1) }
	k := float64(c.States(i))
	return k - 1 + k*tree(n-1) - tree(n)
}

// prune removes tests that do not raise the likelihood of the validation data, bottom-up, and
// returns the log-likelihood of its rows.
func (g *grower) prune(x *node, rows []int32) float64 {
	out := make([]float64, len(rows))
	x.tree.Rows(g.valid, rows, out)
	leaf := 0.0
	for k, row := range rows {
		leaf += g.valid.Weight(int(row)) * out[k]
	}
	if x.below == nil {
		return leaf
	}
	sum := 0.0
	for s, places := range x.split(g.valid, rows) {
		part := choose(rows, places)
		sum += g.prune(x.below[s], part)
		for _, row := range part {
			sum += g.valid.Weight(int(row)) * pgmrt.Ln(x.weights[s])
		}
	}
	if sum > leaf {
		return sum
	}
	x.below = nil
	return leaf
}
