package irtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Options bounds the models of RandomModel. Zero fields mean the defaults.
type Options struct {
	Kinds      []model.Kind // kinds to choose from; default all
	MaxVars    int          // default 12
	MaxStates  int          // of a variable; default 5
	MaxParents int          // also, less one, of the variables of a potential; default 3
	MaxJoint   int          // joint states; default 2^20
	TablesOnly bool         // no other kind of distribution
	NoZeros    bool         // all numbers above zero
}

func (o Options) withDefaults() Options {
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	if len(o.Kinds) == 0 {
		o.Kinds = []model.Kind{model.Bayes, model.Markov}
	}
	set(&o.MaxVars, 12)
	set(&o.MaxStates, 5)
	set(&o.MaxParents, 3)
	set(&o.MaxJoint, 1<<20)
	return o
}

// RandomModel returns a discrete model that depends only on seed and o and passes its checks. It
// has at least 2 variables of at least 1 state each, in random order and often in several
// components. Bayesian networks have CPDs of every kind, with the child anywhere in the scope.
// Markov networks have potentials of every kind, with zeros, some of them constants, several over
// the same variables or over none, but their product is never zero everywhere.
func RandomModel(seed uint64, o Options) *model.Model {
	g := &generator{rand.New(rand.NewPCG(seed, 1)), o.withDefaults(), nil, 0}
	kind := g.o.Kinds[g.IntN(len(g.o.Kinds))]
	g.m = &model.Model{Name: fmt.Sprintf("random%d", seed), Kind: kind}
	if !o.NoZeros && g.IntN(2) == 0 {
		g.zeros = []float64{0.1, 0.3, 0.6}[g.IntN(3)]
	}
	g.vars()
	if kind == model.Bayes {
		g.cpds()
	} else {
		g.potentials()
	}
	return g.m
}

type generator struct {
	*rand.Rand
	o     Options
	m     *model.Model
	zeros float64 // the probability of a zero
}

func (g *generator) vars() {
	joint := 1
	for i := range 2 + g.IntN(max(1, g.o.MaxVars-1)) {
		card := 2 + g.IntN(max(1, g.o.MaxStates-1))
		if g.IntN(10) == 0 {
			card = 1
		}
		card = min(card, g.o.MaxStates, g.o.MaxJoint/joint)
		joint *= card
		states := make([]string, card)
		for s := range states {
			states[s] = fmt.Sprintf("s%d", s)
		}
		g.m.NewVar(fmt.Sprintf("x%d", i), states...)
	}
}

// cpds adds a CPD for each variable. Parents come before their children in a random order.
func (g *generator) cpds() {
	order := g.Perm(len(g.m.Vars))
	for i, child := range order {
		n := g.IntN(min(i, g.o.MaxParents) + 1)
		scope := []model.VarID{model.VarID(child)}
		for _, k := range g.Perm(i)[:n] {
			scope = append(scope, model.VarID(order[k]))
		}
		g.Shuffle(len(scope), func(a, b int) { scope[a], scope[b] = scope[b], scope[a] })
		f := &model.Factor{Scope: scope, Child: slices.Index(scope, model.VarID(child))}
		f.Dist = g.dist(f)
		g.m.Factors = append(g.m.Factors, f)
	}
	g.Shuffle(len(order), func(a, b int) { fs := g.m.Factors; fs[a], fs[b] = fs[b], fs[a] })
}

func (g *generator) dist(f *model.Factor) model.Dist {
	kind := g.IntN(6)
	if g.o.TablesOnly {
		kind = 0
	}
	switch {
	case kind == 1 && !g.o.NoZeros:
		return g.deterministic(f)
	case kind == 2:
		return g.noisyMax(f)
	case kind == 3:
		return g.tree(f)
	case kind == 4:
		return g.features(f)
	}
	return g.table(f)
}

