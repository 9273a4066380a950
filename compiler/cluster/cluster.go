// Package cluster turns an elimination order into the tree on which messages are passed.
//
// The tree is a bucket tree: one cluster for each variable, with that variable and its neighbours
// at the time of its elimination. The separator of a bucket is its cluster without the variable.
// Bucket trees keep every message of variable elimination, which two-pass propagation wants, and
// contain the maximal cliques of the clique tree ([Tree.Maximal]). The package knows variables and
// scopes, not tables or numbers.
//
// Source: Kask, Dechter, Larrosa and Dechter 2005, Unifying tree decompositions for reasoning in
// graphical models, section 5; Koller and Friedman, section 10.1.
package cluster

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Bucket is the cluster in which Var is eliminated.
type Bucket struct {
	Var       model.VarID
	Separator []model.VarID // the cluster without Var, latest eliminated first
	Parent    int           // the bucket that receives the message: that of the separator's next variable; -1 at a root
	Children  []int
}

// Tree is a forest of buckets in order of elimination: children come before parents.
type Tree struct {
	Buckets []Bucket
	Rank    []int // by variable: its place in the elimination order; -1 if it is not eliminated
}

// New builds the bucket tree of the given scopes for an order. Variables that are not in order have
// a known state and are left out of every cluster.
func New(vars int, scopes [][]model.VarID, order []int) *Tree {
	t := &Tree{Buckets: make([]Bucket, len(order)), Rank: make([]int, vars)}
	for i := range t.Rank {
		t.Rank[i] = -1
	}
	for i, v := range order {
		t.Rank[v] = i
		t.Buckets[i] = Bucket{Var: model.VarID(v), Parent: -1}
	}
	members := make([]map[model.VarID]bool, len(order))
	join := func(bucket int, vars []model.VarID) {
		if members[bucket] == nil {
			members[bucket] = map[model.VarID]bool{}
		}
		for _, v := range vars {
			if t.Rank[v] > bucket {
				members[bucket][v] = true
			}
		}
	}
	for _, scope := range scopes {
		if first := t.First(scope); first >= 0 {
			join(first, scope)
		}
	}
	for i := range t.Buckets {
		b := &t.Buckets[i]
		for v := range members[i] {
			b.Separator = append(b.Separator, v)
		}
		t.Sort(b.Separator)
		if b.Parent = t.First(b.Separator); b.Parent >= 0 {
			join(b.Parent, b.Separator)
			t.Buckets[b.Parent].Children = append(t.Buckets[b.Parent].Children, i)
		}
	}
	return t
}

// First returns the bucket in which the first of vars is eliminated, or -1 if none is.
func (t *Tree) First(vars []model.VarID) int {
	first := -1
	for _, v := range vars {
		if r := t.Rank[v]; r >= 0 && (first < 0 || r < first) {
			first = r
		}
	}
	return first
}

// Sort puts vars into the order in which tables are laid out, slowest first: variables with a known
// state, then the others, latest eliminated first. A table's fastest variable is then the next to
// be summed out.
func (t *Tree) Sort(vars []model.VarID) {
	key := func(v model.VarID) int {
		if t.Rank[v] < 0 {
			return math.MaxInt
		}
		return t.Rank[v]
	}
	slices.SortFunc(vars, func(a, b model.VarID) int {
		if ka, kb := key(a), key(b); ka != kb {
			if ka > kb {
				return -1
			}
			return 1
		}
		return int(a - b)
	})
}

// Order lists all variables in the order that Sort gives.
func (t *Tree) Order() []model.VarID {
	all := make([]model.VarID, len(t.Rank))
	for v := range all {
		all[v] = model.VarID(v)
	}
	t.Sort(all)
	return all
}

// Scope returns the cluster of bucket i: its separator, then its variable.
func (t *Tree) Scope(i int) []model.VarID {
	return append(slices.Clone(t.Buckets[i].Separator), t.Buckets[i].Var)
}

// PostOrder lists the buckets so that each comes right after its children: the order of upward
// messages in which the fewest messages wait.
func (t *Tree) PostOrder() []int {
	var out []int
	var visit func(i int)
	visit = func(i int) {
		for _, c := range t.Buckets[i].Children {
			visit(c)
		}
		out = append(out, i)
	}
	for i, b := range t.Buckets {
		if b.Parent < 0 {
			visit(i)
		}
	}
	return out
}

// Maximal lists the buckets whose clusters are the cliques of the clique tree: those that no other
// cluster contains.
func (t *Tree) Maximal() []int {
	contained := make([]bool, len(t.Buckets))
	for _, b := range t.Buckets {
		// A separator lies within the parent's cluster. If it is as large, the child's cluster
		// contains the parent's.
		if b.Parent >= 0 && len(b.Separator) == len(t.Buckets[b.Parent].Separator)+1 {
			contained[b.Parent] = true
		}
	}
	var out []int
	for i := range t.Buckets {
		if !contained[i] {
			out = append(out, i)
		}
	}
	return out
}