// features returns weighted conjunctions over parts of the scope. Sometimes one forbids a state of
// the child, but never its first.
func (g *generator) features(f *model.Factor) *model.Features {
	d := &model.Features{}
	for range g.IntN(6) {
		x := model.Feature{Weight: 2 * g.NormFloat64()}
		for _, axis := range g.Perm(len(f.Scope))[:g.IntN(len(f.Scope)+1)] {
			x.Literals = append(x.Literals, model.Literal{Axis: axis, State: int32(g.IntN(g.m.Card(f.Scope[axis]))), Not: g.IntN(3) == 0})
		}
		d.List = append(d.List, x)
	}
	if card := g.m.Card(f.Scope[max(0, f.Child)]); card > 1 && g.zeros > 0 && g.IntN(2) == 0 {
		l := model.Literal{Axis: max(0, f.Child), State: int32(1 + g.IntN(card-1))}
		d.List = append(d.List, model.Feature{Weight: math.Inf(-1), Literals: []model.Literal{l}})
	}
	return d
}

// row returns a distribution over n states, with zeros except for one state at least.
func (g *generator) row(n int) []float64 {
	row := make([]float64, n)
	sum, keep := 0.0, g.IntN(n)
	for i := range row {
		if i == keep || g.Float64() >= g.zeros {
			row[i] = 0.02 + g.ExpFloat64() // no number is close to zero by chance
		}
		sum += row[i]
	}
	for i := range row {
		row[i] /= sum
	}
	return row
}

// rows returns n rows, one after another.
func (g *generator) rows(n, card int) []float64 {
	var out []float64
	for range n {
		out = append(out, g.row(card)...)
	}
	return out
}

func (g *generator) size(vars []model.VarID) int {
	n, _ := g.m.TableSize(vars)
	return n
}

func (g *generator) table(f *model.Factor) model.Dist {
	card, inner := g.m.Card(f.ChildVar()), g.size(f.Scope[f.Child+1:])
	values := make([]float64, g.size(f.Scope))
	for start := 0; start < len(values); start += card * inner {
		for i := range inner {
			for s, p := range g.row(card) {
				values[start+s*inner+i] = p
			}
		}
	}
	return &model.Table{Values: values}
}

func (g *generator) deterministic(f *model.Factor) model.Dist {
	states := make([]int32, g.size(f.Parents()))
	for i := range states {
		states[i] = int32(g.IntN(g.m.Card(f.ChildVar())))
	}
	return &model.Deterministic{States: states}
}

func (g *generator) noisyMax(f *model.Factor) model.Dist {
	card := g.m.Card(f.ChildVar())
	d := &model.NoisyMax{Leak: g.row(card)}
	for _, p := range f.Parents() {
		d.Cause = append(d.Cause, g.rows(g.m.Card(p), card))
	}
	return d
}

func (g *generator) tree(f *model.Factor) model.Dist {
	var free []int
	for i := range f.Scope {
		if i != f.Child {
			free = append(free, i)
		}
	}
	d := &model.Tree{}
	g.grow(d, g.m.Card(f.ChildVar()), f, free)
	return d
}

// grow adds a subtree that tests some of the positions in free, with rows of card numbers at its
// leaves, and returns its root. Half of the tests single out one state.
func (g *generator) grow(d *model.Tree, card int, f *model.Factor, free []int) int32 {
	at := len(d.Nodes)
	d.Nodes = append(d.Nodes, model.TreeNode{})
	if len(free) == 0 || at > 0 && g.IntN(4) == 0 {
		d.Nodes[at].Leaf = g.row(card)
		return int32(at)
	}
	k := g.IntN(len(free))
	rest := slices.Delete(slices.Clone(free), k, k+1)
	next := make([]int32, g.m.Card(f.Scope[free[k]]))
	if g.IntN(2) == 0 {
		for s := range next {
			next[s] = g.grow(d, card, f, rest)
		}
	} else {
		one, others := g.grow(d, card, f, rest), g.grow(d, card, f, rest)
		for s := range next {
			next[s] = others
		}
		next[g.IntN(len(next))] = one
	}
	d.Nodes[at].Axis, d.Nodes[at].Next = free[k], next
	return int32(at)
}

// potentials adds potentials over random scopes. All are positive at one joint state.
func (g *generator) potentials() {
	n := len(g.m.Vars)
	alive := make([]int, n)
	for v := range alive {
		alive[v] = g.IntN(g.m.Card(model.VarID(v)))
	}
	for range 1 + g.IntN(2*n) {
		var scope []model.VarID
		for _, v := range g.Perm(n)[:g.IntN(min(n, g.o.MaxParents+1)+1)] {
			scope = append(scope, model.VarID(v))
		}
		g.m.Factors = append(g.m.Factors, g.potential(scope, alive))
	}
}

func (g *generator) potential(scope []model.VarID, alive []int) *model.Factor {
	values := make([]float64, g.size(scope))
	constant, scale := g.IntN(10) == 0, []float64{1, 100, 1e-3}[g.IntN(3)]
	for i := range values {
		switch {
		case constant:
			values[i] = scale
		case g.Float64() >= g.zeros:
			values[i] = scale * (0.02 + g.ExpFloat64())
		}
	}
	at := 0
	for _, v := range scope {
		at = at*g.m.Card(v) + alive[v]
	}
	if values[at] == 0 {
		values[at] = scale
	}
	f := &model.Factor{Scope: scope, Child: -1, Dist: &model.Table{Values: values}}
	if g.o.TablesOnly || constant || len(scope) == 0 {
		return f
	}
	switch g.IntN(6) { // kinds other than tables are positive at the joint state that must stay possible
	case 0:
		f.Dist = g.potentialTree(f)
	case 1:
		f.Dist = g.potentialFeatures(f, alive)
	case 2:
		f.Dist = g.circuit(f, values)
	}
	return f
}

// potentialTree returns a tree with leaves of one positive number.
func (g *generator) potentialTree(f *model.Factor) *model.Tree {
	d := &model.Tree{}
	var free []int
	for i := range f.Scope {
		free = append(free, i)
	}
	g.grow(d, 1, f, free)
	for i := range d.Nodes {
		if d.Nodes[i].Leaf != nil {
			d.Nodes[i].Leaf[0] = 0.02 + g.ExpFloat64()
		}
	}
	return d
}

// potentialFeatures returns features that are positive at the joint state that must stay possible.
func (g *generator) potentialFeatures(f *model.Factor, alive []int) *model.Features {
	for {
		d := g.features(f)
		if !math.IsInf(d.Log(f, alive), -1) {
			return d
		}
	}
}

// circuit returns the table as a network polynomial: the sum over joint states of a number times
// the indicators.
func (g *generator) circuit(f *model.Factor, values []float64) *model.Circuit {
	d := &model.Circuit{}
	add := func(n model.CircuitNode) int32 {
		d.Nodes = append(d.Nodes, n)
		return int32(len(d.Nodes) - 1)
	}
	indicator := make([][]int32, len(f.Scope))
	for axis, v := range f.Scope {
		for s := range g.m.Card(v) {
			indicator[axis] = append(indicator[axis], add(model.CircuitNode{Op: model.CircuitIndicator, Axis: axis, State: int32(s)}))
		}
	}
	root := model.CircuitNode{Op: model.CircuitSum}
	state := make([]int, len(g.m.Vars))
	for _, x := range values {
		term := model.CircuitNode{Op: model.CircuitProduct, Args: []int32{add(model.CircuitNode{Value: x})}}
		for axis, v := range f.Scope {
			term.Args = append(term.Args, indicator[axis][state[v]])
		}
		root.Args = append(root.Args, add(term))
		g.m.Next(f.Scope, state)
	}
	add(root)
	return d
}
